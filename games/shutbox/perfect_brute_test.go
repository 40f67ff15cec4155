package shutbox

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/games"
)

// long is for tests that take more than a second or two.
func long() bool { return os.Getenv("KNOBEL_TEST_LONG") == "1" }

// checked is a test, or a case of a property.
type checked interface {
	Fatal(...any)
	Fatalf(string, ...any)
}

// brute is perfect play of one round, or of one roll-off, without any
// cleverness: it plays the match itself, every move with every way in which the
// dice can fall, and remembers states by what Save says of them.
type brute struct {
	began *classic
	known map[string]known
}

// known is a position that has been looked at.
type known struct {
	match  games.Match
	values []float64
	worths []games.Worth
}

func newBrute(m games.Match) *brute {
	return &brute{m.(*classic), map[string]known{}}
}

// expect returns the shares that the seats expect, or their totals below 0.
func (b *brute) expect(t checked, m games.Match) []float64 {
	if values := b.ended(m.(*classic)); values != nil {
		return values
	}
	saved, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	if k, met := b.known[string(saved)]; met {
		return k.values
	}
	seat := m.Turn()[0]
	worths := b.worths(t, m, seat)
	best, _ := games.Best(worths, seat)
	b.known[string(saved)] = known{m, best.Values, worths}
	return best.Values
}

// ended returns what the seats have when the round is over, else nothing.
func (b *brute) ended(m *classic) []float64 {
	result, over := m.Result()
	if !over && m.rollOff == b.began.rollOff && m.round == b.began.round {
		return nil
	}
	values := make([]float64, m.seats)
	switch {
	case m.r.match != single || m.seats == 1:
		for s := range values {
			values[s] = -float64(m.totals[s])
		}
	case over:
		for s, row := range result.Rows {
			values[s] = -1
			if row.Place == 1 {
				values[s] += float64(m.seats) / float64(len(result.Winners))
			}
			for _, winner := range result.Doubles {
				values[s]--
				if winner == games.Seat(s) {
					values[s] += float64(m.seats)
				}
			}
		}
	default:
		for s := range values {
			values[s] = -1
			if m.playing.has(games.Seat(s)) {
				values[s] += float64(m.seats) / float64(m.playing.count())
			}
		}
	}
	return values
}

func (b *brute) worths(t checked, m games.Match, s games.Seat) []games.Worth {
	var worths []games.Worth
	for _, mv := range m.Moves(s) {
		sums, ways := make([]float64, m.(*classic).seats), 0.0
		all := &allDice{}
		for all.more() {
			next, _ := m.Apply(s, mv, all)
			for i, v := range b.expect(t, next) {
				sums[i] += v
			}
			ways++
		}
		for i := range sums {
			sums[i] /= ways
		}
		worths = append(worths, games.Worth{Move: mv, Values: sums})
	}
	return worths
}

// allDice fall in every way, one after the other.
type allDice struct {
	faces []int
	sides int
	began bool
}

func (d *allDice) Throw(count, sides int) []int {
	if d.faces == nil {
		d.faces, d.sides = slices.Repeat([]int{1}, count), sides
	}
	return slices.Clone(d.faces)
}

// more reports whether there is another way, and goes on to it.
func (d *allDice) more() bool {
	if !d.began {
		d.began = true
		return true
	}
	for i := range d.faces {
		if d.faces[i]++; d.faces[i] <= d.sides {
			return true
		}
		d.faces[i] = 1
	}
	return false
}

// smallRules returns any rules of classic matches on boards so small that all of a round can be looked at.
func smallRules(t *rapid.T, seats int) games.Rules {
	given := games.Rules{}
	for _, o := range (Game{}).Options() {
		if o.Name != "tiles" && rapid.Bool().Draw(t, "give "+o.Name) {
			given[o.Name] = rapid.SampledFrom(o.Values).Draw(t, o.Name)
		}
	}
	if given["dice"] == "4d6" && seats > 1 {
		delete(given, "dice")
	}
	most := []int{4, 3, 2, 2}[seats-1]
	if long() {
		most = []int{6, 4, 3, 2}[seats-1]
	}
	tiles := rapid.SliceOfNDistinct(rapid.IntRange(1, 3+2*most), 1, most, rapid.ID[int]).Draw(t, "tiles")
	var parts []string
	for _, n := range tiles {
		parts = append(parts, fmt.Sprintf("%d-%d", n, n))
	}
	given["tiles"] = strings.Join(parts, ",")
	rules, err := Game{}.Check(given)
	if _, refused := games.Refused(err); refused {
		t.Skip("refused")
	}
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// inRollOff returns a match that has come to a roll-off among some seats.
func inRollOff(m games.Match, playing seatSet) games.Match {
	c := *m.(*classic)
	c.rollOff, c.playing = 1, playing
	c.beginTurn(playing.list()[0])
	return &c
}

// TestPerfectAgainstBruteForce compares every position of a round, or of a roll-off, of any rules on small boards.
func TestPerfectAgainstBruteForce(t *testing.T) {
	positions := 0
	rapid.Check(t, func(t *rapid.T) {
		seats := rapid.IntRange(1, 4).Draw(t, "seats")
		rules := smallRules(t, seats)
		m, err := Game{}.New(rules, seats)
		if err != nil {
			t.Fatal(err)
		}
		if rules["ties"] == rollOff && rules["match"] == "" && seats > 1 && rapid.Bool().Draw(t, "in a roll-off") {
			playing := seatSet(rapid.IntRange(1, 1<<seats-1).Filter(func(n int) bool {
				return seatSet(n).count() > 1
			}).Draw(t, "playing"))
			m = inRollOff(m, playing)
		}
		p, err := Game{}.Solve(rules, seats)
		if err != nil {
			t.Fatal(err)
		}
		positions += againstBrute(t, p, m)
	})
	if positions < 1000 {
		t.Errorf("only %d positions were compared", positions)
	}
}

// againstBrute compares all positions that can come up in a round.
func againstBrute(t checked, p games.Perfect, began games.Match) (positions int) {
	b := newBrute(began)
	offset := b.expect(t, began)
	if p.Measure() == games.Share {
		offset = make([]float64, len(offset))
	}
	for saved, k := range b.known {
		same := func(what games.Move, got, want []float64) {
			for s := range want {
				if w := want[s] - offset[s]; math.Abs(got[s]-w) > 1e-12*max(1, math.Abs(want[s]), math.Abs(offset[s])) {
					t.Fatalf("%s\n%s: %v, by brute force %v less %v", saved, what, got, want, offset)
				}
			}
		}
		got, err := p.Expect(k.match)
		if err != nil {
			t.Fatal(err)
		}
		same("expected", got, k.values)
		worths, err := p.Worths(k.match, k.match.Turn()[0])
		if err != nil {
			t.Fatal(err)
		}
		if len(worths) != len(k.worths) {
			t.Fatalf("%s: %d worths, %d moves", saved, len(worths), len(k.worths))
		}
		for i, w := range k.worths {
			if worths[i].Move != w.Move {
				t.Fatalf("%s: move %d is %s, its worth that of %s", saved, i, w.Move, worths[i].Move)
			}
			same(w.Move, worths[i].Values, w.Values)
		}
	}
	return len(b.known)
}
