package games

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Measure is what the values of perfect play count. Greater is better in all.
type Measure string

// The measures.
const (
	// Share: what a seat wins of the pool, in stakes, beyond its own stakes: -1 has lost one, 0 gets its own
	// back. Shares are exact, odd units are not taken off.
	Share Measure = "share"
	// Difference: points above the average of the game. Who plays alone is
	// compared with what perfect play scores on average.
	Difference Measure = "difference"
	// Par: points below what perfect play scores on average, added over the
	// rounds that have begun. A match begins at 0.
	Par Measure = "par"
)

// Solver is a Game that can be played perfectly.
type Solver interface {
	Game
	// Solve computes perfect play under rules by that many seats. It may take seconds and much memory, so it is
	// never called while a person waits. The error is a *Refusal if there is no perfect play for such rules, or
	// if it would take too much to compute; a refusal takes no computing.
	Solve(rules Rules, seats int) (Perfect, error)
	// Alike returns the rules and number of seats to solve in place of these: canonical, and
	// without what makes no difference to perfect play, such as hints. Matches for which it returns
	// the same share one solution. It computes nothing; its error is that of Solve.
	Alike(rules Rules, seats int) (Rules, int, error)
}

// Laborious is a Solver that needs seconds for some rules and a moment for all others. Background
// work solves the quick ones first.
type Laborious interface {
	Solver
	// Laborious reports whether rules, as Alike returns them, need seconds.
	Laborious(rules Rules, seats int) bool
}

// Aiming is a Solver whose perfect play aims at something else than what is settled, under some rules.
type Aiming interface {
	Solver
	// AimsAtTotal is as the function of that name has it.
	AimsAtTotal(rules Rules) bool
}

// AimsAtTotal reports whether perfect play under canonical rules goes for the greatest total of each seat while
// something else is settled: a pool, or points that are made of totals. Its values of the measure Difference are then
// differences of totals, which are not booked.
func AimsAtTotal(g Game, rules Rules) bool {
	aiming, ok := g.(Aiming)
	return ok && aiming.AimsAtTotal(rules)
}

// Perfect is the perfect play of a game under one set of rules by a number of seats: every seat
// plays for the most of its own measure and knows that the others do. It is safe for concurrent
// use. Its errors mean that a match has other rules or seats, which is a fault of the caller.
type Perfect interface {
	// Measure is what the values count.
	Measure() Measure
	// Expect returns what each seat expects of the match from here, in seat order; of a match that is over, what
	// each has. It is what the best move is worth, and what the Values of a move come to on average over its
	// dice, but where a roll-off begins: before, it counts as equal parts of the pool.
	Expect(m Match) ([]float64, error)
	// Worths returns what each legal move of a seat that is to move leads to, before its dice fall,
	// in the order of Match.Moves.
	Worths(m Match, s Seat) ([]Worth, error)
	// Size is about how many bytes the solution keeps in memory.
	Size() int
}

// Worth is what a move leads to.
type Worth struct {
	Move Move
	// Values holds what each seat expects after the move, in seat order.
	Values []float64
	// Tiebreak decides between moves of equal Values: the greater is the better. In a roll-off that
	// changes no points it is the seat's expected share of the pool.
	Tiebreak float64
}

// Saying is a Match that puts its moves into words.
type Saying interface {
	// SayMove returns a legal move in words that stand behind a verb: "close 9+2", "keep 4 4 and
	// throw three dice".
	SayMove(s Seat, mv Move) Line
}

// SayMove puts a legal move into words, where its game has some for it.
func SayMove(m Match, s Seat, mv Move) Line {
	if says, ok := m.(Saying); ok {
		return says.SayMove(s, mv)
	}
	return Say("games.move", Args{"Move": string(mv)})
}

// Noise is how far apart the computed values of equal moves may be.
const Noise = 1e-9

// Best returns the move that is worth most to a seat: of equal ones the one with the greatest
// Tiebreak, and then the first. It returns false if the seat has no move.
func Best(worths []Worth, s Seat) (Worth, bool) {
	if len(worths) == 0 {
		return Worth{}, false
	}
	apart := func(d float64) int {
		switch {
		case d > Noise:
			return 1
		case d < -Noise:
			return -1
		}
		return 0
	}
	best := slices.MaxFunc(worths, func(a, b Worth) int {
		return cmp.Or(apart(a.Values[s]-b.Values[s]), apart(a.Tiebreak-b.Tiebreak))
	})
	return best, true
}

// Problem is what a Solver has to solve: the perfect play of all matches that share a solution.
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

// Reasoning is a Match that can say why one move is better than another.
type Reasoning interface {
	// Why returns a sentence on the advantage of a legal move over another that is worth less. An
	// empty key: nothing short can be said.
	Why(s Seat, better, than Move) Line
}

// Why returns a sentence on why a move is better than another, and false if its game has no words for it.
func Why(m Match, s Seat, better, than Move) (Line, bool) {
	reasons, ok := m.(Reasoning)
	if !ok {
		return Line{}, false
	}
	line := reasons.Why(s, better, than)
	return line, line.Key != ""
}

// Figured is a Game about whose best play exact figures are known.
type Figured interface {
	Game
	// Asks lists what may be asked beside the rules, in the order in which it is shown.
	Asks() []Ask
	// Figures computes the figures under rules; asked holds a value for each Ask by
	// its name. It may take seconds. The error says what cannot be computed.
	Figures(rules Rules, asked map[string]string) ([]Figure, error)
}

// Ask is something that may be asked of a Figured game.
type Ask struct {
	Name    string // as on the command line
	Default string
	Number  bool   // it is a whole number
	About   string // what it means, for the operator
}

// Figure is one exact figure.
type Figure struct {
	Name   string // as in JSON: "expected_score"
	About  string // the same for people; where there is one for each seat, without it
	Values []float64
	Seats  bool // there is one value for each seat
	Chance bool // it is a chance or a share, from 0 to 1
}
