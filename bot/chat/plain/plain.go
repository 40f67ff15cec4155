// Package plain draws messages as text with numbered buttons, for platforms that have only text: Text draws them,
// Choices lists the texts to type, Find finds the button for one. Other adapters draw tiles and dice with it.
package plain

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"knobel/bot/chat"
	"knobel/games"
)

// Text returns a message as lines, each with a line break: heading, game, people, the end of the turn, small print, and
// the buttons with what to type for each, which begins with sign (see Choices). Texts of people cannot break lines. An
// attached file is not drawn; see File.
func Text(m chat.Message, sign string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Clean(m.Head))
	for _, told := range m.Told {
		fmt.Fprintf(&b, "%s\n", Clean(told))
	}
	for _, row := range m.Tiles {
		b.WriteString(tileRowText(row))
	}
	if len(m.Dice) > 0 {
		fmt.Fprintf(&b, "  %s\n", diceText(m.Dice))
	}
	if m.Sheet != nil {
		for _, line := range m.Sheet.Text(sheetWidth) {
			fmt.Fprintf(&b, "  %s\n", Clean(line))
		}
		if star := m.Star(); star != "" {
			fmt.Fprintf(&b, "  %s\n", Clean(star))
		}
	}
	for _, p := range m.People {
		mark := " "
		if p.State == "to-move" {
			mark = ">"
		}
		fmt.Fprintf(&b, "%s %s  %s\n", mark, Clean(p.PlacedName()), Clean(p.Text))
	}
	for _, e := range m.Exact {
		fmt.Fprintf(&b, "  %s\n", Clean(e.String()))
	}
	for _, line := range m.Lines {
		fmt.Fprintf(&b, "  %s\n", Clean(line))
	}
	if m.Deadline != nil {
		fmt.Fprintf(&b, "  %s\n", Clean(m.Deadline.String()))
	}
	if m.Picture != nil && m.Picture.More != "" {
		fmt.Fprintf(&b, "  %s\n", Clean(m.Picture.More))
	}
	if m.Guide != "" {
		fmt.Fprintf(&b, "  %s\n", Clean(m.Guide))
	}
	if m.Small != "" {
		fmt.Fprintf(&b, "  (%s)\n", Clean(m.Small))
	}
	all := Choices(m, sign)
	for _, row := range m.Buttons {
		for range row {
			b.WriteString("  " + all[0].shown)
			all = all[1:]
		}
		b.WriteString("\n")
	}
	return b.String()
}

// File returns a JSON file as indented lines, for platforms without files; "" for nil and files of other types.
func File(f *chat.File) string {
	if f == nil || !strings.HasPrefix(f.Type, "application/json") {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(string(f.Bytes)) {
		b.WriteString("  " + strings.TrimRight(Clean(line), " ") + "\n")
	}
	return b.String()
}

// sheetWidth is the width of a score sheet in characters: enough for ten columns and the names of the rows.
const sheetWidth = 76

// diceText returns dice as text: "[4]", or "(4)" for a die that the player has kept.
func diceText(dice []chat.Die) string {
	var b strings.Builder
	for _, d := range dice {
		if d.Kept {
			fmt.Fprintf(&b, "(%d) ", d.Face)
		} else {
			fmt.Fprintf(&b, "[%d] ", d.Face)
		}
	}
	return b.String()
}

// tileRowText returns a row as a line: an open tile as "3", a picked one as "(3)", a shut one as "_"; then the dice.
func tileRowText(row chat.TileRow) string {
	var b strings.Builder
	b.WriteString("  ")
	if row.Owner != "" {
		fmt.Fprintf(&b, "%s: ", Clean(row.Owner))
	}
	for _, tile := range row.Tiles {
		number := strconv.Itoa(tile.Number)
		switch {
		case tile.Picked:
			fmt.Fprintf(&b, "(%s) ", number)
		case tile.Open:
			fmt.Fprintf(&b, "%s ", number)
		default:
			fmt.Fprintf(&b, "%s ", strings.Repeat("_", len(number)))
		}
	}
	if len(row.Dice) > 0 {
		if len(row.Tiles) > 0 {
			b.WriteString("  ")
		}
		b.WriteString(diceText(row.Dice))
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// Clean removes characters that could move the cursor, colour the screen or change the direction of a line, so that a
// text that people typed cannot control the terminal.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if unicode.Is(unicode.C, r) && r != '\u200d' {
			return -1
		}
		return r
	}, text)
}

// Line makes a text that people typed fit for one line: without line breaks, control characters, and characters that
// embed, override or isolate a text direction. Those that chat.Isolate adds stay only if isolates is true.
func Line(text string, isolates bool) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar, r >= '\u202a' && r <= '\u202e',
			r >= '\u2066' && r <= '\u2069' && !isolates:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// Wide returns the width of a text: the sum of the widths that width returns for its characters.
func Wide(text string, width func(rune) int) (n int) {
	for _, r := range text {
		n += width(r)
	}
	return n
}

// Clip cuts text to at most maxWidth; the function width returns the width of a character. A cut text ends with an
// ellipsis, before which trailing characters that occur in trimmed are removed.
func Clip(text string, maxWidth int, width func(rune) int, trimmed string) string {
	wide, end := 0, -1
	for i, r := range text {
		if wide += width(r); end < 0 && wide >= maxWidth {
			end = i
		}
		if wide > maxWidth {
			return strings.TrimRight(text[:end], trimmed) + "…"
		}
	}
	return text
}

// maxInLine is how many tiles a row may have to be drawn in one line.
const maxInLine = 12

