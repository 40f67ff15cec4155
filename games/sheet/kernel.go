package sheet

// The arithmetic of perfect play, on all lanes at once, in plain Go. A processor with vectors of four numbers does it
// with these (kernel_amd64.s), which gives the same bits.
var (
	average     = averagePlain
	choose      = choosePlain
	raise       = raisePlain
	bestOfThree = bestOfThreePlain
	bestOfBoth  = bestOfBothPlain
	expect      = expectPlain
)

// scored is what one throw gives in one row.
type scored struct {
	throw  uint32
	points float64
}

// averagePlain fills v for all keeps of less than all dice: the average of the six keeps of one die more.
func averagePlain(v []lane, up [][sides]uint16) {
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
func choosePlain(to, itself, best []lane, down []uint16) {
	for i := 0; len(down) > 0; {
		keeps, each := down[0], down[1]
		for down = down[2:]; keeps > 0; keeps-- {
			to[i] = itself[i]
			for _, k := range down[:each] {
				from := &best[k/stride]
				for l := range lanes {
					to[i][l] = max(to[i][l], from[l])
				}
			}
			down = down[each:]
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

// bestOfThreePlain fills to: the best of what rows of three faces are worth, by how many dice show each, and of least.
func bestOfThreePlain(to []lane, shown [][sides / 2]uint8, rows *[sides / 2]*[8]lane, least *lane) {
	for i, n := range shown {
		to[i] = *least
		for r, worth := range rows {
			from := &worth[n[r]/stride]
			for l := range lanes {
				to[i][l] = max(to[i][l], from[l])
			}
		}
	}
}

// bestOfBothPlain fills to: the best of what the first three faces and the last are worth.
func bestOfBothPlain(to []lane, halves [][2]uint16, first, last []lane) {
	for i, h := range halves {
		a, b := &first[h[0]/stride], &last[h[1]/stride]
		for l := range lanes {
			to[i][l] = max(a[l], b[l])
		}
	}
}

// expectPlain fills sum with the average of what throws are worth.
func expectPlain(sum *lane, chance []float64, v []lane) {
	*sum = lane{}
	for i, p := range chance {
		for l := range lanes {
			sum[l] += float64(p * v[i][l]) // rounded by itself, on every processor
		}
	}
}
