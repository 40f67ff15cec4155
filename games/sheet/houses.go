package sheet

import (
	"cmp"
	"slices"

	"knobel/games"
)

// Houses returns the strategies that may take a seat.
func (g Game) Houses() []games.House {
	return []games.House{
		{Name: "random", Choose: games.Random},
		{Name: "greedy", Choose: greedy},
		{Name: "perfect", Solved: true},
	}
}

// greedy looks at the open row that gives most points now (the upper one of equals) and plays for no other. It
// writes it when there is no throw left, when all dice count for it, or when it gives more now than after another
// throw; else it keeps the dice that count for it and throws the rest. For a row that counts any dice, those count
// that show more than a throw brings on average: 4, 5 and 6. Where nothing could be written it throws all dice
// again; at last it misses, or strikes the row that a turn brings least of. It calls a row only where it must.
func greedy(played games.Match, s games.Seat, _ games.Rand) games.Move {
	m, ours := played.(match)
	if !ours || m.throws == 0 {
		return played.Moves(s)[0]
	}
	if m.mustCall() {
		return m.bestCall()
	}
	offers, strikes := m.choices()
	if m.mayKeep() {
		if k := m.greedyKeep(offers); k != m.plan.all {
			return m.plan.keepMove(k)
		}
	}
	if len(offers) > 0 {
		return m.plan.write(offers[0].spot)
	}
	if m.mayMiss() {
		return "miss"
	}
	return m.plan.strike(strikes[0])
}

// bestCall calls the row that the dice would give most for.
func (m match) bestCall() games.Move {
	c := m.plan.counts(m.hand)
	worth := func(r int) int {
		points, _ := m.plan.points(r, c, m.moment())
		return points
	}
	best := slices.MaxFunc(m.callable(), func(a, b int) int { return cmp.Compare(worth(a), worth(b)) })
	return games.Move("call " + m.plan.rows[best].Name)
}

// greedyKeep returns the dice that greedy keeps: all where it writes.
func (m match) greedyKeep(offers []offer) games.DiceSet {
	if len(offers) == 0 {
		return 0
	}
	best := offers[0]
	later, _ := m.plan.points(best.row, m.plan.counts(m.hand), moment{throw: m.throws + 1})
	if best.points > later {
		return m.plan.all
	}
	return m.counting(best.row)
}

// counting returns the dice that count for a row which they have.
func (m match) counting(r int) games.DiceSet {
	p := m.plan
	row, c := &p.rows[r], p.counts(m.hand)
	if row.face > 0 {
		return m.hand.showing(row.face, p.paper.Dice)
	}
	if row.Need.any() {
		return m.hand.showing(4, p.paper.Dice) | m.hand.showing(5, p.paper.Dice) | m.hand.showing(6, p.paper.Dice)
	}
	k, most, some := p.all, 0, false
	row.Need.readings(c, p.paper.Colours, func(used counts) {
		if points := row.Points.countsFor(used, c); !some || points > most {
			k, most, some = 0, points, true
			for face, n := range used {
				k |= m.hand.showing(face, int(n))
			}
		}
	})
	return k
}

// hardest returns the rows that can be struck, those first that one turn brings least of on average.
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

// alone returns what a turn brings on average on a page that has one place of a row, and no other.
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
