package sheet

import (
	"cmp"
	"io/fs"
	"maps"
	"slices"

	"knobel/games"
)

// The methods of games.Game: name, options, matches, computer players.

// maxSeats is the largest number of seats.
const maxSeats = 10

// Game is the game that a rule set defines.
type Game struct {
	set      *rules
	variants *[]games.Variant // the variants of the set that are not removed
}

var (
	_ games.Game     = Game{}
	_ games.Aiming   = Game{}
	_ games.Figured  = Game{}
	_ games.Related  = Game{}
	_ games.Renewing = Game{}
	_ games.Varied   = Game{}
)

// New returns the game that set defines. The caller must not change set afterwards.
func New(set *Set) Game { return Game{set: newRules(set), variants: &set.Variants} }

// Name returns the name of the set.
func (g Game) Name() string { return g.set.Name }

// Shape returns ShapePool if rules choose a pool, else ShapeDifference.
func (g Game) Shape(rules games.Rules) games.Shape {
	if games.Shape(rules[games.Settle]) == games.ShapePool {
		return games.ShapePool
	}
	return games.ShapeDifference
}

// Totals returns true: results are the totals of score sheets.
func (g Game) Totals() bool { return true }

// Family returns "sheet", the family of all games on a score sheet.
func (g Game) Family() string { return "sheet" }

// Minutes returns the duration of a match in the set.
func (g Game) Minutes() int { return g.set.Minutes }

// Options returns the options of the set, then those common to all sheets.
func (g Game) Options() []games.Option { return slices.Clone(g.set.options) }

// Variants returns the presets of the set, except those that Without has removed.
func (g Game) Variants() []games.Variant { return *g.variants }

// Without returns the game without the variants in names. It never removes the default variant.
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

// Seats returns 1 and 10; one seat plays for practice.
func (g Game) Seats(games.Rules) (least, most int) { return 1, maxSeats }

// Check returns rules in their canonical form. The error is a *games.Refusal.
func (g Game) Check(rules games.Rules) (games.Rules, error) { return g.set.check(rules) }

// Renew returns rules with changes applied. It sets options that these demand and removes those no longer demanded.
func (g Game) Renew(rules, changes games.Rules) games.Rules {
	all := games.Rules{}
	maps.Copy(all, rules)
	maps.Copy(all, changes)
	for _, d := range g.set.Renewed {
		had, has := rules[d.Option] == d.Value, all[d.Option] == d.Value
		switch {
		case has && !had && all[d.Other] == "":
			all[d.Other] = d.Needs
		case had && !has && all[d.Other] == d.Needs && changes[d.Other] == "":
			delete(all, d.Other)
		}
	}
	return all
}

// New returns a new match under rules that need not be canonical. The error is a *games.Refusal.
func (g Game) New(rules games.Rules, seats int) (games.Match, error) {
	p, err := g.plan(rules)
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

// Load returns the match that Save stored as state; canonical holds the canonical rules of that match.
func (g Game) Load(canonical games.Rules, state []byte) (games.Match, error) {
	if _, err := games.CheckOptions(g.set.options, canonical); err != nil {
		return nil, err
	}
	return g.planOf(canonical).load(state)
}

// Paper returns the sheet and its rules for the options in rules. The error is a *games.Refusal.
func (g Game) Paper(rules games.Rules) (Paper, error) {
	canonical, err := g.set.check(rules)
	if err != nil {
		return Paper{}, err
	}
	return g.set.paper(canonical), nil
}

// plan returns the plan (prepared sheet) of rules that need not be canonical. The error is a *games.Refusal.
func (g Game) plan(rules games.Rules) (*plan, error) {
	canonical, err := g.set.check(rules)
	if err != nil {
		return nil, err
	}
	return g.planOf(canonical), nil
}

// planOf returns the plan (prepared sheet) of canonical rules.
func (g Game) planOf(canonical games.Rules) *plan {
	p := newPlan(g.set, g.set.paper(canonical))
	p.variant = games.CalledOf(g, canonical)
	return p
}

// Words returns a file system with the message files of the set and those of all score sheets.
func (g Game) Words() fs.FS { return g.set.Words }

// Houses returns the strategies of the computer player.
func (g Game) Houses() []games.House {
	return []games.House{
		{Name: "random", Choose: games.Random},
		{Name: "greedy", Choose: greedy},
		{Name: "perfect", Solved: true},
	}
}

// greedy is a strategy of the computer player. It considers only the row that gives most points now, of equal ones the
// upper. It writes that row if no throw is left, if all dice count for it, or if it gives more now than after another
// throw. Otherwise it keeps the dice that count for the row (4, 5 and 6 if any dice fit it) and throws the rest. If no
// row can be written, it throws all dice again or, without a throw left, misses the turn or strikes the row that gives
// least on average. It calls a row (announces to fill it) only if it must.
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
		return m.plan.writeMove(offers[0].spot)
	}
	if m.mayMiss() {
		return "miss"
	}
	return m.plan.strikeMove(strikes[0])
}

