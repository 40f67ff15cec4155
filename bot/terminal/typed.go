package terminal

// Typed moves: dice and tiles by their numbers, and buttons by words.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// verbs holds the verbs that may begin or end a typed line. In the message files, the sentence with this key lists the
// words for the verb in each language. moves are the moves that the verb may mean.
var verbs = []struct {
	key   string
	moves []string
}{
	{"terminal.verb.keep", []string{"keep"}},
	{"terminal.verb.throw", []string{"throw", "keep"}},
	{"terminal.verb.write", []string{"write", "bank"}},
	{"terminal.verb.strike", []string{"strike"}},
	{"terminal.verb.call", []string{"call"}},
	{"terminal.verb.stop", []string{"bank"}},
	{"terminal.verb.close", []string{"shut"}},
}

// typedMove is a typed line, parsed.
type typedMove struct {
	verb    string   // key of the verb, "" for none
	moves   []string // moves that the verb may mean
	numbers []int    // dice or tiles
	only    bool     // the line has nothing but a verb, numbers, all or none
	all     bool     // "all", in place of numbers
	none    bool     // "none", in place of numbers
	name    string   // the line without its verb, in lower case: a row
	bare    string   // name without filler words: "poker" for "out poker"
}

// parse parses a line in any language. If dice is true, each digit is a die; else each number is a tile.
func (t *Terminal) parse(line string, dice bool) typedMove {
	parts := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("+,;“”„\"", r)
	})
	var o typedMove
	for _, v := range verbs {
		last := len(parts) - 1
		if last >= 0 && t.isWord(v.key, parts[0]) {
			o.verb, o.moves, parts = v.key, v.moves, parts[1:]
			break
		} else if last > 0 && t.isWord(v.key, parts[last]) {
			o.verb, o.moves, parts = v.key, v.moves, parts[:last]
			break
		}
	}
	o.only, o.name = true, strings.Join(parts, " ")
	o.bare = strings.Join(slices.DeleteFunc(slices.Clone(parts), func(part string) bool {
		return t.isWord("terminal.word.filler", part)
	}), " ")
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		switch {
		case err != nil && t.isWord("terminal.word.filler", part):
		case err != nil && t.isWord("terminal.word.all", part):
			o.all = true
		case err != nil && t.isWord("terminal.word.none", part):
			o.none = true
		case err != nil || len(part) > maxDigits || strings.Trim(part, "0123456789") != "":
			o.only = false
		case dice:
			for _, digit := range part {
				o.numbers = append(o.numbers, int(digit-'0'))
			}
		default:
			o.numbers = append(o.numbers, n)
		}
	}
	if slices.Equal(o.numbers, []int{0}) {
		o.none, o.numbers = true, nil
	}
	return o
}

// maxDigits is the most digits of one number in a typed line.
const maxDigits = 12

// isWord reports whether word is one of the words that the sentence under key lists, in any language.
func (t *Terminal) isWord(key, word string) bool {
	return slices.ContainsFunc(t.words.Languages(), func(lang string) bool {
		return slices.Contains(strings.Fields(t.words.Say(lang, games.Say(key, nil), words.Context{})), word)
	})
}

// pressOf returns the press (text of a button) that a typed line means by naming dice, tiles or rows of the board m, or
// a refusal that explains the input. Both are zero if line names none of these; it may be a button's label.
func (t *Terminal) pressOf(m chat.Message, line string) (press string, refusal games.Line) {
	o := t.parse(line, m.Pick == nil || m.Pick.Kind == "dice")
	asks := o.only && (len(o.numbers) > 0 || o.all || o.none)
	switch {
	case asks && m.Pick != nil && m.Pick.Kind == "dice":
		return o.dicePress(m, line)
	case asks && m.Pick != nil:
		return o.tilesPress(m, line)
	case asks && len(m.Dice) > 0:
		return "", games.Say("terminal.no-throw-left", games.Args{"Type": t.typingHint(m)})
	case o.only && o.verb != "" && o.bare == "":
		return o.verbPress(m)
	case m.Sheet != nil && !asks:
		press, refusal = o.rowPress(m)
		if press == "" && refusal.Key == "" {
			o.name = o.bare
			return o.rowPress(m)
		}
	}
	return press, refusal
}

// moveOf splits the move in a press (text of a button) into its first word and the words behind it: "keep" and "11000".
func moveOf(press string) (verb, rest string) {
	p, _ := chat.ParsePress(press)
	verb, rest, _ = strings.Cut(p.What, " ")
	return verb, rest
}

