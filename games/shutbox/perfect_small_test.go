package shutbox

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
)

// long is for tests that take more than a second or two.
func long() bool { return os.Getenv("KNOBEL_TEST_LONG") == "1" }

// smallRules returns any rules of classic matches on boards so small that a match soon comes to all kinds of ends.
func smallRules(t *testing.T, chance *rand.Rand, seats int) games.Rules {
	for {
		given := games.Rules{}
		for _, o := range (Game{}).Options() {
			if o.Name != "tiles" && chance.IntN(2) == 0 {
				given[o.Name] = o.Values[chance.IntN(len(o.Values))]
			}
		}
		if given["dice"] == "4d6" && seats > 1 {
			delete(given, "dice")
		}
		most := []int{6, 4, 3, 2}[seats-1]
		var parts []string
		for _, n := range chance.Perm(3 + 2*most)[:1+chance.IntN(most)] {
			parts = append(parts, fmt.Sprintf("%d-%d", n+1, n+1))
		}
		given["tiles"] = strings.Join(parts, ",")
		rules, err := Game{}.Check(given)
		if err == nil {
			return rules
		}
		if _, refused := games.Refused(err); !refused {
			t.Fatal(err)
		}
	}
}

// inRollOff returns a match that has come to a roll-off among some seats.
func inRollOff(m games.Match, playing ...games.Seat) games.Match {
	c := *m.(*classic)
	c.RollOff, c.Playing = 1, playing
	c.beginTurn(playing[0])
	return &c
}

// TestPerfectOnSmallBoards follows matches, or single roll-offs for a pool, under any rules of small boards.
func TestPerfectOnSmallBoards(t *testing.T) {
	cases := 300
	if long() {
		cases *= 10
	}
	chance := rand.New(rand.NewPCG(44, 1))
	for range cases {
		seats := 1 + chance.IntN(4)
		rules := smallRules(t, chance, seats)
		if rules["match"] == "" {
			delete(rules, "ties") // before a roll-off begins it counts as equal parts
		}
		m, err := Game{}.New(rules, seats)
		if err != nil {
			t.Fatal(err)
		}
		if rules["match"] == "" && seats > 1 && chance.IntN(2) == 0 {
			playing := allSeats(seats)
			for range chance.IntN(seats - 1) {
				i := chance.IntN(len(playing))
				playing = slices.Delete(playing, i, i+1)
			}
			m = inRollOff(m, playing...)
		}
		gametest.PerfectFrom(t, Game{}, rules, m)
	}
}
