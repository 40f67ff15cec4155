package board

import (
	"knobel/games"
	"knobel/store"
)

// asSeen returns a view that shows, where turns were played since that nobody saw, the turn of the last person to move
// as it ended: those of the others have a line each, and what comes next is said as it is.
func (s *BoardView) asSeen(seen, m games.Match, view games.View) (games.View, error) {
	if told, err := s.playedByHouse(m, &view); told || err != nil {
		return view, err
	}
	if !endedByPerson(s.Table, seen) || !hasEnded(m) {
		return view, nil
	}
	then := viewOf(s.Table, seen)
	if told, next := len(then.Head)-1, len(view.Head)-1; told > 0 && next > 0 {
		view.Head = append(then.Head[:told:told], view.Head[next])
	}
	if showsEnded(view) && showsEnded(then) {
		view.Tiles = then.Tiles
	}
	return view, nil
}

// playedByHouse has a view tell first of the turn that has just ended, where the house has played it for a person who
// is away. It reports whether that is so.
func (s *BoardView) playedByHouse(m games.Match, view *games.View) (bool, error) {
	next := len(view.Head) - 1
	if !endedByPerson(s.Table, m) || next < 1 {
		return false, nil
	}
	seat, how, _ := m.(games.Turned).TurnEnded()
	auto, err := readOnce(s, "last is auto", s.Tx.Calls.LastIsAuto)
	if !auto || err != nil || how.Key == "" || s.Table.Seats[seat].Absence == store.Out {
		return false, err
	}
	said := games.Say("bot.unseen.house-played", games.Args{"Seat": seat, "How": how})
	view.Head = []games.Line{said, view.Head[next]}
	return true, nil
}

// hasEnded reports whether the last move of a match has ended a turn, as far as its game says.
func hasEnded(m games.Match) bool {
	turned, ok := m.(games.Turned)
	if !ok {
		return false
	}
	_, _, ended := turned.TurnEnded()
	return ended
}

// endedByPerson reports whether the last move of a match has ended a person's turn.
func endedByPerson(t store.Table, m games.Match) bool {
	if !hasEnded(m) {
		return false
	}
	seat, _, _ := m.(games.Turned).TurnEnded()
	return int(seat) < len(t.Seats) && t.Seats[seat].House == ""
}

// showsEnded reports whether what a view shows of the box is a turn that has ended, and no more.
func showsEnded(v games.View) bool {
	return len(v.Tiles) == 1 && v.Tiles[0].Owner != games.Nobody && len(v.Tiles[0].Dice) > 0
}
