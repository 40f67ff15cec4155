package games

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Measure is the unit of the values of perfect play. Greater values are better in all measures.
type Measure string

// The measures.
const (
	// Share: the seat's share of the pool less its own stakes, in stakes: at -1 it loses one stake, at 0 it gets its
	// own back. Shares are not rounded to whole units.
	Share Measure = "share"
	// Difference: points above the average of the game. A single seat is compared with average perfect play.
	Difference Measure = "difference"
	// Par: points below the average score of perfect play, summed over the rounds that have begun. A match begins at 0.
	Par Measure = "par"
)

// Solver is a Game whose perfect play can be computed.
type Solver interface {
	Game
	// Solve computes perfect play under rules by that many seats. It may take seconds and much memory, so it is never
	// called while a person waits. The error is a *Refusal if there is no perfect play for such rules or if it would
	// take too long to compute; Solve returns it fast.
	Solve(rules Rules, seats int) (Perfect, error)
	// Alike returns the canonical rules and the number of seats to solve instead of these, without options that make no
	// difference to perfect play, such as hints. Matches with equal results of Alike share one solution. It computes
	// nothing; its error is that of Solve.
	Alike(rules Rules, seats int) (Rules, int, error)
}

// Laborious is a Solver that needs seconds for some rules and almost no time for others. Quick ones are solved first.
type Laborious interface {
	Solver
	// Laborious reports whether rules, as returned by Alike, need seconds.
	Laborious(rules Rules, seats int) bool
}

// Aiming is a Solver whose perfect play, under some rules, maximizes something other than what is settled.
type Aiming interface {
	Solver
	// AimsAtTotal reports the same as the function AimsAtTotal.
	AimsAtTotal(rules Rules) bool
}

// AimsAtTotal reports whether perfect play under canonical rules maximizes each seat's total although something else is
// settled: a pool, or points that are derived from totals. Its values of the measure Difference are then not paid.
func AimsAtTotal(g Game, rules Rules) bool {
	aiming, ok := g.(Aiming)
	return ok && aiming.AimsAtTotal(rules)
}

// Perfect is the perfect play of a game under one set of rules by a number of seats: every seat maximizes its own
// measure, given that all others do the same. It is safe for concurrent use. An error means that a match has other
// rules or seats, which is a fault of the caller.
type Perfect interface {
	// Measure returns the unit of the values.
	Measure() Measure
	// Expect returns the expected value of each seat in the present state, in seat order; after the end, its final
	// value. It equals the Values of the best move, and the average of Expect over the dice of a move. Exception: until
	// a roll-off begins, it counts as equal parts of the pool.
	Expect(m Match) ([]float64, error)
	// Worths returns the expected values after each legal move of a seat that is to move, before its dice fall, in the
	// order of Match.Moves.
	Worths(m Match, s Seat) ([]Worth, error)
	// Size returns about how many bytes of memory the solution takes.
	Size() int
}

// Worth is the value of a move.
type Worth struct {
	Move Move
	// Values holds what each seat can expect after the move, in seat order.
	Values []float64
	// Tiebreak decides between equal Values, greater is better: in a roll-off without points the expected share.
	Tiebreak float64
}

// Saying is a Match that can describe its moves.
type Saying interface {
	// SayMove returns a legal move in words that follow a modal verb: "close 9+2", "keep 4 4 and throw three dice".
	SayMove(s Seat, mv Move) Line
}

// SayMove returns the description of a legal move of seat s, or a line with its spelling if m is not Saying.
func SayMove(m Match, s Seat, mv Move) Line {
	if says, ok := m.(Saying); ok {
		return says.SayMove(s, mv)
	}
	return Say("games.move", Args{"Move": string(mv)})
}

// Noise is the largest rounding difference between the computed values of equally good moves.
const Noise = 1e-9

// Best returns the move with the greatest value, then Tiebreak, for seat s, and false if worths is empty.
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

// Problem is an input for Solve that stands for all matches with equal results of Alike.
type Problem struct {
	solver Solver
	rules  Rules
	seats  int
}

// ProblemOf returns the problem of a game under rules by that many seats. The error is a *Refusal if there is none.
func ProblemOf(g Game, rules Rules, seats int) (Problem, error) {
	solver, solves := g.(Solver)
	if !solves {
		return Problem{}, Refuse("games.no-perfect-play", nil)
	}
	rules, seats, err := solver.Alike(rules, seats)
	return Problem{solver, rules, seats}, err
}

// Solve computes perfect play. It may take seconds; the error is a *Refusal if there is none.
func (p Problem) Solve() (Perfect, error) { return p.solver.Solve(p.rules, p.seats) }

// Laborious reports whether Solve needs seconds; false if the game does not implement the interface Laborious.
func (p Problem) Laborious() bool {
	solver, knows := p.solver.(Laborious)
	return knows && solver.Laborious(p.rules, p.seats)
}

// String returns a text that is equal exactly for equal problems. It serves as a map key and in logs.
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s for %d", p.solver.Name(), p.seats)
	for _, name := range slices.Sorted(maps.Keys(p.rules)) {
		fmt.Fprintf(&b, " %s=%s", name, p.rules[name])
	}
	return b.String()
}

// PerfectMove returns the best move of seat s according to the solution p; a House that is Solved plays it. The error
// means that s has no move or that m does not fit p.
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
	// Why returns a sentence on the advantage of the legal move better of seat s over its legal move worse. The key is
	// empty if there is no short explanation.
	Why(s Seat, better, worse Move) Line
}

// Why returns a sentence on why the move better of seat s beats its move worse, and false if m cannot.
func Why(m Match, s Seat, better, worse Move) (Line, bool) {
	reasons, ok := m.(Reasoning)
	if !ok {
		return Line{}, false
	}
	line := reasons.Why(s, better, worse)
	return line, line.Key != ""
}

// Figured is a Game for which exact figures of best play can be computed, for the subcommand solve.
type Figured interface {
	Game
	// Asks lists the parameters of Figures beside the rules, in display order.
	Asks() []Ask
	// Figures computes the figures under rules; asked holds the value of each Ask by its name. It may take seconds. The
	// error names what cannot be computed.
	Figures(rules Rules, asked map[string]string) ([]Figure, error)
}

// Ask is a parameter of Figured.Figures.
type Ask struct {
	Name    string // the name on the command line
	Default string
	Number  bool   // it is a whole number
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
