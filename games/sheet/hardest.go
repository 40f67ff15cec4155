package sheet

import (
	"cmp"
	"slices"
)

// hardest are the rows that can be struck, those first that one turn brings least of on average.
func (p *plan) hardest() []string {
	type brings struct {
		name   string
		points float64
	}
	var all []brings
	for r := range p.rows {
		if p.rows[r].strikes() {
			all = append(all, brings{p.rows[r].Name, p.alone(r)})
		}
	}
	slices.SortStableFunc(all, func(a, b brings) int { return cmp.Compare(a.points, b.points) })
	names := make([]string, len(all))
	for i, b := range all {
		names[i] = b.name
	}
	return names
}

// alone is what a turn brings on average on a page that has one place of a row, and no other.
func (p *plan) alone(r int) float64 {
	one := p.rows[r].Row
	one.Places, one.Need.With = 1, ""
	paper := Paper{Dice: p.paper.Dice, Throws: p.paper.Throws, Colours: p.paper.Colours,
		Sections: []Section{{Rows: []Row{one}}}}
	page := newPlan(p.set, paper)
	if !page.steady() {
		return 0
	}
	at := newPositions(page)
	at.fill(page.newScores(), nil)
	return *at.slot(at.start())
}
