package games

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Measure is the meaning of the values of perfect play. Greater values are better in all measures.
type Measure string

// The measures.
const (
	// Share: the seat's payout from the pool minus its payments, in stakes, not rounded; at -1 it loses one stake.
	Share Measure = "share"
	// Difference: points above the average of all seats; for a single seat, above the average score of perfect play.
	Difference Measure = "difference"
	// Par: points below the average score of perfect play for the rounds that have begun. A match begins at 0.
	Par Measure = "par"
)

// Solver is a Game whose perfect play can be computed.
type Solver interface {
	Game
	// Solve computes the perfect play of that many seats under rules. It may take seconds and much memory, so it is
	// never called while a person waits. If there is no perfect play under rules, or if computing it would take too
	// long, Solve returns a *Refusal at once.
	Solve(rules Rules, seats int) (Perfect, error)
	// Alike returns canonical rules and a number of seats with the same perfect play as the arguments. It drops options
	// that do not affect perfect play, such as hints. Matches with equal results of Alike share one solution. Alike
	// itself computes no solution; its error is that of Solve.
	Alike(rules Rules, seats int) (Rules, int, error)
}

// Laborious is a Solver that needs seconds for some rules and almost no time for others, which are solved first.
type Laborious interface {
	Solver
	// Laborious reports whether Solve needs seconds for rules and seats, which are results of Alike.
	Laborious(rules Rules, seats int) bool
}

// Aiming is a Solver whose perfect play, under some rules, maximizes something other than the amounts paid.
type Aiming interface {
	Solver
	// AimsAtTotal reports whether perfect play under rules maximizes totals although something else is paid for.
	AimsAtTotal(rules Rules) bool
}

// AimsAtTotal reports whether perfect play under canonical rules maximizes each seat's total although something else is
// paid for: a win of the pool, or points derived from totals. The values of such play (in Difference) are not paid out.
func AimsAtTotal(g Game, rules Rules) bool {
	aiming, ok := g.(Aiming)
	return ok && aiming.AimsAtTotal(rules)
}

// Perfect is the solution of a game under one set of rules for a number of seats: every seat maximizes its own value,
// given that all others do the same. It is safe for concurrent use. Its methods return an error only for a match under
// other rules or with another number of seats, which is a mistake of the caller.
type Perfect interface {
	// Measure returns the meaning of the values.
	Measure() Measure
	// Expect returns the value that each seat can expect in the present state, in seat order; after the end, its final
	// value. It equals the Values of the best move. The Values of a move are the average of Expect over its throws,
	// but a roll-off that the move may lead to counts as equal shares of the pool for the tied seats.
	Expect(m Match) ([]float64, error)
	// Worths returns, in the order of Match.Moves, the expected values after each legal move of seat s, before the dice
	// of that move are thrown. It is empty if s is not to move.
	Worths(m Match, s Seat) ([]Worth, error)
	// Size returns about how many bytes of memory the solution takes.
	Size() int
}

// Worth is a move with its value.
type Worth struct {
	Move Move
	// Values holds the expected result of each seat after the move, in seat order.
	Values []float64
	// Tiebreak decides between moves of equal Values; greater is better. It is the mover's expected Share in a
	// roll-off that does not affect Values, else 0.
	Tiebreak float64
}

// Saying is a Match that can describe its moves.
type Saying interface {
	// SayMove returns a legal move in words that follow a modal verb: "close 9+2", "keep 4 4 and throw three dice".
	SayMove(s Seat, mv Move) Line
}

// SayMove returns the description of a legal move of seat s; if m is not Saying, it quotes the text of the move.
func SayMove(m Match, s Seat, mv Move) Line {
	if says, ok := m.(Saying); ok {
		return says.SayMove(s, mv)
	}
	return Say("games.move", Args{"Move": string(mv)})
}

// Noise is the largest rounding difference between the computed values of equally good moves.
const Noise = 1e-9

// Best returns the entry of worths that is best for seat s, by value, then by Tiebreak; false if worths is empty.
func Best(worths []Worth, s Seat) (Worth, bool) {
	if len(worths) == 0 {
		return Worth{}, false
	}
	compareValues := func(d float64) int {
		switch {
		case d > Noise:
			return 1
		case d < -Noise:
			return -1
		}
		return 0
	}
	best := slices.MaxFunc(worths, func(a, b Worth) int {
		return cmp.Or(compareValues(a.Values[s]-b.Values[s]), compareValues(a.Tiebreak-b.Tiebreak))
	})
	return best, true
}

// Problem is an input for Solve. Matches for which Alike returns equal rules and seats have the same Problem.
type Problem struct {
	solver Solver
	rules  Rules
	seats  int
}

// ProblemOf returns the problem of g under rules with that many seats; the error is a *Refusal if it has no solution.
func ProblemOf(g Game, rules Rules, seats int) (Problem, error) {
	solver, solves := g.(Solver)
	if !solves {
		return Problem{}, Refuse("games.no-perfect-play", nil)
	}
	rules, seats, err := solver.Alike(rules, seats)
	return Problem{solver, rules, seats}, err
}

// Solve computes perfect play. It may take seconds. The error is a *Refusal if there is no perfect play.
func (p Problem) Solve() (Perfect, error) { return p.solver.Solve(p.rules, p.seats) }

// Laborious reports whether Solve needs seconds; false if the game does not implement the interface Laborious.
func (p Problem) Laborious() bool {
	solver, knows := p.solver.(Laborious)
	return knows && solver.Laborious(p.rules, p.seats)
}

// String returns a text that identifies the problem, for map keys and logs.
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s for %d", p.solver.Name(), p.seats)
	for _, name := range slices.Sorted(maps.Keys(p.rules)) {
		fmt.Fprintf(&b, " %s=%s", name, p.rules[name])
	}
	return b.String()
}

// PerfectMove returns the best move of seat s in m according to the solution p; a House that is Solved plays it. The
// error means that s has no move, or that p is for other rules or another number of seats.
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

// Reasoning is a Match that can explain why one move is better than another.
type Reasoning interface {
	// Why returns a sentence on the advantage of the legal move better of seat s over worse, another legal move of s.
	// The key is empty if there is no short explanation.
	Why(s Seat, better, worse Move) Line
}

// Why returns a sentence that explains why better is a better move of seat s than worse, and false if m has none.
func Why(m Match, s Seat, better, worse Move) (Line, bool) {
	reasons, ok := m.(Reasoning)
	if !ok {
		return Line{}, false
	}
	line := reasons.Why(s, better, worse)
	return line, line.Key != ""
}

// Figured is a Game that can compute exact figures of best play, for the subcommand solve.
type Figured interface {
	Game
	// Asks lists the inputs that Figures takes besides the rules, in display order.
	Asks() []Ask
	// Figures computes the figures under rules; asked holds a value for each Ask, by the Name of the Ask. It may take
	// seconds. The error names what cannot be computed.
	Figures(rules Rules, asked map[string]string) ([]Figure, error)
}

// Ask describes a value that Figured.Figures takes besides the rules, such as the points so far.
type Ask struct {
	Name    string // the name on the command line
	Default string
	Number  bool   // the value must be a whole number
	About   string // its meaning, for the operator
}

// Figure is one exact figure of best play, with a single value or one for each seat.
type Figure struct {
	Name   string // the name in JSON: "expected_score"
	About  string // the name for people; without the seat if Seats is true
	Values []float64
	Seats  bool // there is one value for each seat
	Chance bool // it is a chance or a share, from 0 to 1
}
