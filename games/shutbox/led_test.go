package shutbox

import (
	"reflect"
	"testing"

	"knobel/games"
)

// TestWhoCanWinNothingHasNotWon plays matches of all kinds to their ends.
func TestWhoCanWinNothingHasNotWon(t *testing.T) {
	for _, rules := range []games.Rules{{}, {"match": "rounds:2"}, {"variant": "lucky-seven", "match": "rounds:2"},
		{"variant": "canoga"}} {
		rules, err := Game{}.Check(rules)
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for seed := range uint64(30) {
			m, err := Game{}.New(rules, 2)
			if err != nil {
				t.Fatal(err)
			}
			luck := newChance(seed)
			for turn := m.Turn(); len(turn) > 0; turn = m.Turn() {
				legal := m.Moves(turn[0])
				if m, _, err = games.Play(m, turn[0], legal[luck.IntN(len(legal))], luck); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(m.View(), m.(games.Led).ViewWithout(nil)) {
				t.Error("where nobody is out it is another view")
			}
			result, _ := m.Result()
			if m.View().Won.Key != "" {
				said++
			}
			if v := m.(games.Led).ViewWithout(result.Winners); v.Won.Key != "" {
				t.Errorf("%v: it says %v", rules, v.Won)
			}
		}
		if said == 0 {
			t.Errorf("%v: nobody is said to have won", rules)
		}
	}
}

// TestAloneNobodyWins: who practises ends with points, and gets no trophy.
func TestAloneNobodyWins(t *testing.T) {
	for _, text := range []string{"tiles=2", "variant=lucky-seven"} {
		rules, err := Game{}.Check(rulesOf(text))
		if err != nil {
			t.Fatal(err)
		}
		least, _ := Game{}.Seats(rules)
		if least > 1 {
			continue
		}
		m, err := Game{}.New(rules, 1)
		if err != nil {
			t.Fatal(err)
		}
		luck := newChance(1)
		for len(m.Turn()) > 0 {
			if m, _, err = games.Play(m, 0, m.Moves(0)[0], luck); err != nil {
				t.Fatal(err)
			}
		}
		if v := m.View(); v.Stands[0].State == games.Won || v.Won.Key == "" {
			t.Errorf("%s: %+v", text, v)
		}
	}
}
