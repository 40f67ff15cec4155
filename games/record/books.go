package record

import (
	"errors"
	"fmt"
	"slices"

	"knobel/games"
	"knobel/games/money"
)

// checkBooks adds a fault if the amounts of the result do not add up. It does not look at the moves.
func (v *verifier) checkBooks() {
	if v.shape != games.ShapePool {
		v.checkDifferences()
		return
	}
	box := v.box()
	if v.record.Stake == 0 && box != (Box{}) {
		v.fault("a game without a stake cannot change the box")
	}
	if !isBoxAmount(box.In) || !isBoxAmount(box.Out) {
		v.fault("the box is out of range: %d in, %d out", box.In, box.Out)
		return
	}
	sum, err := sumAmounts(v.record.Result)
	if err != nil {
		v.fault("the amounts of the result cannot be added: %v", err)
		return
	}
	if sum != box.In-box.Out {
		v.fault("the amounts add up to %d, the box gave %d and took %d", sum, box.In, box.Out)
	}
}

// isBoxAmount reports whether a box (jackpot) may hold amount.
func isBoxAmount(amount int64) bool { return amount >= 0 && amount <= money.MaxBox }

// sumAmounts returns the sum of the Pool amounts of all rows, or an error if one of them is implausibly large.
func sumAmounts(rows []Row) (int64, error) {
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

// checkRounding adds a fault if the key "rounding" has a wrong value or must not be there. It returns the parameter
// turn for money.Round, 0 if the record has no such key.
func (v *verifier) checkRounding(result games.Result) int64 {
	if v.record.Rounding == "" {
		return 0
	}
	turn, ok := RoundingTurn(v.record.Table)
	if v.record.Rounding != Turned || result.Point == 0 || !ok {
		v.fault("unknown rounding %.40q", v.record.Rounding)
	}
	return turn
}

// checkDifferences adds a fault if the differences, or the units of the settlements, do not add up to zero.
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
			v.fault("seat %d: the amount is out of range", i)
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

// numberText returns *n as text, "none" for nil.
func numberText[T int | int64](n *T) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}

// differenceText returns d as the text "N/D", "none" for nil.
func differenceText(d *money.Difference) string {
	if d == nil {
		return "none"
	}
	return fmt.Sprintf("%d/%d", d.N, d.D)
}

// OutOf returns the seats that left the game for good and lost their stakes, in seat order; nil if there are none.
func (r Record) OutOf() []games.Seat {
	var out []games.Seat
	for i, seat := range r.Seats {
		if seat.Out != nil {
			out = append(out, games.Seat(i))
		}
	}
	return out
}

// checkOut adds faults for seats that cannot have left for good as the record says. Only people in a game for a stake
// can leave, one person must stay, and all later moves of such a seat must be marked as made by the computer.
func (v *verifier) checkOut() {
	r := v.record
	out := r.OutOf()
	if len(out) == 0 {
		return
	}
	if !v.shape.Staked() || r.Stake == 0 {
		v.fault("no one can be out without a stake")
	}
	if !slices.ContainsFunc(r.Seats, func(s Seat) bool { return s.House == "" && s.Out == nil }) {
		v.fault("the last person cannot be out")
	}
	for _, seat := range out {
		after := *r.Seats[seat].Out
		if r.Seats[seat].House != "" {
			v.fault("seat %d: a computer cannot be out", seat)
		}
		if after < 0 || after >= len(r.Moves) {
			v.fault("seat %d: it cannot have been out after move %d of %d", seat, after, len(r.Moves))
			continue
		}
		v.checkPlayedFor(seat, after)
	}
}

// checkPlayedFor adds a fault unless seat, which left after the first count moves of the game, has later moves and all
// of these are marked as made by the computer for an absent player.
func (v *verifier) checkPlayedFor(seat games.Seat, count int) {
	played := false
	for i, move := range v.record.Moves[count:] {
		if move.Seat != seat {
			continue
		}
		if !move.Auto {
			v.fault("move %d, seat %d: it was out after move %d, so it cannot have made this move itself", count+i+1,
				seat, count)
			return
		}
		played = true
	}
	if !played {
		v.fault("seat %d: nothing was played for it after move %d, so it was not out", seat, count)
	}
}