// dicePress returns the press of the move with the dice that o names, or a refusal. Dice with equal faces are
// interchangeable. line is the typed text, for the refusal.
func (o typedMove) dicePress(m chat.Message, line string) (press string, refusal games.Line) {
	var lie []int
	for _, d := range m.Dice {
		lie = append(lie, d.Face)
	}
	named, rest := o.numbers, slices.Clone(lie)
	for _, face := range named {
		at := slices.Index(rest, face)
		if at < 0 {
			return "", games.Say("terminal.no-such-dice", games.Args{"Typed": line, "Dice": spellNumbers(lie)})
		}
		rest = slices.Delete(rest, at, at+1)
	}
	throws := o.verb == "terminal.verb.throw"
	moves := o.moves
	if o.verb == "" || throws {
		moves = []string{"keep"}
	}
	switch {
	case o.all != throws && (o.all || o.none): // "keep all" or "roll none"
		named = lie
	case o.all || o.none:
		named = nil
	case throws:
		named = rest
	}
	unfit := len(named) > 0
	for _, c := range m.Pick.Choices {
		if !sameNumbers(named, facesOf(m, c)) {
			continue
		}
		unfit = false
		if verb, _ := moveOf(c.Press); slices.Contains(moves, verb) {
			return c.Press, games.Line{}
		}
	}
	if m.Pick.Refusal != "" && unfit {
		return "", games.Say("bot.text", games.Args{"Text": m.Pick.Refusal})
	}
	return "", games.Say("terminal.not-these", games.Args{"Typed": line, "Example": exampleChoice(m)})
}

// tilesPress returns the press that closes the tiles named in o, or a refusal. Both are zero if o is not such a move,
// or if line, the typed text, is the label of a button for one tile.
func (o typedMove) tilesPress(m chat.Message, line string) (press string, refusal games.Line) {
	if o.verb != "" && !slices.Contains(o.moves, "shut") || len(o.numbers) == 0 {
		return "", games.Line{}
	}
	for _, c := range m.Pick.Choices {
		if sameNumbers(o.numbers, c.Items) {
			return c.Press, games.Line{}
		}
	}
	for _, b := range slices.Concat(m.Buttons...) { // buttons of tiles that are picked one by one
		if b.Label == line {
			return "", games.Line{}
		}
	}
	return "", games.Say("terminal.not-these", games.Args{"Typed": line, "Example": exampleChoice(m)})
}

// verbPress returns the press that a line with only a verb means: the verb's move with the dice picked now or, if there
// is none, the verb's button. It returns a refusal if a roll or a row is missing. Both are zero if m has no such move.
func (o typedMove) verbPress(m chat.Message) (press string, refusal games.Line) {
	if m.Pick != nil && m.Pick.Kind == "dice" {
		for _, c := range m.Pick.Choices {
			if verb, _ := moveOf(c.Press); slices.Contains(o.moves, verb) && slices.Equal(c.Items, m.Pick.Picked) {
				return c.Press, games.Line{}
			}
		}
	}
	if o.isTooEarly(m) {
		return "", games.Say("terminal.throw-first", nil)
	}
	if cells := fillableCells(m); len(cells) > 0 && (slices.Contains(o.moves, "write") ||
		o.verb == "terminal.verb.strike") {
		var rows games.List
		for _, c := range cells {
			rows = append(rows, games.Say("bot.text", games.Args{"Text": c.label}))
		}
		return "", games.Say("terminal.rows", games.Args{"Rows": rows})
	}
	for _, b := range slices.Concat(m.Buttons...) {
		if verb, _ := moveOf(b.Press); slices.Contains(o.moves, verb) {
			return b.Press, games.Line{}
		}
	}
	return "", games.Line{}
}

// buttonOf returns the first button of m with the given move, such as "throw", and false if there is none.
func buttonOf(m chat.Message, move string) (chat.Button, bool) {
	for _, b := range slices.Concat(m.Buttons...) {
		if p, ok := chat.ParsePress(b.Press); ok && p.What == move {
			return b, true
		}
	}
	return chat.Button{}, false
}

// buttonByWord returns the button of m whose label, without the emoji before it, is line. If line is a word for undo,
// it returns the undo button. It returns false if there is none.
func (t *Terminal) buttonByWord(m chat.Message, line string) (chat.Button, bool) {
	for _, b := range slices.Concat(m.Buttons...) {
		name := strings.TrimLeftFunc(b.Label, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if name != b.Label && b.Press != "" && strings.EqualFold(name, line) {
			return b, true
		}
	}
	if t.isWord("terminal.word.undo", strings.ToLower(line)) {
		return buttonOf(m, "!undo")
	}
	return chat.Button{}, false
}

// facesOf returns the faces of the dice in choice.
func facesOf(m chat.Message, choice chat.PickChoice) (faces []int) {
	for _, i := range choice.Items {
		faces = append(faces, m.Dice[i].Face)
	}
	return faces
}

// sameNumbers reports whether two lists hold the same numbers, in any order.
func sameNumbers(a, b []int) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// spellNumbers returns numbers as people type them: "6 6 1".
func spellNumbers(numbers []int) string {
	return strings.Trim(fmt.Sprint(numbers), "[]")
}

// exampleChoice returns one of the choices on the board m as people type it, preferably dice of one face.
func exampleChoice(m chat.Message) string {
	if m.Pick.Kind != "dice" {
		return spellNumbers(m.Pick.Choices[0].Items)
	}
	var best []int
	for _, c := range m.Pick.Choices {
		all := facesOf(m, c)
		if len(all) > len(best) && len(slices.Compact(slices.Clone(all))) == 1 {
			best = all
		}
	}
	if best == nil {
		best = facesOf(m, m.Pick.Choices[len(m.Pick.Choices)-1])
	}
	return spellNumbers(best)
}
