package standings

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// counting counts one thing in the moves of finished tables, when they are asked for, and stores the counts after the
// answer.
type counting[T any] struct {
	of     string                                              // what is counted, in the log
	count  func(store.Table, []store.Move) ([]T, error)        // by seat
	keep   func(to store.Scores, table int64, seats []T) error // once
	faulty Faulty
}

// counted holds the counts of every seat of a finished table.
type counted[T any] struct {
	table int64
	seats []T
}

// add counts a player's tables that were not counted yet, as many as most, and calls each with the counts of the
// player's seats. It returns how many tables are left. A table whose moves cannot be counted is logged and left out.
func (c *counting[T]) add(v *Visit, player string, tables []int64, most int, each func(game string, seat T)) (left int,
	err error) {
	tables = slices.DeleteFunc(tables, c.faulty.Has)
	now := tables[:min(len(tables), most)]
	var all []counted[T]
	faults := map[int64]error{}
	for _, number := range now {
		t, err := v.Tx.Tables.Table(number)
		if err != nil {
			return 0, fmt.Errorf("table %d: %w", number, err)
		}
		moves, err := v.Tx.Tables.Moves(number)
		if err != nil {
			return 0, err
		}
		seats, err := c.count(t, moves)
		if err != nil {
			faults[number] = err
			continue
		}
		all = append(all, counted[T]{number, seats})
		if i := board.SeatOf(t, chat.User(player)); i >= 0 {
			each(t.Game, seats[i])
		}
	}
	v.After(func(ctx context.Context, core *bot.Core) error {
		for number, fault := range faults {
			if c.faulty.Note(number) {
				core.Log.ErrorContext(ctx, c.of+" of a table cannot be counted", "table", number, "error", fault)
			}
		}
		c.store(ctx, core, all)
		return nil
	})
	return len(tables) - len(now), nil
}

// store keeps counts after the answer was read. If that fails they are counted again at the next request.
func (c *counting[T]) store(ctx context.Context, core *bot.Core, all []counted[T]) {
	for some := range slices.Chunk(all, keptAtOnce) {
		err := core.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
			for _, one := range some {
				if err := c.keep(tx.Scores, one.table, one.seats); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			core.Log.ErrorContext(ctx, "counted "+c.of+" cannot be stored", "error", err)
			return
		}
	}
}

// Faulty is a set of tables whose moves cannot be counted, so that each is logged once and not tried again before the
// next start. The zero value is empty.
type Faulty struct{ tables sync.Map }

// Note adds a table, and reports whether it is new.
func (f *Faulty) Note(table int64) bool {
	_, known := f.tables.LoadOrStore(table, true)
	return !known
}

// Has reports whether a table is in the set.
func (f *Faulty) Has(table int64) bool {
	_, known := f.tables.Load(table)
	return known
}

// Len returns the number of tables.
func (f *Faulty) Len() (n int) {
	f.tables.Range(func(any, any) bool { n++; return true })
	return n
}

// Statistics of a player in single games: sums that the games make of their moves.

// talliesOf adds up what a player's moves count, by game. Finished tables that were not counted yet are counted from
// their moves, and the counts are stored; as many as are left are not counted.
func (v *Visit) talliesOf(player string) (all map[string]map[string]int64, left int, err error) {
	if all, err = v.Tx.Scores.TalliesOf(v.Chat.ID, player); err != nil {
		return nil, 0, err
	}
	var tallied []string
	for _, g := range v.bot.Games {
		if _, ok := g.(games.Tallied); ok {
			tallied = append(tallied, g.Name())
		}
	}
	tables, err := v.Tx.Scores.UncountedTallies(v.Chat.ID, player, tallied)
	if err != nil {
		return nil, 0, err
	}
	left, err = v.bot.tallies.add(v, player, tables, maxCounted, func(game string, counted map[string]int64) {
		if all[game] == nil {
			all[game] = map[string]int64{}
		}
		games.Tally(all[game]).Add(counted)
	})
	return all, left, err
}

// TalliesAt counts the moves of every seat of a finished table, nil for games whose moves do not count. Moves for
// absent players count for no one.
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

// tallyLines returns a line with a player's sums of each game, the most played first, from the line from on; more says
// that further ones follow.
func (v *Visit) tallyLines(player string, played []store.Played, from int) (lines []games.Line, more bool, err error) {
	all, left, err := v.talliesOf(player)
	if err != nil {
		return nil, false, err
	}
	times := map[string]int{}
	for _, p := range played {
		times[p.Game]++
	}
	most := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
	for _, name := range most {
		g, err := v.bot.Game(name)
		if err != nil {
			continue // not installed any more
		}
		counts, ok := g.(games.Tallied)
		if !ok {
			continue
		}
		var told []string
		for _, line := range counts.SayTally(all[name]) {
			told = append(told, v.Say(line))
		}
		if len(told) > 0 {
			lines = append(lines, games.Say("bot.stats.told",
				games.Args{"Game": v.bot.GameLabel(g), "Told": strings.Join(told, " ")}))
		}
	}
	lines = lines[min(from, len(lines)):]
	if more = len(lines) > maxTallied; more {
		lines = lines[:maxTallied]
	}
	if left > 0 {
		lines = append(lines, games.Say("bot.stats.uncounted", games.Args{"N": left}))
	}
	return lines, more, nil
}

// pageOfGames is the page with the sums of further games.
const pageOfGames = "games"

// gamesPage shows a player's sums by game, from the line from on.
func (v *Visit) gamesPage(c companion, from int64) error {
	played, err := v.Tx.Scores.Series(v.Chat.ID, c.player, maxPlayed)
	if err != nil {
		return err
	}
	lines, more, err := v.tallyLines(c.player, played, int(min(max(from, 0), maxPlayed)))
	if err != nil {
		return err
	}
	m := v.Private(games.Say("bot.stats.by-game", games.Args{"Name": c.name}))
	for _, line := range lines {
		m.Lines = append(m.Lines, v.Say(line))
	}
	row := []chat.Button{v.Button(games.Say("bot.button.stats", nil), "/stats "+c.tagged(), games.Plain)}
	if more {
		row = append(row, v.moreGames(c, int(from)+maxTallied))
	}
	m.Row(row...)
	return nil
}

// moreGames returns the button to the sums of further games, from the line from on.
func (v *Visit) moreGames(c companion, from int) chat.Button {
	page := fmt.Sprintf("/stats %s %s %d", c.tagged(), pageOfGames, from)
	return v.Button(games.Say("bot.button.more-games", nil), page, games.Plain)
}
