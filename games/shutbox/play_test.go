package shutbox

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"knobel/games"
	"knobel/games/gametest"
)

// chance is a source of dice and of the strategies' random numbers for tests. Equal seeds give equal numbers.
type chance struct {
	*rand.Rand
	faces []int // the faces of the last throw, nil before the first
}

// newChance returns a chance with that seed.
func newChance(seed uint64) *chance { return &chance{Rand: rand.New(rand.NewPCG(seed, 7))} }

// Throw returns count random faces from 1 to sides and stores them in faces.
func (c *chance) Throw(count, sides int) []int {
	c.faces = make([]int, count)
	for i := range c.faces {
		c.faces[i] = 1 + c.IntN(sides)
	}
	return c.faces
}

// randomRules returns random rules of classic matches that Check accepts, with at most ten tiles.
func randomRules(t *rapid.T) games.Rules {
	given := games.Rules{}
	for _, o := range (Game{}).Options() {
		if rapid.Bool().Draw(t, "give "+o.Name) {
			given[o.Name] = rapid.SampledFrom(o.Values).Draw(t, o.Name)
		}
	}
	if rapid.Bool().Draw(t, "own tiles") {
		most := rapid.SampledFrom([]int{2, 4, 10}).Draw(t, "most") // small boards are often shut
		tiles := rapid.SliceOfNDistinct(rapid.IntRange(1, most+3), 1, most, rapid.ID[int]).Draw(t, "tiles")
		given["tiles"] = ""
		for _, n := range tiles {
			given["tiles"] += fmt.Sprintf(",%d-%d", n, n)
		}
		given["tiles"] = given["tiles"][1:]
	}
	kind := rapid.SampledFrom([]string{"", "rounds", "knockout", "until"}).Draw(t, "kind")
	if kind != "" {
		given["match"] = fmt.Sprintf("%s:%d", kind, rapid.IntRange(1, 60).Draw(t, "limit")%map[string]int{"rounds": 4,
			"knockout": 100, "until": 100}[kind]+1)
	}
	out, err := Game{}.Check(given)
	if err != nil {
		if _, ok := games.Refused(err); !ok {
			t.Fatal(err)
		}
		t.Skip("refused")
	}
	return out
}

// TestRefereeAgrees compares the results of random matches with those of the referee.
func TestRefereeAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := randomRules(t)
		seats := rapid.IntRange(1, 5).Draw(t, "seats")
		luck := newChance(rapid.Uint64().Draw(t, "seed"))
		moves, m := playRandomMoves(t, rules, seats, luck, 3000)
		if m == nil {
			t.Skip("long")
		}
		result, _ := m.Result()
		board, _ := parseTiles(spellTiles(parseRules(rules).tiles))
		judge := referee{rules: rules, seats: seats, moves: moves, board: board.list()}
		want, err := judge.judge()
		if err != nil {
			t.Fatalf("%s: %v\n%v", rules, err, moves)
		}
		var winners []games.Seat
		for s, row := range result.Rows {
			if row.Threw != want.threw[s] || row.Score != want.totals[s] || row.Place != want.places[s] {
				t.Fatalf("%s: seat %d is %+v, the referee says %+v\n%v", rules, s, row, want, moves)
			}
			if row.Place == 1 {
				winners = append(winners, games.Seat(s))
			}
		}
		if !slices.Equal(result.Winners, winners) || !slices.Equal(result.Doubles, want.doubles) {
			t.Fatalf("%s: %+v, the referee says %+v\n%v", rules, result, want, moves)
		}
	})
}

