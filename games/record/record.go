// Package record writes a finished game as one line of JSON and verifies such a line from its content alone: the seed
// against its commitment (its published hash), every die, every move, every score, the amounts.
//
// # Limits of the verification
//
// Some parts of a record can be changed without a trace, because nothing else in the record depends on them:
//   - names, including that of house rules; the unit; whether the game was voided;
//   - the mark of moves played for an absent player, and whether a seat with the entropy "house" was a computer player;
//   - after which move a seat left the game for good, if all moves of the seat since then are marked;
//   - a rule that made no difference (hints, or ties if no seats tied), and a move that leads to the same end;
//   - the stake if all seats share the pool equally, and how settlements were rounded if no remainders are equal;
//   - the table's id or an entropy (a player's part of the random seed) in a game in which no die was thrown.
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

// Turned is the value of the key "rounding" if the number of the table decides which of the seats with equal remainders
// is rounded up first.
const Turned = "turned"

// RoundingTurn returns table, the id of a table, as a number: the parameter turn of money.Round for records with
// Turned. It returns false if table does not spell a whole number from 0.
func RoundingTurn(table string) (turn int64, ok bool) {
	turn, err := strconv.ParseInt(table, 10, 64)
	if err != nil || turn < 0 {
		return 0, false
	}
	return turn, true
}

// Version is the version of the record format, written under the key "record".
const Version = 1

// Record is a finished game. Its fields are written as JSON keys in this order.
type Record struct {
	Version int         `json:"record"`
	Table   string      `json:"table"`
	Game    string      `json:"game"`
	Rules   games.Rules `json:"rules"` // canonical: missing options have their defaults
	// Shape is set if the seats pay each other: ShapeLastPays or ShapeOwnPoints. If it is "", the fields of Result show
	// whether a pool was shared or differences of scores were settled.
	Shape games.Shape `json:"shape,omitempty"`
	Stake int64       `json:"stake"` // of each seat, in units; not written if differences are settled
	Unit  string      `json:"unit"`
	// Rounding is the way in which settlements of differences were rounded: Turned, or "" in older records.
	Rounding string `json:"rounding,omitempty"`
	Seats    []Seat `json:"seats"` // in seat order
	Dice     Dice   `json:"dice"`
	Moves    []Move `json:"moves"`
	Result   []Row  `json:"result"`        // in seat order
	Box      *Box   `json:"box,omitempty"` // nil if nothing went into or out of the jackpot
	// Voided is true if the players removed the game from their leaderboard. Then its amounts are not paid.
	Voided bool `json:"voided,omitempty"`
	// HouseRules identifies the named rules with which the table was opened, nil if they had no name.
	HouseRules *HouseRules `json:"house_rules,omitempty"`
}

// HouseRules identifies rules that a chat has given a name.
type HouseRules struct {
	Name    string `json:"name,omitempty"` // "" if names are left out
	Version string `json:"version"`        // the result of games.VersionOf for the rules
}

// Seat holds the player of a seat.
type Seat struct {
	Name    string `json:"name,omitempty"`  // "" if names are left out
	House   string `json:"house,omitempty"` // the strategy of a computer player, else ""
	Entropy string `json:"entropy"`         // the player's contribution to the dice, see dice.Fair
	// Out is the number of moves after which the seat left the game for good and lost its stake; nil if it did not.
	Out *int `json:"out,omitempty"`
}

// Dice holds the values from which, together with the seats' entropies, all dice of the game are computed.
type Dice struct {
	Scheme     string `json:"scheme"`
	Commitment string `json:"commitment"`
	Seed       string `json:"seed"`
}

// Move is one move of a game.
type Move struct {
	Seat games.Seat `json:"seat"`
	Move games.Move `json:"move"`
	Dice []int      `json:"dice,omitempty"` // the faces that the move threw
	Auto bool       `json:"auto,omitempty"` // played for an absent player
}

