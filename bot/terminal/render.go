package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"knobel/bot/chat"
)

// render draws a board as text, with what is typed for each button.
func render(m chat.Message) string { return drawn(m, choices(m)) }

// told draws an answer, whose buttons have a dot before their numbers.
func told(m chat.Message) string { return drawn(m, numbered(m, dot)) }

// filed is a file as it can be read here.
func filed(f *chat.File) string {
	if f == nil || !strings.HasPrefix(f.Type, "application/json") {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(string(f.Bytes)) {
		b.WriteString("  " + strings.TrimRight(clean(line), " ") + "\n")
	}
	return b.String()
}

// drawn draws a message with its buttons.
func drawn(m chat.Message, all []choice) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", clean(m.Head))
	for _, row := range m.Tiles {
		b.WriteString(tiles(row))
	}
	if len(m.Dice) > 0 {
		b.WriteString("  ")
		for _, d := range m.Dice {
			fmt.Fprintf(&b, die(d), d.Face)
		}
		b.WriteString("\n")
	}
	if m.Sheet != nil {
		for _, line := range m.Sheet.Text(sheetWidth) {
			fmt.Fprintf(&b, "  %s\n", clean(line))
		}
	}
	for _, p := range m.People {
		mark := " "
		if p.State == "to-move" {
			mark = ">"
		}
		fmt.Fprintf(&b, "%s %s  %s\n", mark, clean(p.Name), clean(p.Text))
	}
	for _, e := range m.Exact {
		fmt.Fprintf(&b, "  %s\n", clean(e.String()))
	}
	for _, line := range m.Lines {
		fmt.Fprintf(&b, "  %s\n", clean(line))
	}
	if m.Picture != nil && m.Picture.Alt != "" {
		fmt.Fprintf(&b, "  %s\n", clean(m.Picture.Alt))
	}
	if m.Guide != "" {
		fmt.Fprintf(&b, "  %s\n", clean(m.Guide))
	}
	if m.Small != "" {
		fmt.Fprintf(&b, "  (%s)\n", clean(m.Small))
	}
	for _, row := range m.Buttons {
		for range row {
			b.WriteString("  " + all[0].shown)
			all = all[1:]
		}
		b.WriteString("\n")
	}
	return b.String()
}

// sheetWidth is how wide a sheet may be: ten columns and their rows' names.
const sheetWidth = 76

// die is how a die is drawn: one that is kept lies apart.
func die(d chat.Die) string {
	if d.Kept {
		return "(%d) "
	}
	return "[%d] "
}

// tiles draws a row of tiles: a shut one lies flat.
func tiles(row chat.TileRow) string {
	var b strings.Builder
	b.WriteString("  ")
	if row.Owner != "" {
		fmt.Fprintf(&b, "%s: ", clean(row.Owner))
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
	fmt.Fprintf(&b, "  %s\n", clean(row.Sum))
	return b.String()
}

// clean takes out whatever could move the cursor, colour the screen or turn
// the direction of a line: text from people is shown, never obeyed.
func clean(text string) string {
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
