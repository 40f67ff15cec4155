package sheet

// How the values of positions stand in memory.

// wave is the positions with so many turns left. To know what they are worth takes the wave with one turn less, and
// nothing else. Their values stand by the open rows of the section, then by the rest, then by the sum.
type wave struct {
	first  []int     // by open rows of the section: where their values begin
	beside []*ranked // and the rests beside them
	size   int
	values []float64
}

// ranked is some of the rests.
type ranked struct {
	numbers []int
	places  []int32 // of each number among them, -1 where it is none of them
}

// newRanked takes those of some rests that are wanted.
func (at *positions) newRanked(wanted func(number int) bool) *ranked {
	r := &ranked{places: make([]int32, len(at.rests))}
	for number := range at.rests {
		r.places[number] = -1
		if wanted(number) {
			r.places[number] = int32(len(r.numbers))
			r.numbers = append(r.numbers, number)
		}
	}
	return r
}

// newWaves lays all waves out, without their values.
func (at *positions) newWaves() []wave {
	p := at.plan
	others := 0 // turns for rows outside the section
	if len(at.rests) > 0 {
		others = at.rests[0].left
	}
	none := at.newRanked(func(int) bool { return false })
	first := at.newRanked(func(number int) bool { return number == 0 })
	turns := make([]*ranked, others+1)
	for left := range turns {
		turns[left] = at.newRanked(func(number int) bool {
			open := at.rests[number].left
			return open == left || p.paper.Misses && open > left
		})
	}
	waves := make([]wave, p.places+1)
	for left := range waves {
		w := &waves[left]
		for upper := range at.whole + 1 {
			beside, more := none, left-upper.size()
			switch {
			case p.paper.Order == Parts && upper != 0:
				if more == others {
					beside = first
				}
			case more < 0 && p.paper.Misses:
				beside = turns[0]
			case more >= 0 && more <= others:
				beside = turns[more]
			}
			w.first, w.beside = append(w.first, w.size), append(w.beside, beside)
			w.size += len(beside.numbers) * at.sums[upper].count()
		}
	}
	return waves
}

// row are the values of positions that differ by their sums alone.
func (at *positions) row(upper rowSet, rest, left int) []float64 {
	w, count := &at.waves[left], at.sums[upper].count()
	from := w.first[upper] + int(w.beside[upper].places[rest])*count
	return w.values[from:][:count]
}

// bytes is how much memory the values take.
func (at *positions) bytes() int {
	n := 0
	for _, w := range at.waves {
		n += len(w.values) * 8
	}
	return n
}
