package gametest

import (
	"testing"

	"knobel/games"
)

// NumbersOf are all numbers of a games.Stored.
func NumbersOf(t testing.TB, solved games.Perfect) (all games.Numbers) {
	t.Helper()
	err := solved.(games.Stored).Store(func(part []float64) error {
		all = append(all, part...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
