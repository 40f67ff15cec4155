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

// verbs are the words that begin or end a typed line, by the key that lists them in each language, with the moves they
// may mean.
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

// order is a typed line, parsed.
type order struct {
	verb    string   // key of the verb, "" for none
	moves   []string // moves that the verb may mean
	numbers []int    // of dice or tiles
	only    bool     // the line has only a verb, numbers, all or none
	all     bool     // "all", in place of numbers
	none    bool     // "none", likewise
	name    string   // the rest in lower case: a row's name
}

// read parses a line in any language. If dice is true, each digit is a die; else each number is a tile.
func (t *Terminal) read(line string, dice bool) order {
	parts := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("+,;“”„\"", r)
	})
	var o order
	for _, v := range verbs {
		last := len(parts) - 1
		if last >= 0 && t.means(v.key, parts[0]) {
			o.verb, o.moves, parts = v.key, v.moves, parts[1:]
			break
		} else if last > 0 && t.means(v.key, parts[last]) {
			o.verb, o.moves, parts = v.key, v.moves, parts[:last]
			break
		}
	}
	o.only, o.name = true, strings.Join(parts, " ")
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		switch {
		case err != nil && t.means("terminal.word.filler", part):
		case err != nil && t.means("terminal.word.all", part):
			o.all = true
		case err != nil && t.means("terminal.word.none", part):
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

// means reports whether word is one of the words listed under key, in any language.
func (t *Terminal) means(key, word string) bool {
	return slices.ContainsFunc(t.words.Languages(), func(lang string) bool {
		return slices.Contains(strings.Fields(t.words.Say(lang, games.Say(key, nil), words.Context{})), word)
	})
}

// meaning returns the press of a line that names dice, tiles or rows at the board m, or a refusal that explains what
// people can type. Both are zero if the line may still be a button, or nothing.
func (t *Terminal) meaning(m chat.Message, line string) (press string, refusal games.Line) {
	o := t.read(line, m.Pick == nil || m.Pick.Kind == "dice")
	asks := o.only && (len(o.numbers) > 0 || o.all || o.none)
	switch {
	case asks && m.Pick != nil && m.Pick.Kind == "dice":
		return o.dice(m, line)
	case asks && m.Pick != nil:
		return o.tiles(m, line)
	case asks && len(m.Dice) > 0:
		return "", games.Say("terminal.no-throw-left", games.Args{"Type": t.types(m)})
	case o.only && o.verb != "" && o.name == "":
		return o.bare(m)
	case m.Sheet != nil && !asks:
		return o.row(m)
	}
	return "", games.Line{}
}

// move returns the first word of a press's move, "keep 11000", and the rest.
func move(press string) (verb, rest string) {
	p, _ := chat.ParsePress(press)
	verb, rest, _ = strings.Cut(p.What, " ")
	return verb, rest
}

// dice returns the press that plays the dice that o names, or a refusal; dice with equal faces are interchangeable.
// line is the typed text, for the refusal.
func (o order) dice(m chat.Message, line string) (press string, refusal games.Line) {
	var lie []int
	for _, d := range m.Dice {
		lie = append(lie, d.Face)
	}
	named, rest := o.numbers, slices.Clone(lie)
	for _, face := range named {
		at := slices.Index(rest, face)
		if at < 0 {
			return "", games.Say("terminal.no-such-dice", games.Args{"Typed": line, "Dice": spelled(lie)})
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
		if !sameNumbers(named, faces(m, c)) {
			continue
		}
		unfit = false
		if verb, _ := move(c.Press); slices.Contains(moves, verb) {
			return c.Press, games.Line{}
		}
	}
	if m.Pick.Refusal != "" && unfit {
		return "", games.Say("bot.text", games.Args{"Text": m.Pick.Refusal})
	}
	return "", games.Say("terminal.not-these", games.Args{"Typed": line, "Example": example(m)})
}

// tiles returns the press that closes the tiles that o names, or a refusal. Both are zero if o means something else.
// line is the typed text.
func (o order) tiles(m chat.Message, line string) (press string, refusal games.Line) {
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
	return "", games.Say("terminal.not-these", games.Args{"Typed": line, "Example": example(m)})
}

// bare returns the press of a verb alone: the dice as they are picked now, or a button; or a refusal. Both are zero if
// the verb fits nothing on the board m.
func (o order) bare(m chat.Message) (press string, refusal games.Line) {
	if m.Pick != nil && m.Pick.Kind == "dice" {
		for _, c := range m.Pick.Choices {
			if verb, _ := move(c.Press); slices.Contains(o.moves, verb) && slices.Equal(c.Items, m.Pick.Picked) {
				return c.Press, games.Line{}
			}
		}
	}
	if o.early(m) {
		return "", games.Say("terminal.throw-first", nil)
	}
	if cells := fillable(m); len(cells) > 0 && (slices.Contains(o.moves, "write") || o.verb == "terminal.verb.strike") {
		var rows games.List
		for _, c := range cells {
			rows = append(rows, games.Say("bot.text", games.Args{"Text": c.label}))
		}
		return "", games.Say("terminal.rows", games.Args{"Rows": rows})
	}
	for _, b := range slices.Concat(m.Buttons...) {
		if verb, _ := move(b.Press); slices.Contains(o.moves, verb) {
			return b.Press, games.Line{}
		}
	}
	return "", games.Line{}
}

// button returns the first button of m with the given move, and false if there is none.
func button(m chat.Message, move string) (chat.Button, bool) {
	for _, b := range slices.Concat(m.Buttons...) {
		if p, ok := chat.ParsePress(b.Press); ok && p.What == move {
			return b, true
		}
	}
	return chat.Button{}, false
}

// byWord returns the button of m whose label, without the sign before it, is line, or the undo button if line means
// that; false if there is none.
func (t *Terminal) byWord(m chat.Message, line string) (chat.Button, bool) {
	for _, b := range slices.Concat(m.Buttons...) {
		name := strings.TrimLeftFunc(b.Label, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if name != b.Label && b.Press != "" && strings.EqualFold(name, line) {
			return b, true
		}
	}
	if t.means("terminal.word.undo", strings.ToLower(line)) {
		return button(m, "!undo")
	}
	return chat.Button{}, false
}

// faces returns the faces of the dice in the choice c.
func faces(m chat.Message, c chat.PickChoice) (all []int) {
	for _, i := range c.Items {
		all = append(all, m.Dice[i].Face)
	}
	return all
}

// sameNumbers reports whether two lists hold the same numbers, in any order.
func sameNumbers(a, b []int) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// spelled returns numbers as people type them: "6 6 1".
func spelled(numbers []int) string {
	return strings.Trim(fmt.Sprint(numbers), "[]")
}

// example returns one of the choices at the board m as people type it, preferably equal dice.
func example(m chat.Message) string {
	if m.Pick.Kind != "dice" {
		return spelled(m.Pick.Choices[0].Items)
	}
	var best []int
	for _, c := range m.Pick.Choices {
		all := faces(m, c)
		if len(all) > len(best) && len(slices.Compact(slices.Clone(all))) == 1 {
			best = all
		}
	}
	if best == nil {
		best = faces(m, m.Pick.Choices[len(m.Pick.Choices)-1])
	}
	return spelled(best)
}
