package review

import (
	"fmt"
	"slices"
	"strconv"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// stepTo returns the number of moves after which a replayed game is shown: "12" after twelve, "first", "last", "<12" at
// the beginning of the turn that led there, ">12" after the turn that follows. "" is the first. Numbers that are too
// large or too small mean the ends.
func stepTo(moves []store.Move, where string) (int, bool) {
	switch where {
	case "", "first":
		return 0, true
	case "last":
		return len(moves), true
	}
	direction := where[0]
	if direction == '<' || direction == '>' {
		where = where[1:]
	}
	at, err := strconv.Atoi(where)
	if err != nil {
		return 0, false
	}
	at = min(max(at, 0), len(moves))
	switch direction {
	case '<':
		for at--; at > 0 && moves[at-1].Seat == moves[at].Seat; at-- {
		}
	case '>':
		for at++; at < len(moves) && moves[at-1].Seat == moves[at].Seat; at++ {
		}
	}
	return min(max(at, 0), len(moves)), true
}

// stepButtons returns the buttons that lead to other steps. Their positions never change, so that
// people can press on without looking.
func (v *visit) stepButtons(table int64, at int) [][]chat.Button {
	step := func(label games.Line, where string) chat.Button {
		return v.Button(label, fmt.Sprintf("/history %d %s", table, where), games.Plain)
	}
	onward := step(games.Say("bot.button.next", nil), strconv.Itoa(at+1))
	onward.Style = games.Primary
	return [][]chat.Button{
		{
			step(games.Say("bot.button.first", nil), "first"),
			step(games.Say("bot.button.previous", nil), strconv.Itoa(at-1)),
			onward, step(games.Say("bot.button.last", nil), "last"),
		},
		{
			step(games.Say("bot.button.turn-before", nil), fmt.Sprint("<", at)),
			step(games.Say("bot.button.turn-after", nil), fmt.Sprint(">", at)),
			v.Button(games.Say("bot.button.games", nil), "/history", games.Plain),
		},
	}
}

// replay draws a finished game as it stood after some of its moves, in the reader's language.
func (v *visit) replay(t store.Table, moves []store.Move, at int) (*chat.Message, error) {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return nil, err
	}
	match, _, err := table.Replayed(g, t, moves[:at])
	if err != nil {
		return nil, err
	}
	where := games.Say("bot.history.before", games.Args{"Table": t.ID})
	if at > 0 {
		where = games.Say("bot.history.step", games.Args{"Table": t.ID, "Move": at, "Moves": len(moves)})
	}
	t.Seats = slices.Clone(t.Seats)
	for i, s := range t.Seats { // those that were put out later are still in
		if after := board.OutAfter(s, i, moves); after != nil && at <= *after {
			t.Seats[i].Absence = store.Present
		}
	}
	seat := 0 // whose move led there, at the beginning the first to move
	if len(moves) > 0 {
		seat = moves[max(at-1, 0)].Seat
	}
	return v.stood(t, g, match, seat, where)
}

// stood draws a match of a finished game as it stood; where says when. It shows the sheet of the seat that moved last.
func (v *visit) stood(t store.Table, g games.Game, match games.Match, seat int, where games.Line) (*chat.Message,
	error) {
	t.Board.Page = board.PageSheet
	s, err := v.bot.AsItStood(v.Tx, v.Lang, t, g, match, seat)
	if err != nil {
		return nil, err
	}
	s.Message.Head = s.Say("bot.history.head", games.Args{"Where": where, "What": s.Message.Said()})
	s.Message.Told = nil
	return &s.Message, s.SmallPrint()
}
