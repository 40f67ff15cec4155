package sets_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
	"knobel/games/sheet"
	"knobel/games/sheet/sets"
	"knobel/games/sheet/sheettest"
	"knobel/games/wuerfelpoker"
)

func TestMain(m *testing.M) { os.Exit(gametest.Main(m)) }

// check ends the test on an error.
var check = gametest.Check

func TestPromises(t *testing.T) {
	for _, g := range sets.All() {
		t.Run(g.Name(), func(t *testing.T) {
			t.Parallel()
			gametest.Run(t, g)
		})
	}
}

func TestSetsMakeSense(t *testing.T) {
	for _, g := range sets.All() {
		sheettest.Sound(t, g)
	}
}

// TestPerfectPlayAgreesWithItself runs gametest.Perfect on every set that can be solved. Their positions consist of the
// filled rows and, in some sets, the sum for a bonus, whether a row holds points, or how often a row is filled.
func TestPerfectPlayAgreesWithItself(t *testing.T) {
	for _, c := range []struct {
		game  sheet.Game
		rules games.Rules
		seats int
	}{
		{sets.Kniffel(), nil, 2},
		{sets.Kniffel(), games.Rules{"further": "100", "joker": "forced"}, 2},
		{sets.Kniffel(), games.Rules{"further": "50", "joker": "free", "settle": "pool"}, 2},
		{sets.Yatzy(), nil, 1},
		{sets.Yatzy(), games.Rules{"order": "forced", "bonus": "42"}, 2},
		{sets.Generala(), games.Rules{"double": "yes", "wrap": "yes"}, 2},
		{sets.Generala(), games.Rules{"first": "10"}, 2},
		{sets.Escalero(), nil, 2},
		{sets.Kismet(), nil, 2},
		{sets.Kismet(), games.Rules{"strict": "no"}, 1},
		{sets.Crag(), nil, 3},
		{sets.Balut(), games.Rules{"point": "1"}, 1},
	} {
		t.Run(c.game.Name(), func(t *testing.T) {
			t.Parallel()
			gametest.Perfect(t, c.game, c.rules, c.seats)
		})
	}
}

// TestTranscripts plays the transcripts of the rules in testdata, in a folder for each set that has any.
func TestTranscripts(t *testing.T) {
	for _, g := range sets.All() {
		files := filepath.Join("testdata", g.Name(), "*.txt")
		if told, err := filepath.Glob(files); err != nil || len(told) == 0 {
			continue
		}
		t.Run(g.Name(), func(t *testing.T) { gametest.Transcripts(t, g, files) })
	}
}

// TestBonusOfForcedYatzy checks that choosing order=forced sets bonus=42, and that stored rules without bonus keep 63.
func TestBonusOfForcedYatzy(t *testing.T) {
	g := sets.Yatzy()
	for _, c := range []struct{ now, given, want games.Rules }{
		{nil, games.Rules{"order": "forced"}, games.Rules{"order": "forced", "bonus": "42"}},
		{nil, games.Rules{"order": "forced", "bonus": "63"}, games.Rules{"order": "forced", "bonus": "63"}},
		{nil, games.Rules{"bonus": "42"}, games.Rules{"bonus": "42"}},
		{nil, games.Rules{"bonus": "63", "order": "free"}, games.Rules{}},
		{games.Rules{"order": "forced"}, games.Rules{"hints": "yes"}, games.Rules{"order": "forced", "hints": "yes"}},
		{games.Rules{"order": "forced"}, games.Rules{"order": "forced"}, games.Rules{"order": "forced"}},
		{games.Rules{"hints": "yes"}, games.Rules{"order": "forced"},
			games.Rules{"order": "forced", "bonus": "42", "hints": "yes"}},
		{games.Rules{"order": "forced", "bonus": "42"}, games.Rules{"order": "free"}, games.Rules{}},
		{games.Rules{"order": "forced", "bonus": "63"}, games.Rules{"point": "2"},
			games.Rules{"order": "forced", "bonus": "63", "point": "2"}},
	} {
		got, err := games.Change(g, c.now, c.given)
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%v over %v: %v, %v", c.given, c.now, got, err)
		}
		if again, err := g.Check(got); err != nil || !maps.Equal(again, got) {
			t.Errorf("%v is checked to %v, %v", got, again, err)
		}
		if chosen, err := games.Choose(g, "", c.given); c.now == nil && (err != nil || !maps.Equal(chosen, c.want)) {
			t.Errorf("%v is chosen as %v, %v", c.given, chosen, err)
		}
	}
}

