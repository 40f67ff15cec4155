package standings

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// counter counts something in the moves of finished tables when a player asks for it. After the reply it stores the
// counts of each table, so that no table is counted twice.
type counter[T any] struct {
	subject string                                              // "dice" or "moves", for the log
	count   func(store.Table, []store.Move) ([]T, error)        // returns the counts of a table, by seat
	save    func(to store.Scores, table int64, seats []T) error // stores the counts of a table, by seat
	faulty  Faulty                                              // the tables that count has failed for
}

// tableCounts holds the counts of a finished table, by seat.
type tableCounts[T any] struct {
	table int64
	seats []T
}

// countTables counts at most maxTables of tables. For every table that it counts, it calls each with the name of the
// game and the counts of the player's seat. After the reply it stores the counts and logs tables whose moves cannot be
// counted. uncounted is the number of tables that are still to be counted.
func (c *counter[T]) countTables(v *Visit, player string, tables []int64, maxTables int,
	each func(game string, seat T)) (uncounted int, err error) {
	tables = slices.DeleteFunc(tables, c.faulty.Has)
	now := tables[:min(len(tables), maxTables)]
	var all []tableCounts[T]
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
		all = append(all, tableCounts[T]{number, seats})
		if i := board.SeatOf(t, chat.User(player)); i >= 0 {
			each(t.Game, seats[i])
		}
	}
	v.After(func(ctx context.Context, core *bot.Core) error {
		for number, fault := range faults {
			if c.faulty.Note(number) {
				core.Log.ErrorContext(ctx, "count "+c.subject+" failed", "table", number, "error", fault)
			}
		}
		c.storeCounts(ctx, core, all)
		return nil
	})
	return len(tables) - len(now), nil
}

// storeCounts stores the counts in all, those of keptAtOnce tables in each transaction. If a transaction fails, it logs
// the error and stops; the next request counts the remaining tables again.
func (c *counter[T]) storeCounts(ctx context.Context, core *bot.Core, all []tableCounts[T]) {
	for some := range slices.Chunk(all, keptAtOnce) {
		err := core.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
			for _, one := range some {
				if err := c.save(tx.Scores, one.table, one.seats); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			core.Log.ErrorContext(ctx, "store count of "+c.subject+" failed", "error", err)
			return
		}
	}
}

// Faulty is the set of tables whose moves could not be counted since the program started. Each is logged once and not
// tried again. The zero value is empty.
type Faulty struct{ tables sync.Map }

// Note adds table to the set and reports whether it was new there.
func (f *Faulty) Note(table int64) bool {
	_, known := f.tables.LoadOrStore(table, true)
	return !known
}

// Has reports whether table is in the set.
func (f *Faulty) Has(table int64) bool {
	_, known := f.tables.Load(table)
	return known
}

// Len returns the number of tables in the set.
func (f *Faulty) Len() (n int) {
	f.tables.Range(func(any, any) bool { n++; return true })
	return n
}

// talliesOf returns a player's tallies (sums over the moves, see games.Tallied) by game and name of the sum. It first
// counts at most maxCounted more finished tables; uncounted is the number of tables that are still to be counted.
func (v *Visit) talliesOf(player string) (all map[string]map[string]int64, uncounted int, err error) {
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
	uncounted, err = v.bot.tallies.countTables(v, player, tables, maxCounted, func(game string, sums map[string]int64) {
		if all[game] == nil {
			all[game] = map[string]int64{}
		}
		games.Tally(all[game]).Add(sums)
	})
	return all, uncounted, err
}

