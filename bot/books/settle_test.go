package books_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"knobel/bot/bare"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/bot/review"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// owed is what the seats win in units, reckoned by fractions: each amount
// rounded down, and one more for the largest remainders, of equal ones in turn from the table's number on.
func owed(table int64, said []int, point int) []int64 {
	sum := 0
	for _, n := range said {
		sum += n
	}
	amounts, rest := make([]int64, len(said)), make([]*big.Rat, len(said))
	short := int64(0)
	for i, n := range said {
		exact := new(big.Rat).Sub(big.NewRat(int64(n*point), 1), big.NewRat(int64(sum*point), int64(len(said))))
		down := new(big.Int).Div(exact.Num(), exact.Denom()) // rounds down, the divisor being positive
		amounts[i] = down.Int64()
		rest[i] = exact.Sub(exact, new(big.Rat).SetInt(down))
		short -= amounts[i]
	}
	for ; short > 0; short-- {
		first := int(table) % len(rest)
		best := first
		for k := range rest {
			if i := (first + k) % len(rest); rest[i].Cmp(rest[best]) > 0 {
				best = i
			}
		}
		amounts[best]++
		rest[best].SetInt64(-1)
	}
	return amounts
}

// TestSettlements plays games of 1 to 10 with many ties and looks at every account after each.
func TestSettlements(t *testing.T) {
	house := bare.New(t, bare.Tally{}, bare.Pile{})
	games := 0
	rapid.Check(t, func(r *rapid.T) {
		games++
		point := rapid.SampledFrom([]int{0, 1, 2, 7}).Draw(r, "point")
		said := rapid.SliceOfN(rapid.IntRange(-2, 12), 1, 10).Draw(r, "said")
		var people []*bare.Person
		for i := range said {
			p := house.Person(fmt.Sprint("G", games, "P", i))
			p.Place = chat.Place(fmt.Sprint("test:1/", games))
			people = append(people, p)
			if i == 0 {
				p.Writes(fmt.Sprint("/tally point=", point))
			} else {
				p.Sends(fmt.Sprintf("1:%d:0:!join", p.Table().ID))
			}
		}
		id := people[0].Table().ID
		people[0].Sends(fmt.Sprintf("1:%d:0:!start", id))
		for i, n := range said {
			people[i].Sends(fmt.Sprintf("1:%d:%d:say %d", id, i, n))
		}
		if state := people[0].Table().State; state != store.Over {
			r.Fatalf("the table is %s", state)
		}
		for i, amount := range owed(id, said, point) {
			house.Balance("player:test:"+people[i].Name, amount)
		}
		house.Balanced(r)
		house.Balance("box", 0)
	})
	house.Sound()
	if lines := house.Export(review.Wanted{}); len(lines) != games {
		t.Errorf("%d records of %d games", len(lines), games)
	}
}

// TestEveningsOfBothKinds plays whole random games of Würfelpoker among pools,
// with toggles, pages, rows taken back, and now and then an end before the end.
func TestEveningsOfBothKinds(t *testing.T) {
	evenings := 2
	if needs.IsLong() {
		evenings = 8
	}
	house := bare.New(t, wuerfelpoker.New(), bare.Pile{})
	chance := rand.New(rand.NewPCG(3, 4))
	lines := []string{"/pile 7", "/wuerfelpoker point=3", "/wuerfelpoker miss=deferred order=free", "/pile big 1"}
	for evening := range evenings {
		var people []*bare.Person
		for i := range 2 + chance.IntN(3) {
			p := house.Person(fmt.Sprint("K", evening, "P", i))
			p.Place = chat.Place(fmt.Sprint("test:1/kinds", evening))
			people = append(people, p)
		}
		for range 2 {
			people[0].Writes(lines[chance.IntN(len(lines))])
			for _, p := range people[1:] {
				p.Sends(fmt.Sprintf("1:%d:0:!join", p.Table().ID))
			}
			people[0].Sends(fmt.Sprintf("1:%d:0:!start", people[0].Table().ID))
			house.PressAnything(people, chance, 300)
		}
		books, err := house.Store.Check(context.Background())
		if err != nil || len(books) > 0 {
			t.Fatalf("evening %d: %v, %v", evening, books, err)
		}
	}
	house.Sound()
	if lines := house.Export(review.Wanted{}); len(lines) == 0 {
		t.Error("no game came to its end")
	}
}