// playRandomMoves plays a match with random moves, saves and loads it after each, and returns the moves and the match
// at its end. It returns nil, nil if more than maxMoves moves are needed.
func playRandomMoves(t *rapid.T, rules games.Rules, seats int, luck *chance, maxMoves int) ([]played, games.Match) {
	m, err := Game{}.New(rules, seats)
	check(t, err)
	full := parseRules(rules).points(parseRules(rules).tiles)
	var moves []played
	for len(m.Turn()) > 0 {
		if len(moves) > maxMoves {
			return nil, nil
		}
		seat := m.Turn()[0]
		legal := m.Moves(seat)
		mv := legal[luck.IntN(len(legal))]
		if mv == "declare" && luck.IntN(2) == 0 {
			mv = legal[1]
		}
		luck.faces = nil
		before, err := m.Save()
		check(t, err)
		next, _, err := games.Play(m, seat, mv, luck)
		if err != nil {
			t.Fatalf("%s: %v", mv, err)
		}
		if after, _ := m.Save(); !bytes.Equal(before, after) {
			t.Fatalf("%s changes the match it is played on:\n%s\n%s", mv, before, after)
		}
		state, err := next.Save()
		check(t, err)
		m, err = (Game{}).Load(rules, state)
		check(t, err)
		for _, score := range m.(*classic).Scores {
			if score > full {
				t.Fatalf("a round scores %d of %d", score, full)
			}
		}
		moves = append(moves, played{seat, mv, luck.faces, legal})
	}
	return moves, m
}

// check ends the test on an error.
var check = gametest.Check

// FuzzLoad checks that every state that Load accepts can be shown, saved unchanged, and played on.
func FuzzLoad(f *testing.F) {
	presets := slices.DeleteFunc(Game{}.Variants(), func(v games.Variant) bool { return v.Rules["variant"] != "" })
	for i, v := range presets {
		rules, err := games.Choose(Game{}, v.Name, nil)
		check(f, err)
		m, err := Game{}.New(rules, 2)
		check(f, err)
		luck := newChance(uint64(i))
		for range 20 {
			state, err := m.Save()
			check(f, err)
			f.Add(i, state)
			if turn := m.Turn(); len(turn) > 0 {
				m, _ = m.Apply(turn[0], random(m, turn[0], luck), luck)
			}
		}
	}
	f.Fuzz(func(t *testing.T, preset int, state []byte) {
		if preset < 0 || preset >= len(presets) {
			return
		}
		rules, err := games.Choose(Game{}, presets[preset].Name, nil)
		check(t, err)
		gametest.Playable(t, Game{}, rules, state, 50)
	})
}

// TestOneRoundOfCanogaIsNoTie checks that a round of Canoga has one winner even if it is worth no points. Both seats
// open the opponent's row if they can, so that such a round occurs.
func TestOneRoundOfCanogaIsNoTie(t *testing.T) {
	for _, match := range []string{single, "rounds:1"} {
		rules, err := Game{}.Check(games.Rules{"variant": canoga, "match": match, "ties": rollOff})
		check(t, err)
		nothing := 0
		for seed := range uint64(400) {
			m, err := Game{}.New(rules, 2)
			check(t, err)
			luck := newChance(seed)
			for turn := m.Turn(); len(turn) > 0; turn = m.Turn() {
				legal := m.Moves(turn[0])
				m, _, err = games.Play(m, turn[0], legal[len(legal)-1], luck)
				check(t, err)
			}
			result, _ := m.Result()
			a, b := result.Rows[0], result.Rows[1]
			if a.Place+b.Place != 3 || len(result.Winners) != 1 || result.Rows[result.Winners[0]].Place != 1 {
				t.Errorf("seed %d: %+v", seed, result)
			}
			if a.Score+b.Score == 0 {
				nothing++
			}
		}
		if nothing == 0 {
			t.Errorf("%s: no round was won with 0 points", match)
		}
	}
}

// TestTheLowestScoreIsBestButInCanoga checks LowWins, which leaderboards depend on.
func TestTheLowestScoreIsBestButInCanoga(t *testing.T) {
	for rules, low := range map[string]bool{"": true, "variant=lucky-seven": true, "variant=canoga": false} {
		if games.LowIsBest(Game{}, gametest.RulesOf(rules)) != low {
			t.Errorf("%q: the lowest is not best: %v", rules, low)
		}
	}
}
