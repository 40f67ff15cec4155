package shutbox

import (
	"fmt"

	"knobel/games"
)

// Perfect play of a match: the parts that compute it, and its refusals.

var _ games.Laborious = Game{}

// perfect is the perfect play of a match under options. In a match of one round by several seats each maximizes its
// share of the pool; otherwise each minimizes its average score, and maximizes its share only in a roll-off.
type perfect struct {
	r     rules
	seats int
	par   *par  // nil in a match of one round by several seats
	pool  *pool // nil if no seat plays for a share
}

// Solve computes perfect play. It refuses Canoga, whose positions can repeat, and rules that would take too long to
// compute.
func (g Game) Solve(given games.Rules, seats int) (games.Perfect, error) {
	like, n, err := g.solvable(given, seats)
	if err != nil {
		return nil, err
	}
	p := &perfect{r: like, seats: n}
	if like.variant == luckySeven {
		return perfectLucky{p}, nil
	}
	b := newBoard(&p.r)
	if !p.shares() {
		p.par = newPar(b)
	}
	if like.pools(n) {
		p.pool = newPool(b, n)
	}
	return p, nil
}

// quickWork is the largest number of choices of a pool that is solved within about half a second.
const quickWork = maxWork / 30

// Laborious reports whether the rules have a pool that takes more than about half a second to solve.
func (g Game) Laborious(given games.Rules, seats int) bool {
	like, n, err := g.solvable(given, seats)
	if err != nil || !like.pools(n) {
		return false
	}
	work, _ := like.work(n)
	return work > quickWork
}

// pools reports whether rules, as returned by alike, need a pool to be solved.
func (r *rules) pools(seats int) bool {
	return r.variant != luckySeven && seats > 1 && (r.match == single || r.ties == rollOff)
}

// Alike drops options that make no difference to perfect play: hints, how many rounds are played, and mostly how ties
// are broken and how many seats play for points.
func (g Game) Alike(given games.Rules, seats int) (games.Rules, int, error) {
	like, n, err := g.solvable(given, seats)
	if err != nil {
		return nil, 0, err
	}
	out, err := g.Check(given)
	if err != nil {
		return nil, 0, err
	}
	for _, name := range []string{games.Hints, "match", "shut", "ties"} {
		delete(out, name)
	}
	if like.ties == rollOff {
		out["ties"] = rollOff
	}
	if like.match != single {
		out["match"] = fmt.Sprintf("%s:%d", like.match, like.limit)
	}
	if like.match != single || like.shut != shutWins {
		out["shut"] = like.shut
	}
	return out, n, nil
}

// solvable returns the rules and the number of seats to solve, or a *Refusal.
func (g Game) solvable(given games.Rules, seats int) (rules, int, error) {
	if _, err := g.New(given, seats); err != nil {
		return rules{}, 0, err
	}
	canonical, err := g.Check(given)
	if err != nil {
		return rules{}, 0, err
	}
	like, n := read(canonical).alike(seats)
	return like, n, like.solvable(n)
}

// alike returns the rules and the number of seats to solve in place of these, equal for all that share a solution.
func (r *rules) alike(seats int) (rules, int) {
	like := *r
	if like.match == single {
		like.ties = share
		switch {
		case seats == 1:
			like.shut = shutWins
		case like.variant == luckySeven:
			seats = 2
		}
		return like, seats
	}
	like.match, like.limit = rounds, 2
	if like.variant == luckySeven {
		like.ties, like.shut = share, shutZero
	}
	if like.ties == rollOff && seats > 1 {
		return like, seats
	}
	if like.ties = share; like.shut == shutDouble {
		like.shut = shutWins
	}
	return like, 2
}

