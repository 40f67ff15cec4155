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

// Facts derived from the moves of a table: its match, its turns, its undone moves.

// CatchUp completes the finished games of older versions. It stores the counts of TurnsAtTheBox for each seat, and the
// evening (date) of the game in the time zone of b. Each chat is one transaction. Games that cannot be replayed get
// zeros as counts; the consistency check reports them.
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

// TurnsAtTheBox replays history and returns for each seat how often it had a turn at the tiles and how often it shut
// all of them. It returns nil if the game has no tiles, or the replay fails, which the consistency check reports.
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

// TakenBack is stored as a move that undoes the latest move still in effect. The undo and the undone move stay stored
// and increase the turn number, so that older buttons stay stale. Records of games contain neither.
const TakenBack = "!undo"

// Standing returns the moves of a history without undos and undone moves. It fails if an undo has no move to undo.
func Standing(history []store.Move) ([]store.Move, error) {
	moves, _, err := withoutUndone(history, 0)
	return moves, err
}

// withoutUndone returns the moves of history that are still in effect, and the turn number after each. before is the
// number of moves that the table made before history.
func withoutUndone(history []store.Move, before int64) (moves []store.Move, turns []int64, err error) {
	for i, m := range history {
		turn := before + int64(i) + 1
		if m.Move != TakenBack {
			moves, turns = append(moves, m), append(turns, turn)
			continue
		}
		last := len(moves) - 1
		if last < 0 || moves[last].Seat != m.Seat || len(moves[last].Dice)+len(m.Dice) > 0 {
			return nil, nil, fmt.Errorf("move %d undoes a move that seat %d cannot undo", turn, m.Seat)
		}
		moves, turns = moves[:last], turns[:last]
	}
	return moves, turns, nil
}

// Facts converts stored moves to the type of moves in a game's record.
func Facts(moves []store.Move) []record.Move {
	facts := make([]record.Move, len(moves))
	for i, m := range moves {
		facts[i] = record.Move{Seat: games.Seat(m.Seat), Move: games.Move(m.Move), Dice: m.Dice, Auto: m.Auto}
	}
	return facts
}

// MovedSinceTaken reports whether any move was made since the present player of the seat took it over. Before that, an
// undo would take back a choice of the seat's previous player.
func MovedSinceTaken(t store.Table, seat games.Seat) bool { return t.Turn > t.Seats[seat].Since }

// undoAndHint returns the button Undo, if the latest choice can be undone, and the button Hint, if the rules allow
// hints and perfect play exists. Only the person who chose can undo. A choice that the computer made for an absent
// person cannot be undone: no person would be there to choose again.
func (s *BoardView) undoAndHint(view games.View) (row []chat.Button) {
	add := func(b chat.Button, seat games.Seat) {
		b.For = chat.User(s.Table.Seats[seat].Player)
		row = append(row, b)
	}
	if len(view.Undo) > 0 && isPerson(s.Table.Seats[view.Undo[0]]) && MovedSinceTaken(s.Table, view.Undo[0]) {
		if auto := readOnce(s, "last is auto", s.Tx.Calls.LastIsAuto); !auto && !FollowsRoll(s.pressed) {
			s.undo = view.Undo
			add(s.namedButton("undo", "!undo", games.Plain), view.Undo[0])
		}
	}
	if games.AllowsHints(s.Table.Rules) && len(s.turn) == 1 {
		if _, err := ProblemOf(s.Game, s.Table); err == nil {
			add(s.namedButton("hint", "/hint", games.Plain), s.turn[0])
		}
	}
	return row
}

// Match returns the game of a table, and its match decoded from the stored table.
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

// Solvable returns a refusal if perfect play does not exist for these rules and this number of seats. If seats is less
// than the game needs, it checks for the least number that the game allows.
func Solvable(g games.Game, rules games.Rules, seats int) error {
	least, _ := g.Seats(rules)
	_, err := games.ProblemOf(g, rules, max(least, seats))
	return err
}

// ProblemOf returns the problem to solve for the perfect play of a table, or a refusal if perfect play does not exist.
func ProblemOf(g games.Game, t store.Table) (games.Problem, error) {
	return games.ProblemOf(g, t.Rules, len(t.Seats))
}

// SeatsPerfect reports whether a computer player among seats plays perfectly.
func SeatsPerfect(g games.Game, seats []store.Seat) bool {
	perfect, there := PerfectHouse(g)
	return there && slices.ContainsFunc(seats, func(s store.Seat) bool { return s.House == perfect.Name })
}

// PerfectHouse returns the computer strategy of a game that plays perfectly, and whether the game has one.
func PerfectHouse(g games.Game) (games.House, bool) {
	for _, h := range g.Houses() {
		if h.Solved {
			return h, true
		}
	}
	return games.House{}, false
}
