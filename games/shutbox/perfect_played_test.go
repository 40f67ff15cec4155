package shutbox

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"knobel/games"
)

// TestPerfectIsPlayed plays many matches by what is solved. What the seats win
// must lie near what is expected, and nobody does better who plays otherwise.
func TestPerfectIsPlayed(t *testing.T) {
	matches := 400
	if long() {
		matches = 8000
	}
	for _, c := range []struct {
		rules string
		seats int
	}{{"", 3}, {"shut=pays-double seven=ends-round", 4}, {"shut=scores-zero close=sum-or-difference", 2},
		{"score=count", 1}} {
		p, _ := solve(t, rulesOf(c.rules), c.seats)
		for seat := -1; seat < c.seats; seat++ {
			for _, h := range houses() {
				if h.Choose != nil && (seat >= 0 || h.Name == "fewest") {
					simulated(t, p, c.rules, c.seats, seat, h, matches)
				}
			}
		}
	}
}

// simulated plays matches in which one seat, or none, is a house's.
func simulated(t *testing.T, p games.Perfect, rules string, seats, other int, h games.House, matches int) {
	sums, squares := make([]float64, seats), make([]float64, seats)
	luck := newChance(uint64(1 + other))
	var start []float64
	for range matches {
		m, err := Game{}.New(rulesOf(rules), seats)
		if err != nil {
			t.Fatal(err)
		}
		if start == nil {
			start, _ = p.Expect(m)
		}
		for len(m.Turn()) > 0 {
			seat := m.Turn()[0]
			if int(seat) == other {
				m, _ = m.Apply(seat, h.Choose(m, seat, luck), luck)
				continue
			}
			worths, err := p.Worths(m, seat)
			if err != nil {
				t.Fatal(err)
			}
			best, _ := games.Best(worths, seat)
			m, _ = m.Apply(seat, best.Move, luck)
		}
		values, err := p.Expect(m)
		if err != nil {
			t.Fatal(err)
		}
		for s, v := range values {
			sums[s], squares[s] = sums[s]+v, squares[s]+v*v
		}
	}
	n := float64(matches)
	for s := range sums {
		mean := sums[s] / n
		deviation := math.Sqrt((squares[s]/n - mean*mean) / n)
		if far := mean - start[s]; other < 0 && math.Abs(far) > 3*deviation || s == other && far > 3*deviation {
			t.Errorf("%q, %s at seat %d: seat %d has %.4f ± %.4f, expected are %.4f", rules, h.Name, other, s, mean,
				deviation, start[s])
		}
	}
}

// TestPerfectRefusesOtherMatches asks for matches of other rules and seats.
func TestPerfectRefusesOtherMatches(t *testing.T) {
	_, two := solve(t, nil, 2)
	_, forced := solve(t, rulesOf("one-die=high-shut-forced"), 3)
	_, sevens := solve(t, rulesOf("variant=lucky-seven"), 2)
	canogas, err := Game{}.New(rulesOf("variant=canoga"), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules string
		seats int
	}{{"", 3}, {"match=rounds:9", 3}, {"variant=lucky-seven match=rounds:2", 2}} {
		p, _ := solve(t, rulesOf(c.rules), c.seats)
		for _, m := range []games.Match{two, forced, sevens, canogas, nil} {
			if _, err := p.Expect(m); err == nil {
				t.Errorf("%q: expects something of a %T", c.rules, m)
			}
			if _, err := p.Worths(m, 0); err == nil {
				t.Errorf("%q: has worths for a %T", c.rules, m)
			}
		}
		if p.Size() <= 0 {
			t.Errorf("%q takes %d bytes", c.rules, p.Size())
		}
	}
}

// TestPerfectIsShared checks which tables share a solution, and that it serves
// all of them.
func TestPerfectIsShared(t *testing.T) {
	for _, c := range []struct {
		given string
		seats int
		alike string
		n     int
	}{
		{"hints=yes ties=roll-off", 4, "", 4},
		{"shut=pays-double", 1, "", 1},
		{"match=knockout:45 shut=pays-double", 5, "match=rounds:2 shut=wins", 2},
		{"match=until:100", 1, "match=rounds:2 shut=scores-zero", 2},
		{"match=until:100 ties=roll-off", 3, "match=rounds:2 shut=scores-zero ties=roll-off", 3},
		{"variant=lucky-seven ties=roll-off", 5, "variant=lucky-seven", 2},
		{"variant=lucky-seven match=until:50 ties=roll-off", 5,
			"variant=lucky-seven match=rounds:2 shut=scores-zero", 2},
	} {
		like, n, err := Game{}.Alike(rulesOf(c.given), c.seats)
		want, wrong := Game{}.Check(rulesOf(c.alike))
		if err != nil || wrong != nil || spell(like) != spell(want) || n != c.n {
			t.Errorf("%s, %d seats: %s, %d seats, %v", c.given, c.seats, spell(like), n, err)
			continue
		}
		p, _ := solve(t, like, n)
		m, err := Game{}.New(rulesOf(c.given), c.seats)
		if err != nil {
			t.Fatal(err)
		}
		if values, err := p.Expect(m); err != nil || len(values) != c.seats {
			t.Errorf("%s, %d seats: %v, %v", c.given, c.seats, values, err)
		}
	}
}

// TestPerfectAtOnce asks one solution for more turns than it keeps, from several
// sides.
func TestPerfectAtOnce(t *testing.T) {
	p, _ := solve(t, rulesOf("tiles=12"), 2)
	pool := p.(*perfect).pool
	want := pool.start(turnOf{1, 30, 1})[0]
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for range 30 {
				best := 1 + random.IntN(len(pool.scores)-1)
				turn := pool.turn(turnOf{1, best, 1})
				if got := turn.own[turn.full]; best == 30 && got != want {
					t.Errorf("a turn is worth %v, solved were %v", got, want)
				}
			}
		})
	}
	group.Wait()
	if kept := len(pool.turns); kept > pool.maxTurns() {
		t.Errorf("%d turns are kept", kept)
	}
}
