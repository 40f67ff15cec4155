package record_test

import (
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
	"knobel/games/wuerfelpoker"
)

// housesPlay is the record of a game between strategies of the house.
func housesPlay(t *testing.T, n int, rules games.Rules, solutions *record.Solutions, houses ...string) record.Record {
	t.Helper()
	terms := record.Terms{
		Table: strconv.Itoa(n + 1), Game: wuerfelpoker.Game{}, Rules: rules, Unit: "chips",
		Seed: dice.SeriesSeed(1, n), Solutions: solutions,
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
	r, err := s.Record()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPerfectHouseIsVerified(t *testing.T) {
	known := []games.Game{wuerfelpoker.Game{}}
	r := housesPlay(t, 0, games.Rules{"hints": "yes", "point": "5"}, nil, "perfect", "greedy")
	if r.Rules["hints"] != "yes" {
		t.Errorf("the record's rules are %v", r.Rules)
	}
	for _, fault := range record.Verify(r, known) {
		t.Error(fault)
	}
	other := housesPlay(t, 0, nil, nil, "greedy", "greedy")
	other.Seats[0].House = "perfect"
	var solutions record.Solutions
	faults := record.VerifyWith(other, known, &solutions)
	if len(faults) == 0 || !strings.Contains(faults[0].String(), "seat 0: perfect play is ") {
		t.Errorf("a house that plays greedily for a perfect one has the faults %v", faults)
	}
	alone := housesPlay(t, 1, games.Rules{"order": "parts"}, &solutions, "perfect")
	for _, fault := range record.VerifyWith(alone, known, &solutions) {
		t.Error(fault)
	}
}

// TestPerfectHouseIsNotBeaten lets perfect play meet the other strategies: over
// many games none has a better average against it.
func TestPerfectHouseIsNotBeaten(t *testing.T) {
	var solutions record.Solutions
	for _, rules := range []games.Rules{nil, {"miss": "deferred", "chance": "double"}} {
		mean := map[string]float64{}
		const matches = 60
		for n := range matches {
			for _, row := range housesPlay(t, n, rules, &solutions, "perfect", "greedy", "random").Result {
				mean[[]string{"perfect", "greedy", "random"}[row.Seat]] += float64(*row.Total) / matches
			}
		}
		if mean["perfect"] <= mean["greedy"] || mean["greedy"] <= mean["random"] {
			t.Errorf("%v: %v", rules, mean)
		}
	}
}