// TileLines splits tiles into lines: up to 12 into one line, more into lines of 8; a phone shows about 30 columns.
func TileLines(tiles []chat.Tile) iter.Seq[[]chat.Tile] {
	if len(tiles) > maxInLine {
		return slices.Chunk(tiles, 8)
	}
	return slices.Chunk(tiles, maxInLine)
}

// Tiles returns the tiles of a row as lines for a fixed-width font. The picked tiles are in brackets, which replace the
// spaces between tiles: "1 [2 3] 4".
func Tiles(row chat.TileRow) (lines []string) {
	width := 1
	if len(row.Tiles) > maxInLine {
		width = 2
	}
	for tiles := range TileLines(row.Tiles) {
		line, wasPicked := "", false
		for i, t := range tiles {
			picked := t.Open && t.Picked
			if i > 0 || row.Picks || picked {
				line += gaps[[2]bool{wasPicked, picked}]
			}
			number := strconv.Itoa(t.Number)
			if !t.Open {
				number = strings.Repeat("▁", len(number))
			}
			line, wasPicked = line+fmt.Sprintf("%*s", width, number), picked
		}
		if row.Picks || wasPicked {
			line += gaps[[2]bool{wasPicked, false}]
		}
		lines = append(lines, line)
	}
	return lines
}

// gaps maps whether the left and the right of two tiles are picked to the text between the tiles.
var gaps = map[[2]bool]string{{false, false}: " ", {true, true}: " ", {true, false}: "]", {false, true}: "["}

// Dice returns dice in one line after a die emoji, "" if there are no dice.
func Dice(dice []chat.Die) string {
	if len(dice) == 0 {
		return ""
	}
	text := "🎲"
	for _, d := range dice {
		text += " " + strconv.Itoa(d.Face)
		if d.Kept {
			text += "🔒"
		}
	}
	return text
}

// The texts that people type for the buttons of a message.

// Choice is a button with the text that people type to press it.
type Choice struct {
	Typed  string
	Button chat.Button
	shown  string // the input and the label, as Text shows them
}

// Choices returns the buttons of a message in order, with the text to type for each: sign and a number from 1, such as
// "!1". Each message can have another sign. If sign is "" and the message has dice or several tiles to choose, a number
// always means a tile or a die: tiles are chosen by their own numbers, other buttons by letters.
func Choices(m chat.Message, sign string) []Choice {
	numberedTiles := sign == "" && hasTileButtons(m)
	lettered := sign == "" && (m.Pick != nil || len(m.Dice) > 0)
	var all []Choice
	letters := 0
	for _, row := range m.Buttons {
		for _, b := range row {
			input, label := tileNumber(b), Clean(b.Label)
			switch {
			case lettered && (!numberedTiles || input == ""):
				input = letterFor(letters)
				label = input + ") " + label
				letters++
			case !numberedTiles:
				input = sign + strconv.Itoa(len(all)+1)
				label = input + ") " + label
			case input == "":
				input = letterFor(letters)
				label = input + ") " + label
				letters++
			}
			all = append(all, Choice{input, b, label})
		}
	}
	return all
}

// alphabet holds the letters that people type for buttons. Without q, which quits.
const alphabet = "abcdefghijklmnoprstuvwxyz"

// letterFor returns the text to type for the nth lettered button, counted from 0: a, b and so on, then aa, ab.
func letterFor(n int) string {
	if n < len(alphabet) {
		return alphabet[n : n+1]
	}
	return letterFor(n/len(alphabet)-1) + letterFor(n%len(alphabet))
}

// picked is the mark at the end of the label of a chosen tile's button.
const picked = "✓"

// TileLabel returns the label of a tile's button.
func TileLabel(t chat.Tile) string {
	if t.Picked {
		return strconv.Itoa(t.Number) + picked
	}
	return strconv.Itoa(t.Number)
}

// tileNumber returns the number of the tile that button b chooses, or "" if b chooses no tile.
func tileNumber(b chat.Button) string {
	number := strings.TrimSuffix(b.Label, picked)
	if n, err := strconv.Atoi(number); err != nil || strconv.Itoa(n) != number {
		return ""
	}
	return number
}

// hasTileButtons reports whether a message has buttons for at least two tiles, and only one button for each number.
func hasTileButtons(m chat.Message) bool {
	seen := map[string]bool{}
	for _, row := range m.Buttons {
		for _, b := range row {
			number := tileNumber(b)
			if number != "" && seen[number] {
				return false
			}
			seen[number] = true
		}
	}
	delete(seen, "")
	return len(m.Tiles) > 0 && len(seen) > 1
}

// Usual returns the button that a person most likely presses next: the one with the style Primary; else, if there are
// buttons for tiles, the first button except those of chosen tiles; else the first button. false: there are no buttons.
func Usual(m chat.Message) (Choice, bool) {
	all := Choices(m, "")
	if len(all) == 0 {
		return Choice{}, false
	}
	for _, c := range all {
		if c.Button.Style == games.Primary {
			return c, true
		}
	}
	for _, c := range all {
		if hasTileButtons(m) && !strings.HasSuffix(c.Button.Label, picked) {
			return c, true
		}
	}
	return all[0], true
}

// Find returns the button whose input, or else whose label, was typed, in upper or lower case; false: there is none.
func Find(choices []Choice, typed string) (chat.Button, bool) {
	for _, c := range choices {
		if strings.EqualFold(typed, c.Typed) {
			return c.Button, true
		}
	}
	for _, c := range choices {
		if strings.EqualFold(typed, Clean(c.Button.Label)) {
			return c.Button, true
		}
	}
	return chat.Button{}, false
}
