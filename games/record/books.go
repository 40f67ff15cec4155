package record

import (
	"errors"

	"knobel/games"
	"knobel/games/money"
)

// Whether the amounts of a record add up.

// checkBooks checks that the amounts add up, whatever the moves say.
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
