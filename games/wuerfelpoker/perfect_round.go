package wuerfelpoker

// roundWorth finds what a round is worth, from what its end is worth. It is
// the working space of one goroutine.
type roundWorth struct {
	lattice *lattice
	// first and later hold what a throw is worth to whoever ends the round
	// with it, directly after the first throw or after another.
	first, later [slots]float64
	// thrown holds what a keep is worth when its other dice are thrown now,
	// and at five dice what ending the round with them is worth.
	thrown [slots]float64
	// best holds what the best keep within a keep is worth.
	best [slots]float64
}

// expected returns what the round is worth before its first throw:
//
//	after the third throw   later(t)
//	after the second        max(later(t), the average of the third over the best keep of t)
//	after the first         max(first(t), the average of the second over the best keep of t)
func (w *roundWorth) expected() float64 {
	w.afterFirst()
	sum := 0.0
	for t, chance := range w.lattice.chance {
		sum += chance * w.best[fewer+t]
	}
	return sum
}

// afterFirst leaves in best what dice are worth after the first throw, and in
// thrown what each keep of them is.
func (w *roundWorth) afterFirst() {
	w.afterSecond()
	copy(w.thrown[fewer:allKeeps], w.best[fewer:allKeeps])
	w.average()
	copy(w.thrown[fewer:allKeeps], w.first[:allThrows])
	w.choose()
}

// afterSecond leaves in best what dice are worth after the second throw, and
// in thrown what each keep of them is.
func (w *roundWorth) afterSecond() {
	copy(w.thrown[fewer:allKeeps], w.later[:allThrows])
	w.average()
	w.choose()
}

// average fills thrown for all keeps of less than five dice.
func (w *roundWorth) average() {
	v := &w.thrown
	for i := fewer - 1; i >= 0; i-- {
		u := &w.lattice.up[i]
		v[i] = ((v[u[0]%slots] + v[u[1]%slots]) + (v[u[2]%slots] + v[u[3]%slots]) +
			(v[u[4]%slots] + v[u[5]%slots])) * (1.0 / sides)
	}
}

// choose fills best: a keep itself, or the best of those with one die less.
func (w *roundWorth) choose() {
	for i := range w.lattice.down {
		best, down := w.thrown[i], &w.lattice.down[i]
		for _, k := range down.keep[:down.n] {
			best = max(best, w.best[k%slots])
		}
		w.best[i] = best
	}
}
