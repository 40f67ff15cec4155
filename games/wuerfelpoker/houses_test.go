package wuerfelpoker_test

import (
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/wuerfelpoker"
)

func house(t *testing.T, name string) games.House {
	t.Helper()
	for _, h := range wuerfelpoker.New().Houses() {
		if h.Name == name {
			return h
		}
	}
	t.Fatalf("there is no house %s", name)
	return games.House{}
}

// stored is a match of one seat with a sheet as it is stored.
func stored(t *testing.T, rules games.Rules, sheet, rest string) games.Match {
	t.Helper()
	m, err := wuerfelpoker.New().Load(rules, []byte(`{"sheets":["`+sheet+`"],"turn":0,`+rest+`}`))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const school = "11122 22233 33344 44455 55566 66611 "

// counting answers every question with each answer in turn.
type counting struct{ asked, next int }

func (c *counting) IntN(n int) int {
	c.asked = n
	c.next++
	return (c.next - 1) % n
}

func TestRandomPlaysEveryMoveAlike(t *testing.T) {
	m := stored(t, nil, school+". . . . . . . . .", `"round":6,"throws":1,"dice":"66552","kept":"00000"`)
	moves := m.Moves(0)
	r := &counting{}
	var chosen []games.Move
	for range moves {
		chosen = append(chosen, house(t, "random").Choose(m, 0, r))
	}
	if !slices.Equal(chosen, moves) || r.asked != len(moves) {
		t.Errorf("asked for 1 of %d, random plays %q", r.asked, chosen)
	}
}

// TestGreedyBeatsRandom plays 200 matches of one against the other.
func TestGreedyBeatsRandom(t *testing.T) {
	won := 0
	for i := range 200 {
		d := &dice.Fair{Seed: dice.SeriesSeed(1, i), Table: "test"}
		m, err := wuerfelpoker.New().New(nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		seats := []games.House{house(t, "random"), house(t, "greedy")}
		for moves := 0; len(m.Turn()) > 0; moves++ {
			seat := m.Turn()[0]
			move := seats[seat].Choose(m, seat, dice.Choices(d.Seed, "test", moves))
			if m, _, err = games.Play(m, seat, move, d); err != nil {
				t.Fatal(err)
			}
		}
		if result, _ := m.Result(); result.Rows[1].Place == 1 {
			won++
		}
	}
	if won < 190 {
		t.Errorf("greedy wins %d of 200 matches against random", won)
	}
}
