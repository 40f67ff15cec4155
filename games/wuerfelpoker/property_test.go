package wuerfelpoker_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
	"knobel/games/wuerfelpoker"
)

// drawRules draws any rules.
func drawRules(t *rapid.T) games.Rules {
	rules := games.Rules{}
	for _, o := range wuerfelpoker.New().Options() {
		rules[o.Name] = rapid.SampledFrom(o.Values).Draw(t, o.Name)
	}
	checked, err := wuerfelpoker.New().Check(rules)
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

// TestEveryMatchAddsUp plays any rules and any moves to the end, by more people with KNOBEL_TEST_LONG=1.
func TestEveryMatchAddsUp(t *testing.T) {
	most := 3
	if os.Getenv("KNOBEL_TEST_LONG") != "" {
		most = 10
	}
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		seats := rapid.IntRange(1, most).Draw(t, "seats")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		d := &dice.Fair{Seed: dice.SeriesSeed(random.Int64(), 0), Table: "test"}
		m, err := wuerfelpoker.New().New(rules, seats)
		if err != nil {
			t.Fatal(err)
		}
		filled, throws := 0, 0
		for len(m.Turn()) > 0 {
			seat := m.Turn()[0]
			if want := games.Seat(filled % seats); seat != want {
				t.Fatalf("after %d turns seat %d is to move, not %d", filled, seat, want)
			}
			move := wuerfelpoker.New().Houses()[random.IntN(2)].Choose(m, seat, random)
			before := d.Next
			if m, _, err = games.Play(m, seat, move, d); err != nil {
				t.Fatal(err)
			}
			switch verb, set, _ := strings.Cut(string(move), " "); verb {
			case "throw", "keep":
				throws++
				if want := 5 - strings.Count(set, "1"); d.Next-before != want {
					t.Fatalf("%q throws %d dice", move, d.Next-before)
				}
			default:
				filled, throws = filled+1, 0
			}
			if throws > 3 {
				t.Fatalf("%d throws in one round", throws)
			}
			checkSums(t, m, rules)
		}
		if filled != 15*seats {
			t.Fatalf("%d seats have had %d turns", seats, filled)
		}
		checkEnd(t, m, rules)
	})
}

// checkSums adds up every column of the sheet again.
func checkSums(t *rapid.T, m games.Match, rules games.Rules) {
	sheet := m.View().Sheet
	for seat := range sheet.Rows[0].Cells {
		sum, part, open, bonus := 0, 0, 0, 0
		least, most := 0, 0 // what the school may come to
		for face, row := range sheet.Rows {
			cell := row.Cells[seat]
			switch name := row.Name.Key[strings.LastIndex(row.Name.Key, ".")+1:]; {
			case !row.Sum:
				part += cell.Points
				if cell.Mark == games.Open || cell.Mark == games.Struck && row.Signed {
					open++
				}
				if cell.Mark == games.Open && row.Signed {
					least, most = least-3*(face+1), most+2*(face+1)
				}
			case name == "bonus":
				bonus = cell.Points
				certain := wantBonus(rules, least) == wantBonus(rules, most) && wantBonus(rules, most) != 0
				want := open == 0 || certain && rules["miss"] != "deferred"
				if booked := cell.Mark == games.Written; booked != want || want && bonus != wantBonus(rules, most) {
					t.Fatalf("seat %d: the bonus %d is booked: %v, with %d rows of the school left, %d to %d in all",
						seat, bonus, booked, open, least, most)
				}
			case name == "total":
				if cell.Points != sum+bonus {
					t.Fatalf("seat %d: the total is %d, not %d", seat, cell.Points, sum+bonus)
				}
			default:
				if cell.Points != part {
					t.Fatalf("seat %d: %s is %d, not %d", seat, name, cell.Points, part)
				}
				least, most = least+part, most+part
				sum, part = sum+part, 0
			}
		}
	}
}

// wantBonus is what a whole school of a sum brings.
func wantBonus(rules games.Rules, school int) int {
	kind := rules["bonus"]
	switch {
	case school >= 0 && (kind == "" || kind == "both"):
		return 50
	case school < 0 && (kind == "minus" || kind == "both"):
		return -50
	}
	return 0
}

// checkEnd checks places and differences.
func checkEnd(t *rapid.T, m games.Match, rules games.Rules) {
	result, _ := m.Result()
	differences, err := money.DifferencesOf(result)
	if err != nil {
		t.Fatal(err)
	}
	settled, err := money.Round(differences, result.Point, 1)
	if err != nil {
		t.Fatal(err)
	}
	var sum, units int64
	for seat, d := range differences {
		sum += d.N
		units += settled.Amounts[seat]
		for other, e := range differences {
			if (d.N > e.N) != (result.Rows[seat].Place < result.Rows[other].Place) {
				t.Fatalf("seats %d and %d: %+v", seat, other, result.Rows)
			}
		}
	}
	if sum != 0 || units != 0 || len(result.Winners) > 0 || result.Point == 0 && rules["point"] != "" {
		t.Fatalf("differences add up to %d, units to %d: %+v", sum, units, result)
	}
}
