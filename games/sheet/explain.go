package sheet

import (
	"slices"
	"strings"

	"knobel/games"
)

// Explain puts the rules into sentences, with examples.
func (g Game) Explain(given games.Rules) []games.Line {
	canonical, err := g.set.check(given)
	if err != nil {
		canonical = games.Rules{}
	}
	if g.set.Explain != nil {
		return g.set.Explain(g.set.chosen(canonical))
	}
	p := g.planOf(canonical)
	lines := slices.Concat(p.explainTurns(), p.explainRows(), p.explainAgain(), p.explainEnd())
	if games.AllowsHints(canonical) && p.solvable() == nil {
		lines = append(lines, p.say("explain.hints", nil))
	}
	return append(lines, p.say("explain.names", nil))
}

// explainTurns says how turns go.
func (p *plan) explainTurns() []games.Line {
	args := games.Args{"Throws": p.paper.Throws, "Dice": p.paper.Dice}
	goal := "explain.goal"
	if p.paper.Final != nil {
		goal = "explain.goal-points"
	}
	lines := []games.Line{p.say(goal, games.Args{"Rounds": p.places}), p.say("explain.throws", args)}
	// The set has a sentence of its own about dice that have colours, or other faces than one to six.
	if len(p.paper.Colours) > 0 || slices.ContainsFunc(p.rows, func(r row) bool {
		return r.face > 0 && r.Name != faceNames[r.face-1]
	}) {
		lines = append(lines, p.say("explain.dice", nil))
	}
	if p.paper.Saves {
		lines = append(lines, p.say("explain.saves", nil))
	}
	if p.paper.Order == Top {
		return append(lines, p.say("explain.order-top", nil))
	}
	return append(lines, p.explainColumns()...)
}

// explainRows says what each row needs and gives.
func (p *plan) explainRows() []games.Line {
	lines := p.explainFaces()
	for r := range p.rows {
		if p.rows[r].face == 0 {
			lines = append(lines, p.explainRow(r))
		}
	}
	lines = append(lines, p.explainTimes()...)
	return append(lines, p.say("explain.strike", nil))
}

// explainFaces says what the rows of faces give, by the example of one of them, and what they bring together.
func (p *plan) explainFaces() []games.Line {
	var faces []int
	for r := range p.rows {
		if p.rows[r].face > 0 {
			faces = append(faces, r)
		}
	}
	word := func(r int) games.Word { return p.word("row." + p.rows[r].Name) }
	middle, last := faces[len(faces)/2], faces[len(faces)-1]
	var c counts
	c[p.rows[middle].face], c[p.rows[last].face] = 2, uint8(p.paper.Dice)-2
	points, _ := p.points(middle, c, moment{throw: 2})
	lines := []games.Line{p.say("explain.faces", games.Args{"First": word(faces[0]), "Last": word(last),
		"Row": word(middle), "Dice": c.spell(), "Points": spell(points)})}
	return append(lines, p.explainBonus()...)
}

// explainBonus says what sections bring beside their rows.
func (p *plan) explainBonus() (lines []games.Line) {
	for _, s := range p.paper.Sections {
		switch {
		case len(s.Bonus) == 0:
		case len(s.Bonus) > 1:
			lines = append(lines, p.say("explain.bonus-steps", games.Args{"Steps": p.sayPoints(s.Bonus)}))
		default:
			key := "explain.bonus"
			if len(p.columns) > 1 {
				key = "explain.bonus-column"
			}
			lines = append(lines, p.say(key, games.Args{"From": s.Bonus[0].From, "Points": s.Bonus[0].Points}))
		}
	}
	return lines
}

// sayPoints says which sums give how much.
func (p *plan) sayPoints(steps []Step) (list games.List) {
	for _, step := range steps {
		list = append(list, p.say("final.step", games.Args{"From": step.From, "Points": spell(step.Points)}))
	}
	return list
}

// explainRow says what a row needs and gives, with an example.
func (p *plan) explainRow(r int) games.Line {
	row := &p.rows[r]
	example := p.example(r)
	points, _ := p.points(r, example, moment{throw: 2})
	args := games.Args{"Row": p.word("row." + row.Name), "Need": p.sayNeed(row.Need), "Gives": p.sayGives(row.Points),
		"Dice": example.spell(), "Points": spell(points)}
	switch {
	case len(row.Points.ByThrow) > 0:
		return p.say("explain.row-by-throw", args)
	case row.Points.First > 0:
		args["First"] = row.Points.First
		return p.say("explain.row-first", args)
	case row.Points.Served > 0:
		args["Served"] = row.Points.Served
		return p.say("explain.row-served", args)
	}
	return p.say("explain.row", args)
}

