// Package record writes a finished game as one line of JSON and checks such a line with nothing but the line itself:
// the seed against its commitment, every die, every move, every score, the pool.
//
// # What a check cannot see
//
// Some parts of a record nothing else in it depends on. Names, that of house rules too, the unit, whether
// the game was voided, the mark of moves played for an absent player, and whether a seat with the entropy
// "house" that plays as a strategy would was one, can be changed without a trace. So can after which move a
// seat was out, as long as all that it played since is marked so. So can a rule that made no difference
// (hints, or ties where no seats tied), the stake where all seats share the pool alike, a move exchanged for
// another that leads to the same end, and the table's id or an entropy in a game in which no die was
// thrown. So can how settlements were rounded where no remainders are equal.
package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
)

// Turned is the value of the key "rounding" where of equal remainders the turn begins with another seat at each table.
const Turned = "turned"

// TurnOf returns with which seat, modulo the number of seats, the turn among equal remainders begins at a table that is
// Turned; false: its id is no number.
func TurnOf(table string) (turn int64, ok bool) {
	turn, err := strconv.ParseInt(table, 10, 64)
	if err != nil || turn < 0 {
		return 0, false
	}
	return turn, true
}

// Version is the version of the format, the value of the key "record".
const Version = 1

// Record is a finished game. The order of its fields is the order of the keys.
type Record struct {
	Version int         `json:"record"`
	Table   string      `json:"table"`
	Game    string      `json:"game"`
	Rules   games.Rules `json:"rules"` // canonical: what is left out is at its default
	// Shape is how a game was settled in which the seats owe each other; "": its rows tell.
	Shape games.Shape `json:"shape,omitempty"`
	Stake int64       `json:"stake"` // left out where differences are settled
	Unit  string      `json:"unit"`
	// Rounding is how settlements of differences were rounded: Turned, or "" for before there was that.
	Rounding string `json:"rounding,omitempty"`
	Seats    []Seat `json:"seats"` // in seat order
	Dice     Dice   `json:"dice"`
	Moves    []Move `json:"moves"`
	Result   []Row  `json:"result"`        // in seat order
	Box      *Box   `json:"box,omitempty"` // nil when nothing went in or out
	// Voided says that the people took the game off their standings. Its books are no longer what the result says.
	Voided bool `json:"voided,omitempty"`
	// HouseRules are the named rules by which the table was opened; nil: none.
	HouseRules *HouseRules `json:"house_rules,omitempty"`
}

// HouseRules is what a chat calls the rules of a table.
type HouseRules struct {
	Name    string `json:"name,omitempty"` // "" where names are not told
	Version string `json:"version"`        // games.VersionOf the rules
}

// Seat is who sat at a seat.
type Seat struct {
	Name    string `json:"name,omitempty"`  // "" where names are not told
	House   string `json:"house,omitempty"` // the strategy of a house seat
	Entropy string `json:"entropy"`
	// Out is the number of moves after which the seat was out, lost with its stake; nil: it was not.
	Out *int `json:"out,omitempty"`
}

// Dice is what the dice of the game follow from, with the seats' entropies.
type Dice struct {
	Scheme     string `json:"scheme"`
	Commitment string `json:"commitment"`
	Seed       string `json:"seed"`
}

// Move is one move with the faces that it threw.
type Move struct {
	Seat games.Seat `json:"seat"`
	Move games.Move `json:"move"`
	Dice []int      `json:"dice,omitempty"`
	Auto bool       `json:"auto,omitempty"` // played for an absent player
}

// Row is the result of one seat: Total in games whose results are totals, in all others Score; and for a pool Pool,
// where differences to the average are settled Difference and Settlement, in a record with a Shape Settlement.
type Row struct {
	Seat       games.Seat        `json:"seat"`
	Score      *int              `json:"score"` // nil if the seat never threw, and beside a Total
	Total      *int              `json:"total"`
	Counts     *int              `json:"points"` // what counts in place of the Total, nil where that does
	Place      int               `json:"place"`
	Pool       int64             `json:"pool"` // won, or lost when negative
	Difference *money.Difference `json:"difference"`
	Settlement *int64            `json:"settlement"` // in units, nil in a pool and where points are worth nothing
}

// rowTold is a row with its keys in order, of which some are left out.
type rowTold struct {
	Seat       games.Seat        `json:"seat"`
	Score      **int             `json:"score,omitempty"` // of nil: null
	Total      *int              `json:"total,omitempty"`
	Counts     *int              `json:"points,omitempty"`
	Place      int               `json:"place"`
	Pool       *int64            `json:"pool,omitempty"`
	Difference *money.Difference `json:"difference,omitempty"`
	Settlement *int64            `json:"settlement,omitempty"`
}