// bestCall returns the move that calls (announces to fill) the row in which the present dice give the most points.
func (m match) bestCall() games.Move {
	c := m.plan.counts(m.hand)
	worth := func(r int) int {
		points, _ := m.plan.points(r, c, m.moment())
		return points
	}
	best := slices.MaxFunc(m.callable(), func(a, b int) int { return cmp.Compare(worth(a), worth(b)) })
	return games.Move("call " + m.plan.rows[best].Name)
}

// greedyKeep returns the dice that "greedy" keeps, all dice if it writes; offers are the rows it may write, best first.
func (m match) greedyKeep(offers []offer) games.DiceSet {
	if len(offers) == 0 {
		return 0
	}
	best := offers[0]
	later, _ := m.plan.points(best.row, m.plan.counts(m.hand), moment{throw: m.throws + 1})
	if best.points > later {
		return m.plan.all
	}
	return m.countingDice(best.row)
}

// countingDice returns the dice of the hand that count for row r. The hand must meet the need of that row.
func (m match) countingDice(r int) games.DiceSet {
	p := m.plan
	row, c := &p.rows[r], p.counts(m.hand)
	if row.face > 0 {
		return m.hand.showing(row.face, p.paper.Dice)
	}
	if row.Need.isAlwaysMet() {
		return m.hand.showing(4, p.paper.Dice) | m.hand.showing(5, p.paper.Dice) | m.hand.showing(6, p.paper.Dice)
	}
	k, most, some := p.all, 0, false
	row.Need.eachReading(c, p.paper.Colours, func(used counts) {
		if points := row.Points.dicePoints(used, c); !some || points > most {
			k, most, some = 0, points, true
			for face, n := range used {
				k |= m.hand.showing(face, int(n))
			}
		}
	})
	return k
}

// hardestRows returns the names of the rows that can be struck, sorted by the average score of a turn, the least first.
func (p *plan) hardestRows() []string {
	type average struct {
		name   string
		points float64
	}
	var all []average
	for r := range p.rows {
		if p.rows[r].canBeStruck() {
			all = append(all, average{p.rows[r].Name, p.averagePoints(r)})
		}
	}
	slices.SortStableFunc(all, func(a, b average) int { return cmp.Compare(a.points, b.points) })
	names := make([]string, len(all))
	for i, b := range all {
		names[i] = b.name
	}
	return names
}

// averagePoints returns the average points of one turn on a page that has only row r, with a single place.
func (p *plan) averagePoints(r int) float64 {
	one := p.rows[r].Row
	one.Places, one.Need.With = 1, ""
	paper := Paper{Dice: p.paper.Dice, Throws: p.paper.Throws, Colours: p.paper.Colours,
		Sections: []Section{{Rows: []Row{one}}}}
	page := newPlan(p.set, paper)
	if !page.isSteady() {
		return 0
	}
	ps := newPositions(page)
	ps.fill(page.newScores(), nil)
	return *ps.valueAt(ps.start())
}