// loaded is a Dice that shows the same faces every time.
type loaded struct{}

// Throw returns 1, 2, 3, 4 and 6, or the first count of them.
func (loaded) Throw(count, _ int) []int { return []int{1, 2, 3, 4, 6}[:count] }

// TestYambSaysThatARowIsToBeCalled checks the note on the board if a call is the only way to fill a row: it mentions
// the call, and no rows that would score.
func TestYambSaysThatARowIsToBeCalled(t *testing.T) {
	m, err := sets.Yamb().New(nil, 1)
	check(t, err)
	play := func(move games.Move) {
		t.Helper()
		m, _, err = games.Play(m, 0, move, loaded{})
		check(t, err)
	}
	says := func(key string) bool {
		return slices.ContainsFunc(m.View().Notes, func(l games.Line) bool { return l.Key == key })
	}
	for range 39 {
		play("throw")
		if says("yamb.offers-call") {
			t.Fatalf("a call is not the only move: %v", m.Moves(0))
		}
		at := slices.IndexFunc(m.Moves(0), func(move games.Move) bool {
			return strings.HasPrefix(string(move), "write ") || strings.HasPrefix(string(move), "strike ")
		})
		play(m.Moves(0)[at])
	}
	play("throw")
	if !says("yamb.offers-call") || says("yamb.offers-nothing") {
		t.Errorf("before the call the notes are %v", m.View().Notes)
	}
	play("call max")
	if says("yamb.offers-call") {
		t.Errorf("after the call the notes are %v", m.View().Notes)
	}
}

// Every stored match that Load accepts must be playable, however damaged its bytes are.

// allSheets returns all games that the engine plays.
func allSheets() []sheet.Game { return append(sets.All(), wuerfelpoker.New()) }

// stored is a match in its stored form.
type stored struct {
	Sheets []string `json:"sheets"`
	Saved  []int    `json:"saved,omitempty"`
	Round  int      `json:"round"`
	Turn   int      `json:"turn"`
	Throws int      `json:"throws"`
	Dice   string   `json:"dice,omitempty"`
	Kept   string   `json:"kept,omitempty"`
	Called string   `json:"called,omitempty"`
	Ended  string   `json:"ended,omitempty"`
	Won    bool     `json:"won,omitempty"`
}

// damages holds functions that damage a stored match.
var damages = []func(s *stored, r *rand.Rand){
	func(s *stored, _ *rand.Rand) { s.Called = "" },
	func(s *stored, r *rand.Rand) { // the game need not have this row
		s.Called = []string{"ones", "sixes", "max", "three", "yamb", "poker"}[r.IntN(6)]
	},
	func(s *stored, r *rand.Rand) { s.Throws = 1 + r.IntN(4) },
	func(s *stored, r *rand.Rand) { s.Throws, s.Called = 3, "" },
	func(s *stored, r *rand.Rand) { s.Dice = strings.Repeat(strconv.Itoa(1+r.IntN(6)), len(s.Dice)) },
	func(s *stored, _ *rand.Rand) { s.Kept = strings.Repeat("0", len(s.Kept)) },
	func(s *stored, r *rand.Rand) { s.Round += r.IntN(3) - 1 },
	func(s *stored, r *rand.Rand) { s.Turn = r.IntN(len(s.Sheets)) },
	func(s *stored, _ *rand.Rand) { s.Won = !s.Won },
	func(s *stored, r *rand.Rand) {
		cells := s.randomCells(r)
		i, j := r.IntN(len(cells)), r.IntN(len(cells))
		cells[i], cells[j] = cells[j], cells[i]
		s.Sheets[0] = strings.Join(cells, " ")
	},
	func(s *stored, r *rand.Rand) {
		cells := s.randomCells(r)
		cells[r.IntN(len(cells))] = []string{".", "-", cells[r.IntN(len(cells))]}[r.IntN(3)]
		s.Sheets[0] = strings.Join(cells, " ")
	},
	func(s *stored, r *rand.Rand) { s.Sheets[0] += " +" + strconv.Itoa(1+r.IntN(12)) },
	func(s *stored, r *rand.Rand) {
		if len(s.Saved) > 0 {
			s.Saved[0] += r.IntN(7) - 3
		}
	},
}

