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
	add := func(when bool, key string, args games.Args) {
		if when {
			lines = append(lines, say(key, args))
		}
	}
	oneDie := r.dice > 1 && r.close != oneTile // there is a choice
	classic, several := r.variant == "", r.match != single
	switch r.variant {
	case canoga:
		add(true, "canoga.rules.rows", games.Args{"Highest": r.tiles.top()})
		add(true, "canoga.rules.turn", nil)
		add(true, "canoga.rules.example", nil)
		add(r.close != plainSum, "rules.close."+r.close, nil)
		add(oneDie, "rules.one-die."+r.oneDie, nil)
		add(oneDie, "canoga.rules.one-die", nil)
		add(true, "canoga.rules.win", nil)
		add(true, "canoga.rules.match", nil)
	case luckySeven:
		add(true, "lucky-seven.rules.tile", nil)
		add(true, "lucky-seven.rules.example", nil)
		add(true, "lucky-seven.rules.score", nil)
	default:
		dice := games.Word(fmt.Sprintf("shutbox.option.dice.value.%dd%d", r.dice, r.sides))
		add(true, "rules.board", games.Args{"Tiles": sayTiles(spellTiles(r.tiles)), "Dice": dice})
		add(true, "rules.close."+r.close, nil)
		lines = append(lines, r.example())
		add(true, "rules.turn", nil)
		add(oneDie, "rules.one-die."+r.oneDie, nil)
		add(r.first != 0, "rules.first-throw", games.Args{"Tile": r.first})
		add(r.seven != none, "rules.seven."+r.seven, nil)
		list := r.tiles.list()
		open := tiles(1)<<list[(len(list)-1)/3] | 1<<list[(len(list)-1)*2/3] // two of them
		add(true, "rules.score."+r.score, games.Args{"Open": games.Faces(open.list()), "N": r.points(open)})
	}
	match := map[string]games.Args{rounds: {"N": r.limit}, knockout: {"Limit": r.limit}, until: {"Limit": r.limit}}
	add(r.variant != canoga, "rules.match."+r.match, match[r.match])
	add(classic && r.shut == shutZero, "rules.shut.scores-zero", nil)
	add(classic && r.shut != shutZero && !several, "rules.shut.single", nil)
	add(classic && r.shut != shutZero && several, "rules.shut.several", games.Args{"Score": r.points(r.tiles)})
	add(classic, "rules.declare", nil)
	add(r.shut == shutDouble, "rules.double", nil)
	add(true, "rules.ties."+r.ties, nil)
	add(true, "rules.pool", nil)
	add(classic && several, "rules.perfect", nil)
	add(games.AllowsHints(canonical), "rules.hints", nil)
	return lines
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
