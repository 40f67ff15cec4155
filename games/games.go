// Package games defines dice games. It knows no chat, no clock and no database: a match is a value, dice are an
// argument, and what people see is a structure that other packages put into words and draw.
//
// The only way to change a match is Play: it lists the legal moves, looks the requested one up, and
// applies it. All else here describes matches to code that shows, stores or settles them.
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

// Nobody stands for no seat: for example the owner of a tile row that belongs to all.
const Nobody Seat = -1

// Move is a move in its game's own spelling, at most 24 bytes of printable ASCII: "throw 2", "shut 9+2", "declare".
type Move string

// Rules are the options of a match by name. A missing option has its default. The key "variant"
// names a variant that options cannot express.
type Rules map[string]string

// Dice throws dice. Implementations may count what they have thrown, so a Dice serves one change of one match.
type Dice interface {
	// Throw returns the faces, each from 1 to sides, of count dice, in the order in which they fell.
	Throw(count, sides int) []int
}

// Rand is the chance that a house strategy may use. It is never the dice of the table.
type Rand interface {
	// IntN returns a number from 0 to n-1, each alike; n is at least 1.
	IntN(n int) int
}

// Game is a kind of game: its options, its house strategies, its matches.
// Implementations are values without state and safe for concurrent use.
type Game interface {
	// Name is the game's name in commands, keys and records.
	Name() string
	// Shape is how a match under canonical rules is settled; nil are the default rules.
	Shape(rules Rules) Shape
	// Options lists the options, in the order in which they are shown.
	Options() []Option
	// Variants lists the presets, the default first.
	Variants() []Variant
	// Houses lists the strategies that may take a seat. The last one that is not Solved plays for absent people.
	Houses() []House
	// Seats returns the least and the largest number of seats under rules.
	Seats(rules Rules) (least, most int)
	// Check returns rules in their canonical form: known options only, values spelled canonically, defaults left
	// out (but for those that must always be written). It is idempotent. The error is a *Refusal.
	Check(rules Rules) (Rules, error)
	// New starts a match of that many seats. The error is a *Refusal.
	New(rules Rules, seats int) (Match, error)
	// Load is the inverse of Match.Save, under the same rules in their canonical form.
	Load(rules Rules, state []byte) (Match, error)
	// Explain puts the rules into sentences, with examples.
	Explain(rules Rules) []Line
	// Words holds the game's sentences as message files in its root, named
	// by language: "en.toml", "de.toml". All keys begin with the game's name and a dot. A file with the name of a
	// family before its language, "sheet.en.toml", holds what all games of that family say: its keys begin with the
	// family's name, and stand for those of the game that its own files lack.
	Words() fs.FS
}

// Match is the state of one match. It is a value: Apply leaves its receiver as it was.
type Match interface {
	// Turn returns the seats that may move now, in seat order; none when the match is over.
	Turn() []Seat
	// Moves returns every legal move of a seat, the safest first; none when it is not to move.
	Moves(Seat) []Move
	// Apply plays a move that Play has found legal. It cannot fail.
	Apply(Seat, Move, Dice) (Match, []Event)
	// View returns the match as all people may see it.
	View() View
	// Result returns how the match ended, and false while it goes on.
	Result() (Result, bool)
	// Save returns the state as bytes, equal for equal states.
	Save() ([]byte, error)
}

// Decode reads exactly one JSON value, with no other fields than those of the state.
func Decode(saved []byte, state any) error {
	d := json.NewDecoder(bytes.NewReader(saved))
	d.DisallowUnknownFields()
	if err := d.Decode(state); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows it")
	}
	return nil
}

// Folder returns a folder that is embedded.
func Folder(embedded embed.FS, name string) fs.FS {
	sub, err := fs.Sub(embedded, name)
	if err != nil {
		panic(err)
	}
	return sub
}

// Boxed is a Game whose turns are played at a box that can be shut. Its matches are Turned.
type Boxed interface {
	Game
	// Shuts reports whether a turn that came out so, as Turned.TurnEnded says, has shut the whole box.
	Shuts(how Line) bool
}

// Led is a Match whose View names who leads it, or has won it.
type Led interface {
	Match
	// ViewWithout returns the view when some seats can no longer win: none of them is shown as
	// leading or as the winner. Without such seats it is View.
	ViewWithout(out []Seat) View
}

// Outgrown is a Match of which earlier versions stored less.
type Outgrown interface {
	Match
	// SavedBefore returns the state as those versions saved it. Load takes that, too.
	SavedBefore() ([]byte, error)
}

// Play is the only way to change a match: it looks the move up among the legal ones and applies it. The error is a
// *Refusal, and the match is then unchanged.
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

// House is a strategy that may take a seat.
type House struct {
	// Name is its name in commands and records, "fewest".
	Name string
	// Choose returns one of the legal moves of a seat that is to move. It is nil where Solved is true.
	Choose func(m Match, s Seat, r Rand) Move
	// Solved says that the house plays the Best of the Worths of the game's Solver. The caller that
	// seats the house provides the solution.
	Solved bool
}