// MarshalJSON writes the keys that belong to the row's kind of game.
func (r Row) MarshalJSON() ([]byte, error) {
	row := rowTold{Seat: r.Seat, Total: r.Total, Counts: r.Counts, Place: r.Place, Difference: r.Difference,
		Settlement: r.Settlement}
	if r.Total == nil {
		row.Score = &r.Score
	}
	if r.Difference == nil && r.Settlement == nil {
		row.Pool = &r.Pool
	}
	return json.Marshal(row)
}

// Points returns what the seat has scored, and false when it never threw.
func (r Row) Points() (points int, scored bool) {
	switch {
	case r.Counts != nil:
		return *r.Counts, true
	case r.Total != nil:
		return *r.Total, true
	case r.Score != nil:
		return *r.Score, true
	}
	return 0, false
}

// Amount returns the units that the seat has won, or lost when negative.
func (r Row) Amount() int64 {
	if r.Settlement != nil {
		return *r.Settlement
	}
	return r.Pool
}

// Box is what the chat's box gave to the pool and took from it.
type Box struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`
}

// Encode returns the record as one line of JSON, without the line's end.
func (r Record) Encode() ([]byte, error) {
	if r.Rules == nil {
		r.Rules = games.Rules{}
	}
	if r.Moves == nil {
		r.Moves = []Move{}
	}
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	var told any = r
	if r.settles() { // without the key of a stake
		told = struct {
			Record
			Stake *int64 `json:"stake,omitempty"`
		}{Record: r}
	}
	if err := e.Encode(told); err != nil {
		return nil, fmt.Errorf("record of table %q: %w", r.Table, err)
	}
	return bytes.TrimSuffix(line.Bytes(), []byte("\n")), nil
}

// settles reports whether the record has differences instead of a pool.
func (r Record) settles() bool { return len(r.Result) > 0 && r.Result[0].Difference != nil }

// shape returns how the game of the record was settled.
func (r Record) shape() games.Shape {
	switch {
	case r.Shape != "":
		return r.Shape
	case r.settles():
		return games.ShapeDifference
	}
	return games.ShapePool
}

// DiceOf returns the dice of a table as its record shows them.
func DiceOf(seed dice.Seed) Dice {
	return Dice{Scheme: dice.Scheme, Commitment: seed.Commitment(), Seed: seed.String()}
}

// Account is what a game is settled by.
type Account struct {
	Game  games.Game
	Shape games.Shape
	Pool  money.Pool
	Out   []games.Seat
	Turn  int64 // with which seat differences are rounded first
}

// Settle returns the rows of a result, and what it did to the books.
func (a Account) Settle(result games.Result) (rows []Row, s money.Settlement, err error) {
	var differences []money.Difference
	switch {
	case a.Shape == games.ShapeDifference:
		if differences, err = money.Differences(result); err == nil {
			s, err = money.Round(differences, result.Point, a.Turn)
		}
	case a.Shape.Owed():
		s, err = money.Owe(a.Shape, a.Pool.Stake, result, a.Out)
	default:
		s, err = a.Pool.Settle(result.Winners, result.Doubles)
	}
	if err != nil {
		return nil, s, err
	}
	for i, row := range result.Rows {
		r := Row{Seat: games.Seat(i), Place: row.Place}
		switch { // in the word of its game
		case row.Total != nil:
			r.Total, r.Counts = row.Total, &row.Score
		case games.HasTotals(a.Game):
			r.Total = &row.Score
		case row.Threw:
			r.Score = &row.Score
		}
		if a.Shape == games.ShapeDifference {
			r.Difference = &differences[i]
		}
		if a.Shape.Owed() || a.Shape == games.ShapeDifference && result.Point > 0 {
			r.Settlement = &s.Amounts[i]
		}
		if a.Shape == games.ShapePool {
			r.Pool = s.Amounts[i]
		}
		rows = append(rows, r)
	}
	return rows, s, nil
}

// BoxOf returns the box of a settlement, nil when nothing went in or out.
func BoxOf(s money.Settlement) *Box {
	if s.In == 0 && s.Out == 0 {
		return nil
	}
	return &Box{In: s.In, Out: s.Out}
}

// Entropies returns the entropies of the seats, in seat order.
func Entropies(seats []Seat) []string {
	list := make([]string, len(seats))
	for i, seat := range seats {
		list[i] = seat.Entropy
	}
	return list
}
