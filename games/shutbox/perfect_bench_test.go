package shutbox

import (
	"slices"
	"testing"
	"time"

	"knobel/games"
	"knobel/games/dice"
)

// plainly is the least score of a turn of the usual rules, as one would write it
// down at first: a recursion that remembers what it has been asked.
type plainly map[int]float64

func (known plainly) least(open []int) float64 {
	key := 0
	for _, n := range open {
		key |= 1 << n
	}
	if v, met := known[key]; met {
		return v
	}
	least := 0.0
	if len(open) > 0 {
		least = known.average(open, 2)
		if slices.Max(open) <= 6 {
			least = min(least, known.average(open, 1))
		}
	}
	known[key] = least
	return least
}

func (known plainly) average(open []int, dice int) float64 {
	sum, ways, second := 0.0, 0.0, 6
	if dice == 1 {
		second = 1
	}
	for a := 1; a <= 6; a++ {
		for b := 1; b <= second; b++ {
			thrown := a
			if dice == 2 {
				thrown += b
			}
			best := 0.0
			for _, n := range open {
				best += float64(n)
			}
			for _, left := range after(open, thrown) {
				best = min(best, known.least(left))
			}
			sum, ways = sum+best, ways+1
		}
	}
	return sum / ways
}

// after lists what stays open after each set of open tiles with a total.
func after(open []int, total int) [][]int {
	if total == 0 {
		return [][]int{open}
	}
	if len(open) == 0 || total < 0 {
		return nil
	}
	var all [][]int
	for _, left := range after(open[1:], total) {
		all = append(all, append([]int{open[0]}, left...))
	}
	return append(all, after(open[1:], total-open[0])...)
}

// TestSolverIsFast compares with the plain recursion over the same positions.
func TestSolverIsFast(t *testing.T) {
	r := read(games.Rules{})
	slow, fast := time.Hour, time.Hour
	var want, got float64
	for range 3 {
		began := time.Now()
		want = plainly{}.least(r.tiles.list())
		slow = min(slow, time.Since(began))
		for range 33 { // in turns, so that both see the same weather
			began := time.Now()
			got = newPar(newBoard(r)).places[0]
			fast = min(fast, time.Since(began))
		}
	}
	if d := got - want; d > 1e-12 || d < -1e-12 {
		t.Errorf("the least score is %v, by plain recursion %v", got, want)
	}
	least := time.Duration(15) // the race detector slows the one more than the other
	if long() {
		least = 50
	}
	if slow < least*fast {
		t.Errorf("the solver takes %v, plain recursion %v", fast, slow)
	}
	t.Logf("the solver takes %v, plain recursion %v: %d times as long", fast, slow, slow/fast)
}

func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules string
		seats int
	}{
		{"score, 9 tiles", "", 1},
		{"score, 12 tiles", "tiles=12", 1},
		{"pool of 2, 9 tiles", "", 2},
		{"pool of 6, 9 tiles", "", 6},
		{"pool of 10, 9 tiles", "", 10},
		{"pool of 6, 12 tiles", "tiles=12", 6},
		{"pool of 6, 9 tiles, digits", "score=digits", 6},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (Game{}).Solve(rulesOf(c.rules), c.seats); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPlainRecursion is the yardstick: the least score with 9 tiles, without
// any cleverness.
func BenchmarkPlainRecursion(b *testing.B) {
	r := read(games.Rules{})
	for b.Loop() {
		plainly{}.least(r.tiles.list())
	}
}

// BenchmarkWorths asks what the moves of one position are worth.
func BenchmarkWorths(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules string
		seats int
	}{{"score, 9 tiles", "", 1}, {"pool of 6, 9 tiles", "", 6}, {"pool of 10, 12 tiles", "tiles=12", 10}} {
		p, m := solve(b, rulesOf(c.rules), c.seats)
		ask := func(b *testing.B, m games.Match) {
			for b.Loop() {
				if _, err := p.Worths(m, 0); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.Run(c.name+", before a throw", func(b *testing.B) { ask(b, m) })
		m, _ = m.Apply(0, "throw 2", dice.NewFallen([]int{5, 6}))
		b.Run(c.name+", after 11", func(b *testing.B) { ask(b, m) })
	}
}