// randomCells returns the cells of a random seat's page.
func (s *stored) randomCells(r *rand.Rand) []string {
	return strings.Split(s.Sheets[r.IntN(len(s.Sheets))], " ")
}

// TestWhatLoadsCanBePlayed damages matches of every game after every move.
func TestWhatLoadsCanBePlayed(t *testing.T) {
	for _, g := range allSheets() {
		t.Run(g.Name(), func(t *testing.T) {
			t.Parallel()
			random, taken := rand.New(rand.NewPCG(5, 0)), 0
			for n := range 5 {
				rules := randomRules(t, g, random)
				house := g.Houses()[random.IntN(2)]
				m, err := g.New(rules, 1+n%2)
				check(t, err)
				for d := (&dice.Fair{Seed: dice.SeriesSeed(5, n), Table: "test"}); len(m.Turn()) > 0; {
					taken += countLoadable(t, g, rules, m, random)
					seat := m.Turn()[0]
					m, _, err = games.Play(m, seat, house.Choose(m, seat, random), d)
					check(t, err)
				}
			}
			if taken < 30 {
				t.Errorf("only %d damaged matches were taken for whole ones", taken)
			}
		})
	}
}

// randomRules returns random values of the options that affect play.
func randomRules(t *testing.T, g sheet.Game, random *rand.Rand) games.Rules {
	t.Helper()
	for {
		rules := games.Rules{}
		for _, o := range g.Options() {
			if !slices.Contains([]string{games.Settle, games.Point, games.Hints}, o.Name) {
				rules[o.Name] = o.Values[random.IntN(len(o.Values))]
			}
		}
		if rules, err := g.Check(rules); err == nil {
			return rules
		}
	}
}

// countLoadable damages m several times, and returns how often the damaged match can still be loaded.
func countLoadable(t *testing.T, g sheet.Game, rules games.Rules, m games.Match, random *rand.Rand) (loadable int) {
	t.Helper()
	saved, err := m.Save()
	check(t, err)
	for range 2 {
		var s stored
		check(t, json.Unmarshal(saved, &s))
		for range 1 + random.IntN(2) {
			damages[random.IntN(len(damages))](&s, random)
		}
		damaged, err := json.Marshal(s)
		check(t, err)
		if gametest.Playable(t, g, rules, damaged, 8) && !bytes.Equal(saved, damaged) {
			loadable++
		}
	}
	return loadable
}

// FuzzLoad loads random bytes as a match of each game.
func FuzzLoad(f *testing.F) {
	all := allSheets()
	for i, g := range all {
		m, err := g.New(nil, 2)
		check(f, err)
		for d := (&dice.Fair{Table: "seed"}); len(m.Turn()) > 0; {
			seat := m.Turn()[0]
			m, _, err = games.Play(m, seat, g.Houses()[1].Choose(m, seat, nil), d)
			check(f, err)
			if saved, err := m.Save(); err == nil && d.Next%7 == 0 {
				f.Add(saved, byte(i), uint64(0))
			}
		}
	}
	f.Fuzz(func(t *testing.T, saved []byte, game byte, rules uint64) {
		g := all[int(game)%len(all)]
		gametest.Playable(t, g, randomRules(t, g, rand.New(rand.NewPCG(rules, 0))), saved, 1000)
	})
}
