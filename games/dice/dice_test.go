package dice_test

import (
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"knobel/games/dice"
)

//go:embed testdata/vectors.json
var vectors []byte

// TestVectors checks the published examples of the scheme. They were computed by a program in another language, written
// from the text of the specification.
func TestVectors(t *testing.T) {
	var cases []struct {
		Seed, Commitment, Table string
		Entropies               []string
		Sides, First            int
		Faces                   []int
	}
	if err := json.Unmarshal(vectors, &cases); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			seed, err := dice.ParseSeed(c.Seed)
			if err != nil {
				t.Fatal(err)
			}
			if seed.String() != c.Seed || seed.Commitment() != c.Commitment {
				t.Errorf("seed %s with commitment %s", seed, seed.Commitment())
			}
			fair := &dice.Fair{Seed: seed, Table: c.Table, Entropies: c.Entropies, Next: c.First}
			faces := fair.Throw(len(c.Faces), c.Sides)
			if !slices.Equal(faces, c.Faces) || !slices.Equal(fair.Faces, c.Faces) {
				t.Errorf("thrown %v, remembered %v, want %v", faces, fair.Faces, c.Faces)
			}
			if fair.Next != c.First+len(c.Faces) {
				t.Errorf("the next die is %d", fair.Next)
			}
		})
	}
}

func TestThrownTogetherOrApartIsAlike(t *testing.T) {
	table := func() *dice.Fair {
		return &dice.Fair{Seed: dice.SeriesSeed(1, 1), Table: "1", Entropies: []string{"a", "b"}}
	}
	together, apart := table(), table()
	want := together.Throw(5, 6)
	got := append(apart.Throw(2, 6), apart.Throw(3, 6)...)
	if !slices.Equal(got, want) {
		t.Errorf("%v thrown apart, %v together", got, want)
	}
	again := &dice.Fair{Seed: apart.Seed, Table: "1", Entropies: apart.Entropies, Next: apart.Next}
	if a, b := again.Throw(4, 6), apart.Throw(4, 6); !slices.Equal(a, b) {
		t.Errorf("%v after a restart, %v without", a, b)
	}
}

// TestDiceAreEven throws a hundred thousand dice of each kind: the sum of squared deviations must be within the range
// of all but one in a thousand fair samples.
func TestDiceAreEven(t *testing.T) {
	bounds := map[int]float64{6: 20.52, 20: 43.82, 24: 49.73}
	for sides, bound := range bounds {
		t.Run(fmt.Sprint(sides), func(t *testing.T) {
			const count = 100_000
			fair := &dice.Fair{Seed: dice.SeriesSeed(6, sides), Table: "even", Entropies: []string{"house"}}
			seen := make([]int, sides)
			for _, face := range fair.Throw(count, sides) {
				seen[face-1]++
			}
			expected, deviation := float64(count)/float64(sides), 0.0
			for _, n := range seen {
				deviation += (float64(n) - expected) * (float64(n) - expected) / expected
			}
			if deviation > bound {
				t.Errorf("chi-square is %.2f, above %.2f: %v", deviation, bound, seen)
			}
		})
	}
}

// TestUnevenBytesAreRejected checks that bytes from 256 − (256 mod sides) on are skipped in favour of the next byte. A
// few thousand dice contain bytes on both sides of each bound.
func TestUnevenBytesAreRejected(t *testing.T) {
	seed := dice.SeriesSeed(9, 9)
	for sides, limit := range map[int]int{6: 252, 20: 240, 24: 240} {
		fair := &dice.Fair{Seed: seed, Table: "x", Entropies: []string{"house"}}
		rejected, last := 0, false
		for n, face := range fair.Throw(5000, sides) {
			stream := dice.Bytes(seed, "x", []string{"house"}, n)
			i := slices.IndexFunc(stream, func(b byte) bool { return int(b) < limit })
			rejected += i
			last = last || int(stream[i]) == limit-1
			if want := 1 + int(stream[i])%sides; face != want {
				t.Fatalf("d%d, die %d: %d, want %d", sides, n, face, want)
			}
		}
		if rejected == 0 || !last {
			t.Errorf("d%d: the bound was not met: %d bytes rejected, last byte below it seen: %v", sides,
				rejected, last)
		}
	}
}