// Random returns any legal move, each alike: the strategy of a house.
func Random(m Match, s Seat, r Rand) Move {
	moves := m.Moves(s)
	return moves[r.IntN(len(moves))]
}

// Result is how a match ended.
type Result struct {
	// Rows holds one row a seat, in seat order.
	Rows []Row
	// Winners share the pool, in seat order. Empty where there is no pool.
	Winners []Seat
	// Doubles names, for every time that each other seat owes one stake more, the seat that it is owed to.
	Doubles []Seat
	// Point is what a point of difference to the average score is worth, in
	// units. 0, as in all games for a pool: nothing is owed for points.
	Point int
}

// Row is the result of one seat.
type Row struct {
	Score int  // in the game's points
	Total *int // what the points were given for, where a game says it beside them; equal points are placed by it
	Threw bool // false: the seat never threw and has no score
	Place int  // from 1; equal results share a place and the next is skipped
}

// Places returns the place of each of so many seats, from 1, where ahead reports whether one is placed before another.
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

// Related is a Game of a family, whose games are shown together where there are many.
type Related interface {
	Game
	// Family is the name of the family in commands: lower case letters, and no game's name. What people call it are
	// the game's sentences under the key "family".
	Family() string
}

// FamilyOf returns the family of a game, "" for one that is of none.
func FamilyOf(g Game) string {
	if related, ok := g.(Related); ok {
		return related.Family()
	}
	return ""
}

// Tally holds what statistics are made of: sums by names of the game's own. Those of one game are added up, whatever
// its rules are.
type Tally map[string]int64

// Add adds the sums of another.
func (t Tally) Add(more Tally) {
	for name, n := range more {
		t[name] += n
	}
}

// Tallied is a Game whose moves tell more about a player than results do.
type Tallied interface {
	Game
	// Tally returns what a move counts for the seat that made it, with the matches before and after it; nil for
	// nothing.
	Tally(before, after Match, s Seat, mv Move) Tally
	// SayTally puts a sum of tallies into sentences that stand behind the game's name and a colon; none where there is
	// too little to say.
	SayTally(sum Tally) []Line
}

// Decimal is an argument of a Line: a number that is put into words with one digit behind the point, or with none
// where that digit is 0.
type Decimal float64

// Without returns the result when some seats are out: seats of absent people, lost with their stakes. A seat that is
// out wins nothing: if it would have won, the best of the others win, and nothing is owed to it. Its place is behind
// all others. Without such seats the result is unchanged.
func (r Result) Without(out []Seat) Result {
	if len(out) == 0 {
		return r
	}
	isOut := func(s Seat) bool { return slices.Contains(out, s) }
	in := Result{Rows: slices.Clone(r.Rows), Point: r.Point}
	for seat, place := range Places(len(r.Rows), func(a, b int) bool {
		outA, outB := isOut(Seat(a)), isOut(Seat(b))
		return outB && !outA || outA == outB && r.Rows[a].Place < r.Rows[b].Place
	}) {
		if in.Rows[seat].Place = place; place == 1 {
			in.Winners = append(in.Winners, Seat(seat))
		}
	}
	if won := slices.DeleteFunc(slices.Clone(r.Winners), isOut); len(won) > 0 {
		in.Winners = won
	}
	in.Doubles = slices.DeleteFunc(slices.Clone(r.Doubles), isOut)
	return in
}

// Moves that need no decision: a chat may have them played at once.

// Flowing is a Match whose turns have several moves of one seat, of which some need no decision.
type Flowing interface {
	Match
	// MidTurn reports whether the seat that is to move has thrown in its present turn already. The
	// first throw of a turn is always its own press.
	MidTurn() bool
}

// Follows returns the move of a seat that needs no decision: it is in the middle of its turn, and there is no other.
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

// ThrowsOn reports whether a legal move throws no dice itself, and one that follows it without a decision does.
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

// ones are dice that fall on one, counted: they tell a throw from other moves.
type ones int

func (o *ones) Throw(count, _ int) []int {
	*o += ones(count)
	return slices.Repeat([]int{1}, count)
}

// Turned is a Match that says how a turn has come out.
type Turned interface {
	Match
	// TurnEnded returns the seat whose turn the last move has ended, and in a word or two, without a
	// name, how it came out: "16", "Chance 17", "banks 450". false: the last move has ended none.
	TurnEnded() (s Seat, how Line, ended bool)
}

// EndedTurn reports whether a move of a seat that has led to a match has ended the seat's turn, and
// how it came out. Of a match that does not say so itself, it is over when another seat is to move,
// and what came out is how the seat stands. An empty key: nothing can be said.
func EndedTurn(m Match, s Seat) (how Line, ended bool) {
	passed := !slices.Contains(m.Turn(), s)
	says, ok := m.(Turned)
	if ok {
		if of, how, ended := says.TurnEnded(); ended && of == s {
			return how, true
		}
		return Line{}, passed
	}
	if stands := m.View().Stands; passed && int(s) < len(stands) {
		how = stands[s].Line
	}
	return how, passed
}
