package zehntausend

import (
	"knobel/games"
)

// Sentences and examples for newcomers.

var _ games.Taught = Game{}

// Steps returns how to play under canonical rules, in three sentences.
func (Game) Steps(canonical games.Rules) []games.Line {
	r := parseRules(canonical)
	return []games.Line{say("step.roll", games.Args{"Target": r.target, "Dice": r.dice}), say("step.aside", nil),
		say("step.bank", nil)}
}

// examples are dice that can count together, by the key of their name.
var examples = []struct {
	name string
	dice []int
}{
	{"a-one", []int{1}}, {"a-five", []int{5}}, {"ones", []int{1, 1, 1}}, {"three", []int{4, 4, 4}},
	{"four", []int{4, 4, 4, 4}}, {"five-alike", []int{4, 4, 4, 4, 4}}, {"six", []int{4, 4, 4, 4, 4, 4}},
	{"straight", []int{1, 2, 3, 4, 5, 6}}, {"pairs", []int{2, 2, 4, 4, 6, 6}}, {"triplets", []int{2, 2, 2, 6, 6, 6}},
}

// Examples returns the dice that count under canonical rules.
func (Game) Examples(canonical games.Rules) (all []games.Example) {
	r := parseRules(canonical)
	for _, e := range examples {
		var c counts
		for _, face := range e.dice {
			c[face]++
		}
		points := r.throwPoints(c)
		if points == 0 || len(e.dice) > r.dice || e.name == "triplets" && r.triplets == 0 {
			continue // two triplets then count as three dice twice
		}
		all = append(all, games.Example{Label: say("set."+e.name, nil), Dice: games.LieAs(e.dice, sides),
			Points: points})
	}
	return all
}
