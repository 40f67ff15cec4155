package shutbox

import (
	"fmt"

	"knobel/games"
)

var _ games.Laborious = Game{}

// perfect is the perfect play of a match. In a match of one round with several seats, each maximizes its share of the
// pool. In other matches each minimizes its average score, and in a roll-off it maximizes its share of the pool.
type perfect struct {
	r     rules
	seats int
	par   *par  // nil in a match of one round with several seats
	pool  *pool // nil if no seat plays for a share of the pool
}

// Solve computes perfect play of a match under these options. It returns a *games.Refusal for Canoga, in which
// positions can recur without end, and for options that would take too long to compute.
func (g Game) Solve(options games.Rules, seats int) (games.Perfect, error) {
	like, n, err := g.rulesToSolve(options, seats)
	if err != nil {
		return nil, err
	}
	p := &perfect{r: like, seats: n}
	if like.variant == luckySeven {
		return perfectLucky{p}, nil
	}
	b := newBoard(&p.r)
	if !p.playsForShare() {
		p.par = newPar(b)
	}
	if like.needsPool(n) {
		p.pool = newPool(b, n)
	}
	return p, nil
}

// quickWork is the largest result of rules.work for which perfect play for a pool takes at most about half a second.
const quickWork = maxWork / 30

// Laborious reports whether Solve takes more than about half a second under these options.
func (g Game) Laborious(options games.Rules, seats int) bool {
	like, n, err := g.rulesToSolve(options, seats)
	if err != nil || !like.needsPool(n) {
		return false
	}
	work, _ := like.work(n)
	return work > quickWork
}

// needsPool reports whether perfect play of r includes play for a share of the pool; r and seats are a result of alike.
func (r *rules) needsPool(seats int) bool {
	return r.variant != luckySeven && seats > 1 && (r.match == single || r.ties == rollOff)
}

// Alike returns options and a number of seats that represent all matches with the same perfect play. It drops hints
// and the number of rounds and, where they do not affect perfect play, the rule for ties and the number of seats.
func (g Game) Alike(options games.Rules, seats int) (games.Rules, int, error) {
	like, n, err := g.rulesToSolve(options, seats)
	if err != nil {
		return nil, 0, err
	}
	out, err := g.Check(options)
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

// rulesToSolve returns the rules and number of seats that represent a match under these options (see alike), or a
// *games.Refusal if the match has no perfect play.
func (g Game) rulesToSolve(options games.Rules, seats int) (rules, int, error) {
	if _, err := g.New(options, seats); err != nil {
		return rules{}, 0, err
	}
	canonical, err := g.Check(options)
	if err != nil {
		return rules{}, 0, err
	}
	like, n := parseRules(canonical).alike(seats)
	return like, n, like.checkSolvable(n)
}

// alike returns canonical rules and seats: equal results mean the same perfect play, so one solution serves for both.
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

// checkSolvable returns a *games.Refusal unless Solve can solve r for that many seats. It decides this fast.
func (r *rules) checkSolvable(seats int) error {
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

// playsForShare reports whether the seats maximize their share of the pool instead of minimizing their scores.
func (p *perfect) playsForShare() bool { return p.r.match == single && p.seats > 1 }

// Measure returns Share in a match of one round by several seats, else Par: points below the average of perfect play.
func (p *perfect) Measure() games.Measure {
	if p.playsForShare() {
		return games.Share
	}
	return games.Par
}

// Size returns about how many bytes the solution occupies.
func (p *perfect) Size() int {
	size := 256 // bytes without the tables
	if t := p.par; t != nil {
		size = t.board.size() + 8*(len(t.own)+len(t.rest)+4*len(t.stuck))
	}
	if t := p.pool; t != nil { // including a full cache of turns
		size += t.board.size() + min(t.maxTurns(), turnCount(t.seats, len(t.scores)))*t.turnSize()
		for _, starts := range t.starts {
			size += 8 * len(starts)
		}
	}
	return size
}

// classicMatch returns played as a *classic, or an error if p is not the perfect play of its rules and number of seats.
func (p *perfect) classicMatch(played games.Match) (*classic, error) {
	m, ours := played.(*classic)
	if !ours || !p.fits(&m.sheet) {
		return nil, fmt.Errorf("shutbox: perfect play does not fit the rules of %T", played)
	}
	return m, nil
}

// fits reports whether p is the perfect play of matches with the rules and the number of seats of s.
func (p *perfect) fits(s *sheet) bool {
	like, seats := s.rules.alike(s.Seats)
	return like == p.r && seats == p.seats
}

// Expect returns the expected value of each seat, by seat, in the measure of p. In a roll-off for the pool the values
// depend on the order of play; before the roll-off begins, each tied seat counts as getting an equal share.
func (p *perfect) Expect(played games.Match) ([]float64, error) {
	m, err := p.classicMatch(played)
	if err != nil {
		return nil, err
	}
	result, over := m.Result()
	switch {
	case over && p.playsForShare():
		return resultValues(result, m.Seats), nil
	case over || p.par != nil && m.RollOff > 0:
		return p.par.pointsBelowPar(m), nil
	case len(m.found) > 0:
		best, _ := games.Best(p.worths(m), m.Mover)
		return best.Values, nil
	}
	t, values := p.turn(m)
	mask := t.mask(m.open)
	return values(m, t.own[mask], t.restOf(mask)), nil
}

// Worths returns the values of all seats after each legal move of s, nil if it is not the turn of s.
func (p *perfect) Worths(played games.Match, s games.Seat) ([]games.Worth, error) {
	m, err := p.classicMatch(played)
	if err != nil || m.Over || s != m.Mover {
		return nil, err
	}
	return p.worths(m), nil
}

// worths returns the values of all seats after each legal move of the mover.
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
		worths = append(worths, games.Worth{Move: mv, Values: p.par.pointsBelowPar(m), Tiebreak: own})
	})
	return worths
}

// turn returns the solved turn that m is in, and a function that converts the values of a position in that turn to a
// value for each seat, by seat. own is the value to the mover, rest holds the further values (see ends).
func (p *perfect) turn(m *classic) (*turn, func(m *classic, own float64, rest []float64) []float64) {
	if p.playsForShare() || m.RollOff > 0 {
		return p.pool.currentTurn(m), p.pool.values
	}
	return p.par.turn, p.par.values
}
