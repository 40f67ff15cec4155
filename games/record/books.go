package record

import (
	"errors"
	"fmt"
	"slices"

	"knobel/games"
	"knobel/games/money"
)

// Checks of the amounts of a record.

// checkBooks checks that the amounts add up, independently of the moves.
func (v *verifier) checkBooks() {
	if v.shape != games.ShapePool {
		v.checkDifferences()
		return
	}
	box := v.box()
	if v.record.Stake == 0 && box != (Box{}) {
		v.fault("a friendly game leaves the box alone")
	}
	if !inBox(box.In) || !inBox(box.Out) {
		v.fault("a box cannot hold so much or so little: %d in, %d out", box.In, box.Out)
		return
	}
	sum, err := sumOf(v.record.Result)
	if err != nil {
		v.fault("the amounts of the result cannot be added: %v", err)
		return
	}
	if sum != box.In-box.Out {
		v.fault("the amounts add up to %d, the box gave %d and took %d", sum, box.In, box.Out)
	}
}

func inBox(amount int64) bool { return amount >= 0 && amount <= money.MaxBox }

func sumOf(rows []Row) (int64, error) {
	const most = money.MaxBox * 1000
	sum := int64(0)
	for _, row := range rows {
		if row.Pool < -most || row.Pool > most {
			return 0, errors.New("they are too large")
		}
		sum += row.Pool
	}
	return sum, nil
}

// Checks of the differences of a record and their rounding.

// turn returns the seat, modulo the number of seats, with which rounding begins: 0 if the record has no rounding.
func (v *verifier) turn(result games.Result) int64 {
	if v.record.Rounding == "" {
		return 0
	}
	turn, ok := TurnOf(v.record.Table)
	if v.record.Rounding != Turned || result.Point == 0 || !ok {
		v.fault("it cannot be rounded as %.40q", v.record.Rounding)
	}
	return turn
}

// checkDifferences checks that differences and settlements add up to zero, independently of the moves.
func (v *verifier) checkDifferences() {
	const most = 1 << 50 // far more than anyone can win
	var differences, units int64
	for i, row := range v.record.Result {
		var n, amount int64
		if row.Difference != nil {
			n = row.Difference.N
		}
		if row.Settlement != nil {
			amount = *row.Settlement
		}
		if max(n, amount) > most || min(n, amount) < -most {
			v.fault("seat %d: nobody can win or lose so much", i)
			return
		}
		differences, units = differences+n, units+amount
	}
	if differences != 0 {
		v.fault("the differences add up to %d, not to 0", differences)
	}
	if units != 0 {
		v.fault("the settlements add up to %d, not to 0", units)
	}
}

// told returns *n as text, "none" for nil.
func told[T int | int64](n *T) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}

// fraction returns a difference as records spell it, "none" for nil.
func fraction(d *money.Difference) string {
	if d == nil {
		return "none"
	}
	return fmt.Sprintf("%d/%d", d.N, d.D)
}

// OutOf returns the seats that left the game for good before its end and lost their stakes, in seat order; nil if there
// are none.
func (r Record) OutOf() []games.Seat {
	var out []games.Seat
	for i, seat := range r.Seats {
		if seat.Out != nil {
			out = append(out, games.Seat(i))
		}
	}
	return out
}

// checkOut checks that each seat marked as out of the game is possible: a person in a game for a stake, whose later
// moves were all played for them, and not the last person left.
func (v *verifier) checkOut() {
	r := v.record
	out := r.OutOf()
	if len(out) == 0 {
		return
	}
	if !v.shape.Staked() || r.Stake == 0 {
		v.fault("nobody can be out where there is no stake to lose")
	}
	if !slices.ContainsFunc(r.Seats, func(s Seat) bool { return s.House == "" && s.Out == nil }) {
		v.fault("somebody has to be left: the last person cannot be out")
	}
	for _, seat := range out {
		after := *r.Seats[seat].Out
		if r.Seats[seat].House != "" {
			v.fault("seat %d: a house seat cannot be out", seat)
		}
		if after < 0 || after >= len(r.Moves) {
			v.fault("seat %d: it cannot have been out after move %d of %d", seat, after, len(r.Moves))
			continue
		}
		v.checkPlayedFor(seat, after)
	}
}

// checkPlayedFor checks that the seat has moves after move number after, when it left the game, all marked as played
// for it.
func (v *verifier) checkPlayedFor(seat games.Seat, after int) {
	played := false
	for i, move := range v.record.Moves[after:] {
		if move.Seat != seat {
			continue
		}
		if !move.Auto {
			v.fault("move %d, seat %d: it was out after move %d, so it cannot have made this move itself", after+i+1,
				seat, after)
			return
		}
		played = true
	}
	if !played {
		v.fault("seat %d: nothing was played for it after move %d, so it was not out", seat, after)
	}
}
