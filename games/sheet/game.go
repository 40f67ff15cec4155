package sheet

import (
	"cmp"
	"io/fs"
	"maps"
	"slices"

	"knobel/games"
)

// What every game has: its name, its options, its matches.

// maxSeats is how many people fit around a sheet.
const maxSeats = 10

// Game is the game of a rule set.
type Game struct {
	set      *rules
	variants *[]games.Variant // those of the set that are offered
}

var (
	_ games.Game     = Game{}
	_ games.Aiming   = Game{}
	_ games.Figured  = Game{}
	_ games.Related  = Game{}
	_ games.Renewing = Game{}
	_ games.Varied   = Game{}
)

// New returns the game of a rule set, which must not change any more.
func New(set *Set) Game { return Game{set: newRules(set), variants: &set.Variants} }

// Name returns the name of the set.
func (g Game) Name() string { return g.set.Name }

// Shape returns how the rules say that a match is settled: by default by differences to the average.
func (g Game) Shape(rules games.Rules) games.Shape {
	if games.Shape(rules[games.Settle]) == games.ShapePool {
		return games.ShapePool
	}
	return games.ShapeDifference
}

// Totals says that a result is the total of a page.
func (g Game) Totals() bool { return true }

// Family returns that of all games on a score sheet.
func (g Game) Family() string { return "sheet" }

// Options returns the options of the set, then those of all sheets.
func (g Game) Options() []games.Option { return slices.Clone(g.set.options) }

// Variants returns the presets of the set.
func (g Game) Variants() []games.Variant { return *g.variants }

// Without returns the game without variants of some names, but always with the default one.
func (g Game) Without(names []string) games.Game {
	left := slices.Clone(g.set.Variants[:1])
	for _, v := range g.set.Variants[1:] {
		if !slices.Contains(names, v.Name) {
			left = append(left, v)
		}
	}
	g.variants = &left
	return g
}

// Seats returns 1, for practice, to 10.
func (g Game) Seats(games.Rules) (least, most int) { return 1, maxSeats }

// Check returns rules in their canonical form.
func (g Game) Check(given games.Rules) (games.Rules, error) { return g.set.check(given) }

// Renew returns options given now over canonical rules, with today's defaults of those that go with them.
func (g Game) Renew(rules, given games.Rules) games.Rules {
	all := games.Rules{}
	maps.Copy(all, rules)
	maps.Copy(all, given)
	for _, d := range g.set.Renewed {
		had, has := rules[d.Option] == d.Value, all[d.Option] == d.Value
		switch {
		case has && !had && all[d.Other] == "":
			all[d.Other] = d.Needs
		case had && !has && all[d.Other] == d.Needs && given[d.Other] == "":
			delete(all, d.Other)
		}
	}
	return all
}

// New starts a match.
func (g Game) New(given games.Rules, seats int) (games.Match, error) {
	p, err := g.plan(given)
	if err != nil {
		return nil, err
	}
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	m := match{plan: p, pages: make([]page, seats), called: -1, winner: games.Nobody}
	for seat := range m.pages {
		m.pages[seat].cells = make([]cell, p.places)
	}
	return m, nil
}

// Load reads what Save wrote, under the same rules.
func (g Game) Load(canonical games.Rules, state []byte) (games.Match, error) {
	if _, err := games.CheckOptions(g.set.options, canonical); err != nil {
		return nil, err
	}
	return g.planOf(canonical).load(state)
}

// Paper returns the rules of a table as data.
func (g Game) Paper(given games.Rules) (Paper, error) {
	canonical, err := g.set.check(given)
	if err != nil {
		return Paper{}, err
	}
	return g.set.paper(canonical), nil
}

// plan reads rules.
func (g Game) plan(given games.Rules) (*plan, error) {
	paper, err := g.Paper(given)
	if err != nil {
		return nil, err
	}
	return newPlan(g.set, paper), nil
}

// planOf reads canonical rules.
func (g Game) planOf(canonical games.Rules) *plan { return newPlan(g.set, g.set.paper(canonical)) }

// Words returns the sentences of the set, and those of its family.
func (g Game) Words() fs.FS { return g.set.Words }

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
