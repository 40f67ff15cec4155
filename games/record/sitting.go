package record

import (
	"errors"
	"fmt"
	"slices"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
)

// Terms holds everything that is fixed before the first move of a game.
type Terms struct {
	Table string // its id
	Game  games.Game
	Rules games.Rules // missing options have their defaults
	Seats []Seat      // the players, with their entropies
	Stake int64       // of each seat, in units
	Box   int64       // the amount of the jackpot before the game
	Unit  string
	Seed  dice.Seed
	// Solutions is the cache for computer players that play perfectly. If it is nil, the game gets a new one.
	Solutions *Solutions
}

// Sitting is one game in memory, from the first move to its record, as a terminal, a simulation or a test plays it.
type Sitting struct {
	terms Terms
	pool  money.Pool
	match games.Match
	next  int // the number of dice thrown so far
	moves []Move

	perfect games.Perfect // nil until a computer player that plays perfectly has its first move
}

// Sit starts a game. The error is a *games.Refusal if a value of t is not allowed. For a stake in a game that is not
// played for stakes it is a different error, because players cannot cause that.
func Sit(t Terms) (*Sitting, error) {
	rules, err := t.Game.Check(t.Rules)
	if err != nil {
		return nil, err
	}
	t.Rules = rules
	if least, most := t.Game.Seats(rules); len(t.Seats) < least || len(t.Seats) > most {
		return nil, games.Refuse("games.seats", games.Args{"Least": least, "Most": most})
	}
	if err := money.CheckStake(t.Stake, len(t.Seats)); err != nil {
		return nil, err
	}
	if t.Stake != 0 && !t.Game.Shape(rules).Staked() {
		return nil, fmt.Errorf("a stake of %d in a game that has none", t.Stake)
	}
	if err := dice.CheckTable(t.Table); err != nil {
		return nil, err
	}
	if t.Solutions == nil {
		t.Solutions = &Solutions{}
	}
	for _, seat := range t.Seats {
		if err := dice.CheckEntropy(seat.Entropy); err != nil {
			return nil, err
		}
		h, known := findStrategy(t.Game, seat.House)
		if !known && seat.House != "" {
			var names []string
			for _, h := range t.Game.Houses() {
				names = append(names, h.Name)
			}
			return nil, games.Refuse("games.no-such-house",
				games.Args{"House": seat.House, "Instead": games.Instead(seat.House, names)})
		}
		if h.Solved {
			if _, err := games.ProblemOf(t.Game, rules, len(t.Seats)); err != nil {
				return nil, err
			}
		}
	}
	m, err := t.Game.New(rules, len(t.Seats))
	if err != nil {
		return nil, err
	}
	return &Sitting{terms: t, pool: money.Open(t.Stake, len(t.Seats), t.Box), match: m}, nil
}

// findStrategy returns the computer player's strategy called name in g, and false if there is none.
func findStrategy(g games.Game, name string) (games.House, bool) {
	houses := g.Houses()
	i := slices.IndexFunc(houses, func(h games.House) bool { return h.Name == name })
	if i < 0 {
		return games.House{}, false
	}
	return houses[i], true
}

// Match returns the match after the moves so far.
func (s *Sitting) Match() games.Match { return s.match }

// Play plays one move of seat and returns its events. If there is an error, a *games.Refusal, the game is unchanged.
func (s *Sitting) Play(seat games.Seat, move games.Move) ([]games.Event, error) {
	fair := &dice.Fair{Seed: s.terms.Seed, Table: s.terms.Table, Entropies: Entropies(s.terms.Seats), Next: s.next}
	m, events, err := games.Play(s.match, seat, move, fair)
	if err != nil {
		return nil, err
	}
	s.match, s.next = m, fair.Next
	s.moves = append(s.moves, Move{Seat: seat, Move: move, Dice: fair.Faces})
	return events, nil
}

// PlayHouse plays one move of a computer player and returns its events, or false if no computer player has the turn.
func (s *Sitting) PlayHouse() ([]games.Event, bool, error) {
	for _, seat := range s.match.Turn() {
		h, ok := findStrategy(s.terms.Game, s.terms.Seats[seat].House)
		if !ok {
			continue
		}
		move, err := s.choose(h, seat)
		if err != nil {
			return nil, false, fmt.Errorf("computer %s at seat %d: %w", h.Name, seat, err)
		}
		events, err := s.Play(seat, move)
		if err != nil {
			return nil, false, fmt.Errorf("computer %s at seat %d: %w", h.Name, seat, err)
		}
		return events, true, nil
	}
	return nil, false, nil
}

// choose returns the move that the strategy h makes for seat. A perfect h first solves the game, which takes seconds.
func (s *Sitting) choose(h games.House, seat games.Seat) (games.Move, error) {
	if !h.Solved {
		return h.Choose(s.match, seat, dice.Choices(s.terms.Seed, s.terms.Table, len(s.moves))), nil
	}
	if s.perfect == nil {
		perfect, err := s.terms.Solutions.Of(s.terms.Game, s.terms.Rules, len(s.terms.Seats))
		if err != nil {
			return "", err
		}
		s.perfect = perfect
	}
	return games.PerfectMove(s.perfect, s.match, seat)
}

