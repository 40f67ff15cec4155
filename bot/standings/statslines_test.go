package standings

import (
	"errors"
	"fmt"
	"testing"
)

// What chance shuts is worked out once for each rules, and however many people
// choose, the memory that it takes has its bound.
func TestChancesAreRememberedWithinABound(t *testing.T) {
	var c chances
	worked := 0
	ask := func(name string) {
		t.Helper()
		got, err := c.ask(name, func() (chance, error) {
			worked++
			return chance{shut: float64(len(name)), known: true}, nil
		})
		if want := (chance{float64(len(name)), true}); got != want || err != nil {
			t.Errorf("%q: %v, %v, want %v", name, got, err, want)
		}
	}
	ask("golf")
	if ask("golf"); worked != 1 {
		t.Errorf("worked out %d times", worked)
	}
	for i := range 2 * maxChances {
		if ask(fmt.Sprint("rules ", i)); len(c.of) > maxChances {
			t.Fatalf("%d are remembered", len(c.of))
		}
	}
	fails := errors.New("no such rules")
	if _, err := c.ask("wrong", func() (chance, error) { return chance{}, fails }); !errors.Is(err, fails) {
		t.Errorf("%v", err)
	}
	ask("wrong") // a failure is not remembered
}
