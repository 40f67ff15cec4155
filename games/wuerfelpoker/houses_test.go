package wuerfelpoker_test

import (
	"slices"
	"strings"
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

func TestGreedy(t *testing.T) {
	all := school + ". . . . . . . . ."
	noChance := school + ". . . . . . . . 11112"
	hard := school + "66123 66552 - . . . . . 11112" // small straight, big straight, full house, four, poker
	for _, c := range []struct {
		why, sheet string
		round      string
		throws     string
		dice       string
		rules      games.Rules
		want       games.Move
	}{
		{"a combination is doubled: it is written", noChance, "7", "1", "66552", nil, "write two-pairs"},
		{"nothing is doubled: what counts is kept", noChance, "7", "1", "66552", games.Rules{"first-throw": "plain"},
			"keep 11110"},
		{"the second throw never doubles", noChance, "7", "2", "62562", nil, "keep 11011"},
		{"the leftmost pair of three", school + ". - - - - - - . 11112", "13", "2", "35353", nil, "keep 01010"},
		{"the leftmost of equal dice", school + ". - - - - - - . 11112", "13", "2", "35333", nil, "keep 10100"},
		{"all dice count: it is written", noChance, "7", "2", "23456", nil, "write big-straight"},
		{"chance keeps what is above the average", all, "6", "2", "13465", nil, "keep 00111"},
		{"chance is written when all are", all, "6", "2", "44465", nil, "write chance"},
		{"the last throw is written", noChance, "7", "3", "62562", nil, "write two-pairs"},
		{"nothing to write: all again", hard, "10", "1", "66123", nil, "keep 00000"},
		{"nothing to write at last: the hardest is struck", hard, "10", "3", "66123", nil, "strike poker"},
		{"then the next", strings.Replace(hard, ". 11112", "- 11112", 1), "11", "3", "66123", nil,
			"strike small-straight"},
		{"or the round is given up", strings.Replace(hard, "-", ".", 1), "10", "3", "65123",
			games.Rules{"miss": "deferred"}, "miss"},
		{"a school row keeps its face", ". . . . . .", "0", "1", "11346", nil, "keep 11000"},
		{"the upper of equals", ". . . . . .", "0", "3", "22346", nil, "write twos"},
		{"five of a face are written", ". . . . . .", "0", "1", "66666", nil, "write sixes"},
		{"four equal as two pairs", noChance, "7", "2", "44144", games.Rules{"four-as-two-pairs": "yes"}, "keep 11011"},
	} {
		sheet := c.sheet
		if c.round == "0" {
			sheet += " . . . . . . . . ."
		}
		kept := `,"kept":"00000"`
		m := stored(t, c.rules, sheet, `"round":`+c.round+`,"throws":`+c.throws+`,"dice":"`+c.dice+`"`+kept)
		if got := house(t, "greedy").Choose(m, 0, nil); got != c.want {
			t.Errorf("%s: %s is answered by %q, not %q", c.why, c.dice, got, c.want)
		}
	}
}

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
