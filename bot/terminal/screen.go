package terminal

// Output of boards on the screen.

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/bot/words"
	"knobel/games"
)

const (
	// usualColumns is the assumed width if the terminal's is unknown.
	usualColumns = 80
	// typedColumns is the width kept free for typing behind a prompt, because a terminal breaks long input in the
	// middle of words. On a narrow terminal, half of the line is kept free.
	typedColumns = 20
)

// write writes text, wrapped between words, to the screen.
func (t *Terminal) write(text string) error {
	_, err := io.WriteString(t.out, wrap(text, t.table.Columns))
	return err
}

// unbroken matches text that stays on one line: a word with the spaces behind it, after a choice's letter: "b) Write".
var unbroken = regexp.MustCompile(`(?:[^\s(]\S{0,2}\) )?\S*\s*`)

// wrap returns text with lines of at most columns characters, broken between words. Continued lines keep the
// indentation.
func wrap(text string, columns int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		begun := ""
		for _, word := range unbroken.FindAllString(line, -1) {
			shown := strings.TrimRight(word, " \n")
			if plain.Wide(begun+shown, runeWidth) > columns && shown != "" && strings.TrimSpace(begun) != "" {
				b.WriteString(strings.TrimRight(begun, " ") + "\n")
				begun = strings.Repeat(" ", len(line)-len(strings.TrimLeft(line, " ")))
			}
			begun += word
		}
		b.WriteString(begun)
	}
	return b.String()
}

// runeWidth returns the number of columns that r takes on the screen.
func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1f300 && r <= 0x1faff, r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf,
		r >= 0xac00 && r <= 0xd7a3:
		return 2
	}
	return 1
}

// typable returns the board m for a terminal: without the buttons for picking dice and for the score sheet, because
// people type these, and with a guide to typing.
func (t *Terminal) typable(m chat.Message) chat.Message {
	rows := m.Buttons
	m.Buttons = nil
	for _, row := range rows {
		m.Row(slices.DeleteFunc(slices.Clone(row), func(b chat.Button) bool {
			verb, rest := moveOf(b.Press)
			return verb == "!pick" && m.Pick != nil && m.Pick.Kind == "dice" || verb == "!show" && rest == "sheet"
		})...)
	}
	if m.Guide != "" && m.Pick != nil {
		m.Guide = t.textOf(games.Say(guides[kindOf(m)], games.Args{"Example": exampleChoice(m)}))
	}
	return m
}

// onlyChanges returns the board m without parts that the screen shows already: unchanged seats, and the score sheet
// unless a person has requested it. It stores m as the last shown board.
func (t *Terminal) onlyChanges(m chat.Message) chat.Message {
	if m.Sheet != nil && !m.Sheet.Asked {
		m.Sheet = nil
	}
	t.mu.Lock()
	before := t.board
	t.board = m
	t.mu.Unlock()
	if before.Table != m.Table || m.Table == 0 {
		return m
	}
	if slices.Equal(before.People, m.People) {
		m.People = nil
	}
	if before.Small == m.Small {
		m.Small = ""
	}
	return m
}

// The kinds of input that a board may take. Each is the key of the sentence that explains what to type.
const (
	byNumber = "terminal.type.number" // numbers of buttons
	byDice   = "terminal.type.dice"   // dice to keep, or a row
	byAside  = "terminal.type.aside"  // dice to set aside
	byRow    = "terminal.type.row"    // a row
	byTiles  = "terminal.type.tiles"  // tiles
)

// guides holds, for a kind of input, the key of the longer sentence that explains it to new players.
var guides = map[string]string{byDice: "terminal.guide.dice", byAside: "terminal.guide.aside",
	byTiles: "terminal.guide.tiles"}

// kindOf returns the kind of input that the board m takes, such as byDice.
func kindOf(m chat.Message) string {
	switch {
	case m.Pick != nil && m.Pick.Kind != "dice":
		return byTiles
	case m.Pick != nil && m.Sheet != nil:
		return byDice
	case m.Pick != nil:
		return byAside
	case len(m.Dice) > 0 && len(fillableCells(m)) > 0:
		return byRow
	}
	return byNumber
}

// typingHint returns the sentence that explains, with examples, the input for the board m.
func (t *Terminal) typingHint(m chat.Message) games.Line {
	args, kind := games.Args{}, kindOf(m)
	if kind == byDice || kind == byRow {
		cells := fillableCells(m)
		best := cells[max(slices.IndexFunc(cells, func(c cell) bool { return c.verb == "write" }), 0)]
		args["Row"] = strings.ToLower(best.row)
		if best.verb == "strike" {
			args["Row"] = t.textOf(games.Say("terminal.strike-row", games.Args{"Row": best.row}))
		}
	}
	if m.Pick != nil {
		args["Example"] = exampleChoice(m)
	}
	return games.Say(kind, args)
}

// textOf returns the text of line in the language of the people.
func (t *Terminal) textOf(line games.Line) string {
	lang := cmp.Or(t.words.Match(t.table.Lang), words.Default)
	return plain.Clean(t.words.Say(lang, line, words.Context{}))
}

// held is a no-break space: no line is broken there.
const held = "\u00a0"

// wrapPrompt returns text, the prompt, in lines of at most columns characters. The last line leaves room for typing.
// The words after the last comma stay on one line.
func wrapPrompt(text string, columns int) string {
	if i := strings.LastIndex(text, ", ") + len(", "); i >= len(", ") {
		text = text[:i] + strings.ReplaceAll(text[i:], " ", held)
	}
	room := strings.Repeat(held, min(typedColumns, columns/2))
	return strings.ReplaceAll(strings.TrimRight(wrap(text+room, columns), held), held, " ") + " "
}

// say writes the text of line, and a line break unless line is the prompt.
func (t *Terminal) say(line games.Line) {
	text := t.textOf(line) + "\n"
	if line.Key == "terminal.prompt" {
		text = wrapPrompt(t.textOf(line), t.table.Columns)
	}
	if err := t.write(text); err != nil {
		fmt.Fprintln(t.out, err) // the output is the only place for errors
	}
}
