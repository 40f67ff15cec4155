package standings

import (
	"fmt"
	"math"

	"knobel/bot/board"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// FacesAt counts what every seat of a table has thrown. Throws for absent players count for no one.
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

// sidesAt returns the number of sides of a table's dice, by replaying its first throw; 0 if none were thrown.
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

// sidesOf are dice that record the number of sides that they are asked to have.
type sidesOf struct{ sides int }

// Throw throws ones.
func (s *sidesOf) Throw(count, sides int) []int {
	s.sides = sides
	thrown := make([]int, count)
	for i := range thrown {
		thrown[i] = 1
	}
	return thrown
}

// How likely it is that fair dice fall as unevenly as a player's did.

// oddness returns the share of fair dice, from 0 to 1, that would look at least as uneven as these
// counts: Pearson's chi-square of the faces against all faces being equally likely. It returns
// false if there are too few dice, and needed is the least number.
//
// Turns end because of what is thrown, yet every throw is fair whatever came before it, so the test
// holds for sums of many turns as well.
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

// beyond returns the probability that a chi-square with that many degrees of freedom, at least one, is at least that
// large: the upper incomplete gamma function at the halves of both. Two more degrees add one term to it.
func beyond(square float64, degrees int) float64 {
	x := square / 2
	share, a, term := math.Exp(-x), 1.0, x*math.Exp(-x) // of two degrees
	if degrees%2 == 1 {
		share, a, term = math.Erfc(math.Sqrt(x)), 0.5, 2*math.Sqrt(x/math.Pi)*math.Exp(-x) // of one
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

// pips adds up what dice have shown.
func pips(counts []int64) (sum int64) {
	for i, n := range counts {
		sum += n * int64(i+1)
	}
	return sum
}
