package sheet

import (
	"cmp"
	"slices"
	"strings"

	"knobel/games"
)

// Explain returns rules as sentences with examples; if Check refuses rules, it explains the default rules.
func (g Game) Explain(rules games.Rules) []games.Line {
	canonical, err := g.set.check(rules)
	if err != nil {
		canonical = games.Rules{}
	}
	if g.set.Explain != nil {
		return g.set.Explain(g.set.chosen(canonical))
	}
	e := &explanation{plan: g.planOf(canonical)}
	e.addTurns()
	e.addSections()
	e.addEnd()
	e.add(games.AllowsHints(canonical) && e.solvable() == nil, "hints", nil)
	e.add(true, "names", nil)
	return e.lines
}

// explanation collects the sentences about the rules of a table.
type explanation struct {
	*plan
	lines []games.Line
}

// add adds the sentence whose key is "explain." followed by key, if when is true.
func (e *explanation) add(when bool, key string, args games.Args) {
	if when {
		e.lines = append(e.lines, e.name("explain."+key, args))
	}
}

// displayName returns the display name of the row that is called name in keys.
func (e *explanation) displayName(name string) games.Word { return e.word("row." + name) }

// addTurns adds the sentences on the turns and on the order of the rows.
func (e *explanation) addTurns() {
	paper, rounds := &e.paper, games.Args{"Rounds": e.places}
	e.add(paper.Final == nil, "goal", rounds)
	e.add(paper.Final != nil, "goal-points", rounds)
	e.add(true, "throws", games.Args{"Throws": paper.Throws, "Dice": paper.Dice})
	otherFaces := slices.ContainsFunc(e.rows, func(r row) bool { return r.face > 0 && r.Name != faceNames[r.face-1] })
	e.add(len(paper.Colours) > 0 || otherFaces, "dice", nil)
	e.add(paper.Saves, "saves", nil)
	if paper.Order == Top {
		e.add(true, "order-top", nil)
		return
	}
	one, places := len(e.columns) == 1, e.rows[0].count
	ordered := slices.ContainsFunc(e.columns, func(c Column) bool { return c.Order != AnyRow })
	e.add(one && places > 1, "places", games.Args{"Places": places})
	e.add(!one, "columns", games.Args{"N": len(e.columns)})
	e.add(!ordered && (!one || places == 1), "order-free", nil)
	for _, c := range e.columns {
		e.add(ordered, [...]string{"any", "down", "up", "called"}[c.Order],
			games.Args{"Sign": e.word("sign." + c.Name), "Column": e.word("column." + c.Name)})
	}
}

// addSections adds the sentences on the needs and points of the rows and on bonuses. Rows of faces have one example.
func (e *explanation) addSections() {
	var faces []*row
	for r := range e.rows {
		if e.rows[r].face > 0 {
			faces = append(faces, &e.rows[r])
		}
	}
	middle, last := faces[len(faces)/2], faces[len(faces)-1]
	var c counts
	c[middle.face], c[last.face] = 2, uint8(e.paper.Dice)-2
	points, _ := e.points(e.rowNamed(middle.Name), c, moment{throw: 2})
	e.add(true, "faces", games.Args{"First": e.displayName(faces[0].Name), "Last": e.displayName(last.Name),
		"Row": e.displayName(middle.Name), "Dice": c.spell(), "Points": spell(points)})
	of := ""
	if len(e.columns) > 1 {
		of = "-column"
	}
	for _, s := range e.paper.Sections {
		e.add(len(s.Bonus) > 1, "bonus-steps", games.Args{"Steps": e.sayPoints(s.Bonus)})
		if len(s.Bonus) == 1 {
			e.add(true, "bonus"+of, games.Args{"From": s.Bonus[0].From, "Points": s.Bonus[0].Points})
		}
	}
	for r := range e.rows {
		if e.rows[r].face == 0 {
			e.addNeed(r)
		}
	}
	for _, s := range e.paper.Sections {
		if s.Times != "" {
			e.add(true, "times"+of, games.Args{"First": e.displayName(s.Rows[0].Name),
				"Second": e.displayName(s.Rows[1].Name), "Times": e.displayName(s.Times)})
		}
	}
	e.add(true, "strike", nil)
}