func TestNoSuchDie(t *testing.T) {
	for _, sides := range []int{-1, 0, 257} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a die with %d sides is thrown", sides)
				}
			}()
			(&dice.Fair{}).Throw(1, sides)
		}()
	}
}

func TestChoicesRepeatAndAreEven(t *testing.T) {
	seed := dice.SeriesSeed(2, 2)
	seen := make([]int, 7)
	for n := range 7000 {
		v := dice.Choices(seed, "5", n).IntN(7)
		if again := dice.Choices(seed, "5", n).IntN(7); v != again {
			t.Fatalf("move %d is chosen as %d and then as %d", n, v, again)
		}
		seen[v]++
	}
	for v, n := range seen {
		if n < 880 || n > 1120 {
			t.Errorf("%d was chosen %d times of 7000: %v", v, n, seen)
		}
	}
	if a, b := dice.Choices(seed, "5", 0).IntN(1<<62), dice.Choices(seed, "6", 0).IntN(1<<62); a == b {
		t.Error("two tables choose alike")
	}
	if dice.Choices(seed, "5", 0).IntN(1) != 0 {
		t.Error("one choice is no choice")
	}
}

func TestEntropy(t *testing.T) {
	for text, refusal := range map[string]string{
		"":                        "",
		"seven swans":             "",
		"<b>*_[x](y)@everyone":    "",
		"🎲🍀":                      "",
		strings.Repeat("ß", 64):   "",
		strings.Repeat("ß", 65):   "games.luck-long N=64",
		strings.Repeat("x", 4000): "games.luck-long N=64",
		"a\nb":                    "games.luck-control",
		"a\x00":                   "games.luck-control",
		"a\u0085b":                "games.luck-control",
		"a\xff":                   "games.luck-unreadable",
	} {
		err := dice.CheckEntropy(text)
		if got := fmt.Sprint(err); (refusal == "") != (err == nil) || err != nil && got != refusal {
			t.Errorf("%.20q: %v, want %q", text, err, refusal)
		}
	}
	a, errA := dice.NewEntropy(rand.Reader)
	b, errB := dice.NewEntropy(rand.Reader)
	if a == b || len(a) != 32 || errors.Join(errA, errB, dice.CheckEntropy(a)) != nil {
		t.Errorf("new entropies %q and %q, %v", a, b, errors.Join(errA, errB))
	}
	if _, err := dice.NewEntropy(strings.NewReader("too short")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("of a chance that ends: %v", err)
	}
	for id, good := range map[string]bool{"7": true, "": false, "7\n8": false, strings.Repeat("7", 65): false} {
		if err := dice.CheckTable(id); (err == nil) != good {
			t.Errorf("table %q: %v", id, err)
		}
	}
}

func TestSeeds(t *testing.T) {
	a, errA := dice.NewSeed(rand.Reader)
	b, errB := dice.NewSeed(rand.Reader)
	if a == b || errors.Join(errA, errB) != nil {
		t.Errorf("two tables have one seed, %v", errors.Join(errA, errB))
	}
	if _, err := dice.NewSeed(strings.NewReader("too short")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("of a chance that ends: %v", err)
	}
	if dice.SeriesSeed(1, 2) == dice.SeriesSeed(1, 3) || dice.SeriesSeed(1, 2) == dice.SeriesSeed(2, 2) {
		t.Error("two games of a series have one seed")
	}
	for _, text := range []string{"", "00", strings.Repeat("0", 63), strings.Repeat("A", 64), strings.Repeat("g", 64),
		strings.Repeat("0", 66)} {
		if _, err := dice.ParseSeed(text); err == nil {
			t.Errorf("%q is read as a seed", text)
		}
	}
}
