// Package games defines dice games: rules, matches, moves, views and results. It uses no chat, no clock and no
// database: a match is a value, dice are an argument, and a View is a structure that other packages translate and draw.
//
// The only way to change a match is Play: it lists the legal moves, looks the requested one up, and applies it. The
// rest of the package describes matches to code that shows, stores or settles them.
package games

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"slices"
)

// Seat is a place at a table, counted from 0 in the order of play.
type Seat int

// Nobody means no seat, for example as the owner of a tile row that all seats share.
const Nobody Seat = -1

// Move is a move as text, in words that its game defines, at most 24 bytes of printable ASCII: "throw 2", "shut 9+2".
type Move string

// Rules maps option names to values; a missing one has its default. "variant" names rules that options cannot express.
type Rules map[string]string

// Dice is a source of dice throws. It may count its throws, so callers pass a new Dice to each change of a
// match.
type Dice interface {
	// Throw returns the faces of count dice, each from 1 to sides, in the order in which they fell.
	Throw(count, sides int) []int
}

// Rand is the random source of the computer players' strategies. It is never the dice of the table.
type Rand interface {
	// IntN returns a number from 0 to n-1, all equally likely; n is at least 1.
	IntN(n int) int
}

// Game is a kind of game: its options, its computer players (houses), its matches. Implementations are values without
// state and safe for concurrent use.
type Game interface {
	// Name is the game's name in commands, keys and records.
	Name() string
	// Shape returns the way of settling (paying for) a match under canonical rules; nil rules mean the default rules.
	Shape(rules Rules) Shape
	// Options lists the options, in the order in which they are shown.
	Options() []Option
	// Variants lists the presets, the default first.
	Variants() []Variant
	// Houses lists the strategies of the computer player. The last strategy that is not Solved plays for absent people.
	Houses() []House
	// Seats returns the least and the largest number of seats under rules.
	Seats(rules Rules) (least, most int)
	// Check returns rules in their canonical form: known options only, values spelled canonically, and defaults left
	// out, except those that the game always writes. Check is idempotent. The error is a *Refusal.
	Check(rules Rules) (Rules, error)
	// New returns a match that has just begun, with that many seats. The error is a *Refusal.
	New(rules Rules, seats int) (Match, error)
	// Load returns the match that Match.Save stored as state; rules are the canonical rules of that match.
	Load(rules Rules, state []byte) (Match, error)
	// Explain returns the rules as sentences with examples.
	Explain(rules Rules) []Line
	// Words returns the game's sentences: message files in the root, named by language: "en.toml", "de.toml". All keys
	// begin with the game's name and a dot. A file named by family and language, "sheet.en.toml", serves all games of
	// that family: its keys begin with the family's name, and its sentences are used where the game's own files have
	// none.
	Words() fs.FS
}

// Match is the state of one match. It is a value: Apply does not change its receiver.
type Match interface {
	// Turn returns the seats that may move now, in seat order; none if the match is over.
	Turn() []Seat
	// Moves returns every legal move of a seat, the least risky first; none if it is not the seat's turn.
	Moves(Seat) []Move
	// Apply plays a move that Play has found legal. It cannot fail.
	Apply(Seat, Move, Dice) (Match, []Event)
	// View returns what everyone may see of the match.
	View() View
	// Result returns the result of the match, and false if it is not over.
	Result() (Result, bool)
	// Save returns the state as bytes. Equal states give equal bytes.
	Save() ([]byte, error)
}

// Decode unmarshals saved, exactly one JSON value, into state. Unknown fields and data after the value are errors.
func Decode(saved []byte, state any) error {
	d := json.NewDecoder(bytes.NewReader(saved))
	d.DisallowUnknownFields()
	if err := d.Decode(state); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("unexpected data after it")
	}
	return nil
}

// Folder returns the subfolder called name of embedded as a file system. It panics if name is not a valid path.
func Folder(embedded embed.FS, name string) fs.FS {
	sub, err := fs.Sub(embedded, name)
	if err != nil {
		panic(err)
	}
	return sub
}

// Boxed is a Game in which a turn can shut a whole box of tiles. Its matches implement Turned.
type Boxed interface {
	Game
	// Shuts reports whether the turn that had this outcome (a result of Turned.TurnEnded) has shut the whole box.
	Shuts(outcome Line) bool
}