// sayPoints returns steps in words: which sum must be reached for which points.
func (p *plan) sayPoints(steps []Step) (list games.List) {
	for _, step := range steps {
		list = append(list, p.say("final.step", games.Args{"From": step.From, "Points": spell(step.Points)}))
	}
	return list
}

// addNeed adds a sentence on the need of row r (the dice with which it can be written) and its points, with an example.
func (e *explanation) addNeed(r int) {
	row := &e.rows[r]
	example := e.example(r)
	points, _ := e.points(r, example, moment{throw: 2})
	args := games.Args{"Row": e.displayName(row.Name), "Need": e.sayNeed(row.Need), "Gives": e.sayGives(row.Points),
		"Dice": example.spell(), "Points": spell(points), "First": row.Points.First, "Served": row.Points.Served}
	key := "row"
	switch {
	case len(row.Points.ByThrow) > 0:
		key = "row-by-throw"
	case row.Points.First > 0:
		key = "row-first"
	case row.Points.Served > 0:
		key = "row-served"
	}
	e.add(true, key, args)
}

// example returns the dice of a throw that meets the need of row r and of as few other rows as possible; of these, one
// with many different faces.
func (p *plan) example(r int) counts {
	var best []counts
	fewest, varied := len(p.rows), 0
	for _, c := range lattices[p.paper.Dice]().throws() {
		if _, met := p.points(r, c, moment{throw: 2}); !met {
			continue
		}
		others := 0
		for other := range p.rows {
			if _, met := p.points(other, c, moment{throw: 2}); met {
				others++
			}
		}
		switch order := cmp.Or(others-fewest, varied-c.faceCount()); {
		case order < 0:
			best, fewest, varied = []counts{c}, others, c.faceCount()
		case order == 0:
			best = append(best, c)
		}
	}
	return best[len(best)*2/3] // the throws are in an order in which lower dice come first
}

// spell returns the faces of the dice as text, from the highest to the lowest: "5 5 3".
func (c counts) spell() string {
	var words []string
	for face := sides; face > 0; face-- {
		for range c[face] {
			words = append(words, spell(face))
		}
	}
	return strings.Join(words, " ")
}

// addEnd adds the sentences on special effects of equal dice, instant wins, the settlement and perfect play.
func (e *explanation) addEnd() {
	again := e.paper.Again
	args := games.Args{"Row": e.displayName(again.Row), "Points": again.Points}
	e.add(again.Points > 0, "further", args)
	e.add(again.Row != "" && (again.Joker != NoJoker || again.Points == 0),
		"joker-"+[...]string{"none", "forced", "free"}[again.Joker], args)
	e.add(e.paper.Wins, "wins", nil)
	final, pool := "", e.paper.Settle == games.ShapePool
	if e.paper.Final != nil {
		e.addFinal(e.paper.Final)
		final = "-points"
	}
	e.add(pool, "pool"+final, nil)
	e.add(!pool, "settlement"+final, nil)
	e.add(!pool && e.paper.Point > 0, "point", games.Args{"N": e.paper.Point})
	e.add(e.solvable() == nil && e.aimsAtTotal(), "for-total", nil)
}

