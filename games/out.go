package games

import "slices"

// Without returns the result as those have it who are still in, where some seats
// are out: an absent person's seat that is lost with its stake. A seat that is
// out wins nothing: where the dice say that it does, the best of the others win,
// and what would be owed to it is not. Its place is behind all others. Without
// any it is the result itself.
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
