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

// perfect is perfect play under some rules, by any number of seats: each seat maximizes its own total. Values are
// points above the average of the seats. If differences of totals are settled, this is also the best play for the
// settlement, because no choice affects another seat's dice.
//
// It is safe for concurrent use.
type perfect struct {
	paper  Paper // the rules as Paper.forSolving returns them
	ps     *positions
	scores *scores
	turns  sync.Pool            // holds *turn values, which are large and needed for every request
	known  atomic.Pointer[plan] // a cache: the last plan whose rules were found to equal paper
}

// Solve returns perfect play by any number of seats. The error is a *games.Refusal if there is none.
func (g Game) Solve(rules games.Rules, seats int) (games.Perfect, error) {
	m, err := g.New(rules, seats)
	if err != nil {
		return nil, err
	}
	p := m.(match).plan
	if err := p.solvable(); err != nil {
		return nil, err
	}
	rows, ps := p.newScores(), newPositions(p)
	ps.fill(rows, nil)
	return &perfect{paper: p.paper.forSolving(), ps: ps, scores: rows}, nil
}

// maxPositions is the largest number of positions of a page (not counting sums) for which the program solves a game
// while it runs. For the mere total of perfect play, the subcommand solve allows maxFigured.
const (
	maxPositions = 1 << 18
	maxFigured   = 1 << 20
)

// solvable returns a *games.Refusal if there is no perfect play of the paper, else nil.
func (p *plan) solvable() error { return p.computable(maxPositions) }

// computable returns a *games.Refusal if the paper has no perfect play or its positions, sums aside, exceed most.
func (p *plan) computable(most int) error {
	multiplied := slices.ContainsFunc(p.paper.Sections, func(s Section) bool { return s.Times != "" })
	positions := 1
	for _, r := range p.rows {
		positions *= r.count + 1
	}
	if len(p.columns) > 1 || multiplied || p.paper.Saves || positions > most || !p.isSteady() {
		return games.Refuse(p.set.Name+".refuse.unsolved", nil)
	}
	return nil
}

// forSolving returns the paper without Settle, Point, Wins and Final, which do not affect play for the greatest total.
func (p Paper) forSolving() Paper {
	p.Settle, p.Point, p.Wins, p.Final = "", 0, false, nil
	return p
}

// Alike returns entered in canonical form without options that make no difference to perfect play, and 1 for seats.
func (g Game) Alike(entered games.Rules, seats int) (games.Rules, int, error) {
	if _, err := g.New(entered, seats); err != nil {
		return nil, 0, err
	}
	rules, err := g.set.check(entered)
	if err != nil {
		return nil, 0, err
	}
	p := g.planOf(rules)
	if err := p.solvable(); err != nil {
		return nil, 0, err
	}
	for _, o := range g.set.options {
		fewer := games.Rules{}
		for name, value := range rules {
			if name != o.Name {
				fewer[name] = value
			}
		}
		if fewer, err := g.set.check(fewer); err == nil &&
			reflect.DeepEqual(g.set.paper(fewer).forSolving(), p.paper.forSolving()) {
			rules = fewer
		}
	}
	return rules, 1, nil
}

// AimsAtTotal reports whether a pool or the final points of the sheet are settled, but perfect play maximizes totals.
func (g Game) AimsAtTotal(rules games.Rules) bool {
	p, err := g.plan(rules)
	return err == nil && p.aimsAtTotal()
}

// aimsAtTotal reports whether a pool or final points are settled, but perfect play maximizes totals.
func (p *plan) aimsAtTotal() bool { return p.paper.Settle == games.ShapePool || p.paper.Final != nil }

// Laborious reports whether solving takes seconds: that is so if rows may be filled in any order.
func (g Game) Laborious(rules games.Rules, _ int) bool {
	return g.planOf(rules).paper.Order == Free
}

// Measure returns games.Difference.
func (s *perfect) Measure() games.Measure { return games.Difference }

// Size returns how many bytes the values take.
func (s *perfect) Size() int {
	n := 0
	for _, w := range s.ps.waves {
		n += len(w.values) * 8
	}
	return n
}

// start returns the position of an empty page.
func (ps *positions) start() position { return position{upper: ps.whole, left: ps.plan.places} }

// Expect returns by how much each seat is expected to end above the average of all totals.
func (s *perfect) Expect(played games.Match) ([]float64, error) {
	m, err := s.accept(played)
	if err != nil {
		return nil, err
	}
	totals := s.ps.totals(m)
	if m.throws > 0 && !m.isOver() {
		now := s.solveTurn(m)
		defer s.turns.Put(now.turn)
		worth := now.turn.throwValues() // of the thrown dice, without points already written
		if m.kept == 0 {                // all dice were thrown, none kept
			worth = now.worthAll
		}
		totals[m.turn] = now.written + worth[now.keepIndex(m.plan.counts(m.hand))-now.scores.lattice.fewer][0]
	}
	return s.differences(totals), nil
}

// Worths returns, for each legal move of seat, by how much each seat is then expected to end above the average of all
// totals. It returns nil if seat is not to move.
func (s *perfect) Worths(played games.Match, seat games.Seat) ([]games.Worth, error) {
	m, err := s.accept(played)
	if err != nil {
		return nil, err
	}
	moves := m.Moves(seat)
	if len(moves) == 0 {
		return nil, nil
	}
	now, totals := s.solveTurn(m), s.ps.totals(m)
	defer s.turns.Put(now.turn)
	worths := make([]games.Worth, len(moves))
	for i, move := range moves {
		totals[m.turn] = now.written + now.moveValue(m, move)
		worths[i] = games.Worth{Move: move, Values: s.differences(totals)}
	}
	return worths, nil
}

