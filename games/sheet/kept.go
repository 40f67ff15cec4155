package sheet

import (
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"knobel/games"
)

// Perfect play whose values are kept elsewhere.

// outside is what a game knows from outside the program.
type outside struct {
	offline bool // it is solved beside a running program
	all     []found
}

// found is perfect play of a paper that is kept somewhere.
type found struct {
	paper string                       // what it means
	find  func() (games.Values, error) // the same each time
}

// Offline returns the game as it is solved beside a running program.
func (g Game) Offline() games.Vast {
	g.outside = &outside{offline: true}
	return g
}

// With returns the game in which such rules are solved by values that were found.
func (g Game) With(rules games.Rules, _ int, find func() (games.Values, error)) games.Game {
	with := outside{}
	if g.outside != nil {
		with = outside{g.outside.offline, append([]found(nil), g.outside.all...)}
	}
	if p, err := g.plan(rules); err == nil {
		with.all = append(with.all, found{p.means(), sync.OnceValues(find)})
	}
	g.outside = &with
	return g
}

// found are the values that were found for a paper, nil where there are none of any use.
func (p *plan) found() games.Values {
	if p.outside == nil || len(p.outside.all) == 0 {
		return nil
	}
	means := p.means()
	for _, f := range p.outside.all {
		if f.paper != means {
			continue
		}
		if values, err := f.find(); err == nil {
			return values
		}
	}
	return nil
}

// maxPositions is how many positions a page may have, sums aside, for its play to be solved while a program runs, and
// maxOffline for it to be solved at all.
const (
	maxPositions = 1 << 18
	maxOffline   = 1 << 20
)

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

// known reports whether a vast paper is solved all the same.
func (p *plan) known() bool {
	if p.outside == nil {
		return false
	}
	if p.outside.offline {
		return p.positions() <= maxOffline
	}
	return p.found() != nil
}

// format is the number of the order in which values are stored.
const format = 1

// means spells what the values of a paper depend on.
func (p *plan) means() string {
	spelled, err := json.Marshal(struct {
		Format int
		Paper  Paper
	}{format, p.paper.played()})
	if err != nil {
		panic(err) // a paper is data alone
	}
	return string(spelled)
}

// Layout says what the values of a paper depend on, and how many there are.
func (g Game) Layout(given games.Rules, _ int) (games.Layout, error) {
	p, err := g.plan(given)
	if err != nil {
		return games.Layout{}, err
	}
	if err := p.solvable(); err != nil {
		return games.Layout{}, err
	}
	return games.Layout{Means: p.means(), Count: newPositions(p).count()}, nil
}

// Restore takes perfect play from where it is kept. Where it is too much for the memory it stays there.
func (g Game) Restore(given games.Rules, _ int, values games.Values) (games.Perfect, error) {
	p, err := g.plan(given)
	if err != nil {
		return nil, err
	}
	if err := p.solvable(); err != nil {
		return nil, err
	}
	restored, err := p.restored(p.newScores(), values)
	if err != nil {
		return nil, err // and no games.Perfect that holds nothing
	}
	return restored, nil
}

// restored is perfect play of values that are kept somewhere.
func (p *plan) restored(s *scores, values games.Values) (*Perfect, error) {
	at := newPositions(p)
	if p.vast() {
		at.kept = &reader{values: values}
	} else if err := at.read(values); err != nil {
		return nil, err
	}
	if err := at.opened().check(s); err != nil {
		return nil, err
	}
	solved := p.perfect(at.opened(), s)
	solved.at = at
	return solved, nil
}

// read reads all values into memory.
func (at *positions) read(values games.Values) error {
	for left := range at.waves {
		w := &at.waves[left]
		w.values = make([]float64, w.size)
		if err := values.Read(w.values, w.before); err != nil {
			return err
		}
	}
	return nil
}

// check computes some values again, a few of each wave and each number of open rows of the section.
func (at *positions) check(s *scores) error {
	t := newTurn(at, s, false)
	for left := 1; left < len(at.waves); left++ {
		for upper, beside := range at.waves[left].beside {
			if len(beside.numbers) == 0 {
				continue
			}
			number := beside.numbers[(7*upper+left)%len(beside.numbers)]
			if !at.comesUp(rowSet(upper), number) {
				continue
			}
			if err := at.checkRow(t, rowSet(upper), number, left); err != nil {
				return err
			}
		}
	}
	return at.failed()
}

// checkRow computes the values of positions that differ by their sums alone, as many as there are lanes.
func (at *positions) checkRow(t *turn, upper rowSet, number, left int) error {
	var some []position
	for _, sum := range at.sums[upper].told {
		if some = append(some, position{upper, number, sum, left}); len(some) == lanes {
			break
		}
	}
	worths := t.expected(some)
	for l, pos := range some {
		kept := *at.slot(pos)
		if apart := math.Abs(kept - worths[l]); !(apart <= games.Noise) && at.failed() == nil {
			return fmt.Errorf("sheet: with %d turns left %v is kept where %v belongs", left, kept, worths[l])
		}
	}
	return nil
}

// Store hands all values to write.
func (s *Perfect) Store(write func(part []float64) error) error {
	if s.at.kept == nil {
		for _, w := range s.at.waves {
			if err := write(w.values); err != nil {
				return err
			}
		}
		return nil
	}
	for _, w := range s.at.waves {
		part := make([]float64, w.size)
		if err := s.at.kept.values.Read(part, w.before); err != nil {
			return err
		}
		if err := write(part); err != nil {
			return err
		}
	}
	return nil
}

// SolveTo computes perfect play and hands it to write, wave by wave: no more than two of them are in memory.
func (g Game) SolveTo(given games.Rules, _ int, write func(part []float64) error) ([]games.Figure, error) {
	p, err := g.plan(given)
	if err != nil {
		return nil, err
	}
	if err := p.solvable(); err != nil {
		return nil, err
	}
	at := newPositions(p)
	err = at.fillWaves(p.newScores(), func(left int) error {
		if left > 0 {
			at.waves[left-1].values = nil
		}
		return write(at.waves[left].values)
	})
	if err != nil {
		return nil, err
	}
	return []games.Figure{figure("total", *at.slot(at.start()))}, nil
}

// reader reads values for one question, and each but once.
type reader struct {
	values games.Values
	rows   map[int][]float64
	err    error // the first
}

// opened are the positions for one question, and one goroutine.
func (at *positions) opened() *positions {
	if at.kept == nil {
		return at
	}
	opened := *at
	opened.kept = &reader{values: at.kept.values, rows: map[int][]float64{}}
	return &opened
}

// failed is what went wrong with the question.
func (at *positions) failed() error {
	if at.kept == nil {
		return nil
	}
	return at.kept.err
}

// row reads so many values from a place on. Where that fails they are 0.
func (r *reader) row(from, count int) []float64 {
	row, known := r.rows[from]
	if !known {
		row = make([]float64, count)
		if err := r.values.Read(row, from); err != nil && r.err == nil {
			r.err = err
		}
		r.rows[from] = row
	}
	return row
}
