package sheet

// The arithmetic of perfect play, on all lanes at once. Each function here is plain Go; where a processor can do it
// with its vectors (kernel_amd64.s), that gives the same bits.

// scored is what one throw gives in one row.
type scored struct {
	throw  uint32
	points float64
}

// average fills v for all keeps of less than all dice: the average of the six keeps of one die more.
func averagePlain(v []lane, up [][sides]uint32) {
	for i := len(up) - 1; i >= 0; i-- {
		u := &up[i]
		a, b, c := &v[u[0]/stride], &v[u[1]/stride], &v[u[2]/stride]
		d, e, f := &v[u[3]/stride], &v[u[4]/stride], &v[u[5]/stride]
		to := &v[i]
		for l := range lanes {
			to[l] = (((a[l] + b[l]) + (c[l] + d[l])) + (e[l] + f[l])) * (1.0 / sides)
		}
	}
}

// choosePlain fills to: what a keep is worth by itself, or the best of those with one die less. The list down holds
// them as lattice.less makes it.
func choosePlain(to, itself, best []lane, down []uint32) {
	for i := 0; len(down) > 0; {
		keeps, each := down[0], down[1]
		for down = down[2:]; keeps > 0; keeps-- {
			most := itself[i]
			for _, k := range down[:each] {
				from := &best[k/stride]
				for l := range lanes {
					most[l] = max(most[l], from[l])
				}
			}
			to[i], down = most, down[each:]
			i++
		}
	}
}

// raisePlain raises what throws are worth to what a row gives for them and leaves.
func raisePlain(ends []lane, gives []scored, rest *lane) {
	for _, g := range gives {
		to := &ends[g.throw]
		for l := range lanes {
			to[l] = max(to[l], g.points+rest[l])
		}
	}
}

// raiseShownPlain raises what throws are worth to what a row of a face is worth, by how many dice show it.
func raiseShownPlain(ends []lane, shown []uint8, worth *[8]lane) {
	for i := range ends {
		to, from := &ends[i], &worth[shown[i]/shownStride]
		for l := range lanes {
			to[l] = max(to[l], from[l])
		}
	}
}

// expectPlain is the average of what throws are worth.
func expectPlain(chance []float64, v []lane) (sum lane) {
	for i, p := range chance {
		for l := range lanes {
			sum[l] += float64(p * v[i][l]) // rounded by itself, on every processor
		}
	}
	return sum
}
