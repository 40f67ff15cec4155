package zehntausend

import (
	"slices"

	"knobel/games"
)

// played reports whether all turns of the match have been played, but for those of a roll-off. Once more: it is the
// turn of a seat that has the target, which is the first that had it.
func (m match) played() bool {
	if m.rules.onceMore {
		return m.Totals[m.Next] >= m.rules.target
	}
	return m.Next == 0 && slices.Max(m.Totals) >= m.rules.target
}

// last reports whether a seat has the target and the others play their last turns.
func (m match) last() bool { return !m.played() && slices.Max(m.Totals) >= m.rules.target }

// leaders returns the seats with the highest total.
func (m match) leaders() []int { return best(m.Totals, nil) }

// best returns those of some seats whose points are the highest. No seats: all, in order.
func best(points, seats []int) []int {
	var first []int
	for i, p := range points {
		if p < slices.Max(points) {
			continue
		}
		if seats == nil {
			first = append(first, i)
		} else {
			first = append(first, seats[i])
		}
	}
	return first
}

// rollingOff returns the seats that play the present roll-off, and the points of those
// who have played it. Once one alone is left it is decided.
func (m match) rollingOff() (playing, thrown []int) {
	playing = m.leaders()
	for _, points := range m.Rolls {
		if len(points) < len(playing) {
			return playing, points
		}
		playing = best(points, playing)
	}
	return playing, nil
}

// rolling reports whether a roll-off is being played.
func (m match) rolling() bool {
	if !m.rules.rollOff || !m.played() {
		return false
	}
	playing, _ := m.rollingOff()
	return len(playing) > 1
}

func (m match) over() bool { return m.played() && !m.rolling() }

// Result returns totals and places; the first share the pool.
func (m match) Result() (games.Result, bool) {
	if !m.over() {
		return games.Result{}, false
	}
	keys := make([][]int, len(m.Totals))
	for seat, total := range m.Totals {
		keys[seat] = []int{total}
	}
	playing := m.leaders()
	for _, points := range m.Rolls {
		for i, seat := range playing {
			keys[seat] = append(keys[seat], points[i])
		}
		playing = best(points, playing)
	}
	result := games.Result{Rows: make([]games.Row, len(keys))}
	ahead := func(a, b int) bool { return slices.Compare(keys[a], keys[b]) > 0 }
	for seat, place := range games.Places(len(keys), ahead) {
		result.Rows[seat] = games.Row{Score: m.Totals[seat], Threw: true, Place: place}
		if place == 1 {
			result.Winners = append(result.Winners, games.Seat(seat))
		}
	}
	return result, true
}
