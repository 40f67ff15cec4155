package shutbox

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// Why returns a sentence on how much more likely the next throw closes something after the move better than after than.
// Its key is empty if that is not more likely.
func (m *classic) Why(s games.Seat, better, than games.Move) games.Line {
	one, ok1 := m.closes(better)
	other, ok2 := m.closes(than)
	more, fewer := int(math.Round(100*one)), int(math.Round(100*other))
	if !ok1 || !ok2 || more <= fewer {
		return games.Line{}
	}
	return say("why.closes", games.Args{"More": more, "Fewer": fewer})
}

// closes returns the chance that the throw after mv closes something, with the number of dice that makes this more
// likely if there is a choice. It returns false if no throw follows mv.
func (m *classic) closes(mv games.Move) (float64, bool) {
	open, counts := m.open, []int(nil)
	verb, word, _ := strings.Cut(string(mv), " ")
	switch verb {
	case "throw":
		count, _ := strconv.Atoi(word) // a legal move is spelled as it must be
		counts = []int{count}
	case "shut":
		set, _ := parseSet(word)
		if open &^= set; open == 0 {
			return 1, true
		}
		counts = m.rules.counts(open)
	default:
		return 0, false
	}
	best := 0.0
	for _, count := range counts {
		good, all := m.rules.chance(open, count, verb == "throw" && m.Throws == 0)
		best = max(best, float64(good)/float64(all))
	}
	return best, true
}

// SayMove returns the description of a legal move.
func (m *classic) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(m.Moves(s), mv) }

// SayMove returns the description of a legal move.
func (d duel) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(d.Moves(s), mv) }

// SayMove returns the description of a legal move.
func (l lucky) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(l.Moves(s), mv) }

// sayMove returns the description of mv, one of the legal moves. A throw names its dice only if there is a choice.
func sayMove(legal []games.Move, mv games.Move) games.Line {
	verb, rest, _ := strings.Cut(string(mv), " ")
	switch verb {
	case "throw":
		throws := 0
		for _, other := range legal {
			if strings.HasPrefix(string(other), "throw ") {
				throws++
			}
		}
		if throws < 2 {
			return say("move.throw", nil)
		}
		return say("move.throw-"+rest, nil)
	case "declare":
		return say("move.declare", nil)
	}
	set, _ := parseSet(rest) // a legal move is spelled as it must be
	return say("move."+verb, games.Args{"Tiles": set.falling()})
}

// TurnEnded returns the seat whose turn the last move ended, and as the outcome its points or the box that it shut.
func (m *classic) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch m.News.What {
	case "", didClose:
		return games.Nobody, games.Line{}, false
	case didBox:
		return m.News.Seat, say("turn.box", nil), true
	}
	return m.News.Seat, say("turn.points", games.Args{"Points": m.News.Score}), true
}

// TurnEnded returns the seat whose turn of Canoga the last move ended, and the outcome. Starting throws are no turns.
func (d duel) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch d.Told.Key {
	case "stuck", "covered-all", "uncovered-all":
		return d.Told.Seat, say("turn."+d.Told.Key, nil), true
	}
	return games.Nobody, games.Line{}, false
}

// TurnEnded returns the last seat to throw, and the total of its throw: a turn of lucky-seven is one throw.
func (l lucky) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch sum := total(l.Faces); {
	case len(l.Faces) == 0:
		return games.Nobody, games.Line{}, false
	case sum == 7:
		return l.Last, say("turn.box", nil), true
	default:
		return l.Last, say("turn.points", games.Args{"Points": sum}), true
	}
}

// Shuts reports whether a turn with the outcome how has shut the box: in Canoga the seat's row, in lucky-seven the 7.
func (Game) Shuts(how games.Line) bool {
	return how.Key == "shutbox.turn.box" || how.Key == "shutbox.turn.covered-all"
}

// Explain returns the rules as sentences with examples, nil if Check refuses them.
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

// example returns a sentence with the sets that an example throw may close on the full board.
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

// exampleThrow returns a throw that closes something on the full board: 5 and 6 if they do.
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