// Led is a Match whose View names the leader or the winner.
type Led interface {
	Match
	// ViewWithout returns the view, but does not name any seat in departed as the leader or the winner: these seats
	// have left the game for good. If departed is empty, the result is that of View.
	ViewWithout(departed []Seat) View
}

// Outgrown is a Match whose stored form has more fields than earlier versions of the program stored.
type Outgrown interface {
	Match
	// SavedBefore returns the state in the earlier form, with fewer fields. Load still accepts that form.
	SavedBefore() ([]byte, error)
}

// Play plays the move mv of seat s with dice from d, and returns the next match and the events of the move. If the move
// is illegal, it returns m and a *Refusal.
func Play(m Match, s Seat, mv Move, d Dice) (Match, []Event, error) {
	turn := m.Turn()
	if len(turn) == 0 {
		return m, nil, Refuse("games.over", nil)
	}
	if !slices.Contains(turn, s) {
		return m, nil, Refuse("games.not-your-turn", Args{"Seat": turn[0]})
	}
	if !slices.Contains(m.Moves(s), mv) {
		return m, nil, Refuse("games.no-such-move", Args{"Move": string(mv)})
	}
	next, events := m.Apply(s, mv, d)
	return next, events, nil
}

// House is a strategy of the computer player.
type House struct {
	// Name is the strategy's name in commands and records: "fewest".
	Name string
	// Choose returns one of the legal moves of seat s, whose turn it is. The field is nil if Solved is true.
	Choose func(m Match, s Seat, r Rand) Move
	// Solved is true if the strategy plays the best move (PerfectMove) of a solution that the game's Solver computes.
	Solved bool
}

// Random returns one of the legal moves of seat s, all equally likely. Games offer it as the simplest computer player.
func Random(m Match, s Seat, r Rand) Move {
	moves := m.Moves(s)
	return moves[r.IntN(len(moves))]
}

// Result holds how a match ended.
type Result struct {
	// Rows holds one row a seat, in seat order.
	Rows []Row
	// Winners share the pool, in seat order. It is empty if there is no pool.
	Winners []Seat
	// Doubles lists seats, some several times. For each entry, every other seat pays that seat one more stake.
	Doubles []Seat
	// Point is how many units (such as chips) a seat gets for each point above the average score. It is 0 if points are
	// not paid for, as in all games for a pool.
	Point int
}

// Row is the result of one seat: its score and place.
type Row struct {
	Score int  // the points of the game
	Total *int // the total from which Score follows; nil if the game has none; it breaks ties between equal scores
	Threw bool // false: the seat never threw and has no score
	Place int  // the place, from 1; equal results share a place and the next is skipped
}

// Places returns, in seat order, the places of the seats 0 to seats-1; 1 is the best. ahead reports whether seat a
// is better than seat b. Equal seats share a place: after two on place 1 comes place 3.
func Places(seats int, ahead func(a, b int) bool) []int {
	places := make([]int, seats)
	for seat := range places {
		places[seat] = 1
		for other := range seats {
			if ahead(other, seat) {
				places[seat]++
			}
		}
	}
	return places
}

// Related is a Game that belongs to a family; menus group games by family.
type Related interface {
	Game
	// Family returns the name of the family in commands: lower-case letters, different from all names of games. Its
	// display name is the sentence under the game's key "family".
	Family() string
}

// FamilyOf returns the family to which g belongs, "" if there is none.
func FamilyOf(g Game) string {
	if related, ok := g.(Related); ok {
		return related.Family()
	}
	return ""
}

// Timed is a Game that knows how long a match takes.
type Timed interface {
	Game
	// Minutes returns about how long a match of three people takes under the default rules: the average number of moves
	// of computer players ("knobel simulate") at 6 seconds each, rounded to a friendly number.
	Minutes() int
}

// MinutesOf returns about how long a match of g takes, in minutes, 0 if that is unknown.
func MinutesOf(g Game) int {
	if timed, ok := g.(Timed); ok {
		return timed.Minutes()
	}
	return 0
}

// Tally holds sums for statistics, by names that the game chooses. Matches under all rules add to the same sums.
type Tally map[string]int64

// Add adds the sums in other to t.
func (t Tally) Add(other Tally) {
	for name, n := range other {
		t[name] += n
	}
}

