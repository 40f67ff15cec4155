package games

import "slices"

// Without returns the result when some seats are out: seats of absent people, lost with their
// stakes. A seat that is out wins nothing: if it would have won, the best of the others win, and
// nothing is owed to it. Its place is behind all others. Without such seats the result is
// unchanged.
func (r Result) Without(out []Seat) Result {
	if len(out) == 0 {
		return r
	}
	isOut := func(s Seat) bool { return slices.Contains(out, s) }
	in := Result{Rows: slices.Clone(r.Rows), Point: r.Point}
	for i := range in.Rows {
		place := 1
		for j, other := range r.Rows {
			mine, theirs := isOut(Seat(i)), isOut(Seat(j))
			if mine && !theirs || mine == theirs && other.Place < r.Rows[i].Place {
				place++
			}
		}
		if in.Rows[i].Place = place; place == 1 {
			in.Winners = append(in.Winners, Seat(i))
		}
	}
	if won := slices.DeleteFunc(slices.Clone(r.Winners), isOut); len(won) > 0 {
		in.Winners = won
	}
	in.Doubles = slices.DeleteFunc(slices.Clone(r.Doubles), isOut)
	return in
}
