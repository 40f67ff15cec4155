package shutbox

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"knobel/games"
)

// Exact figures of perfect play, for the subcommand solve.

var _ games.Figured = Game{}

// Goal is what a turn of Shut the Box can be played for.
type Goal string

// The goals.
const (
	LowScore Goal = "score" // the smallest score on average
	ShutBox  Goal = "shut"  // the largest chance to shut the box
	PoolWon  Goal = "pool"  // the largest share of the pool on average
)

// Expectation is what a turn brings on average that is played for a goal: for the pool, the first turn of the round.
// Of plays that reach the goal alike, that for the score shuts the box more often, and that for shutting it scores
// less; that for the pool is the one of Solve.
type Expectation struct {
	Score float64 // of the turn
	Shut  float64 // the chance that the turn shuts the box
	// Shares holds, for the pool, the share of it that each seat of a round wins, in seat order. They add up to
	// 1. With shut=pays-double the second stakes are part of what is won, so that it may be more than the pool.
	Shares []float64
}

// equalFigures is how far apart the figures of equal plays may be computed.
const equalFigures = 1e-12

// Asks returns the goal, and for the pool how many play for it.
func (Game) Asks() []games.Ask {
	return []games.Ask{
		{Name: "goal", Default: string(LowScore), About: "what is played for: score, shut, pool"},
		{Name: "players", Default: "2", Number: true, About: "how many play for the pool"},
	}
}

// Figures returns what Expected computes.
func (Game) Figures(given games.Rules, asked map[string]string) ([]games.Figure, error) {
	goal := Goal(asked["goal"])
	if !slices.Contains([]Goal{LowScore, ShutBox, PoolWon}, goal) {
		return nil, fmt.Errorf("no goal is called %q; there is score, shut, pool", goal)
	}
	seats, err := strconv.Atoi(asked["players"])
	if err != nil {
		return nil, fmt.Errorf("players: %w", err)
	}
	e, err := Expected(given, goal, seats)
	if err != nil {
		return nil, err
	}
	turn := ""
	if len(e.Shares) > 0 {
		turn = " of the first seat"
	}
	figures := []games.Figure{
		{Name: "expected_score", About: "expected score" + turn, Values: []float64{e.Score}},
		{Name: "shut_probability", About: "chance to shut the box" + turn, Values: []float64{e.Shut}, Chance: true},
	}
	if len(e.Shares) > 0 {
		figures = append(figures, games.Figure{Name: "pool_share", About: "share of the pool", Values: e.Shares,
			Seats: true, Chance: true})
	}
	return figures, nil
}

// Expected computes what perfect play for a goal expects. Only a round for the
// pool needs seats, at least two. The error is a *games.Refusal.
func Expected(given games.Rules, goal Goal, seats int) (Expectation, error) {
	if goal != PoolWon {
		return expectedTurn(given, goal)
	}
	if least := 2; seats < least || seats > maxSeats {
		return Expectation{}, games.Refuse("shutbox.refuse.seats", games.Args{"Least": least, "Most": maxSeats})
	}
	canonical, err := Game{}.Check(given)
	if err != nil {
		return Expectation{}, err
	}
	if _, several := canonical["match"]; several {
		return Expectation{}, games.Refuse("shutbox.refuse.perfect-pool", nil)
	}
	g := Game{}
	solved, err := g.Solve(given, seats)
	if err != nil {
		return Expectation{}, err
	}
	m, err := g.New(given, seats)
	if err != nil {
		return Expectation{}, err
	}
	stakes, err := solved.Expect(m)
	if err != nil {
		return Expectation{}, err
	}
	e := Expectation{Score: 7 * (1 - first(0, seats)), Shut: first(0, seats)}
	if p, ours := solved.(*perfect); ours {
		e = p.pool.firstTurn()
	}
	for _, won := range stakes {
		e.Shares = append(e.Shares, (won+1)/float64(seats))
	}
	return e, nil
}

// expectedTurn computes a turn of a seat that plays alone.
func expectedTurn(given games.Rules, goal Goal) (Expectation, error) {
	canonical, err := Game{}.Check(given)
	if err != nil {
		return Expectation{}, err
	}
	r := *read(canonical)
	r.match = single // one round
	if err := r.solvable(1); err != nil {
		return Expectation{}, err
	}
	if r.variant == luckySeven {
		return Expectation{Shut: 1}, nil // it comes at last
	}
	t := scoring(newBoard(&r), 1)
	t.second, t.noise = true, equalFigures
	t.boxRest[0] = 1
	t.sevenRest = t.stuckRest
	if goal == ShutBox {
		t.box, t.stuckRest, t.sevenRest = 1, t.stuck, t.stuck
		t.stuck = make([]float64, len(t.stuck))
		t.seven, t.boxRest[0] = t.stuck, 0
	}
	t.solve()
	own, rest := t.own[t.full], t.rest[t.full]
	if goal == ShutBox {
		return Expectation{Score: -rest, Shut: own}, nil
	}
	return Expectation{Score: math.Abs(own), Shut: rest}, nil
}

// firstTurn returns what the first turn of a round for the pool scores, and how often it shuts the box.
func (p *pool) firstTurn() Expectation {
	of := turnOf{p.seats, p.none(), 0}
	t := p.room(of.left)
	p.ends(t, of)
	t.wide, t.rest = 2, make([]float64, 2*(p.full+1))
	t.stuckRest, t.boxRest = make([]float64, 2*len(p.scores)), []float64{0, 1}
	for place, score := range p.scores {
		t.stuckRest[2*place] = float64(score)
	}
	t.sevenRest = t.stuckRest
	t.solve()
	return Expectation{Score: t.rest[2*p.full], Shut: t.rest[2*p.full+1]}
}