// Record returns the record of the finished game, or an error if the game is not over.
func (s *Sitting) Record() (Record, error) {
	result, over := s.match.Result()
	if !over {
		return Record{}, errors.New("the game is not over")
	}
	t, shape := s.terms, s.terms.Game.Shape(s.terms.Rules)
	turn, turns := RoundingTurn(t.Table)
	rows, settled, err := Account{Game: t.Game, Shape: shape, Pool: s.pool, Turn: turn}.Settle(result)
	if err != nil {
		return Record{}, err
	}
	r := Record{
		Version: Version, Table: t.Table, Game: t.Game.Name(), Rules: t.Rules, Stake: t.Stake, Unit: t.Unit,
		Seats: slices.Clone(t.Seats), Dice: DiceOf(t.Seed), Moves: slices.Clone(s.moves), Result: rows,
		Box: BoxOf(settled),
	}
	if shape.Owed() {
		r.Shape = shape
	} else if turns && shape == games.ShapeDifference && result.Point > 0 {
		r.Rounding = Turned
	}
	return r, nil
}

// maxSolved is the largest total size, in bytes, of the solutions that are cached.
const maxSolved = 256 << 20

// Solutions computes perfect play on demand and caches it, for several games or records. Its zero value is ready to
// use. It is not safe for concurrent use.
type Solutions struct {
	cached map[string]solution // by the text of the problem (games.Problem)
	size   int                 // total size of the cached solutions, in bytes
}

// solution is the result of solving a game under given rules: perfect play or an error.
type solution struct {
	perfect games.Perfect
	err     error
}

// Of returns the perfect play of g under rules with that many seats. If there is none, the error is a *games.Refusal.
func (s *Solutions) Of(g games.Game, rules games.Rules, seats int) (games.Perfect, error) {
	problem, err := games.ProblemOf(g, rules, seats)
	if err != nil {
		return nil, err
	}
	name := problem.String()
	found, known := s.cached[name]
	if !known {
		found.perfect, found.err = problem.Solve()
		s.store(name, found)
	}
	return found.perfect, found.err
}

// store caches the solution found under name. It first drops all cached solutions if the cache would exceed maxSolved.
func (s *Solutions) store(name string, found solution) {
	size := 0
	if found.err == nil && found.perfect != nil {
		size = found.perfect.Size()
	}
	if s.cached == nil || s.size+size > maxSolved {
		s.cached, s.size = map[string]solution{}, 0
	}
	s.cached[name] = found
	s.size += size
}

// Step is one replayed move of a match and its effects.
type Step struct {
	Move          Move
	Before, After games.Match
	Events        []games.Event
	Throws        []games.Faces // the faces of each throw, in order
	Thrown        []games.Die   // the dice of all throws, in order
}

// Steps replays moves, starting at the match m, each with the dice stored in the move, and returns a Step for every
// move. The error names the first impossible move, counted from 1.
func Steps(m games.Match, moves []Move) ([]Step, error) {
	steps := make([]Step, 0, len(moves))
	for i, move := range moves {
		fallen := dice.NewFallen(move.Dice)
		next, events, err := games.Play(m, move.Seat, move.Move, fallen)
		if err == nil {
			err = fallen.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("move %d, seat %d, %q: %w", i+1, move.Seat, move.Move, err)
		}
		steps = append(steps, Step{Move: move, Before: m, After: next, Events: events,
			Throws: fallen.Throws, Thrown: fallen.Dice})
		m = next
	}
	return steps, nil
}

// Retold is a replayed turn, or the replayed part of a turn.
type Retold struct {
	Seat   games.Seat
	Auto   bool          // at least one of its moves was played for an absent player
	Before games.Match   // the match when the turn, or this part, began
	Throws []games.Faces // the faces of each throw, in order
	Ended  bool          // false if the turn continues after the last replayed move
	How    games.Line    // the outcome; its key is empty if there is nothing to show
}

// Retell divides steps, the replayed moves of a match, into turns and returns these in order.
func Retell(steps []Step) (turns []Retold) {
	open := false // whether the last of turns has not ended
	for _, step := range steps {
		move := step.Move
		if last := len(turns) - 1; !open || turns[last].Seat != move.Seat {
			turns = append(turns, Retold{Seat: move.Seat, Before: step.Before})
		}
		turn := &turns[len(turns)-1]
		turn.Throws = append(turn.Throws, step.Throws...)
		turn.Auto = turn.Auto || move.Auto
		turn.How, turn.Ended = games.EndedTurn(step.After, move.Seat)
		open = !turn.Ended
	}
	return turns
}

// Replay plays moves with the dice d, starting at the match m, and returns the match after the last move. At an illegal
// move it stops and returns the match before that move, and an error that names the move, counted from 1.
func Replay(m games.Match, moves []Move, d games.Dice) (games.Match, error) {
	for i, move := range moves {
		next, _, err := games.Play(m, move.Seat, move.Move, d)
		if err != nil {
			return m, fmt.Errorf("replay move %d, seat %d, %q: %w", i+1, move.Seat, move.Move, err)
		}
		m = next
	}
	return m, nil
}

// Turns holds how many turns a seat has had, and how many of them closed all tiles (see games.Boxed).
type Turns struct{ Turns, Shut int }

// TurnsOf returns how many turns each seat had and how many closed all tiles, by seat. It replays moves, those of a
// whole match, each with the dice stored in the move. The error names the first impossible move.
func TurnsOf(g games.Boxed, rules games.Rules, seats int, moves []Move) ([]Turns, error) {
	m, err := g.New(rules, seats)
	if err != nil {
		return nil, err
	}
	steps, err := Steps(m, moves)
	if err != nil {
		return nil, err
	}
	counts := make([]Turns, seats)
	for _, step := range steps {
		turned, says := step.After.(games.Turned)
		if !says {
			continue
		}
		if seat, how, ended := turned.TurnEnded(); ended {
			counts[seat].Turns++
			if g.Shuts(how) {
				counts[seat].Shut++
			}
		}
	}
	return counts, nil
}
