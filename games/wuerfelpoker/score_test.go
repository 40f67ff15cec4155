package wuerfelpoker

import (
	"fmt"
	"slices"
	"testing"

	"knobel/games"
)

// hands returns all 7776 throws of five dice.
func hands() []hand {
	list := []hand{{}}
	for position := range handSize {
		var longer []hand
		for _, h := range list {
			for face := uint8(1); face <= sides; face++ {
				h[position] = face
				longer = append(longer, h)
			}
		}
		list = longer
	}
	return list
}

// TestScoresAgainstTheWordsOfTheRules scores every throw a second time, by
// looking through all choices of dice that a row's sentence speaks of.
func TestScoresAgainstTheWordsOfTheRules(t *testing.T) {
	for _, given := range []games.Rules{
		{}, {"four-as-two-pairs": "yes", "five-as-full-house": "yes"}, {"poker": "doubled", "chance": "double"},
		{"poker": "never"}, {"first-throw": "plain", "poker": "doubled", "chance": "double"},
	} {
		r := read(given)
		for _, h := range hands() {
			for w := ones; w <= chance; w++ {
				want, there := slowly(given, w, h)
				if got, ok := r.points(w, h, false); got != want && there || ok != there {
					t.Fatalf("%v: %v with %v: %d, %v; the rules say %d, %v", given, w, h, got, ok, want, there)
				}
				twice := want
				if given["first-throw"] != "plain" {
					twice = slowlyDoubled(given, w, want)
				}
				if got, ok := r.points(w, h, true); got != twice && there || ok != there {
					t.Fatalf("%v: %v with %v on the first throw: %d, %v; the rules say %d, %v", given, w, h, got, ok,
						twice, there)
				}
			}
		}
	}
}

// slowlyDoubled is what is written directly after the first throw.
func slowlyDoubled(given games.Rules, w row, points int) int {
	switch {
	case w <= sixes, w == chance && given["chance"] != "double", w == poker && given["poker"] == "never":
		return points
	case w == poker && given["poker"] != "doubled":
		return 2*(points-50) + 50
	}
	return 2 * points
}

// slowly scores a row by trying all choices of its dice.
func slowly(given games.Rules, w row, h hand) (points int, there bool) {
	if w <= sixes {
		n := 0
		for _, face := range h {
			if int(face) == int(w)+1 {
				n++
			}
		}
		return (n - 3) * (int(w) + 1), true
	}
	best, found := 0, false
	for set := range 1 << 5 {
		var chosen []int
		for position, face := range h {
			if set>>position&1 == 1 {
				chosen = append(chosen, int(face))
			}
		}
		slices.Sort(chosen)
		if points, ok := wanted(given, w, chosen); ok {
			best, found = max(best, points), true
		}
	}
	return best, found
}

// wanted reports whether exactly these dice, sorted, are what a row counts.
func wanted(given games.Rules, w row, chosen []int) (points int, ok bool) {
	sum := 0
	for _, face := range chosen {
		sum += face
	}
	n := len(chosen)
	equal := n > 0 && chosen[0] == chosen[n-1]
	switch w {
	case pair:
		return sum, n == 2 && equal
	case three:
		return sum, n == 3 && equal
	case four:
		return sum, n == 4 && equal
	case poker:
		return sum + 50, n == 5 && equal
	case twoPairs:
		if n != 4 || chosen[0] != chosen[1] || chosen[2] != chosen[3] {
			return 0, false
		}
		return sum, chosen[1] != chosen[2] || given["four-as-two-pairs"] == "yes"
	case smallStraight:
		return 15, slices.Equal(chosen, []int{1, 2, 3, 4, 5})
	case bigStraight:
		return 20, slices.Equal(chosen, []int{2, 3, 4, 5, 6})
	case fullHouse:
		if n != 5 || chosen[0] != chosen[1] || chosen[3] != chosen[4] ||
			chosen[2] != chosen[1] && chosen[2] != chosen[3] {
			return 0, false
		}
		return sum, !equal || given["five-as-full-house"] == "yes"
	}
	return sum, n == 5
}

func TestScoringAllocatesNothing(t *testing.T) {
	r := read(games.Rules{})
	s := sheet{fullHouse: {written, hand{5, 5, 5, 2, 2}}, sixes: {writtenFirst, hand{6, 6, 6, 6, 1}}}
	sum := 0
	perRun := testing.AllocsPerRun(100, func() {
		for w := ones; w <= chance; w++ {
			points, _ := r.points(w, hand{6, 6, 5, 5, 2}, true)
			sum += points
		}
		sum += r.total(&s)
	})
	if perRun != 0 {
		t.Errorf("scoring a sheet allocates %v times", perRun)
	}
	if sum == 0 {
		t.Error("nothing was scored")
	}
}

// BenchmarkScoreRow scores one row of the sheet with one throw.
func BenchmarkScoreRow(b *testing.B) {
	r := read(games.Rules{})
	throws := hands()
	b.ReportAllocs()
	sum := 0
	for i := 0; b.Loop(); i++ {
		points, _ := r.points(row(i%rows), throws[i%len(throws)], i&1 == 0)
		sum += points
	}
	if sum == 0 {
		b.Fatal("nothing was scored")
	}
}

// BenchmarkSheet adds up a whole sheet.
func BenchmarkSheet(b *testing.B) {
	r := read(games.Rules{})
	var s sheet
	for w := range s {
		s[w] = cell{written, hand{1, 2, 3, 4, 5}}
	}
	b.ReportAllocs()
	sum := 0
	for b.Loop() {
		sum += r.total(&s)
	}
	if sum == 0 {
		b.Fatal("nothing was scored")
	}
}

// BenchmarkMoves lists the moves after a first throw with all rows open.
func BenchmarkMoves(b *testing.B) {
	m := match{rules: read(games.Rules{"order": free}), sheets: make([]sheet, 4), throws: 1, hand: hand{6, 6, 5, 5, 2}}
	b.ReportAllocs()
	for b.Loop() {
		if moves := m.Moves(0); len(moves) != 31+15 {
			b.Fatal(fmt.Sprint(moves))
		}
	}
}
