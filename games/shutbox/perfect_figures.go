package shutbox

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"knobel/games"
)

var _ games.Figured = Game{}

// equalFigures is how much the computed values of equally good moves may differ by rounding.
const equalFigures = 1e-12

// Asks returns the parameters of Figures: the goal, and the number of players, which only matters for the goal pool.
func (Game) Asks() []games.Ask {
	return []games.Ask{
		{Name: "goal", Default: "score", About: "what is played for: score, shut, pool"},
		{Name: "players", Default: "2", Number: true, About: "how many play for the pool"},
	}
}

// Figures returns the average score of a perfectly played turn and its chance to shut the box. asked["goal"] is the
// goal of the play: "score", "shut" (to shut the box) or "pool". Between moves of equal score, the goal "score" takes
// the one that shuts the box more often; between moves that shut it equally often, "shut" takes the one with the lower
// score. For "pool" the turn is the first one of a round, and there is a third figure: each seat's share of the pool,
// with the second stakes of shut=pays-double.
func (g Game) Figures(options games.Rules, asked map[string]string) ([]games.Figure, error) {
	goal := asked["goal"]
	if !slices.Contains([]string{"score", "shut", "pool"}, goal) {
		return nil, fmt.Errorf("unknown goal %q: use score, shut or pool", goal)
	}
	seats, err := strconv.Atoi(asked["players"])
	if err != nil {
		return nil, fmt.Errorf("players: %w", err)
	}
	if goal == "pool" {
		return g.poolFigures(options, seats)
	}
	canonical, err := g.Check(options)
	if err != nil {
		return nil, err
	}
	score, shut, err := parseRules(canonical).expectedTurn(goal == "shut")
	if err != nil {
		return nil, err
	}
	return turnFigures("", score, shut), nil
}

// turnFigures returns a turn's average score and chance to shut the box as figures. suffix is appended to the
// descriptions of both.
func turnFigures(suffix string, score, shut float64) []games.Figure {
	return []games.Figure{
		{Name: "expected_score", About: "expected score" + suffix, Values: []float64{score}},
		{Name: "shut_probability", About: "chance to shut the box" + suffix, Values: []float64{shut}, Chance: true},
	}
}

// poolFigures returns the figures of a round that this number of seats, at least 2, plays for the pool.
func (g Game) poolFigures(options games.Rules, seats int) ([]games.Figure, error) {
	if seats < 2 || seats > maxSeats {
		return nil, games.Refuse("shutbox.refuse.seats", games.Args{"Least": 2, "Most": maxSeats})
	}
	canonical, err := g.Check(options)
	if err != nil {
		return nil, err
	}
	if canonical["match"] != "" {
		return nil, games.Refuse("shutbox.refuse.perfect-pool", nil)
	}
	solved, err := g.Solve(canonical, seats)
	if err != nil {
		return nil, err
	}
	m, err := g.New(canonical, seats)
	if err != nil {
		return nil, err
	}
	stakes, err := solved.Expect(m)
	if err != nil {
		return nil, err
	}
	score, shut := 7*(1-firstSevenChance(0, seats)), firstSevenChance(0, seats)
	if p, ours := solved.(*perfect); ours {
		score, shut = p.pool.firstTurn()
	}
	shares := make([]float64, seats)
	for i, won := range stakes {
		shares[i] = (won + 1) / float64(seats)
	}
	return append(turnFigures(" of the first seat", score, shut),
		games.Figure{Name: "pool_share", About: "share of the pool", Values: shares, Seats: true, Chance: true}), nil
}

// expectedTurn returns the average score of a turn that a single seat plays perfectly, and the chance that it shuts the
// box. The play is for the lowest score or, if toShut is true, to shut the box. The error is a *games.Refusal.
func (r rules) expectedTurn(toShut bool) (score, shut float64, err error) {
	r.match = single // one round
	if err := r.checkSolvable(1); err != nil {
		return 0, 0, err
	}
	if r.variant == luckySeven {
		return 0, 1, nil // throws are repeated until a 7 comes
	}
	t := newScoreTurn(newBoard(&r), 1)
	t.second, t.noise = true, equalFigures
	t.boxRest[0] = 1
	t.sevenRest = t.stuckRest
	if toShut {
		t.box, t.stuckRest, t.sevenRest = 1, t.stuck, t.stuck
		t.stuck = make([]float64, len(t.stuck))
		t.seven, t.boxRest[0] = t.stuck, 0
	}
	t.solve()
	own, rest := t.own[t.full], t.rest[t.full]
	if toShut {
		return -rest, own, nil
	}
	return math.Abs(own), rest, nil
}

// firstTurn returns the average score of the first turn of a round for the pool, and the chance that it shuts the box.
func (p *pool) firstTurn() (score, shut float64) {
	key := turnKey{p.seats, p.noBest(), 0}
	t := p.newTurn(key.left)
	p.setEnds(t, key)
	t.wide, t.rest = 2, make([]float64, 2*(p.full+1))
	t.stuckRest, t.boxRest = make([]float64, 2*len(p.scores)), []float64{0, 1}
	for place, score := range p.scores {
		t.stuckRest[2*place] = float64(score)
	}
	t.sevenRest = t.stuckRest
	t.solve()
	return t.rest[2*p.full], t.rest[2*p.full+1]
}