// example returns a throw that meets what a row needs, and of those the most varied: the dice that are not needed
// differ.
func (p *plan) example(r int) counts {
	var best counts
	varied, fits := 0, 0
	for _, c := range lattices[p.paper.Dice]().throws() {
		_, there := p.points(r, c, moment{throw: 2})
		if !there {
			continue
		}
		different := c.faces()
		if different > varied {
			best, varied, fits = c, different, 0
		}
		if fits++; different == varied && fits%exampleEvery == 0 {
			best = c
		}
	}
	return best
}

// exampleEvery is which of equally good throws is the example: not the first, which is all low.
const exampleEvery = 7

// spell spells dice from the highest to the lowest.
func (c counts) spell() string {
	var words []string
	for face := sides; face > 0; face-- {
		for range c[face] {
			words = append(words, spell(face))
		}
	}
	return strings.Join(words, " ")
}

// sayNeed puts what a row needs into words.
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

// sayGives puts what a row gives into words.
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

// explainAgain says what further equal dice bring, and what wins at once.
func (p *plan) explainAgain() (lines []games.Line) {
	again := p.paper.Again
	row := games.Args{"Row": p.word("row." + again.Row)}
	if again.Points > 0 {
		row["Points"] = again.Points
		lines = append(lines, p.say("explain.further", row))
	}
	if again.Row != "" && (again.Joker != NoJoker || again.Points == 0) {
		lines = append(lines, p.say("explain.joker-"+[...]string{"none", "forced", "free"}[again.Joker], row))
	}
	if p.paper.Wins {
		lines = append(lines, p.say("explain.wins", nil))
	}
	return lines
}

// explainEnd says what the end brings, and what perfect play goes for where that is something else.
func (p *plan) explainEnd() []games.Line {
	lines := p.explainFinal()
	switch {
	case p.paper.Settle == games.ShapePool && p.paper.Final != nil:
		lines = append(lines, p.say("explain.pool-points", nil))
	case p.paper.Settle == games.ShapePool:
		lines = append(lines, p.say("explain.pool", nil))
	default:
		settlement := "explain.settlement"
		if p.paper.Final != nil {
			settlement = "explain.settlement-points"
		}
		lines = append(lines, p.say(settlement, nil))
		if p.paper.Point > 0 {
			lines = append(lines, p.say("explain.point", games.Args{"N": p.paper.Point}))
		}
	}
	if p.solvable() == nil && p.aimsAtTotal() {
		lines = append(lines, p.say("explain.for-total", nil))
	}
	return lines
}

// The rules of sheets with several columns, or with points by a final map, in sentences.

// explainColumns says in which order the rows are filled, by columns.
func (p *plan) explainColumns() []games.Line {
	switch places := p.rows[0].count; {
	case len(p.columns) == 1 && places > 1:
		return []games.Line{p.say("explain.places", games.Args{"Places": places})}
	case len(p.columns) == 1:
		return []games.Line{p.say("explain.order-free", nil)}
	}
	lines := []games.Line{p.say("explain.columns", games.Args{"N": len(p.columns)})}
	if !slices.ContainsFunc(p.columns, func(c Column) bool { return c.Order != AnyRow }) {
		return append(lines, p.say("explain.order-free", nil))
	}
	for _, c := range p.columns {
		lines = append(lines, p.say("explain."+[...]string{"any", "down", "up", "called"}[c.Order],
			games.Args{"Sign": p.word("sign." + c.Name), "Column": p.word("column." + c.Name)}))
	}
	return lines
}

// explainTimes says which rows are multiplied by which.
func (p *plan) explainTimes() (lines []games.Line) {
	key := "explain.times"
	if len(p.columns) > 1 {
		key = "explain.times-column"
	}
	for _, s := range p.paper.Sections {
		if s.Times != "" {
			lines = append(lines, p.say(key, games.Args{"First": p.word("row." + s.Rows[0].Name),
				"Second": p.word("row." + s.Rows[1].Name), "Times": p.word("row." + s.Times)}))
		}
	}
	return lines
}

// explainFinal says what points a full sheet gives.
func (p *plan) explainFinal() []games.Line {
	f := p.paper.Final
	if f == nil {
		return nil
	}
	word := func(row string) games.Word { return p.word("row." + row) }
	var sums games.List
	for _, s := range f.Sums {
		args := games.Args{"Row": word(s.Row), "From": s.From, "Points": spell(s.Points)}
		sums = append(sums, p.say("final.sum", args))
	}
	lines := []games.Line{p.say("explain.final", nil), p.say("explain.final-sums", games.Args{"Sums": sums})}
	for _, clean := range f.Clean {
		lines = append(lines, p.say("explain.final-clean", games.Args{"Row": word(clean.Row), "N": clean.Points}))
	}
	lines = append(lines, p.say("explain.final-each", games.Args{"Row": word(f.Each.Row), "N": f.Each.Points}))
	return append(lines, p.say("explain.final-total", games.Args{"Below": f.Totals[1].From,
		"Least": spell(f.Totals[0].Points), "Steps": p.sayPoints(f.Totals[1:])}))
}
