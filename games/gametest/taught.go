package gametest

import (
	"slices"

	"knobel/games"
)

// checkTaught checks the sentences and examples for newcomers, if the game has any.
func (p *player) checkTaught() {
	taught, ok := p.game.(games.Taught)
	if !ok {
		return
	}
	steps := taught.Steps(p.rules)
	if len(steps) != 3 {
		p.fatalf("there are %d steps", len(steps))
	}
	for _, line := range steps {
		p.words.checkLine(p.t, "step", line)
	}
	examples := taught.Examples(p.rules)
	if len(examples) == 0 {
		p.fatalf("there is no example")
	}
	for _, e := range examples {
		if len(e.Dice) == 0 || slices.ContainsFunc(e.Dice, func(d games.Die) bool {
			return d.Face < 1 || d.Face > d.Sides
		}) {
			p.fatalf("the dice of an example are %v", e.Dice)
		}
		if len(e.Board) == 0 {
			p.words.checkLine(p.t, "example", e.Label)
			continue
		}
		if len(e.Sets) == 0 {
			p.fatalf("the example %v closes nothing", e.Dice)
		}
		for _, set := range e.Sets {
			if slices.ContainsFunc(set, func(n int) bool { return !slices.Contains(e.Board, n) }) {
				p.fatalf("the example closes %v of %v", set, e.Board)
			}
		}
	}
}
