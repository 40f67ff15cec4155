package record_test

import (
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
	"knobel/games/sheet/sets"
)

// A record of Balut says what counts beside the total, and places and differences go by that.
func TestPointsBesideTheTotal(t *testing.T) {
	balut := sets.Balut()
	for _, rules := range []games.Rules{nil, {"settle": "pool"}} {
		r := play(t, record.Terms{Table: "7", Game: balut, Rules: rules, Unit: "chips", Seed: dice.SeriesSeed(3, 3),
			Seats: []record.Seat{{Name: "Anna", Entropy: "a"}, {Name: "Ben", Entropy: "b"}}})
		line := encode(t, r)
		for seat, row := range r.Result {
			if row.Total == nil || row.Counts == nil || row.Score != nil {
				t.Fatalf("seat %d has %+v: %s", seat, row, line)
			}
			if points, scored := row.Points(); !scored || points != *row.Counts {
				t.Errorf("seat %d counts %d, %t", seat, points, scored)
			}
		}
		decoded, err := record.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		known := []games.Game{balut}
		if faults := record.Verify(decoded, known); len(faults) > 0 {
			t.Fatalf("%v: %v", rules, faults)
		}
		if !strings.Contains(line, `,"points":`) {
			t.Errorf("got %s", line)
		}
		*decoded.Result[0].Counts++
		faults := record.Verify(decoded, known)
		if len(faults) == 0 || !strings.Contains(faults[0].String(), "points") {
			t.Errorf("other points: %v", faults)
		}
	}
}
