package games

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Problem is what a Solver has to solve: the perfect play of all matches that
// share a solution.
type Problem struct {
	solver Solver
	rules  Rules
	seats  int
}

// ProblemOf returns the problem of a game under rules by that many seats. It
// computes nothing. The error is a *Refusal where there is no perfect play.
func ProblemOf(g Game, rules Rules, seats int) (Problem, error) {
	solver, solves := g.(Solver)
	if !solves {
		return Problem{}, Refuse("games.no-perfect-play", nil)
	}
	rules, seats, err := solver.Alike(rules, seats)
	return Problem{solver, rules, seats}, err
}

// Solve computes perfect play, as Solver.Solve does.
func (p Problem) Solve() (Perfect, error) { return p.solver.Solve(p.rules, p.seats) }

// Laborious reports whether Solve needs seconds, as far as its game knows.
func (p Problem) Laborious() bool {
	solver, knows := p.solver.(Laborious)
	return knows && solver.Laborious(p.rules, p.seats)
}

// Game, Rules and Seats are what is to be solved, as Solver.Alike returned them.
func (p Problem) Game() string { return p.solver.Name() }

// Rules are to be left as they are.
func (p Problem) Rules() Rules { return p.rules }

// Seats is their number.
func (p Problem) Seats() int { return p.seats }

// String spells the problem: equal problems of the same games alike, others
// otherwise. It is for the log and for maps.
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s for %d", p.solver.Name(), p.seats)
	for _, name := range slices.Sorted(maps.Keys(p.rules)) {
		fmt.Fprintf(&b, " %s=%s", name, p.rules[name])
	}
	return b.String()
}

// PerfectMove returns what a house plays that is Solved.
func PerfectMove(p Perfect, m Match, s Seat) (Move, error) {
	worths, err := p.Worths(m, s)
	if err != nil {
		return "", err
	}
	best, ok := Best(worths, s)
	if !ok {
		return "", fmt.Errorf("seat %d has no move to choose", s)
	}
	return best.Move, nil
}
