package wuerfelpoker_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
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

// TestEveryMatchAddsUp plays any rules and any moves to the end.
func TestEveryMatchAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		seats := rapid.IntRange(1, 10).Draw(t, "seats")
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
		for _, row := range sheet.Rows {
			cell := row.Cells[seat]
			switch name := row.Name.Key[strings.LastIndex(row.Name.Key, ".")+1:]; {
			case !row.Sum:
				part += cell.Points
				if cell.Mark == games.Open || cell.Mark == games.Struck && row.Signed {
					open++
				}
			case name == "bonus":
				bonus = cell.Points
				if booked := cell.Mark == games.Written; booked == (open > 0) {
					t.Fatalf("seat %d: the bonus is booked: %v, with %d rows of the school left", seat, booked, open)
				}
			case name == "total":
				if cell.Points != sum+bonus {
					t.Fatalf("seat %d: the total is %d, not %d", seat, cell.Points, sum+bonus)
				}
			default:
				if cell.Points != part {
					t.Fatalf("seat %d: %s is %d, not %d", seat, name, cell.Points, part)
				}
				if name == "school" && open == 0 {
					checkBonus(t, rules, part, bonusOf(sheet, seat))
				}
				sum, part = sum+part, 0
			}
		}
	}
}

func bonusOf(sheet *games.Sheet, seat int) int {
	for _, row := range sheet.Rows {
		if row.Name.Key == "wuerfelpoker.sum.bonus" {
			return row.Cells[seat].Points
		}
	}
	return 0
}

func checkBonus(t *rapid.T, rules games.Rules, school, bonus int) {
	want := 0
	kind := rules["bonus"]
	if school >= 0 && (kind == "" || kind == "both") {
		want = 50
	}
	if school < 0 && (kind == "minus" || kind == "both") {
		want = -50
	}
	if bonus != want {
		t.Fatalf("a school of %d brings %d, not %d", school, bonus, want)
	}
}

// checkEnd checks places and differences.
func checkEnd(t *rapid.T, m games.Match, rules games.Rules) {
	result, _ := m.Result()
	differences, err := money.DifferencesOf(result)
	if err != nil {
		t.Fatal(err)
	}
	settled, err := money.Round(differences, result.Point)
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

// FuzzLoad loads anything as a match. What is taken for one must be one: it
// is saved as it is, and can be played to its end.
func FuzzLoad(f *testing.F) {
	whole := "11122 22233 33344 44455 55566 66611 66123 55112 66612 - 44441 - 11122 - 11111!"
	f.Add([]byte(`{"sheets":["`+strings.Repeat(". ", 14)+`."],"round":0,"turn":0,"throws":0}`), byte(0))
	f.Add([]byte(`{"sheets":["11122 22233 33344 44455 55566 66611 . . . . . . . . ."],"round":6,"turn":0,"throws":2,"dice":"44162","kept":"11000"}`), byte(0))
	f.Add([]byte(`{"sheets":["`+whole+`","`+whole+`"],"round":15,"turn":0,"throws":0,"ended":"strike poker"}`), byte(0))
	f.Add([]byte(`{"sheets":["`+strings.Repeat(". ", 14)+`."],"round":15,"turn":0,"throws":0,"ended":"miss"}`), byte(3))
	f.Fuzz(func(t *testing.T, saved []byte, kind byte) {
		rules := [...]games.Rules{{}, {"order": "free"}, {"miss": "deferred"},
			{"order": "free", "miss": "deferred"}}[kind%4]
		g := wuerfelpoker.New()
		m, err := g.Load(rules, saved)
		if err != nil {
			return
		}
		first, err := m.Save()
		if err != nil {
			t.Fatal(err)
		}
		again, err := g.Load(rules, first)
		if err != nil {
			t.Fatalf("%s is saved as %s, which cannot be loaded: %v", saved, first, err)
		}
		if second, _ := again.Save(); !bytes.Equal(first, second) {
			t.Fatalf("%s is saved as %s and then as %s", saved, first, second)
		}
		d := &dice.Fair{Table: "test"}
		for range 10 * 15 * 4 {
			if len(m.Turn()) == 0 {
				break
			}
			move := g.Houses()[1].Choose(m, m.Turn()[0], nil)
			if m, _, err = games.Play(m, m.Turn()[0], move, d); err != nil {
				t.Fatalf("%s: %v", first, err)
			}
		}
		if _, over := m.Result(); !over {
			t.Fatalf("%s does not come to its end", first)
		}
	})
}

// FuzzMoves plays anything as a move: what is not among the legal moves is
// refused and changes nothing.
func FuzzMoves(f *testing.F) {
	for _, move := range []string{"throw", "throw 5", "keep 11000", "keep 11111", "keep 2", "write ones", "write",
		"strike poker", "miss", "WRITE ones", "write  ones"} {
		f.Add(move, byte(0))
		f.Add(move, byte(9))
	}
	f.Fuzz(func(t *testing.T, move string, steps byte) {
		m, err := wuerfelpoker.New().New(games.Rules{"order": "free"}, 2)
		if err != nil {
			t.Fatal(err)
		}
		d := &dice.Fair{Table: "test"}
		for range steps % 70 {
			if m, _, err = games.Play(m, m.Turn()[0], m.Moves(m.Turn()[0])[0], d); err != nil {
				t.Fatal(err)
			}
			if len(m.Turn()) == 0 {
				return
			}
		}
		seat := m.Turn()[0]
		before, _ := m.Save()
		legal := slices.Contains(m.Moves(seat), games.Move(move))
		_, _, err = games.Play(m, seat, games.Move(move), d)
		if after, _ := m.Save(); !bytes.Equal(before, after) {
			t.Fatalf("%q has changed %s to %s", move, before, after)
		}
		if _, refused := games.Refused(err); refused == legal {
			t.Fatalf("%q is legal: %v, and played: %v", move, legal, err)
		}
	})
}
