package sheet

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"knobel/games"
)

// perfect is perfect play under some rules, by any number of seats: it knows what every position is worth to a seat
// that plays its own total as high as can be. Where differences to the average of the totals are settled that is also
// the best play for the settlement, as no choice touches another seat's dice. It counts points of difference.
//
// It is safe for concurrent use.
type perfect struct {
	paper  Paper // what matters to it
	at     *positions
	scores *scores
	turns  sync.Pool            // of *turn: they are large, and one is needed for every question
	known  atomic.Pointer[plan] // the last that was asked about: it is of the same rules
}

// Solve computes perfect play by any number of seats.
func (g Game) Solve(given games.Rules, seats int) (games.Perfect, error) {
	m, err := g.New(given, seats)
	if err != nil {
		return nil, err
	}
	p := m.(match).plan
	if err := p.solvable(); err != nil {
		return nil, err
	}
	rows, at := p.newScores(), newPositions(p)
	at.fill(rows, nil)
	return &perfect{paper: p.paper.played(), at: at, scores: rows}, nil
}

// maxPositions is how many positions a page may have, sums aside, for its play to be solved while a program runs, and
// maxFigured for the total of the best play to be computed at all.
const (
	maxPositions = 1 << 18
	maxFigured   = 1 << 20
)

// solvable returns a refusal where there is no perfect play of the paper.
func (p *plan) solvable() error { return p.computable(maxPositions) }

// computable returns a refusal where best play cannot be computed, or where the page has more positions than most, sums
// aside.
func (p *plan) computable(most int) error {
	multiplied := slices.ContainsFunc(p.paper.Sections, func(s Section) bool { return s.Times != "" })
	positions := 1
	for _, r := range p.rows {
		positions *= r.count + 1
	}
	if len(p.columns) > 1 || multiplied || p.paper.Saves || positions > most || !p.steady() {
		return games.Refuse(p.set.Name+".refuse.unsolved", nil)
	}
	return nil
}

// played returns the paper without fields that change no choice of a seat that plays for its total.
func (p Paper) played() Paper {
	p.Settle, p.Point, p.Wins, p.Final = "", 0, false, nil
	return p
}

// Alike leaves out what makes no difference to the greatest total, and the number of seats.
func (g Game) Alike(given games.Rules, seats int) (games.Rules, int, error) {
	if _, err := g.New(given, seats); err != nil {
		return nil, 0, err
	}
	rules, err := g.set.check(given)
	if err != nil {
		return nil, 0, err
	}
	p := g.planOf(rules)
	if err := p.solvable(); err != nil {
		return nil, 0, err
	}
	for _, o := range g.set.options {
		without := games.Rules{}
		for name, value := range rules {
			if name != o.Name {
				without[name] = value
			}
		}
		if without, err := g.set.check(without); err == nil &&
			reflect.DeepEqual(g.set.paper(without).played(), p.paper.played()) {
			rules = without
		}
	}
	return rules, 1, nil
}

// AimsAtTotal reports whether a pool is settled, or points that the sheet gives in the end.
func (g Game) AimsAtTotal(given games.Rules) bool {
	p, err := g.plan(given)
	return err == nil && p.aimsAtTotal()
}

func (p *plan) aimsAtTotal() bool { return p.paper.Settle == games.ShapePool || p.paper.Final != nil }

// Laborious reports whether the play of a paper takes more than a moment to solve.
func (g Game) Laborious(rules games.Rules, _ int) bool {
	return g.planOf(rules).paper.Order == Free
}

// Measure returns the difference to the average of the game.
func (s *perfect) Measure() games.Measure { return games.Difference }

// Size returns how many bytes the values take.
func (s *perfect) Size() int {
	n := 0
	for _, w := range s.at.waves {
		n += len(w.values) * 8
	}
	return n
}

// start returns the position of an empty page.
func (at *positions) start() position { return position{upper: at.whole, left: at.plan.places} }

// Expect returns each seat's expected difference to the average.
func (s *perfect) Expect(played games.Match) ([]float64, error) {
	m, err := s.own(played)
	if err != nil {
		return nil, err
	}
	totals := s.at.totals(m)
	if m.throws > 0 && !m.over() {
		now := s.now(m)
		defer s.turns.Put(now.turn)
		worth := now.turn.worth() // of the dice as they lie, beside what is written
		if m.kept == 0 {          // the last throw threw all dice
			worth = now.worthAll
		}
		totals[m.turn] = now.written + worth[now.number(m.plan.counts(m.hand))-now.scores.lattice.fewer][0]
	}
	return s.differences(totals), nil
}

// Worths returns what every legal move of the seat that is to move leads to.
func (s *perfect) Worths(played games.Match, seat games.Seat) ([]games.Worth, error) {
	m, err := s.own(played)
	if err != nil {
		return nil, err
	}
	moves := m.Moves(seat)
	if len(moves) == 0 {
		return nil, nil
	}
	now, totals := s.now(m), s.at.totals(m)
	defer s.turns.Put(now.turn)
	worths := make([]games.Worth, len(moves))
	for i, move := range moves {
		totals[m.turn] = now.written + now.worth(m, move)
		worths[i] = games.Worth{Move: move, Values: s.differences(totals)}
	}
	return worths, nil
}

