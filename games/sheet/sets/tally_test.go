package sets_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/sheet"
	"knobel/games/sheet/sets"
	"knobel/games/wuerfelpoker"
)

// playTallied plays a match of computer players, and returns it with the sums of the tallies of each seat.
func playTallied(t *testing.T, g sheet.Game, rules games.Rules, random *rand.Rand) (games.Match, []games.Tally) {
	t.Helper()
	m, err := g.New(rules, 2)
	check(t, err)
	sums, d := []games.Tally{{}, {}}, &dice.Fair{Seed: dice.SeriesSeed(random.Int64(), 0), Table: "test"}
	for len(m.Turn()) > 0 {
		seat := m.Turn()[0]
		move := g.Houses()[seat].Choose(m, seat, random) // one seat plays randomly, the other greedily
		next, _, err := games.Play(m, seat, move, d)
		check(t, err)
		sums[seat].Add(g.Tally(m, next, seat, move))
		m = next
	}
	return m, sums
}

// TestTalliesAreWhatStandsOnTheSheet compares tallies with the displayed sheet.
func TestTalliesAreWhatStandsOnTheSheet(t *testing.T) {
	chance := rand.New(rand.NewPCG(4, 16))
	for _, g := range append(sets.All(), wuerfelpoker.New()) {
		for range 8 {
			rules := randomRules(t, g, chance)
			m, sums := playTallied(t, g, rules, chance)
			for seat, sum := range sums {
				seen, has := games.Tally{}, games.Tally{}
				for _, row := range m.View().Sheet.Rows {
					seen.Add(sheetTally(m.View().Sheet, row, games.Seat(seat)))
				}
				for name, n := range sum {
					verb, _, _ := strings.Cut(name, " ")
					if n != 0 && slices.Contains([]string{"filled", "struck", "points", "bonuses"}, verb) {
						has[name] = n
					}
				}
				if !maps.Equal(seen, has) {
					t.Errorf("%s %v, seat %d: the sheet has\n%v\nand counted are\n%v", g.Name(), rules, seat, seen, has)
				}
				for _, line := range g.SayTally(sum) {
					if line.Key == "" {
						t.Errorf("%s says %v", g.Name(), line)
					}
				}
			}
		}
	}
}

// sheetTally returns the tallies of a seat's cells in row. If row is computed from other rows, only bonuses count.
func sheetTally(paper *games.Sheet, row games.SheetRow, seat games.Seat) games.Tally {
	seen := games.Tally{}
	_, name, _ := strings.Cut(row.Name.Key, ".row.")
	for _, cell := range paper.Of(row, seat) {
		switch {
		case row.Sum && strings.HasSuffix(row.Name.Key, ".sum.bonus") && cell.Points > 0:
			seen["bonuses"]++
		case row.Sum || cell.Mark == games.Open || cell.Mark == games.Blank:
		case cell.Mark == games.Struck:
			seen["struck "+name]++
			seen["filled "+name]++
		default:
			seen["filled "+name]++
			seen.Add(games.Tally{"points " + name: int64(cell.Points)})
		}
	}
	maps.DeleteFunc(seen, func(_ string, n int64) bool { return n == 0 })
	return seen
}

// TestChanceOfEqualDice throws all results beside some kept dice, and compares how often all dice are equal with the
// tallied chance.
func TestChanceOfEqualDice(t *testing.T) {
	for _, g := range []sheet.Game{sets.Kniffel(), sets.MaxiYatzy(), sets.Crag()} {
		start, err := g.New(nil, 1)
		check(t, err)
		n := map[string]int{"kniffel": 5, "maxi-yatzy": 6, "crag": 3}[g.Name()]
		first := slices.Repeat([]int{4}, n-1)
		first = append(first, 2)
		lying, _, err := games.Play(start, 0, "throw", dice.NewFallen(first))
		check(t, err)
		for _, keep := range []string{"", strings.Repeat("1", n-1) + "0", "1" + strings.Repeat("0", n-1),
			"1" + strings.Repeat("0", n-2) + "1", strings.Repeat("0", n)} {
			from, move := lying, games.Move("keep "+keep)
			if keep == "" {
				from, move = start, "throw"
			}
			sum, all := games.Tally{}, int(math.Pow(6, float64(n-strings.Count(keep, "1"))))
			for fall := range all {
				faces := make([]int, n-strings.Count(keep, "1"))
				for i, rest := 0, fall; i < len(faces); i, rest = i+1, rest/6 {
					faces[i] = 1 + rest%6
				}
				next, _, err := games.Play(from, 0, move, dice.NewFallen(faces))
				check(t, err)
				sum.Add(g.Tally(from, next, 0, move))
			}
			expected := 0.0
			for name, count := range sum {
				var power int
				if _, err := fmt.Sscanf(name, "power %d", &power); err == nil {
					expected += float64(count) / math.Pow(6, float64(power))
				}
			}
			if math.Abs(expected-float64(sum["equal"])) > 1e-9 {
				t.Errorf("%s, %s: %d of %d are equal, expected were %v", g.Name(), move, sum["equal"], all, expected)
			}
		}
	}
}

// TestRowsWithoutPointsAreNotPraised checks that rows without points are never among the best, and that no row is named
// if all were filled equally well.
func TestRowsWithoutPointsAreNotPraised(t *testing.T) {
	filled := func(points map[string]int64) games.Tally {
		sum := games.Tally{}
		for row, n := range points {
			sum.Add(games.Tally{"filled " + row: 1, "points " + row: n, "best " + row: 30})
		}
		return sum
	}
	for _, c := range []struct {
		points map[string]int64
		best   []string // nil: no sentence
	}{
		{map[string]int64{"ones": 0, "twos": 0, "threes": 0, "crag": 0}, nil},
		{map[string]int64{"ones": 5, "twos": 5, "threes": 5, "crag": 5}, nil},
		{map[string]int64{"ones": 0, "twos": 0, "threes": 9, "crag": 0}, []string{"threes"}},
		{map[string]int64{"ones": 1, "twos": 0, "threes": 9, "crag": 3}, []string{"threes", "crag", "ones"}},
	} {
		var best []string
		for _, line := range sets.Crag().SayTally(filled(c.points)) {
			for _, row := range line.Args["Best"].(games.List) {
				_, name, _ := strings.Cut(string(row.Args["Row"].(games.Word)), ".row.")
				best = append(best, name)
			}
		}
		if !slices.Equal(best, c.best) {
			t.Errorf("of %v the best are %v, want %v", c.points, best, c.best)
		}
	}
}