// TalliesAt returns the tallies (sums over the moves, see games.Tallied) of a finished table, by seat. It returns nil
// if the game keeps no tallies or is not installed. It skips moves that the computer made for absent players.
func (b *Standings) TalliesAt(t store.Table, moves []store.Move) ([]map[string]int64, error) {
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, nil // the game is no longer installed
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

// tallyLines returns lines with a player's tallies, one per game, the most played game first: at most maxTallied,
// without the first skip lines. more is true if lines follow. If tables are not counted yet, a last line says how many.
func (v *Visit) tallyLines(player string, played []store.Played, skip int) (lines []games.Line, more bool, err error) {
	all, uncounted, err := v.talliesOf(player)
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
			continue // the game is no longer installed
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
	lines = lines[min(skip, len(lines)):]
	if more = len(lines) > maxTallied; more {
		lines = lines[:maxTallied]
	}
	if uncounted > 0 {
		lines = append(lines, games.Say("bot.stats.uncounted", games.Args{"N": uncounted}))
	}
	return lines, more, nil
}

// pageOfGames is the name of the page of /stats that shows a player's tallies game by game.
const pageOfGames = "games"

// gamesPage replies with a page of the tallies of c by game, without the first skip games.
func (v *Visit) gamesPage(c companion, skip int64) error {
	played, err := v.Tx.Scores.Series(v.Chat.ID, c.player, maxPlayed)
	if err != nil {
		return err
	}
	lines, more, err := v.tallyLines(c.player, played, int(min(max(skip, 0), maxPlayed)))
	if err != nil {
		return err
	}
	m := v.Private(games.Say("bot.stats.by-game", games.Args{"Name": c.name}), lines...)
	row := []chat.Button{v.Button(games.Say("bot.button.stats", nil), "/stats "+c.tagged(), games.Plain)}
	if more {
		row = append(row, v.moreGamesButton(c, int(skip)+maxTallied))
	}
	m.Row(row...)
	return nil
}

// moreGamesButton returns the button to the page of gamesPage without the first skip games.
func (v *Visit) moreGamesButton(c companion, skip int) chat.Button {
	page := fmt.Sprintf("/stats %s %s %d", c.tagged(), pageOfGames, skip)
	return v.Button(games.Say("bot.button.more-games", nil), page, games.Plain)
}

// FacesAt returns, by seat, how often each face was rolled. It leaves out rolls by the computer for absent players.
func (b *Standings) FacesAt(t store.Table, moves []store.Move) ([]store.Faces, error) {
	sides, err := b.sidesAt(t, moves)
	if err != nil {
		return nil, err
	}
	all := make([]store.Faces, len(t.Seats))
	for i := range all {
		all[i] = store.Faces{Seat: i, Sides: sides, Counts: make([]int64, sides)}
	}
	for i, m := range moves {
		if len(m.Dice) == 0 || m.Auto {
			continue
		}
		f := &all[m.Seat]
		f.Throws++
		for _, face := range m.Dice {
			if face < 1 || face > sides {
				return nil, fmt.Errorf("move %d shows a %d on %d sides", i+1, face, sides)
			}
			f.Counts[face-1]++
		}
	}
	return all, nil
}

// sidesAt returns the number of sides of the dice at table t, 0 if none was rolled. It replays moves to the first roll.
func (b *Standings) sidesAt(t store.Table, moves []store.Move) (int, error) {
	for i, m := range moves {
		if len(m.Dice) == 0 {
			continue
		}
		g, err := b.Game(t.Game)
		if err != nil {
			return 0, err
		}
		before, err := board.Standing(moves[:i+1])
		if err != nil {
			return 0, err
		}
		rolled := &sidesRecorder{}
		match, _, err := table.Replayed(g, t, before[:len(before)-1])
		if err != nil {
			return 0, err
		}
		_, _, err = games.Play(match, games.Seat(m.Seat), games.Move(m.Move), rolled)
		return rolled.sides, err
	}
	return 0, nil
}

// sidesRecorder is a games.Dice that stores how many sides the dice of the latest throw had.
type sidesRecorder struct{ sides int }

// Throw stores sides and returns count dice that all show 1.
func (s *sidesRecorder) Throw(count, sides int) []int {
	s.sides = sides
	thrown := make([]int, count)
	for i := range thrown {
		thrown[i] = 1
	}
	return thrown
}

// testFairness returns as share the probability, from 0 to 1, that fair dice fall at least as unevenly as counts, the
// number of dice for each face: Pearson's chi-square test. needed is the smallest number of dice for the test. With
// fewer dice enough is false and share 0. A throw may end the turn, but throws are independent.
func testFairness(counts []int64) (share float64, needed int64, enough bool) {
	sides := int64(len(counts))
	if sides < 2 {
		return 0, 0, false
	}
	thrown := sumOfCounts(counts)
	if needed = leastDice * sides; thrown < needed {
		return 0, needed, false
	}
	expected := float64(thrown) / float64(sides)
	square := 0.0
	for _, n := range counts {
		square += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	return chiSquareTail(square, int(sides-1)), needed, true
}

// chiSquareTail returns the probability that a chi-square variable with degrees (at least 1) degrees of freedom is at
// least square: the regularized upper incomplete gamma function of degrees/2 and square/2, summed term by term.
func chiSquareTail(square float64, degrees int) float64 {
	x := square / 2
	share, a, term := math.Exp(-x), 1.0, x*math.Exp(-x) // start with two degrees of freedom
	if degrees%2 == 1 {
		share, a, term = math.Erfc(math.Sqrt(x)), 0.5, 2*math.Sqrt(x/math.Pi)*math.Exp(-x) // or with one degree
	}
	for ; 2*a < float64(degrees); a++ {
		share += term
		term *= x / (a + 1)
	}
	return min(share, 1)
}

// sumOfCounts returns the sum of counts: if counts holds the number of dice for each face, the number of all dice.
func sumOfCounts(counts []int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// sumPips returns the sum of the faces of all dice; counts[i] is the number of dice that show i+1.
func sumPips(counts []int64) (sum int64) {
	for i, n := range counts {
		sum += n * int64(i+1)
	}
	return sum
}
