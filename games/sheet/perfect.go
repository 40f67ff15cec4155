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

// perfect is perfect play under some rules, by any number of seats: the values of all positions for a seat that
// maximizes its own total. If differences to the average of the totals are settled, this is also the best play for the
// settlement, because no choice affects another seat's dice. Values are points of difference.
//
// It is safe for concurrent use.
type perfect struct {
	paper  Paper // without fields that do not affect play, see Paper.played
	at     *positions
	scores *scores
	turns  sync.Pool            // of *turn, which is large and needed for every request
	known  atomic.Pointer[plan] // a cache: the last plan found to have the same rules
}

// Solve returns perfect play by any number of seats. The error is a *games.Refusal if there is none.
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

// maxPositions is the largest number of positions of a page, without sums, that is solved while the program runs, and
// maxFigured the largest for which the subcommand solve computes the total of perfect play.
const (
	maxPositions = 1 << 18
	maxFigured   = 1 << 20
)

// solvable returns a *games.Refusal if there is no perfect play of the paper.
func (p *plan) solvable() error { return p.computable(maxPositions) }

// computable returns a *games.Refusal if best play cannot be computed, or if the page has more than most positions
// without sums.
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

// played returns the paper without fields that do not affect the choices of a seat that maximizes its total.
func (p Paper) played() Paper {
	p.Settle, p.Point, p.Wins, p.Final = "", 0, false, nil
	return p
}

// Alike returns rules without options that do not affect perfect play, for one seat.
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

// AimsAtTotal reports whether a pool is settled, or the final points of the sheet, instead of totals.
func (g Game) AimsAtTotal(given games.Rules) bool {
	p, err := g.plan(given)
	return err == nil && p.aimsAtTotal()
}

func (p *plan) aimsAtTotal() bool { return p.paper.Settle == games.ShapePool || p.paper.Final != nil }

// Laborious reports whether solving takes long: always if rows are filled in any order.
func (g Game) Laborious(rules games.Rules, _ int) bool {
	return g.planOf(rules).paper.Order == Free
}

// Measure returns games.Difference.
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

// Expect returns the expected difference of each seat to the average.
func (s *perfect) Expect(played games.Match) ([]float64, error) {
	m, err := s.own(played)
	if err != nil {
		return nil, err
	}
	totals := s.at.totals(m)
	if m.throws > 0 && !m.over() {
		now := s.now(m)
		defer s.turns.Put(now.turn)
		worth := now.turn.worth() // of the thrown dice, without points already written
		if m.kept == 0 {          // the last throw threw all dice
			worth = now.worthAll
		}
		totals[m.turn] = now.written + worth[now.number(m.plan.counts(m.hand))-now.scores.lattice.fewer][0]
	}
	return s.differences(totals), nil
}

// Worths returns the expected differences after each legal move of seat, nil if it is not to move.
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

// own returns played as a match with the rules of s, or an error.
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

// differences returns totals less their mean. A seat that plays alone is compared with the average total of perfect
// play, because its difference to the mean would always be 0.
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

// totals returns the expected final totals of the seats, that of the mover as at the start of its turn. In a match won
// by a throw they are the present totals.
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

// playing is the present turn of the mover, solved.
type playing struct {
	*turn
	from    position
	written float64 // the points already written on the page
	further float64 // the bonus points of the dice, in addition to any row
}

// now returns the present turn of m, solved. The caller must put its turn back into s.turns.
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

// number returns the index in the lattice of a keep, a set of kept dice.
func (t *turn) number(c counts) int { return int(t.scores.lattice.number[c]) }

// worth returns the expected points after a move, without those already written.
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

// writes returns the points of writing row r plus the value of the resulting position.
func (now *playing) writes(m match, r int) float64 {
	for i, of := range now.at.upper {
		if of == r {
			return now.faces[i][m.plan.counts(m.hand)[m.plan.rows[r].face]][0]
		}
	}
	return float64(m.gives(spot{0, r})) + now.turn.write[r][0]
}

// Asks returns nil: Figures has no parameters beside the rules.
func (g Game) Asks() []games.Ask { return nil }

// Figures returns the average total of perfect play, also for each section if these are filled one after the other.
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

// figure returns a figure with one value for all seats.
func figure(name string, value float64) games.Figure {
	return games.Figure{Name: name, About: name, Values: []float64{value}}
}
