package standings

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// What games tell of a player beside results: sums that the games make of their moves.

// maxTold is of how many games, those played most, sums are told.
const maxTold = 3

// tableTallies is what the moves of every seat of a finished table count, not yet kept.
type tableTallies struct {
	table int64
	seats []map[string]int64
}

// tallied are the names of the games whose moves count.
func (b *Standings) tallied() []string {
	var names []string
	for _, g := range b.Games {
		if _, ok := g.(games.Tallied); ok {
			names = append(names, g.Name())
		}
	}
	return names
}

// talliesOf adds up what a player's moves count, by game. Finished tables that were not counted yet are counted from
// their moves; the counts are stored.
func (v *Visit) talliesOf(player string) (map[string]games.Tally, error) {
	kept, err := v.Tx.TalliesOf(v.Chat.ID, player)
	if err != nil {
		return nil, err
	}
	all := map[string]games.Tally{}
	for game, sum := range kept {
		all[game] = sum
	}
	tables, err := v.Tx.UncountedTallies(v.Chat.ID, player, v.bot.tallied())
	if err != nil {
		return nil, err
	}
	var counted []tableTallies
	for _, at := range tables {
		t, err := v.Tx.Table(at)
		if err != nil {
			return nil, fmt.Errorf("table %d: %w", at, err)
		}
		moves, err := v.Tx.Moves(at)
		if err != nil {
			return nil, err
		}
		seats, err := v.bot.TalliesAt(t, moves)
		if err != nil {
			return nil, fmt.Errorf("moves of table %d: %w", at, err)
		}
		counted = append(counted, tableTallies{at, seats})
		if all[t.Game] == nil {
			all[t.Game] = games.Tally{}
		}
		if i := board.SeatOf(t, chat.User(player)); i >= 0 {
			all[t.Game].Add(seats[i])
		}
	}
	v.After(func(ctx context.Context, _ *bot.Core) error {
		v.bot.keepTallies(ctx, counted)
		return nil
	})
	return all, nil
}

// keepTallies stores counts after the answer was read. If that fails they are counted again at the next request.
func (b *Standings) keepTallies(ctx context.Context, counted []tableTallies) {
	for some := range slices.Chunk(counted, keptAtOnce) {
		err := b.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
			for _, c := range some {
				if err := tx.AddTallies(c.table, c.seats); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Log.ErrorContext(ctx, "counted moves were not kept", "error", err)
			return
		}
	}
}

// TalliesAt counts the moves of every seat of a finished table, none in games whose moves do not count. What was played
// for somebody absent counts for nobody.
func (b *Standings) TalliesAt(t store.Table, moves []store.Move) ([]map[string]int64, error) {
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, nil // not installed any more
	}
	counts, ok := g.(games.Tallied)
	if !ok {
		return nil, nil
	}
	stood, err := board.Standing(moves)
	if err != nil {
		return nil, err
	}
	m, err := g.New(t.Rules, len(t.Seats))
	if err != nil {
		return nil, err
	}
	steps, err := record.Steps(m, board.Facts(stood))
	if err != nil {
		return nil, err
	}
	seats := make([]map[string]int64, len(t.Seats))
	for i := range seats {
		seats[i] = map[string]int64{}
	}
	for _, step := range steps {
		if !step.Move.Auto {
			seat := step.Move.Seat
			games.Tally(seats[seat]).Add(counts.Tally(step.Before, step.After, seat, step.Move.Move))
		}
	}
	return seats, nil
}

// toldLines are what the games that were played most tell of a player, a line each.
func (v *Visit) toldLines(player string, played []store.Played) ([]games.Line, error) {
	all, err := v.talliesOf(player)
	if err != nil {
		return nil, err
	}
	times := map[string]int{}
	for _, p := range played {
		times[p.Game]++
	}
	most := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
	var lines []games.Line
	for _, name := range most {
		g, err := v.bot.Game(name)
		if err != nil {
			continue // not installed any more
		}
		if told, ok := g.(games.Tallied); ok && len(lines) < maxTold {
			lines = append(lines, v.toldLine(g, told.SayTally(all[name]))...)
		}
	}
	return lines, nil
}

// toldLine is the line of a game, none where it says nothing.
func (v *Visit) toldLine(g games.Game, said []games.Line) []games.Line {
	if len(said) == 0 {
		return nil
	}
	text := ""
	for _, line := range said {
		text += " " + v.Say(line)
	}
	return []games.Line{games.Say("bot.stats.told", games.Args{"Game": v.bot.GameLabel(g), "Told": text[1:]})}
}