// addFinal adds the sentences on f: the points that a full sheet gives.
func (e *explanation) addFinal(f *Final) {
	var sums games.List
	for _, s := range f.Sums {
		args := games.Args{"Row": e.displayName(s.Row), "From": s.From, "Points": spell(s.Points)}
		sums = append(sums, e.say("final.sum", args))
	}
	e.add(true, "final", nil)
	e.add(true, "final-sums", games.Args{"Sums": sums})
	for _, clean := range f.Clean {
		e.add(true, "final-clean", games.Args{"Row": e.displayName(clean.Row), "N": clean.Points})
	}
	e.add(true, "final-each", games.Args{"Row": e.displayName(f.Each.Row), "N": f.Each.Points})
	e.add(true, "final-total", games.Args{"Below": f.Totals[1].From, "Least": spell(f.Totals[0].Points),
		"Steps": e.sayPoints(f.Totals[1:])})
}

// sayNeed returns in words what dice a row needs to be written.
func (p *plan) sayNeed(n Need) games.Line {
	line := p.sayPlainNeed(n)
	if n.Colour && len(n.Groups)+len(n.Faces) > 0 {
		line = p.say("need.coloured", games.Args{"Need": line})
	}
	if n.With != "" {
		line = p.say("need.with", games.Args{"Need": line, "Row": p.word("row." + n.With)})
	}
	return line
}

// sayPlainNeed returns a need in words without Need.With and, if the need has groups or faces, without Need.Colour.
func (p *plan) sayPlainNeed(n Need) games.Line {
	switch {
	case n.Total > 0 && n.Pair:
		return p.say("need.total-pair", games.Args{"N": n.Total})
	case n.Total > 0:
		return p.say("need.total", games.Args{"N": n.Total})
	case len(n.Groups) > 0:
		return p.sayGroups(n)
	case len(n.Faces) > 0:
		return p.sayFaces(n.Faces)
	case n.Colour:
		return p.say("need.colour", nil)
	}
	return p.say("need.any", nil)
}

// sayGroups returns a need that consists of groups of equal dice in words.
func (p *plan) sayGroups(n Need) games.Line {
	pairs := n.Groups[0] == 2 && len(n.Groups) > 1
	switch {
	case len(n.Groups) == 1:
		return p.say("need.equal", games.Args{"N": n.Groups[0]})
	case pairs && n.Shared:
		return p.say("need.pairs-shared", games.Args{"N": n.Groups[0] + n.Groups[1]})
	case pairs && len(n.Groups) == 2:
		return p.say("need.two-pairs", nil)
	case pairs:
		return p.say("need.three-pairs", nil)
	}
	args := games.Args{"First": n.Groups[0], "Second": n.Groups[1]}
	if n.Shared {
		args["N"] = n.Groups[0] + n.Groups[1]
		return p.say("need.groups-shared", args)
	}
	return p.say("need.groups", args)
}

// sayFaces returns in words the need that dice show all faces of at least one of sets.
func (p *plan) sayFaces(sets [][]int) games.Line {
	length := len(sets[0])
	if len(sets) == len(Run(length).Faces) && slices.Equal(sets[0], From(1, length)) && length < sides {
		return p.say("need.run", games.Args{"N": length})
	}
	var spelled []string
	for _, set := range sets {
		words := make([]string, len(set))
		for i, face := range set {
			words[i] = spell(face)
		}
		spelled = append(spelled, strings.Join(words, " "))
	}
	last := len(spelled) - 1
	if last == 0 {
		return p.say("need.faces", games.Args{"Faces": spelled[0]})
	}
	return p.say("need.faces-or", games.Args{"Faces": strings.Join(spelled[:last], ", "), "Others": spelled[last]})
}

// sayGives returns the points of a row in words.
func (p *plan) sayGives(points Points) games.Line {
	if len(points.ByThrow) > 0 {
		return p.say("gives.by-throw", games.Args{"Points": games.Faces(points.ByThrow)})
	}
	key := map[Count]string{Used: "gives.used", AllDice: "gives.all"}[points.Count]
	switch {
	case key == "":
		return p.say("gives.fixed", games.Args{"N": points.Plus})
	case points.Plus > 0:
		return p.say(key+"-plus", games.Args{"Plus": points.Plus})
	}
	return p.say(key, nil)
}
