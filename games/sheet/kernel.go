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
		a, b, c, d, e, f := &v[u[0]], &v[u[1]], &v[u[2]], &v[u[3]], &v[u[4]], &v[u[5]]
		to := &v[i]
		for l := range lanes {
			to[l] = (((a[l] + b[l]) + (c[l] + d[l])) + (e[l] + f[l])) * (1.0 / sides)
		}
	}
}

// choosePlain fills to: what a keep is worth by itself, or the best of those with one die less. The list down holds
// them for each keep in turn, behind their number.
func choosePlain(to, itself, best []lane, down []uint32) {
	for i := range to {
		most := itself[i]
		n := down[0]
		for _, k := range down[1 : 1+n] {
			from := &best[k]
			for l := range lanes {
				most[l] = max(most[l], from[l])
			}
		}
		to[i] = most
		down = down[1+n:]
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
		to, from := &ends[i], &worth[shown[i]%8]
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
