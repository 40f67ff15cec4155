package sheet

import (
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
