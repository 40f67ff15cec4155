package record

import (
	"fmt"

	"knobel/games"
	"knobel/games/money"
)

// Whether the differences of a record add up, and how they are rounded.

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