// own returns a match of the same rules.
func (s *perfect) own(played games.Match) (match, error) {
	m, ours := played.(match)
	if ours && m.plan == s.known.Load() {
		return m, nil
	}
	if !ours || !reflect.DeepEqual(m.plan.paper.played(), s.paper) {
		return match{}, fmt.Errorf("sheet: perfect play of other rules for a %T", played)
	}
	s.known.Store(m.plan)
	return m, nil
}

// differences returns totals less their mean. Who plays alone is compared with what perfect play brings on average:
// there would be no difference else.
func (s *perfect) differences(totals []float64) []float64 {
	if len(totals) == 1 {
		return []float64{totals[0] - *s.at.slot(s.at.start())}
	}
	mean := 0.0
	for _, total := range totals {
		mean += total
	}
	mean /= float64(len(totals))
	values := slices.Clone(totals)
	for seat := range values {
		values[seat] -= mean
	}
	return values
}

// totals returns what the seats expect to have at the end, as they did when their turns began. A match that was won
// by a throw is over as it is.
func (at *positions) totals(m match) []float64 {
	totals := make([]float64, len(m.pages))
	for seat := range m.pages {
		g := &m.pages[seat]
		totals[seat] = float64(m.plan.total(g) - m.plan.beforehand(g))
		if m.winner == games.Nobody {
			totals[seat] += *at.slot(at.of(g, m.plan.places-m.played(seat)))
		}
	}
	return totals
}

// playing is the turn of the seat that is to move.
type playing struct {
	*turn
	from    position
	written float64 // what the page has
	further float64 // what the dice bring beside every row
}

// now looks at the turn that is played.
func (s *perfect) now(m match) *playing {
	g := &m.pages[m.turn]
	space, ok := s.turns.Get().(*turn)
	if !ok {
		space = newTurn(s.at, s.scores, true)
	}
	now := &playing{turn: space, from: s.at.of(g, m.plan.places-m.played(m.turn)),
		written: float64(m.plan.total(g) - m.plan.beforehand(g))}
	if m.throws == 0 {
		return now
	}
	if m.furthers() {
		now.further = float64(m.plan.paper.Again.Points)
	}
	now.begin([]position{now.from})
	for throw := now.throws; throw >= m.throws; throw-- {
		now.after(throw)
	}
	return now
}

// number returns the number of a keep.
func (t *turn) number(c counts) int { return int(t.scores.lattice.number[c]) }

// worth returns what a move brings beside what is written.
func (now *playing) worth(m match, move games.Move) float64 {
	verb, rest, _ := strings.Cut(string(move), " ")
	at, _ := m.plan.spotNamed(rest)
	switch verb {
	case "throw":
		return *now.at.slot(now.from)
	case "keep":
		k, _ := games.ParseDiceSet(rest, m.plan.paper.Dice)
		return now.thrown[now.number(m.keptCounts(k))][0]
	case "write":
		return now.further + now.writes(m, at.row)
	case "strike":
		return now.further + now.strike[at.row][0]
	default:
		return now.at.afterMiss(now.from)
	}
}

// writes returns what a row that may be written gives and leaves.
func (now *playing) writes(m match, r int) float64 {
	for i, of := range now.at.upper {
		if of == r {
			return now.faces[i][m.plan.counts(m.hand)[m.plan.rows[r].face]][0]
		}
	}
	return float64(m.gives(spot{0, r})) + now.turn.write[r][0]
}

// Asks: nothing is asked but the rules.
func (g Game) Asks() []games.Ask { return nil }

// Figures returns what the best play of a page brings on average, in parts where these are filled one after the
// other.
func (g Game) Figures(given games.Rules, _ map[string]string) ([]games.Figure, error) {
	p, err := g.plan(given)
	if err != nil {
		return nil, err
	}
	if err := p.computable(maxFigured); err != nil {
		return nil, err
	}
	at, second := newPositions(p), 0.0
	parted := position{left: p.places - len(at.upper)}
	at.fill(p.newScores(), func(left int) {
		if p.paper.Order == Parts && left == parted.left {
			second = *at.slot(parted)
		}
		if left > 0 { // no more than two waves are in memory
			at.waves[left-1].values = nil
		}
	})
	value := *at.slot(at.start())
	total := figure("total", value)
	if p.paper.Order != Parts {
		return []games.Figure{total}, nil
	}
	names := p.paper.Sections
	return []games.Figure{figure(names[0].Name, value-second), figure(names[1].Name, second), total}, nil
}

// figure returns a figure of all seats.
func figure(name string, value float64) games.Figure {
	return games.Figure{Name: name, About: name, Values: []float64{value}}
}
