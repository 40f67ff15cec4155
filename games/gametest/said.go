package gametest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// Rare lists the cases that Said uses, besides random matches, to reach rare sentences.
type Rare struct {
	Rules    []string      // rules, spelled as in transcripts; the game may refuse them
	Boards   []games.Match // matches whose views Said tests
	Refusals []error       // errors returned by functions that Said does not call
}

// Said tests that every sentence of g has the plurals that it needs and is used somewhere: in random matches under all
// variants, all values of options and the rules of rare, or in the rest of rare.
func Said(t *testing.T, g games.Game, rare Rare) {
	t.Helper()
	sentences, _ := readWords(t, g)
	sentences[usedKeys] = map[string]string{}
	rules := []games.Rules{{"hints": "yes"}}
	for _, v := range g.Variants() {
		rules = append(rules, v.Rules)
	}
	for _, o := range g.Options() {
		for _, value := range o.Values {
			sentences.checkLine(t, o.Name+"="+value, o.Say(value))
			rules = append(rules, games.Rules{o.Name: value})
		}
	}
	for _, text := range rare.Rules {
		rules = append(rules, RulesOf(text))
	}
	refusal := func(err error) bool {
		r, refused := games.Refused(err)
		if refused {
			sentences.checkLine(t, "refusal", r.Line)
		}
		return refused
	}
	for _, err := range rare.Refusals {
		refusal(err)
	}
	for i, one := range rules {
		checked, err := g.Check(one)
		if refusal(err) {
			continue
		}
		least, most := g.Seats(checked)
		_, err = g.New(checked, most+1)
		refusal(err)
		if solver, solves := g.(games.Solver); solves {
			_, _, err = solver.Alike(checked, most)
			refusal(err)
		}
		for seats := least; seats <= min(most, 3); seats++ {
			for n := range 8 {
				checkSentences(t, g, checked, seats, uint64(100*i+n), sentences)
			}
		}
	}
	for _, m := range rare.Boards {
		(&player{t: t, game: g, seats: len(m.View().Stands), words: sentences}).checkLines(m.View())
	}
	for _, key := range slices.Sorted(maps.Keys(sentences["en"])) {
		label := strings.TrimSuffix(key, "-typed") // such a key has words that people type instead of the label
		if _, is := sentences[usedKeys][label]; !is && !isKeyOfName(strings.TrimPrefix(key, g.Name()+".")) {
			t.Errorf("%s is never said", key)
		}
		if sentence := sentences["en"][key]; slices.Contains(argumentNames(sentence), "N") &&
			strings.Count(sentence, "\n") < 2 {
			t.Errorf("%s has a number N, and no plural", key)
		}
	}
}

// usedKeys is the pseudo-language under which words stores the keys that were used, if a test needs them.
const usedKeys = "heard"

// isKeyOfName reports whether the bot, not a match, uses key, such as "house.greedy". key lacks the game's name.
func isKeyOfName(key string) bool {
	part := strings.Split(key, ".")
	return slices.Contains(strings.Fields("name listed called about family seat variant house first"), part[0]) ||
		part[0] == "option" && len(part) == 3
}

// checkSentences plays a match and checks that w has the sentences for all its lines. The moves are random, except that
// with an even seed seat 0 always plays its first legal move.
func checkSentences(t *testing.T, g games.Game, rules games.Rules, seats int, seed uint64, w words) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 7))
	fair := dice.Fair{Seed: dice.SeriesSeed(int64(seed), seats), Table: "said", Entropies: []string{"house"}}
	p := &player{t: t, game: g, rules: rules, seats: seats, words: w}
	for _, line := range g.Explain(rules) {
		w.checkLine(t, "rules", line)
	}
	p.checkTaught()
	m, err := g.New(rules, seats)
	if err != nil {
		t.Fatalf("%v: %v", rules, err)
	}
	for n := 0; len(m.Turn()) > 0 && n < 400; n++ {
		view := m.View()
		p.checkLines(view)
		seat := m.Turn()[0]
		moves := m.Moves(seat)
		for _, move := range moves {
			w.checkLine(t, "move", games.SayMove(m, seat, move))
		}
		if n%16 == 3 { // not every time, because games.Why evaluates many throws
			if why, ok := games.Why(m, seat, moves[0], moves[len(moves)-1]); ok {
				w.checkLine(t, "why", why)
			}
		}
		move := moves[0]
		if seat > 0 || seed%2 > 0 {
			move = moves[random.IntN(len(moves))]
		}
		first := fair.Next
		next, events, err := games.Play(m, seat, move, &fair)
		Check(t, err)
		for _, e := range events {
			w.checkLine(t, "event", games.Line(e))
			w.checkYou(t, games.Line(e))
			w.checkLine(t, "you", events[0].You())
		}
		w.checkLog(t, games.Played{Before: m, After: next, Old: view, New: next.View(), Seat: seat, Move: move,
			Events: events, Threw: fair.Next != first})
		if outcome, _ := games.EndedTurn(next, seat); outcome.Key != "" {
			w.checkLine(t, "turn", outcome)
		}
		m = next
	}
	p.checkLines(m.View())
}
