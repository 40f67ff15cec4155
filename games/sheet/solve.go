package sheet

import (
	"reflect"
	"slices"

	"knobel/games"
)

// Which papers are solved, and how.

// maxPositions is how many positions a page may have, sums aside, for its play to be solved while a program runs, and
// maxOffline for it to be solved at all.
const (
	maxPositions = 1 << 18
	maxOffline   = 1 << 20
)

// solve computes perfect play by any number of seats, or takes what was found elsewhere.
func (g Game) solve(given games.Rules) (*Perfect, error) {
	p, err := g.plan(given)
	if err != nil {
		return nil, err
	}
	s, err := g.solvable(p)
	if err != nil {
		return nil, err
	}
	if found := g.found(p); found != nil {
		values, err := found.find()
		if err != nil {
			return nil, err
		}
		return p.restored(s, values)
	}
	at := newPositions(p)
	at.fill(s)
	return p.perfect(at, s), nil
}

// perfect is perfect play with all values at hand.
func (p *plan) perfect(at *positions, s *scores) *Perfect {
	return &Perfect{paper: p.paper.played(), at: at, scores: s, total: *at.slot(at.start())}
}

// solvable returns what rows give, and a refusal where there is no perfect play of the paper.
func (g Game) solvable(p *plan) (*scores, error) {
	multiplied := slices.ContainsFunc(p.paper.Sections, func(s Section) bool { return s.Times != "" })
	if len(p.columns) > 1 || multiplied || p.paper.Saves {
		return nil, games.Refuse(p.set.Name+".refuse.unsolved", nil)
	}
	s, ok := p.newScores()
	if !ok || p.vast() && !g.knows(p) {
		return nil, games.Refuse(p.set.Name+".refuse.unsolved", nil)
	}
	return s, nil
}

// positions is how many positions a page has, sums aside.
func (p *plan) positions() int {
	positions := 1
	for _, r := range p.rows {
		positions *= r.count + 1
	}
	return positions
}

// vast reports whether a paper has too many positions to be solved while a program runs.
func (p *plan) vast() bool {
	most := maxPositions
	if p.set.Positions > 0 {
		most = p.set.Positions
	}
	return p.positions() > most
}

// knows reports whether a vast paper is solved all the same.
func (g Game) knows(p *plan) bool {
	if g.outside == nil {
		return false
	}
	if g.outside.offline {
		return p.positions() <= maxOffline
	}
	found := g.found(p)
	if found == nil {
		return false
	}
	_, err := found.find()
	return err == nil
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
	p := newPlan(g.set, g.set.paper(rules))
	if _, err := g.solvable(p); err != nil {
		return nil, 0, err
	}
	for _, o := range g.set.options() {
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
