package board

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// What follows from the moves of a table: its match, its turns, which moves still count.

// CatchUp counts the turns of games that ended under a version that did not, and gives them their evenings by the clock
// of the installation, chat by chat. It does nothing when there are none. A table whose moves cannot be played again
// has no turns; Check says what is wrong with it.
func (b *Boards) CatchUp(ctx context.Context) error {
	for {
		err := b.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
			chat, err := tx.Scores.UncountedChat()
			if err != nil {
				return err
			}
			tables, err := tx.Scores.Uncounted(chat)
			if err != nil {
				return err
			}
			for _, table := range tables {
				t, err := tx.Tables.Table(table)
				if err != nil {
					return err
				}
				history, err := tx.Tables.Moves(table)
				if err != nil {
					return err
				}
				var counts []store.Turns
				for _, n := range b.TurnsAtTheBox(t, history) {
					counts = append(counts, store.Turns{Turns: int64(n.Turns), Shut: int64(n.Shut)})
				}
				evening := bot.EveningOf(time.UnixMilli(t.Ending.Ended), b.Zone)
				if err := tx.Scores.Count(table, evening, counts); err != nil {
					return err
				}
			}
			return tx.Scores.Recount(chat)
		})
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("count turns: %w", err)
		}
	}
}

// TurnsAtTheBox counts the turns of every seat at the box, and those that shut it, by replaying the
// table's moves. It returns none if the game has no box or a move cannot be replayed: a game ends
// nevertheless, and Check reports the fault.
func (b *Boards) TurnsAtTheBox(t store.Table, history []store.Move) []record.Turns {
	g, err := b.Game(t.Game)
	boxed, ok := g.(games.Boxed)
	if err != nil || !ok {
		return nil
	}
	moves, err := Standing(history)
	if err != nil {
		return nil
	}
	counts, _ := record.TurnsOf(boxed, t.Rules, len(t.Seats), Facts(moves))
	return counts
}

// TakenBack is the entry in a table's history by which the last move before it that still counted was taken back. Both
// stay in the history and count as turns, so that no earlier press fits afterwards; neither is in the record.
const TakenBack = "!undo"

// Standing returns the moves of a history that have not been taken back. The error says what cannot have been.
func Standing(history []store.Move) ([]store.Move, error) {
	moves, _, err := standing(history, 0)
	return moves, err
}

// standing returns the moves of the end of a history that were not taken back, and the turn that each led to. before is
// the number of entries of the history before this end.
func standing(history []store.Move, before int64) (moves []store.Move, turns []int64, err error) {
	for i, m := range history {
		turn := before + int64(i) + 1
		if m.Move != TakenBack {
			moves, turns = append(moves, m), append(turns, turn)
			continue
		}
		last := len(moves) - 1
		if last < 0 || moves[last].Seat != m.Seat || len(moves[last].Dice)+len(m.Dice) > 0 {
			return nil, nil, fmt.Errorf("move %d takes back what seat %d cannot", turn, m.Seat)
		}
		moves, turns = moves[:last], turns[:last]
	}
	return moves, turns, nil
}

// Facts returns moves as a record spells them.
func Facts(moves []store.Move) []record.Move {
	told := make([]record.Move, len(moves))
	for i, m := range moves {
		told[i] = record.Move{Seat: games.Seat(m.Seat), Move: games.Move(m.Move), Dice: m.Dice, Auto: m.Auto}
	}
	return told
}

// Theirs reports whether the last choice of a seat was made by the person who sits there now: something was played
// since they sat down. If that was another seat's move only, the choice cannot be taken back in any case.
func Theirs(t store.Table, seat games.Seat) bool { return t.Turn > t.Seats[seat].Since }

// undoAndHint returns the button that takes the last choice back, and the one that asks for the best move where hints
// are agreed on and perfect play is known. Only the person who chose may take a choice back: not a later owner of the
// seat, nor one for whom the house played, who would get a turn that no person plays.
func (s *BoardView) undoAndHint(view games.View) (row []chat.Button) {
	add := func(b chat.Button, seat games.Seat) {
		b.For = chat.User(s.Table.Seats[seat].Player)
		row = append(row, b)
	}
	if len(view.Undo) > 0 && isPerson(s.Table.Seats[view.Undo[0]]) && Theirs(s.Table, view.Undo[0]) {
		if auto := readOnce(s, "last is auto", s.Tx.Calls.LastIsAuto); !auto && !WentOn(s.pressed) {
			s.undo = view.Undo
			add(s.key("undo", "!undo", games.Plain), view.Undo[0])
		}
	}
	if games.AllowsHints(s.Table.Rules) && len(s.turn) == 1 {
		if _, err := ProblemOf(s.Game, s.Table); err == nil {
			add(s.key("hint", "/hint", games.Plain), s.turn[0])
		}
	}
	return row
}

// Match loads the match of a table.
func (b *Boards) Match(t store.Table) (games.Game, games.Match, error) {
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, nil, err
	}
	m, err := g.Load(t.Rules, t.Match)
	if err != nil {
		return nil, nil, fmt.Errorf("match of table %d: %w", t.ID, err)
	}
	return g, m, nil
}

// Solvable refuses rules without perfect play for that many seats, or for the smallest possible
// number if that is larger.
func Solvable(g games.Game, rules games.Rules, seats int) error {
	least, _ := g.Seats(rules)
	_, err := games.ProblemOf(g, rules, max(least, seats))
	return err
}

// ProblemOf returns what has to be solved for a table.
func ProblemOf(g games.Game, t store.Table) (games.Problem, error) {
	return games.ProblemOf(g, t.Rules, len(t.Seats))
}

// SeatsPerfect reports whether a house seat plays perfectly.
func SeatsPerfect(g games.Game, seats []store.Seat) bool {
	perfect, there := PerfectHouse(g)
	return there && slices.ContainsFunc(seats, func(s store.Seat) bool { return s.House == perfect.Name })
}

// PerfectHouse returns the strategy of a game that plays perfectly, and false where there is none.
func PerfectHouse(g games.Game) (games.House, bool) {
	for _, h := range g.Houses() {
		if h.Solved {
			return h, true
		}
	}
	return games.House{}, false
}
