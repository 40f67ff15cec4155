package record_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// housesPlay returns a game between strategies of the house.
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
		for _, fault := range record.Verify(r, all, &record.Solutions{}) {
			t.Error(fault)
		}
		other := recordOf(t, housesPlay(t, c.game, 0, c.rules, nil, c.other, c.other))
		other.Seats[0].House = "perfect"
		faults := record.Verify(other, all, &solutions)
		if len(faults) == 0 || !strings.Contains(faults[0].String(), "seat 0: perfect play is ") {
			t.Errorf("a house that plays %s for a perfect one has the faults %v", c.other, faults)
		}
		if faults := record.Verify(other, all, nil); len(faults) > 0 {
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
