package shutbox

import (
	"fmt"

	"knobel/games"
)

// Sentences and examples for newcomers.

var _ games.Taught = Game{}

// Steps returns how to play under canonical rules, in three sentences.
func (Game) Steps(canonical games.Rules) []games.Line {
	r := parseRules(canonical)
	switch r.variant {
	case canoga:
		return []games.Line{say("canoga.step.cover", nil), say("canoga.step.again", nil), say("canoga.step.win", nil)}
	case luckySeven:
		return []games.Line{say("lucky-seven.step.roll", nil), say("lucky-seven.step.pass", nil),
			say("lucky-seven.step.win", nil)}
	}
	return []games.Line{say(fmt.Sprintf("step.roll.%dd%d", r.dice, r.sides), nil), say("step.close."+r.close, nil),
		say("step.end."+r.match, games.Args{"Limit": r.limit})}
}

// Examples returns one throw while all tiles are open, and the sets that it may close.
func (Game) Examples(canonical games.Rules) []games.Example {
	r := parseRules(canonical)
	faces := r.exampleThrow()
	e := games.Example{Dice: games.LieAs(faces, r.sides), Board: r.tiles.list()}
	for _, set := range r.closable(r.tiles, faces, true) {
		e.Sets = append(e.Sets, set.descending())
	}
	return []games.Example{e}
}