// Tallied is a Game that counts the effects of its moves, for statistics beyond the results.
type Tallied interface {
	Game
	// Tally returns the sums that move mv of seat s adds, nil for nothing; before and after are the match around mv.
	Tally(before, after Match, s Seat, mv Move) Tally
	// SayTally returns sentences about sum, which adds up tallies. They are shown after the game's name and a colon. It
	// returns none if sum is too small to be meaningful.
	SayTally(sum Tally) []Line
}

// Decimal is an argument of a Line: a number shown with one digit after the point, or with none if that digit is 0.
type Decimal float64

// Without returns the result after the seats in departed have left the game and lost their stakes. A departed seat wins
// nothing, is owed nothing, and is placed behind all seats that stayed. If all winners have departed, the best of the
// seats that stayed win. If departed is empty, the result is unchanged.
func (r Result) Without(departed []Seat) Result {
	if len(departed) == 0 {
		return r
	}
	hasLeft := func(s Seat) bool { return slices.Contains(departed, s) }
	in := Result{Rows: slices.Clone(r.Rows), Point: r.Point}
	for seat, place := range Places(len(r.Rows), func(a, b int) bool {
		aLeft, bLeft := hasLeft(Seat(a)), hasLeft(Seat(b))
		return bLeft && !aLeft || aLeft == bLeft && r.Rows[a].Place < r.Rows[b].Place
	}) {
		if in.Rows[seat].Place = place; place == 1 {
			in.Winners = append(in.Winners, Seat(seat))
		}
	}
	if won := slices.DeleteFunc(slices.Clone(r.Winners), hasLeft); len(won) > 0 {
		in.Winners = won
	}
	in.Doubles = slices.DeleteFunc(slices.Clone(r.Doubles), hasLeft)
	return in
}

// Moves that need no decision. Platforms may play them at once.

// Flowing is a Match whose turns consist of several moves of one seat, some of which need no decision.
type Flowing interface {
	Match
	// MidTurn reports whether the seat to move has already thrown in its present turn. The first throw of a turn always
	// needs a button press.
	MidTurn() bool
}

// Follows returns the move that seat s must play next, and true, if s has already thrown in its turn and has only one
// legal move. It returns false if s has a choice, has not thrown in its turn or is not the only seat to move.
func Follows(m Match, s Seat) (Move, bool) {
	flowing, ok := m.(Flowing)
	if !ok || !slices.Equal(m.Turn(), []Seat{s}) || !flowing.MidTurn() {
		return "", false
	}
	moves := m.Moves(s)
	if len(moves) != 1 {
		return "", false
	}
	return moves[0], true
}

// ThrowsOn reports whether mv, a legal move of seat s, throws no dice itself but forces s to throw dice next.
func ThrowsOn(m Match, s Seat, mv Move) bool {
	var dice ones
	next, _, err := Play(m, s, mv, &dice)
	if err != nil || dice > 0 {
		return false
	}
	follows, ok := Follows(next, s)
	if !ok {
		return false
	}
	next.Apply(s, follows, &dice)
	return dice > 0
}

// ones is a Dice for trying moves out: each die shows 1. Its value is the number of dice thrown so far.
type ones int

// Throw returns count dice that all show 1, and adds count to the number of dice thrown.
func (o *ones) Throw(count, _ int) []int {
	*o += ones(count)
	return slices.Repeat([]int{1}, count)
}

// Turned is a Match that can describe the outcome of a turn.
type Turned interface {
	Match
	// TurnEnded returns the seat whose turn the last move ended, and the outcome in a word or two without a name: "16",
	// "Chance 17", "banks 450". ended is false if the last move ended no turn.
	TurnEnded() (s Seat, outcome Line, ended bool)
}

// EndedTurn reports whether the last move, made by seat s, ended the turn of s, and returns the outcome of that turn in
// short; m is the match after the move. If m is not Turned, the turn has ended once s may no longer move, and outcome
// is the Stand.Line of s. An outcome with an empty key is not shown.
func EndedTurn(m Match, s Seat) (outcome Line, ended bool) {
	passed := !slices.Contains(m.Turn(), s)
	turned, ok := m.(Turned)
	if ok {
		if seat, outcome, ended := turned.TurnEnded(); ended && seat == s {
			return outcome, true
		}
		return Line{}, passed
	}
	if standings := m.View().Stands; passed && int(s) < len(standings) {
		outcome = standings[s].Line
	}
	return outcome, passed
}