// Row is the result of one seat. Games whose results are totals set Total, others Score. Pool is set if a pool was
// shared, Difference and Settlement if differences of scores were settled, Settlement alone if the record has a Shape.
type Row struct {
	Seat       games.Seat        `json:"seat"`
	Score      *int              `json:"score"` // nil if the seat never threw, or if Total is set
	Total      *int              `json:"total"`
	Counts     *int              `json:"points"` // the final points that count instead of Total; nil if Total counts
	Place      int               `json:"place"`
	Pool       int64             `json:"pool"` // units won, or lost if negative
	Difference *money.Difference `json:"difference"`
	Settlement *int64            `json:"settlement"` // in units; nil for a pool, and if points are worth nothing
}

// rowJSON is the JSON form of a Row. Fields that rows of this kind of game lack are nil and not written.
type rowJSON struct {
	Seat       games.Seat        `json:"seat"`
	Score      **int             `json:"score,omitempty"` // a pointer to nil is written as null
	Total      *int              `json:"total,omitempty"`
	Counts     *int              `json:"points,omitempty"`
	Place      int               `json:"place"`
	Pool       *int64            `json:"pool,omitempty"`
	Difference *money.Difference `json:"difference,omitempty"`
	Settlement *int64            `json:"settlement,omitempty"`
}

// MarshalJSON returns the row as JSON with only the keys that rows of its kind of game have.
func (r Row) MarshalJSON() ([]byte, error) {
	row := rowJSON{Seat: r.Seat, Total: r.Total, Counts: r.Counts, Place: r.Place, Difference: r.Difference,
		Settlement: r.Settlement}
	if r.Total == nil {
		row.Score = &r.Score
	}
	if r.Difference == nil && r.Settlement == nil {
		row.Pool = &r.Pool
	}
	return json.Marshal(row)
}

// Points returns the points that decide the seat's place. scored is false if there are none: the seat never threw.
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

// Amount returns the units that the seat has won, or lost if negative.
func (r Row) Amount() int64 {
	if r.Settlement != nil {
		return *r.Settlement
	}
	return r.Pool
}

// Box holds the amounts that the chat's jackpot added to the pool (In) and received from the pool (Out).
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
	if r.settlesDifferences() { // such records have no key "stake"
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

// settlesDifferences reports whether the game was settled by differences.
func (r Record) settlesDifferences() bool { return len(r.Result) > 0 && r.Result[0].Difference != nil }

// shape returns the way in which the game was settled, judging by the fields of the record.
func (r Record) shape() games.Shape {
	switch {
	case r.Shape != "":
		return r.Shape
	case r.settlesDifferences():
		return games.ShapeDifference
	}
	return games.ShapePool
}

// DiceOf returns the field Dice for the record of a table whose dice follow from seed.
func DiceOf(seed dice.Seed) Dice {
	return Dice{Scheme: dice.Scheme, Commitment: seed.Commitment(), Seed: seed.String()}
}

// Account holds all that settles a game besides its result.
type Account struct {
	Game  games.Game
	Shape games.Shape  // the way in which it is settled
	Pool  money.Pool   // the stakes and the box
	Out   []games.Seat // the seats that left the game for good
	Turn  int64        // the parameter turn of money.Round
}

// Settle returns the rows for the record of a game that ended with result, and s, the change of balances.
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
		switch { // by the kind of result
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

// BoxOf returns the field Box for the record of a game with the settlement s, nil if nothing went into or out of the
// jackpot.
func BoxOf(s money.Settlement) *Box {
	if s.In == 0 && s.Out == 0 {
		return nil
	}
	return &Box{In: s.In, Out: s.Out}
}

// Entropies returns the entropies of the seats (the players' parts of the random seed), in seat order.
func Entropies(seats []Seat) []string {
	list := make([]string, len(seats))
	for i, seat := range seats {
		list[i] = seat.Entropy
	}
	return list
}
