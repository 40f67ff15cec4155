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

// Text returns a message in lines, each with its line break: sentence, game, people, the turn's end by the chat's
// clock, small print, and the buttons with their inputs, which begin with sign as in Choices. Texts of people cannot
// break lines. A file is left out; see File.
func Text(m chat.Message, sign string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Clean(m.Head))
	for _, told := range m.Told {
		fmt.Fprintf(&b, "%s\n", Clean(told))
	}
	for _, row := range m.Tiles {
		b.WriteString(tileRow(row))
	}
	if len(m.Dice) > 0 {
		fmt.Fprintf(&b, "  %s\n", dice(m.Dice))
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

// File returns a file as indented lines, for platforms without files: JSON as it is, "" for nil and other types.
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

// sheetWidth is the width of a sheet: ten columns and the rows' names.
const sheetWidth = 76

// dice returns dice as text: "[4]", or "(4)" for a kept one.
func dice(all []chat.Die) string {
	var b strings.Builder
	for _, d := range all {
		if d.Kept {
			fmt.Fprintf(&b, "(%d) ", d.Face)
		} else {
			fmt.Fprintf(&b, "[%d] ", d.Face)
		}
	}
	return b.String()
}

// tileRow returns a row of tiles as a line: "3" is open, "(3)" picked, "_" shut.
func tileRow(row chat.TileRow) string {
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
		b.WriteString(dice(row.Dice))
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

// Line returns a text of people for one line of a message: without line breaks, control characters or characters that
// change the direction of text. The isolates that the core sets are kept unless isolates is false.
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

// Clip returns a text cut to a width of at most most. A cut text ends with an ellipsis and none of the characters of
// cut before it.
func Clip(text string, most int, width func(rune) int, cut string) string {
	wide, end := 0, -1
	for i, r := range text {
		if wide += width(r); end < 0 && wide >= most {
			end = i
		}
		if wide > most {
			return strings.TrimRight(text[:end], cut) + "…"
		}
	}
	return text
}

// maxInLine is the largest number of tiles in a line.
const maxInLine = 12

// TileLines splits tiles into lines: up to twelve in one line, more in lines of eight, because a phone shows about
// thirty columns.
func TileLines(all []chat.Tile) iter.Seq[[]chat.Tile] {
	if len(all) > maxInLine {
		return slices.Chunk(all, 8)
	}
	return slices.Chunk(all, maxInLine)
}

// Tiles returns the tiles of a row in lines of equal widths, for fixed-width letters. Picked ones are in brackets,
// which take the gaps between the tiles: "1 [2 3] 4".
func Tiles(row chat.TileRow) (lines []string) {
	width := 1
	if len(row.Tiles) > maxInLine {
		width = 2
	}
	for some := range TileLines(row.Tiles) {
		line, before := "", false
		for i, t := range some {
			picked := t.Open && t.Picked
			if i > 0 || row.Picks || picked {
				line += gaps[[2]bool{before, picked}]
			}
			number := strconv.Itoa(t.Number)
			if !t.Open {
				number = strings.Repeat("▁", len(number))
			}
			line, before = line+fmt.Sprintf("%*s", width, number), picked
		}
		if row.Picks || before {
			line += gaps[[2]bool{before, false}]
		}
		lines = append(lines, line)
	}
	return lines
}

// gaps are the texts between two tiles, by whether the tile before and the tile behind are picked.
var gaps = map[[2]bool]string{{false, false}: " ", {true, true}: " ", {true, false}: "]", {false, true}: "["}

// Dice returns dice in one line, "" for none.
func Dice(all []chat.Die) string {
	if len(all) == 0 {
		return ""
	}
	text := "🎲"
	for _, d := range all {
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
	shown  string // the input and the label, as in the text
}

// Choices returns the buttons of a message in order, with numbers from 1 behind sign, which separates them from those
// of other messages: "!1". Without a sign, if several tiles can be chosen, each tile has its own number and the other
// buttons have letters, as they do on boards with dice: a number always means the tile or die with it.
func Choices(m chat.Message, sign string) []Choice {
	own := sign == "" && tilesByNumber(m)
	lettered := sign == "" && (m.Pick != nil || len(m.Dice) > 0)
	var all []Choice
	letters := 0
	for _, row := range m.Buttons {
		for _, b := range row {
			number, label := tile(b), Clean(b.Label)
			switch {
			case lettered && (!own || number == ""):
				number = letter(letters)
				label = number + ") " + label
				letters++
			case !own:
				number = sign + strconv.Itoa(len(all)+1)
				label = number + ") " + label
			case number == "":
				number = letter(letters)
				label = number + ") " + label
				letters++
			}
			all = append(all, Choice{number, b, label})
		}
	}
	return all
}

// alphabet holds the letters for buttons, without q, which quits.
const alphabet = "abcdefghijklmnoprstuvwxyz"

// letter returns the letters of the nth button without a number, from 0: a, b and so on, then aa, ab.
func letter(n int) string {
	if n < len(alphabet) {
		return alphabet[n : n+1]
	}
	return letter(n/len(alphabet)-1) + letter(n%len(alphabet))
}

// picked is the mark of a chosen tile.
const picked = "✓"

// TileLabel returns the label of a tile's button.
func TileLabel(t chat.Tile) string {
	if t.Picked {
		return strconv.Itoa(t.Number) + picked
	}
	return strconv.Itoa(t.Number)
}

// tile returns the number of the tile that a button chooses, or "" for other buttons.
func tile(b chat.Button) string {
	number := strings.TrimSuffix(b.Label, picked)
	if n, err := strconv.Atoi(number); err != nil || strconv.Itoa(n) != number {
		return ""
	}
	return number
}

// tilesByNumber reports whether the buttons of a message offer several tiles, each with its number.
func tilesByNumber(m chat.Message) bool {
	seen := map[string]bool{}
	for _, row := range m.Buttons {
		for _, b := range row {
			number := tile(b)
			if number != "" && seen[number] {
				return false
			}
			seen[number] = true
		}
	}
	delete(seen, "")
	return len(m.Tiles) > 0 && len(seen) > 1
}

// Usual returns the button that a person most likely presses next, and false if there is none: the primary button,
// else the first. While tiles are being chosen and no button ends the choice, it is the first tile that is not
// chosen.
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
		if tilesByNumber(m) && !strings.HasSuffix(c.Button.Label, picked) {
			return c, true
		}
	}
	return all[0], true
}

// Find returns the button for a typed input, by its number or letters or else by its label, and false if there is none.
func Find(all []Choice, typed string) (chat.Button, bool) {
	for _, c := range all {
		if strings.EqualFold(typed, c.Typed) {
			return c.Button, true
		}
	}
	for _, c := range all {
		if strings.EqualFold(typed, Clean(c.Button.Label)) {
			return c.Button, true
		}
	}
	return chat.Button{}, false
}
