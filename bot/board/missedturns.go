package board

import (
	"fmt"
	"slices"
	"strings"

	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// Unseen turns: those of house seats and of absent people, played one after the other since the last move that
// a person made. Each has a line, with its throws and what came of it: "House 6 2 · 3 3 → 16". They stay until a person
// moves. Where such a turn ends the game, the board is staged: for a moment it shows how all stood before that turn.

const (
	// maxUnseen is how many of these turns have a line; how many more there were is said in one.
	maxUnseen = 3
	// unseenWidth is how many characters a line takes at most, where leaving out throws makes room.
	unseenWidth = 38
)

// unseen returns the moves that were made since a person's last one.
func (s *BoardView) unseen() ([]playedStep, error) {
	if s.Table.Board.Seen == s.Table.Turn {
		return nil, nil
	}
	known, err := s.lastMoves()
	return slices.DeleteFunc(slices.Clone(known.steps), func(step playedStep) bool {
		return step.turn <= s.Table.Board.Seen
	}), err
}

// retold returns the turns that some moves were. Seats that are out decide nothing, and are left out.
func (s *BoardView) retold(moves []playedStep) []record.Retold {
	steps := make([]record.Step, len(moves))
	for i, move := range moves {
		steps[i] = move.Step
	}
	return slices.DeleteFunc(record.Retell(steps), func(turn record.Retold) bool {
		return s.Table.Seats[turn.Seat].Absence == store.Out
	})
}

// unseenLines returns the lines of unseen turns: the last ones, and those of seats that have
// won. reviewed says that a button leads to the others.
func (s *BoardView) unseenLines(turns []record.Retold, winners []games.Seat, reviewed bool) []string {
	turns = slices.DeleteFunc(turns, func(t record.Retold) bool { return len(t.Throws) == 0 && t.How.Key == "" })
	all := len(turns)
	turns = mostTelling(turns, winners)
	var lines []string
	for _, turn := range turns {
		lines = append(lines, s.unseenLine(turn))
	}
	if more := all - len(turns); more > 0 {
		key := "bot.unseen.more"
		if reviewed {
			key = "bot.unseen.more-reviewed"
		}
		lines = append(lines, s.Say(key, games.Args{"N": more, "Review": games.Word("bot.button.review")}))
	}
	return lines
}

// mostTelling returns the turns that have a line, in their order: the last ones, but instead of the
// first of these the last turn of a winner that is not among them.
func mostTelling(turns []record.Retold, winners []games.Seat) []record.Retold {
	first := len(turns) - maxUnseen
	if first <= 0 {
		return turns
	}
	shown := slices.Clone(turns[first:])
	won := func(t record.Retold) bool { return slices.Contains(winners, t.Seat) }
	if slices.ContainsFunc(shown, won) {
		return shown
	}
	for _, turn := range slices.Backward(turns[:first]) {
		if won(turn) {
			shown[0] = turn
			break
		}
	}
	return shown
}

// unseenLine tells one turn. Where its throws are too many for a line, the first ones and the last
// are told: by that it ended.
func (s *BoardView) unseenLine(turn record.Retold) string {
	line := s.toldTurn(turn, turn.Throws, len(turn.Throws))
	for some := len(turn.Throws) - 2; some > 0 && len([]rune(line)) > unseenWidth; some-- {
		line = s.toldTurn(turn, turn.Throws, some)
	}
	return line
}

// toldTurn tells one turn with some of its first throws and the last.
func (s *BoardView) toldTurn(turn record.Retold, throws []games.Faces, some int) string {
	var said []string
	for _, faces := range throws[:some] {
		said = append(said, spelled(faces))
	}
	if some < len(throws) {
		said = append(said, "…", spelled(throws[len(throws)-1]))
	}
	who := "bot.unseen.seat"
	if turn.Auto {
		who = "bot.unseen.played-for"
	}
	key := "bot.unseen.turn"
	switch {
	case len(said) == 0:
		key = "bot.unseen.no-throw"
	case turn.How.Key == "":
		key = "bot.unseen.goes-on"
	}
	args := games.Args{"Who": games.Say(who, games.Args{"Seat": turn.Seat}), "Throws": strings.Join(said, " · ")}
	if turn.How.Key != "" {
		args["How"] = turn.How
	}
	return s.Say(key, args)
}

// spelled returns faces as they lie: "6 2".
func spelled(faces []int) string { return strings.Trim(fmt.Sprint(faces), "[]") }

// playedFor names the people of a finished table for whom the house has played.
func (s *BoardView) playedFor() error {
	seats, err := readOnce(s, "played for", s.Tx.Tables.PlayedFor)
	if err != nil {
		return err
	}
	seats = slices.DeleteFunc(slices.Clone(seats), func(i int) bool { return s.Table.Seats[i].Absence == store.Out })
	if len(seats) > 0 {
		s.Note("bot.unseen.house-for", games.Args{"Names": Named(s.names, seats)})
	}
	return nil
}

// staged draws a table that is over as it stood before the turn that ended it, and who plays that.
// It reports whether there is such a turn.
func (s *BoardView) staged() (bool, error) {
	moves, err := s.unseen()
	turns := s.retold(moves)
	if err != nil || len(turns) == 0 {
		return false, err
	}
	last := turns[len(turns)-1]
	s.Table.Draft = ""
	view := viewOf(s.Table, last.Before)
	view.Buttons, view.Pick = nil, nil
	key := "bot.unseen.last"
	if last.Auto {
		key = "bot.unseen.last-for"
	}
	s.tell(s.Say(key, games.Args{"Seat": last.Seat}))
	s.game(view)
	s.Message.Lines = append(s.unseenLines(turns[:len(turns)-1], nil, false), s.Message.Lines...)
	if s.Table.Stake > 0 {
		s.Message.Small = s.stakes(PoolOf(s.Table).Total()) // where it stands in play
	}
	s.Message.Accent = int(last.Seat)
	return true, nil
}

// asSeen returns a view that shows the end of the last person's turn if turns were played since that no board has
// shown: these have a line each, and what comes next is said as it is.
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
