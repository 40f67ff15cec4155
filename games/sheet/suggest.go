package sheet

import (
	"cmp"
	"slices"
)

// What people are suggested to write.

// suggested are rows that may be written, most points first, in the order in which they are suggested; and whether the
// hand is finished, so that the first of them is what one nearly always wants. Where rows are multiplied, the order is
// by what each adds to the total.
func (m match) suggested(offers []offer) (ordered []offer, finished bool) {
	ordered = slices.Clone(offers)
	if slices.ContainsFunc(m.plan.paper.Sections, func(s Section) bool { return s.Times != "" }) {
		adds := map[spot]int{}
		for _, o := range ordered {
			adds[o.spot] = m.adds(o)
		}
		slices.SortStableFunc(ordered, func(a, b offer) int { return cmp.Compare(adds[b.spot], adds[a.spot]) })
	}
	c := m.plan.counts(m.hand)
	best := -1
	for i, o := range ordered {
		if m.plan.finishes(o.row, c) && (best < 0 || o.points > ordered[best].points) {
			best = i
		}
	}
	if best < 0 {
		return ordered, false
	}
	first := ordered[best]
	return slices.Insert(slices.Delete(ordered, best, best+1), 0, first), true
}

// cheapestFirst puts rows to strike into the order of the points that they could give.
func (m match) cheapestFirst(strikes []spot) {
	if len(strikes) < 2 {
		return
	}
	most := map[int]int{}
	for _, s := range strikes {
		if _, known := most[s.row]; !known {
			most[s.row] = m.plan.mostOf(s.row)
		}
	}
	slices.SortStableFunc(strikes, func(a, b spot) int {
		return cmp.Or(cmp.Compare(most[a.row], most[b.row]), cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
	})
}

// mostOf is the most points that dice give in a row, but for what their first throw adds.
func (p *plan) mostOf(r int) (most int) {
	for _, c := range lattices[p.paper.Dice]().throws() {
		if points, there := p.points(r, c, moment{throw: 2}); there {
			most = max(most, points)
		}
	}
	return most
}

// adds is what a row adds to the total of whoever is to move.
func (m match) adds(o offer) int {
	g := m.pages[m.turn]
	before := m.plan.total(&g)
	at, _ := m.plan.openPlace(&g, o.spot)
	g.cells = slices.Clone(g.cells)
	g.cells[at] = m.plan.writes(o.row, m.hand, m.plan.kept(o.row, m.moment()))
	return m.plan.total(&g) - before
}

// finishes reports whether dice finish a row: they are all equal and it is the row for that, or all of them make it
// and its points do not depend on their faces.
func (p *plan) finishes(r int, c counts) bool {
	need, n := p.rows[r].Need, p.paper.Dice
	if _, there := p.points(r, c, moment{throw: 2}); !there {
		return false // a joker
	}
	grouped := 0
	for _, size := range need.Groups {
		grouped += size
	}
	fixed := p.rows[r].Points.Count == NoDice
	switch {
	case grouped > 0:
		return grouped == n && (fixed || len(need.Groups) == 1)
	case len(need.Faces) > 0:
		return slices.ContainsFunc(need.Faces, func(faces []int) bool {
			_, there := c.all(faces)
			return there && len(faces) == n
		})
	}
	return fixed && need.Total > 0 && need.Pair
}
