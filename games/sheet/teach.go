package sheet

import (
	"cmp"
	"slices"

	"knobel/games"
)

// Sentences and examples for newcomers.

var _ games.Taught = Game{}

// Steps returns how to play under canonical rules, in three sentences.
func (g Game) Steps(canonical games.Rules) []games.Line {
	p := g.planOf(canonical)
	fill, end := "order-free", "end"
	switch {
	case len(p.columns) > 1:
		fill = "columns"
	case p.paper.Order == Top:
		fill = "order-top"
	case p.paper.Order == Parts:
		fill = "order-parts"
	}
	if p.paper.Final != nil {
		end = "end-points"
	}
	return []games.Line{
		p.say("step.throws", games.Args{"Dice": p.paper.Dice, "Throws": p.paper.Throws}),
		p.say("step."+fill, games.Args{"Columns": len(p.columns)}),
		p.say("step."+end, nil),
	}
}

// Examples returns a throw for each row, with its points after the second throw of a turn.
func (g Game) Examples(canonical games.Rules) (all []games.Example) {
	p := g.planOf(canonical)
	for r := range p.rows {
		c := p.example(r)
		if p.rows[r].face > 0 {
			c = p.faceExample(r)
		}
		points, _ := p.points(r, c, moment{throw: 2})
		all = append(all, games.Example{Label: games.Say(string(p.word("row."+p.rows[r].Name)), nil),
			Dice: games.LieAs(c.ordered(len(p.rows[r].Need.Faces) > 0), sides), Points: points})
	}
	return all
}

// faceExample returns dice for row r, which counts one face: that face two or three times, four times if only more than
// three of them give points, and the highest others.
func (p *plan) faceExample(r int) (c counts) {
	row, shown := &p.rows[r], (p.paper.Dice+1)/2
	if row.Points.Count == OverThree {
		shown = 4
	}
	c[row.face] = uint8(shown)
	for face := sides; face > 0 && c.size() < p.paper.Dice; face-- {
		if face != row.face {
			c[face] = 1
		}
	}
	return c
}

// ordered returns the faces of the dice: ascending if they are a run or all different, else larger groups first.
func (c counts) ordered(run bool) []int {
	var faces []int
	for face, n := range c {
		faces = append(faces, slices.Repeat([]int{face}, int(n))...)
	}
	if !run && c.faceCount() < len(faces) {
		slices.SortStableFunc(faces, func(a, b int) int { return cmp.Or(cmp.Compare(c[b], c[a]), b-a) })
	}
	return faces
}
