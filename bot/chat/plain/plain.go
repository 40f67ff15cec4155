// Package plain draws messages as plain text with numbered buttons, for platforms that have only text: Text draws,
// Choices are the inputs, Find reads them back. It also holds text drawings that others use, such as rows of tiles.
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

// Text returns a message in lines, each with its line break: heading, game, people, the end of the turn, small print,
// and the buttons with their inputs, which begin with sign (see Choices). Texts of people cannot break lines. File
// draws files.
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
		fmt.Fprintf(&b, "%s %s  %s\n", mark, Clean(p.Name), Clean(p.Text))
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

// File returns a JSON file as indented lines, for platforms without files; "" for nil and other types.
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

// sheetWidth is the width of a score sheet in characters: ten columns and the names of the rows.
const sheetWidth = 76

// diceText returns dice as text: "[4]", or "(4)" for a kept die.
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

// tileRowText returns a row of tiles as one line: an open tile as "3", a picked one as "(3)", a shut one as "_".
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

// Clean removes characters that could move the cursor, colour the screen or change the direction of a line, so that
// text of people is only shown.
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

// Line returns a text of people fit for one line: without line breaks, control characters or characters that change the
// direction of text. It keeps the direction marks of chat.Isolate only if isolates is true.
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

// Wide returns the width of a text: the sum of the widths of its characters.
func Wide(text string, width func(rune) int) (n int) {
	for _, r := range text {
		n += width(r)
	}
	return n
}

// Clip returns text cut to at most maxWidth, the sum of the widths of its characters. A cut text ends with an ellipsis;
// characters in trimmed before the ellipsis are removed.
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

// maxInLine is the largest number of tiles that fit in one line.
const maxInLine = 12

// TileLines splits tiles into lines: up to 12 in one line, more in lines of 8, as a phone shows about 30 columns.
func TileLines(tiles []chat.Tile) iter.Seq[[]chat.Tile] {
	if len(tiles) > maxInLine {
		return slices.Chunk(tiles, 8)
	}
	return slices.Chunk(tiles, maxInLine)
}

// Tiles returns the tiles of a row in lines of equal widths, for fixed-width letters. Picked ones are in brackets,
// which take the gaps between the tiles: "1 [2 3] 4".
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

// gaps are the texts between two tiles, by whether the left and the right tile are picked.
var gaps = map[[2]bool]string{{false, false}: " ", {true, true}: " ", {true, false}: "]", {false, true}: "["}

// Dice returns dice in one line with a die emoji in front, "" for none.
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

// Inputs for the buttons of a message.

// Choice is a button with the input that presses it.
type Choice struct {
	Typed  string
	Button chat.Button
	shown  string // the input and the label, as Text shows them
}

// Choices returns the buttons of a message in order, with numbers from 1 behind sign, which separates them from those
// of other messages: "!1". If sign is "" and several tiles can be chosen, or the board has dice, numbers always mean
// tiles or dice: a tile has its own number, and other buttons have letters.
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

// alphabet holds the letters for buttons, without q, which quits.
const alphabet = "abcdefghijklmnoprstuvwxyz"

// letterFor returns the letters of the nth button without a number, from 0: a, b and so on, then aa, ab.
func letterFor(n int) string {
	if n < len(alphabet) {
		return alphabet[n : n+1]
	}
	return letterFor(n/len(alphabet)-1) + letterFor(n%len(alphabet))
}

// picked marks the label of a chosen tile's button.
const picked = "✓"

// TileLabel returns the label of a tile's button.
func TileLabel(t chat.Tile) string {
	if t.Picked {
		return strconv.Itoa(t.Number) + picked
	}
	return strconv.Itoa(t.Number)
}

// tileNumber returns the number of the tile that a button chooses, or "" for other buttons.
func tileNumber(b chat.Button) string {
	number := strings.TrimSuffix(b.Label, picked)
	if n, err := strconv.Atoi(number); err != nil || strconv.Itoa(n) != number {
		return ""
	}
	return number
}

// hasTileButtons reports whether the buttons of a message offer several tiles, each by its number.
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

// Usual returns the button that a person most likely presses next, and false if there is none: the primary button, else
// the first. While tiles are chosen and no button ends that, it is the first tile that is not chosen.
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

// Find returns the button of the choice whose input, or else whose label, equals typed, ignoring case; false: none.
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
