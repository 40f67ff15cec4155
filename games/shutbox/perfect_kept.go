package shutbox

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"knobel/games"
)

// Pools that took long to solve, kept as plain numbers: what each turn of a round is worth when it begins. All else
// follows from that within a moment.

var (
	_ games.Storing   = Game{}
	_ games.Laborious = Game{}
	_ games.Stored    = (*perfect)(nil)
)

// quickWork is how many choices the turns of a pool may have that is solved within a moment, about half a second.
const quickWork = maxWork / 30

// Laborious reports whether rules have a pool that takes more than a moment.
func (g Game) Laborious(given games.Rules, seats int) bool {
	like, n, err := g.solvable(given, seats)
	if err != nil || !like.pools(n) {
		return false
	}
	work, _ := like.work(n)
	return work > quickWork
}

// pools reports whether rules, as alike returns them, have a pool to be solved.
func (r *rules) pools(seats int) bool {
	return r.variant != luckySeven && seats > 1 && (r.match == single || r.ties == rollOff)
}

// format is the number of the order in which values are stored.
const format = 1

// Layout says what the numbers of a pool depend on. There is none without a pool.
func (g Game) Layout(given games.Rules, seats int) (games.Layout, error) {
	like, n, err := g.solvable(given, seats)
	if err != nil {
		return games.Layout{}, err
	}
	if !like.pools(n) {
		return games.Layout{}, fmt.Errorf("shutbox: there is no pool under %v", given)
	}
	_, scores := like.work(n)
	count := 0
	for left := range n + 1 {
		count += startsOf(n, left, scores)
	}
	return games.Layout{Means: fmt.Sprintf("shutbox %d %v %d", format, given, n), Count: count}, nil
}

// startsOf is how many values the turns have that begin with so many seats left.
func startsOf(seats, left, scores int) int { return (scores*(seats-left) + 1) * (left + 2) }

// Restore takes the values of a pool from where they are kept, and solves some of its turns again.
func (g Game) Restore(given games.Rules, seats int, values games.Values) (games.Perfect, error) {
	like, n, err := g.solvable(given, seats)
	if err != nil {
		return nil, err
	}
	if !like.pools(n) {
		return nil, fmt.Errorf("shutbox: there is no pool under %v", given)
	}
	p, b := newPerfect(like, n)
	p.pool = emptyPool(b, n)
	from := 0
	for _, starts := range p.pool.starts {
		if err := values.Read(starts, from); err != nil {
			return nil, err
		}
		from += len(starts)
	}
	return p, p.pool.check()
}

// Store hands all values of the pool to write.
func (p *perfect) Store(write func(part []float64) error) error {
	if p.pool == nil {
		return errors.New("shutbox: there is no pool to store")
	}
	for _, starts := range p.pool.starts {
		if err := write(starts); err != nil {
			return err
		}
	}
	return nil
}

// check looks at the ends of rounds, and solves one turn again of those with as many seats left.
func (p *pool) check() error {
	over := slices.Clone(p.starts[0])
	if p.finish(); !slices.Equal(over, p.starts[0]) {
		return errors.New("shutbox: the ends of rounds are worth something else")
	}
	for left := 1; left <= p.seats; left++ {
		of := turnOf{left, p.none(), 0}
		if left < p.seats {
			of = turnOf{left, 1 + left%(len(p.scores)-1), 1}
		}
		t := p.room(left)
		p.ends(t, of)
		t.solveOwn()
		kept := p.start(of)[0]
		if apart := math.Abs(kept - t.own[t.full]); !(apart <= games.Noise) {
			return fmt.Errorf("shutbox: with %d seats left %v is kept where %v belongs", left, kept, t.own[t.full])
		}
	}
	return nil
}
