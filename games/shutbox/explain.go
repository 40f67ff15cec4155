package shutbox

import (
	"fmt"
	"slices"

	"knobel/games"
)

// Explain puts the rules into sentences, with examples. Rules that Check refuses have none.
func (g Game) Explain(given games.Rules) []games.Line {
	canonical, err := g.Check(given)
	if err != nil {
		return nil
	}
	r := read(canonical)
	var lines []games.Line
	switch r.variant {
	case canoga:
		lines = r.explainCanoga()
	case luckySeven:
		lines = []games.Line{say("lucky-seven.rules.tile", nil), say("lucky-seven.rules.example", nil),
			say("lucky-seven.rules.score", nil)}
	default:
		lines = r.explainTurn()
	}
	lines = append(lines, r.explainEnd()...)
	if r.variant == "" && r.match != single {
		lines = append(lines, say("rules.perfect", nil))
	}
	if games.AllowsHints(canonical) {
		lines = append(lines, say("rules.hints", nil))
	}
	return lines
}

// explainTurn tells how a turn goes and what it scores.
func (r *rules) explainTurn() []games.Line {
	dice := games.Word(fmt.Sprintf("shutbox.option.dice.value.%dd%d", r.dice, r.sides))
	lines := []games.Line{
		say("rules.board", games.Args{"Tiles": sayTiles(spellTiles(r.tiles)), "Dice": dice}),
		say("rules.close."+r.close, nil),
		r.example(),
		say("rules.turn", nil),
	}
	lines = append(lines, r.explainOneDie()...)
	if r.first != 0 {
		lines = append(lines, say("rules.first-throw", games.Args{"Tile": r.first}))
	}
	if r.seven != none {
		lines = append(lines, say("rules.seven."+r.seven, nil))
	}
	return append(lines, r.explainScore())
}

// explainOneDie tells when one die may be thrown, where there is a choice.
func (r *rules) explainOneDie() []games.Line {
	if r.dice == 1 || r.close == oneTile {
		return nil
	}
	return []games.Line{say("rules.one-die."+r.oneDie, nil)}
}

// example shows what a throw may close on the full board: 5 and 6 where they close something.
func (r *rules) example() games.Line {
	faces := r.exampleThrow()
	var list games.List
	for _, set := range r.closable(r.tiles, faces, true) {
		list = append(list, say("button.set", games.Args{"Tiles": set.falling()}))
	}
	key := "rules.example"
	if len(list) == 1 {
		key = "rules.example-single"
	}
	return say(key, games.Args{"Faces": games.Faces(faces), "Sets": list})
}

// exampleThrow returns a throw that closes something on the full board.
func (r *rules) exampleThrow() []int {
	for _, usual := range [][]int{{5, 6}, {11}, {5, 3, 2, 1}, {6}} {
		allowed := len(usual) == r.dice && (len(usual) > 1 || usual[0] <= r.sides)
		if allowed && len(r.closable(r.tiles, usual, true)) > 0 {
			return usual
		}
	}
	var found []int
	for _, count := range r.counts(r.tiles) {
		r.throws(count, func(faces []int) bool {
			if len(r.closable(r.tiles, faces, true)) > 0 {
				found = slices.Clone(faces)
			}
			return found == nil || total(found) < r.tiles.top()
		})
	}
	return found
}

// explainScore tells what open tiles score, with two of them.
func (r *rules) explainScore() games.Line {
	list := r.tiles.list()
	open := tiles(1)<<list[(len(list)-1)/3] | 1<<list[(len(list)-1)*2/3]
	return say("rules.score."+r.score, games.Args{"Open": games.Faces(open.list()), "N": r.points(open)})
}

// explainEnd tells how rounds make a match, and who wins what.
func (r *rules) explainEnd() []games.Line {
	var lines []games.Line
	if r.variant != canoga {
		lines = append(lines, r.explainMatch())
	}
	if r.variant == "" {
		lines = append(lines, r.explainShut(), say("rules.declare", nil))
	}
	if r.shut == shutDouble {
		lines = append(lines, say("rules.double", nil))
	}
	return append(lines, say("rules.ties."+r.ties, nil), say("rules.pool", nil))
}

func (r *rules) explainMatch() games.Line {
	switch r.match {
	case single:
		return say("rules.match.single", nil)
	case rounds:
		return say("rules.match.rounds", games.Args{"N": r.limit})
	}
	return say("rules.match."+r.match, games.Args{"Limit": r.limit})
}

// explainShut tells what shutting the box does: in a match of several rounds
// it ends a round, and those after it score all tiles.
func (r *rules) explainShut() games.Line {
	switch {
	case r.shut == shutZero:
		return say("rules.shut.scores-zero", nil)
	case r.match == single:
		return say("rules.shut.single", nil)
	}
	return say("rules.shut.several", games.Args{"Score": r.points(r.tiles)})
}

// explainCanoga tells how the duel of two rows goes.
func (r *rules) explainCanoga() []games.Line {
	lines := []games.Line{
		say("canoga.rules.rows", games.Args{"Highest": r.tiles.top()}),
		say("canoga.rules.turn", nil),
		say("canoga.rules.example", nil),
	}
	if r.close != plainSum {
		lines = append(lines, say("rules.close."+r.close, nil))
	}
	if one := r.explainOneDie(); one != nil {
		lines = append(append(lines, one...), say("canoga.rules.one-die", nil))
	}
	return append(lines, say("canoga.rules.win", nil), say("canoga.rules.match", nil))
}
