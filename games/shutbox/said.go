package shutbox

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// Why returns a sentence with two chances that the next throw closes something: after the move better, and after the
// move worse. The key of the sentence is empty unless the chance after better is higher.
func (m *classic) Why(s games.Seat, better, worse games.Move) games.Line {
	one, ok1 := m.closingChance(better)
	other, ok2 := m.closingChance(worse)
	more, fewer := int(math.Round(100*one)), int(math.Round(100*other))
	if !ok1 || !ok2 || more <= fewer {
		return games.Line{}
	}
	return say("why.closes", games.Args{"More": more, "Fewer": fewer})
}

// closingChance returns the chance that mv or, if mv is not a throw, the throw after it closes something. If the number
// of dice can be chosen, it takes the better one. It returns 1 if mv closes the last tile, false for "declare".
func (m *classic) closingChance(mv games.Move) (float64, bool) {
	open, counts := m.open, []int(nil)
	verb, word, _ := strings.Cut(string(mv), " ")
	switch verb {
	case "throw":
		count, _ := strconv.Atoi(word) // cannot fail for a legal move
		counts = []int{count}
	case "shut":
		set, _ := parseSet(word)
		if open &^= set; open == 0 {
			return 1, true
		}
		counts = m.rules.diceCounts(open)
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

// SayMove returns the description of mv, a legal move of s.
func (m *classic) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(m.Moves(s), mv) }

// SayMove returns the description of mv, a legal move of s.
func (d duel) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(d.Moves(s), mv) }

// SayMove returns the description of mv, a legal move of s.
func (l lucky) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(l.Moves(s), mv) }

// sayMove returns the description of mv, one of the legal moves. It names the number of dice if several can be thrown.
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
	set, _ := parseSet(rest) // cannot fail for a legal move
	return say("move."+verb, games.Args{"Tiles": set.descending()})
}

// TurnEnded returns the seat whose turn the latest move ended, and the outcome: its points, or that it shut the box.
// ended is false if the latest move ended no turn.
func (m *classic) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch m.News.What {
	case "", didClose:
		return games.Nobody, games.Line{}, false
	case didBox:
		return m.News.Seat, say("turn.box", nil), true
	}
	return m.News.Seat, say("turn.points", games.Args{"Points": m.News.Score}), true
}

// TurnEnded returns the seat whose turn the latest move ended, and the outcome; ended is false if it ended no turn.
func (d duel) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch d.Told.Key {
	case "stuck", "covered-all", "uncovered-all":
		return d.Told.Seat, say("turn."+d.Told.Key, nil), true
	}
	return games.Nobody, games.Line{}, false
}

// TurnEnded returns the seat of the latest throw and its total as the outcome; ended is false before the first throw.
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

// Shuts reports whether how, an outcome of TurnEnded, means that a seat closed all tiles (in Canoga, its own row).
func (Game) Shuts(how games.Line) bool {
	return how.Key == "shutbox.turn.box" || how.Key == "shutbox.turn.covered-all"
}

// Explain returns sentences with examples that explain the rules under these options, nil if Check refuses the options.
func (g Game) Explain(options games.Rules) []games.Line {
	canonical, err := g.Check(options)
	if err != nil {
		return nil
	}
	r := parseRules(canonical)
	var lines []games.Line
	add := func(when bool, key string, args games.Args) {
		if when {
			lines = append(lines, say(key, args))
		}
	}
	oneDie := r.dice > 1 && r.close != oneTile // the rules allow to throw fewer than all dice
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
		lines = append(lines, r.exampleLine())
		add(true, "rules.turn", nil)
		add(oneDie, "rules.one-die."+r.oneDie, nil)
		add(r.first != 0, "rules.first-throw", games.Args{"Tile": r.first})
		add(r.seven != none, "rules.seven."+r.seven, nil)
		list := r.tiles.list()
		open := tiles(1)<<list[(len(list)-1)/3] | 1<<list[(len(list)-1)*2/3] // two open tiles as an example
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

// exampleLine returns a sentence with the sets that the throw of exampleThrow may close while all tiles are open.
func (r *rules) exampleLine() games.Line {
	faces := r.exampleThrow()
	var list games.List
	for _, set := range r.closable(r.tiles, faces, true) {
		list = append(list, say("button.set", games.Args{"Tiles": set.descending()}))
	}
	key := "rules.example"
	if len(list) == 1 {
		key = "rules.example-single"
	}
	return say(key, games.Args{"Faces": games.Faces(faces), "Sets": list})
}

// exampleThrow returns a throw that can close something while all tiles are open, if possible 5 and 6.
func (r *rules) exampleThrow() []int {
	for _, usual := range [][]int{{5, 6}, {11}, {5, 3, 2, 1}, {6}} {
		allowed := len(usual) == r.dice && (len(usual) > 1 || usual[0] <= r.sides)
		if allowed && len(r.closable(r.tiles, usual, true)) > 0 {
			return usual
		}
	}
	var found []int
	for _, count := range r.diceCounts(r.tiles) {
		r.eachThrow(count, func(faces []int) bool {
			if len(r.closable(r.tiles, faces, true)) > 0 {
				found = slices.Clone(faces)
			}
			return found == nil || total(found) < r.tiles.top()
		})
	}
	return found
}