// solvable returns a *Refusal if there is no perfect play of these rules, nil otherwise. It is fast.
func (r *rules) solvable(seats int) error {
	if r.variant == canoga {
		return games.Refuse("shutbox.refuse.perfect-variant",
			games.Args{"Variant": games.Word("shutbox.variant." + canoga + ".name")})
	}
	if r.tiles.count() > maxSolved {
		return games.Refuse("shutbox.refuse.perfect-tiles", games.Args{"Most": maxSolved})
	}
	if r.variant == luckySeven || r.match == single && seats == 1 || r.match != single && r.ties == share {
		return nil
	}
	if work, scores := r.work(seats); work > maxWork {
		return games.Refuse("shutbox.refuse.perfect-scores", games.Args{"Scores": scores})
	}
	return nil
}

// shares reports whether seats maximize their share of the pool.
func (p *perfect) shares() bool { return p.r.match == single && p.seats > 1 }

// Measure returns the share of the pool in a match of one round by several seats, else points below par.
func (p *perfect) Measure() games.Measure {
	if p.shares() {
		return games.Share
	}
	return games.Par
}

// Size returns about how many bytes the solution takes.
func (p *perfect) Size() int {
	size := 256 // without tables
	if t := p.par; t != nil {
		size = t.board.size() + 8*(len(t.own)+len(t.rest)+4*len(t.stuck))
	}
	if t := p.pool; t != nil { // including a full cache of turns
		size += t.board.size() + min(t.maxTurns(), turnsOf(t.seats, len(t.scores)))*t.turnSize()
		for _, starts := range t.starts {
			size += 8 * len(starts)
		}
	}
	return size
}

// own returns played as a match with the rules and seats of p, or an error.
func (p *perfect) own(played games.Match) (*classic, error) {
	m, ours := played.(*classic)
	if !ours || !p.fits(&m.sheet) {
		return nil, fmt.Errorf("shutbox: perfect play of other rules for a %T", played)
	}
	return m, nil
}

// fits reports whether matches with the rules and seats of a sheet share the solution.
func (p *perfect) fits(s *sheet) bool {
	like, seats := s.rules.alike(s.Seats)
	return like == p.r && seats == p.seats
}

// Expect returns the expected value of each seat. At the start of a roll-off for the pool it depends on the order of
// play; before, the tied seats counted as sharing equally.
func (p *perfect) Expect(played games.Match) ([]float64, error) {
	m, err := p.own(played)
	if err != nil {
		return nil, err
	}
	result, over := m.Result()
	switch {
	case over && p.shares():
		return won(result, m.Seats), nil
	case over || p.par != nil && m.RollOff > 0:
		return p.par.standing(m), nil
	case len(m.found) > 0:
		best, _ := games.Best(p.worths(m), m.Mover)
		return best.Values, nil
	}
	t, values := p.turn(m)
	mask := t.mask(m.open)
	return values(m, t.own[mask], t.restOf(mask)), nil
}

// Worths returns the values after each legal move.
func (p *perfect) Worths(played games.Match, s games.Seat) ([]games.Worth, error) {
	m, err := p.own(played)
	if err != nil || m.Over || s != m.Mover {
		return nil, err
	}
	return p.worths(m), nil
}

func (p *perfect) worths(m *classic) []games.Worth {
	var worths []games.Worth
	t, values := p.turn(m)
	if p.par == nil || m.RollOff == 0 {
		t.worths(m, func(mv games.Move, own float64, rest []float64) {
			worths = append(worths, games.Worth{Move: mv, Values: values(m, own, rest)})
		})
		return worths
	}
	t.worths(m, func(mv games.Move, own float64, _ []float64) {
		worths = append(worths, games.Worth{Move: mv, Values: p.par.standing(m), Tiebreak: own})
	})
	return worths
}

// turn returns the solved turn that a match is in, and the function that turns its values into those of all seats.
func (p *perfect) turn(m *classic) (*turn, func(m *classic, own float64, rest []float64) []float64) {
	if p.shares() || m.RollOff > 0 {
		return p.pool.at(m), p.pool.values
	}
	return p.par.turn, p.par.values
}
