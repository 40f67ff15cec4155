// Package sheettest holds code shared by tests of rule sets on score sheets: naive implementations of games, written
// directly from their rules without code of the engine, and Hands, which compares them with the engine: it loads a
// match with every possible hand and fills each row.
package sheettest

import (
	"fmt"
	"slices"
	"strings"
)

// sides is the number of faces of a die.
const sides = 6

// Hand holds the dice for filling a row.
type Hand struct {
	Dice   []int // the faces, ascending
	Throw  int   // the number of throws in the turn so far
	Served bool  // the last throw threw all dice
}

// Count returns how many dice show a face.
func (h Hand) Count(face int) int {
	n := 0
	for _, die := range h.Dice {
		if die == face {
			n++
		}
	}
	return n
}

// Sum returns the sum of all dice.
func (h Hand) Sum() int {
	sum := 0
	for _, die := range h.Dice {
		sum += die
	}
	return sum
}

// Equal returns the highest face that at least n dice show, 0 for none.
func (h Hand) Equal(n int) int {
	best := 0
	for face := 1; face <= sides; face++ {
		if h.Count(face) >= n {
			best = face
		}
	}
	return best
}

// Same returns the face that all dice show, 0 for none.
func (h Hand) Same() int { return h.Equal(len(h.Dice)) }

// Two returns the largest sum of two groups of equal dice, a of one face and b of another; 0 if the hand has none.
func (h Hand) Two(a, b int) int {
	best := 0
	for first := 1; first <= sides; first++ {
		for second := 1; second <= sides; second++ {
			if first != second && h.Count(first) >= a && h.Count(second) >= b {
				best = max(best, a*first+b*second)
			}
		}
	}
	return best
}

// Has reports whether each of faces occurs.
func (h Hand) Has(faces ...int) bool {
	for _, face := range faces {
		if h.Count(face) == 0 {
			return false
		}
	}
	return true
}

// Only reports whether each die shows one of faces.
func (h Hand) Only(faces ...int) bool {
	for _, die := range h.Dice {
		if !slices.Contains(faces, die) {
			return false
		}
	}
	return true
}

// String returns the dice as a stored match spells them.
func (h Hand) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(h.Dice), " ", ""), "[]")
}

// allThrows returns all possible results of n dice, each in ascending order.
func allThrows(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, shorter := range allThrows(n - 1) {
		lowest := 1
		if len(shorter) > 0 {
			lowest = shorter[len(shorter)-1]
		}
		for face := lowest; face <= sides; face++ {
			all = append(all, append(slices.Clone(shorter), face))
		}
	}
	return all
}
