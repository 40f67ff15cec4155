package gametest

import (
	"io"
	"testing"

	"knobel/games"
)

// Numbers are the numbers of a solution in memory.
type Numbers []float64

// Read fills to with those from a place on.
func (n Numbers) Read(to []float64, from int) error {
	if from+len(to) > len(n) {
		return io.ErrUnexpectedEOF
	}
	copy(to, n[from:])
	return nil
}

// NumbersOf are all numbers of a games.Stored.
func NumbersOf(t testing.TB, solved games.Perfect) (all Numbers) {
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
