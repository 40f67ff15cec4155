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

// counting counts one kind of thing in the moves of finished tables on demand, and stores the counts after the reply.
type counting[T any] struct {
	of     string                                              // name of the counted things, for the log
	count  func(store.Table, []store.Move) ([]T, error)        // returns the counts by seat
	keep   func(to store.Scores, table int64, seats []T) error // stores the counts of a table, once
	faulty Faulty
}

// counted holds the counts of a finished table, one for each seat.
type counted[T any] struct {
	table int64
	seats []T
}

// add counts at most most of the given tables of a player and calls each with the counts of the player's seat. left is
// the number of tables still uncounted. A table whose moves cannot be counted is logged and left out.
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

// store stores the counts. If that fails, it logs the error, and the next request counts them again.
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

// Faulty is a set of tables whose moves cannot be counted, so that each is logged once and not tried again before a
// restart. The zero value is empty.
type Faulty struct{ tables sync.Map }

// Note adds a table and reports whether it was not in the set before.
func (f *Faulty) Note(table int64) bool {
	_, known := f.tables.LoadOrStore(table, true)
	return !known
}

// Has reports whether a table is in the set.
func (f *Faulty) Has(table int64) bool {
	_, known := f.tables.Load(table)
	return known
}

// Len returns the number of tables in the set.
func (f *Faulty) Len() (n int) {
	f.tables.Range(func(any, any) bool { n++; return true })
	return n
}

// Statistics of a player by game: sums over their moves.

// talliesOf returns the sums of a player's moves by game and name of the sum. It counts and stores uncounted finished
// tables, at most maxCounted; left is the number of the others.
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

// TalliesAt returns the sums over the moves of each seat of a finished table, nil if the game has none or is not
// installed. It skips moves that the computer made for absent players.
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

// tallyLines returns lines with a player's sums, one per game, the most played first, without the first from lines.
// more reports whether further lines follow.
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
	lines = lines[min(from, len(lines)):]
	if more = len(lines) > maxTallied; more {
		lines = lines[:maxTallied]
	}
	if left > 0 {
		lines = append(lines, games.Say("bot.stats.uncounted", games.Args{"N": left}))
	}
	return lines, more, nil
}

// pageOfGames is the name of the page of /stats with the sums of further games.
const pageOfGames = "games"

// gamesPage replies with a player's sums by game, without the first from lines.
func (v *Visit) gamesPage(c companion, from int64) error {
	played, err := v.Tx.Scores.Series(v.Chat.ID, c.player, maxPlayed)
	if err != nil {
		return err
	}
	lines, more, err := v.tallyLines(c.player, played, int(min(max(from, 0), maxPlayed)))
	if err != nil {
		return err
	}
	m := v.Private(games.Say("bot.stats.by-game", games.Args{"Name": c.name}), lines...)
	row := []chat.Button{v.Button(games.Say("bot.button.stats", nil), "/stats "+c.tagged(), games.Plain)}
	if more {
		row = append(row, v.moreGames(c, int(from)+maxTallied))
	}
	m.Row(row...)
	return nil
}

// moreGames returns the button to a player's sums by game without the first from lines.
func (v *Visit) moreGames(c companion, from int) chat.Button {
	page := fmt.Sprintf("/stats %s %s %d", c.tagged(), pageOfGames, from)
	return v.Button(games.Say("bot.button.more-games", nil), page, games.Plain)
}

// FacesAt returns the counts of the faces that each seat rolled, without rolls that the computer made for the absent.
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

// sidesAt returns the number of sides of a table's dice, by replaying its first roll, or 0 if there was none.
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
		rolled := &sidesOf{}
		match, _, err := table.Replayed(g, t, before[:len(before)-1])
		if err != nil {
			return 0, err
		}
		_, _, err = games.Play(match, games.Seat(m.Seat), games.Move(m.Move), rolled)
		return rolled.sides, err
	}
	return 0, nil
}

// sidesOf is a set of dice that stores the number of sides of the latest roll.
type sidesOf struct{ sides int }

// Throw stores sides and returns count ones.
func (s *sidesOf) Throw(count, sides int) []int {
	s.sides = sides
	thrown := make([]int, count)
	for i := range thrown {
		thrown[i] = 1
	}
	return thrown
}

// How unusual a player's dice are: a chi-square test.

// oddness returns the share of fair dice, from 0 to 1, whose faces would be at least as uneven as counts: Pearson's
// chi-square test against equally likely faces. needed is the minimum number of dice; enough is false if there are
// fewer.
//
// A turn ends because of the dice, but each roll is fair whatever came before, so the test also holds for many turns.
func oddness(counts []int64) (share float64, needed int64, enough bool) {
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
	return beyond(square, int(sides-1)), needed, true
}

// beyond returns the probability that a chi-square variable with degrees (at least 1) degrees of freedom is at least
// square: the regularized upper incomplete gamma function of their halves. Two more degrees add one term to it.
func beyond(square float64, degrees int) float64 {
	x := square / 2
	share, a, term := math.Exp(-x), 1.0, x*math.Exp(-x) // for two degrees
	if degrees%2 == 1 {
		share, a, term = math.Erfc(math.Sqrt(x)), 0.5, 2*math.Sqrt(x/math.Pi)*math.Exp(-x) // for one degree
	}
	for ; 2*a < float64(degrees); a++ {
		share += term
		term *= x / (a + 1)
	}
	return min(share, 1)
}

func sumOfCounts(counts []int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// pips returns the sum of all dice; counts[i] is the number of dice that show i+1.
func pips(counts []int64) (sum int64) {
	for i, n := range counts {
		sum += n * int64(i+1)
	}
	return sum
}
