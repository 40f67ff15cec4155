package record_test

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// housesPlay is a game between strategies of the house.
func housesPlay(t *testing.T, g games.Game, n int, rules games.Rules, solutions *record.Solutions,
	houses ...string) *record.Sitting {
	t.Helper()
	terms := record.Terms{
		Table: strconv.Itoa(n + 1), Game: g, Rules: rules, Unit: "chips", Seed: dice.SeriesSeed(1, n),
		Solutions: solutions,
	}
	for _, house := range houses {
		terms.Seats = append(terms.Seats, record.Seat{House: house, Entropy: dice.HouseEntropy})
	}
	s, err := record.Sit(terms)
	for played := true; played && err == nil; {
		_, played, err = s.PlayHouse()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func recordOf(t *testing.T, s *record.Sitting) record.Record {
	t.Helper()
	r, err := s.Record()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPerfectHouseIsVerified(t *testing.T) {
	known := []games.Game{shutbox.Game{}, wuerfelpoker.New()}
	var solutions record.Solutions
	for _, c := range []struct {
		game  games.Game
		rules games.Rules
		other string
	}{
		{wuerfelpoker.New(), games.Rules{"hints": "yes", "point": "5"}, "greedy"},
		{shutbox.Game{}, games.Rules{"hints": "yes"}, "random"},
		{shutbox.Game{}, games.Rules{"match": "rounds:3", "hints": "yes"}, "fewest"},
	} {
		r := recordOf(t, housesPlay(t, c.game, 0, c.rules, nil, "perfect", c.other))
		if r.Rules["hints"] != "yes" {
			t.Errorf("the record's rules are %v", r.Rules)
		}
		for _, fault := range record.Verify(r, known) {
			t.Error(fault)
		}
		other := recordOf(t, housesPlay(t, c.game, 0, c.rules, nil, c.other, c.other))
		other.Seats[0].House = "perfect"
		faults := record.VerifyWith(other, known, &solutions)
		if len(faults) == 0 || !strings.Contains(faults[0].String(), "seat 0: perfect play is ") {
			t.Errorf("a house that plays %s for a perfect one has the faults %v", c.other, faults)
		}
		if faults := record.VerifyWith(other, known, nil); len(faults) > 0 {
			t.Errorf("nothing is to be solved, and yet: %v", faults)
		}
	}
}

func TestNoPerfectHouseWithoutPerfectPlay(t *testing.T) {
	_, err := record.Sit(record.Terms{
		Table: "1", Game: shutbox.Game{}, Rules: games.Rules{"variant": "canoga"}, Unit: "chips",
		Seats: []record.Seat{{House: "perfect", Entropy: dice.HouseEntropy},
			{House: "fewest", Entropy: dice.HouseEntropy}},
	})
	if _, refused := games.Refused(err); !refused {
		t.Errorf("a perfect house sits down at Canoga: %v", err)
	}
}

// long reports whether tests may take longer.
func long() bool { return os.Getenv("KNOBEL_TEST_LONG") != "" }

// TestPerfectPlayIsWorthWhatIsSolved plays many games by perfect houses, and
// then with another strategy at each seat: the mean of all lies within three
// standard errors of what is solved, and no other strategy gets more. The usual rules
// are played so always, others with KNOBEL_TEST_LONG=1.
func TestPerfectPlayIsWorthWhatIsSolved(t *testing.T) {
	const plays = 30
	var solutions record.Solutions
	for i, c := range []struct {
		game   games.Game
		rules  games.Rules
		seats  int
		times  int // as many games as of Würfelpoker
		others []string
	}{
		{wuerfelpoker.New(), nil, 2, 1, []string{"greedy", "random"}},
		{shutbox.Game{}, nil, 2, 10, []string{"fewest", "random"}},
		{wuerfelpoker.New(), games.Rules{"miss": "deferred", "chance": "double"}, 3, 1, []string{"greedy"}},
		{shutbox.Game{}, games.Rules{"one-die": "sum-six", "shut": "pays-double"}, 3, 10, []string{"fewest"}},
		{shutbox.Game{}, games.Rules{"match": "rounds:3"}, 2, 5, []string{"fewest", "random"}},
	} {
		if i > 1 && !long() {
			break
		}
		perfect, err := solutions.Of(c.game, c.rules, c.seats)
		if err != nil {
			t.Fatal(err)
		}
		count := plays * c.times
		if long() {
			count *= 3
		}
		start, err := c.game.New(c.rules, c.seats)
		if err != nil {
			t.Fatal(err)
		}
		solved, err := perfect.Expect(start)
		if err != nil {
			t.Fatal(err)
		}
		houses := slices.Repeat([]string{"perfect"}, c.seats)
		for seat, m := range means(t, c.game, c.rules, perfect, &solutions, count, houses) {
			if math.Abs(m.mean-solved[seat]) > 3*m.deviation {
				t.Errorf("%s %v: seat %d gets %.4f ± %.4f, solved is %.4f", c.game.Name(), c.rules, seat, m.mean,
					m.deviation, solved[seat])
			}
		}
		for _, other := range c.others {
			for seat := range c.seats {
				among := slices.Clone(houses)
				among[seat] = other
				m := means(t, c.game, c.rules, perfect, &solutions, count, among)[seat]
				if m.mean > solved[seat]+3*m.deviation {
					t.Errorf("%s %v: %s at seat %d gets %.4f ± %.4f, perfect play %.4f", c.game.Name(), c.rules, other,
						seat, m.mean, m.deviation, solved[seat])
				}
			}
		}
	}
}

// spread is a mean and the standard error of it.
type spread struct{ mean, deviation float64 }

// means are what seats get on average in so many games, in the measure of
// perfect play.
func means(t *testing.T, g games.Game, rules games.Rules, p games.Perfect, solutions *record.Solutions, count int,
	houses []string) []spread {
	t.Helper()
	sums, squares := make([]float64, len(houses)), make([]float64, len(houses))
	for n := range count {
		got, err := p.Expect(housesPlay(t, g, n, rules, solutions, houses...).Match())
		if err != nil {
			t.Fatal(err)
		}
		for seat, value := range got {
			sums[seat] += value
			squares[seat] += value * value
		}
	}
	all, n := make([]spread, len(houses)), float64(count)
	for seat := range all {
		mean := sums[seat] / n
		all[seat] = spread{mean, math.Sqrt((squares[seat]/n - mean*mean) / n)}
	}
	return all
}
