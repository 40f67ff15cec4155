package record

import (
	"fmt"

	"knobel/games"
	"knobel/games/money"
)

// checkSettled compares the result of a game without a pool with what the
// moves have led to.
func (v *verifier) checkSettled(result games.Result) {
	rows, err := Settled(v.game, result, v.turn(result))
	if err != nil {
		v.fault("the differences cannot be settled: %v", err)
		return
	}
	for i, want := range rows {
		got := v.record.Result[i]
		if got.Seat != want.Seat {
			v.fault("row %d of the result names seat %d, not seat %d", i+1, got.Seat, want.Seat)
		}
		v.checkPoints(i, got, want)
		if got.Place != want.Place {
			v.fault("seat %d: the place is %d, the moves give %d", i, got.Place, want.Place)
		}
		if got.Difference == nil || *got.Difference != *want.Difference {
			v.fault("seat %d: the difference is %s, the totals give %s", i, fraction(got.Difference),
				fraction(want.Difference))
		}
		if told(got.Settlement) != told(want.Settlement) {
			v.fault("seat %d: the settlement is %s, the differences give %s", i, told(got.Settlement),
				told(want.Settlement))
		}
	}
}

// turn returns with which seat the record rounds first.
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

// checkDifferences checks that differences and settlements add up to zero,
// whatever the moves say.
func (v *verifier) checkDifferences() {
	const most = 1 << 50 // far above all that can be won
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

// told puts what may be missing into words.
func told[T int | int64](n *T) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}

// fraction returns a difference as records spell it.
func fraction(d *money.Difference) string {
	if d == nil {
		return "none"
	}
	return fmt.Sprintf("%d/%d", d.N, d.D)
}