// accept returns played as a match of this package, or an error if it has another type or other rules than s.
func (s *perfect) accept(played games.Match) (match, error) {
	m, ok := played.(match)
	if ok && m.plan == s.known.Load() {
		return m, nil
	}
	if !ok || !reflect.DeepEqual(m.plan.paper.forSolving(), s.paper) {
		return match{}, fmt.Errorf("sheet: perfect play does not fit the rules of %T", played)
	}
	s.known.Store(m.plan)
	return m, nil
}

// differences returns totals less their mean, in seat order. A single total is compared with the average total of
// perfect play, because its difference to the mean would always be 0.
func (s *perfect) differences(totals []float64) []float64 {
	if len(totals) == 1 {
		return []float64{totals[0] - *s.ps.valueAt(s.ps.start())}
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

// totals returns the total that each seat is expected to reach, without regard to the dice of the present turn. In a
// match won by a throw it returns the present totals.
func (ps *positions) totals(m match) []float64 {
	totals := make([]float64, len(m.pages))
	for seat := range m.pages {
		g := &m.pages[seat]
		totals[seat] = float64(m.plan.total(g) - m.plan.earlyBonuses(g))
		if m.winner == games.Nobody {
			totals[seat] += *ps.valueAt(ps.positionOf(g, m.plan.places-m.roundsPlayed(seat)))
		}
	}
	return totals
}

// playing is the mover's present turn, with the values that perfect play needs for it.
type playing struct {
	*turn
	from    position
	written float64 // the points already written on the page
	further float64 // the bonus points of the dice, in addition to any row
}

// solveTurn returns the present turn of m, with its values. The caller must put the result's turn back into s.turns.
func (s *perfect) solveTurn(m match) *playing {
	g := &m.pages[m.turn]
	space, ok := s.turns.Get().(*turn)
	if !ok {
		space = newTurn(s.ps, s.scores, true)
	}
	now := &playing{turn: space, from: s.ps.positionOf(g, m.plan.places-m.roundsPlayed(m.turn)),
		written: float64(m.plan.total(g) - m.plan.earlyBonuses(g))}
	if m.throws == 0 {
		return now
	}
	if m.earnsFurther() {
		now.further = float64(m.plan.paper.Again.Points)
	}
	now.begin([]position{now.from})
	for throw := now.throws; throw >= m.throws; throw-- {
		now.evaluateThrow(throw)
	}
	return now
}

// keepIndex returns the index in the lattice of c, a set of kept dice.
func (t *turn) keepIndex(c counts) int { return int(t.scores.lattice.number[c]) }

// moveValue returns the points that the mover can expect after a move, beside those already written on its page.
func (now *playing) moveValue(m match, move games.Move) float64 {
	verb, rest, _ := strings.Cut(string(move), " ")
	target, _ := m.plan.spotNamed(rest)
	switch verb {
	case "throw":
		return *now.ps.valueAt(now.from)
	case "keep":
		k, _ := games.ParseDiceSet(rest, m.plan.paper.Dice)
		return now.thrown[now.keepIndex(m.keptCounts(k))][0]
	case "write":
		return now.further + now.writeValue(m, target.row)
	case "strike":
		return now.further + now.strike[target.row][0]
	default:
		return now.ps.missValue(now.from)
	}
}

// writeValue returns the points of writing row r plus the points that the mover can expect in later turns.
func (now *playing) writeValue(m match, r int) float64 {
	for i, of := range now.ps.upper {
		if of == r {
			return now.faces[i][m.plan.counts(m.hand)[m.plan.rows[r].face]][0]
		}
	}
	return float64(m.pointsFor(spot{0, r})) + now.turn.write[r][0]
}

// Asks returns nil: Figures takes only the rules.
func (g Game) Asks() []games.Ask { return nil }

// Figures returns the average total of perfect play and, if sections are filled in order, those of the sections.
func (g Game) Figures(rules games.Rules, _ map[string]string) ([]games.Figure, error) {
	p, err := g.plan(rules)
	if err != nil {
		return nil, err
	}
	if err := p.computable(maxFigured); err != nil {
		return nil, err
	}
	ps, second := newPositions(p), 0.0
	secondStart := position{left: p.places - len(ps.upper)}
	ps.fill(p.newScores(), func(left int) {
		if p.paper.Order == Parts && left == secondStart.left {
			second = *ps.valueAt(secondStart)
		}
		if left > 0 { // keeps at most two waves in memory
			ps.waves[left-1].values = nil
		}
	})
	value := *ps.valueAt(ps.start())
	total := figure("total", value)
	if p.paper.Order != Parts {
		return []games.Figure{total}, nil
	}
	names := p.paper.Sections
	return []games.Figure{figure(names[0].Name, value-second), figure(names[1].Name, second), total}, nil
}

// figure returns a figure with one value for all seats; name is also its description.
func figure(name string, value float64) games.Figure {
	return games.Figure{Name: name, About: name, Values: []float64{value}}
}
