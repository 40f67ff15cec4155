package chat

import (
	"slices"
	"strings"
	"unicode/utf8"

	"knobel/games"
)

// Score sheets, and their form in fixed-width text.

// Sheet is a score sheet with one or more columns for each seat, as texts.
type Sheet struct {
	// Asked means that a person asked for the sheet, or that the game is over. Where there is little space, sheets
	// without Asked are not shown.
	Asked   bool          `json:"asked,omitempty"`
	Columns []SheetColumn `json:"columns"`
	Rows    []SheetRow    `json:"rows"`
	// Star explains the star (*) in cells, in a line below the sheet; "" if no cell has a star.
	Star string `json:"star,omitempty"`
}

// Star returns the text of Sheet.Star. It returns "" if there is no sheet or one of the Lines is the same text.
func (m Message) Star() string {
	if m.Sheet == nil || slices.Contains(m.Lines, m.Sheet.Star) {
		return ""
	}
	return m.Sheet.Star
}

// SheetColumn is one column of a seat. If a seat has several, they are adjacent; each has a name (Column) and an
// abbreviation of at most four characters (Sign).
type SheetColumn struct {
	Seat   int    `json:"seat"`
	Name   string `json:"name"` // of the seat
	Sign   string `json:"sign,omitempty"`
	Column string `json:"column,omitempty"`
}

// SheetRow is one row: its name (Label), a name of at most ten characters (Short), and one cell for each column.
type SheetRow struct {
	Label string      `json:"label"`
	Short string      `json:"short"`
	Sum   bool        `json:"sum,omitempty"` // sum of other rows
	Cells []SheetCell `json:"cells"`
}

// SheetCell is one cell: its text ("24*", "+3", "—", "·") and the meaning of that text.
type SheetCell struct {
	Text string     `json:"text"`
	Mark games.Mark `json:"mark"`
	// Press fills the cell when it is pressed; "": the viewer may not fill it now. Label describes this move: "Pair
	// 24".
	Press string `json:"press,omitempty"`
	Label string `json:"label,omitempty"`
}

// Widths of a sheet's columns in characters.
const (
	widestCell    = 7
	narrowestCell = 4 // enough for "142", "24*" and "−18"
	shortLabel    = 10
)

// Text returns the sheet as lines of at most width characters in a fixed-width font: names above their columns, cells
// aligned right, a dividing line above each sum. Long names and labels are shortened. A sheet that is too wide is split
// into parts, one below the other; a seat with several columns has its own part. Four columns fit into a width of 30.
func (s Sheet) Text(width int) []string {
	maxColumns := max((width-shortLabel)/(narrowestCell+1), 1)
	var lines []string
	for rest := s; len(rest.Columns) > 0; {
		var group Sheet // the columns of one seat that has several, or those of all seats
		n := len(rest.Columns)
		if other := slices.IndexFunc(rest.Columns, func(c SheetColumn) bool {
			return c.Sign != "" && c.Seat != rest.Columns[0].Seat
		}); other > 0 {
			n = other
		}
		group, rest = rest.splitColumns(n)
		for count := (n + maxColumns - 1) / maxColumns; count > 0; count-- { // split into parts of nearly equal width
			var part Sheet
			part, group = group.splitColumns((len(group.Columns) + count - 1) / count)
			if len(lines) > 0 {
				lines = append(lines, "")
			}
			lines = append(lines, part.render(width)...)
		}
	}
	return lines
}

// splitColumns returns a sheet with the first n columns of s, and one with its other columns.
func (s Sheet) splitColumns(n int) (part, rest Sheet) {
	part, rest = Sheet{Columns: s.Columns[:n]}, Sheet{Columns: s.Columns[n:]}
	for _, row := range s.Rows {
		left, right := row, row
		left.Cells, right.Cells = row.Cells[:n], row.Cells[n:]
		part.Rows, rest.Rows = append(part.Rows, left), append(rest.Rows, right)
	}
	return part, rest
}

// render returns the lines of a sheet that needs no splitting: its columns fit side by side into width characters.
func (s Sheet) render(width int) []string {
	label := shortLabel
	cell := min(widestCell, (width-label)/len(s.Columns)-1)
	if cell < narrowestCell {
		cell = narrowestCell
		label = max(width-len(s.Columns)*(cell+1), 0)
	} else {
		label = width - len(s.Columns)*(cell+1)
	}
	longest, names := 0, make([]string, len(s.Columns))
	for _, row := range s.Rows {
		longest = max(longest, utf8.RuneCountInString(row.Label))
	}
	label = min(label, longest)
	for i, c := range s.Columns {
		names[i] = Isolate(shortenName(markRemover.Replace(c.Name), cell))
		if c.Sign != "" {
			names[i] = Shorten(c.Sign, cell)
		}
	}
	var lines []string
	if s.Columns[0].Sign != "" { // a seat with several columns: its name comes above their signs
		lines = append(lines, Isolate(Shorten(markRemover.Replace(s.Columns[0].Name), width)))
	}
	lines = append(lines, formatLine("", names, label, cell))
	for i, row := range s.Rows {
		if row.Sum && (i == 0 || !s.Rows[i-1].Sum) {
			lines = append(lines, strings.Repeat("-", label+len(s.Columns)*(cell+1)))
		}
		name := row.Label
		if utf8.RuneCountInString(name) > label {
			name = Shorten(row.Short, label)
		}
		cells := make([]string, len(row.Cells))
		for i, c := range row.Cells {
			cells[i] = Shorten(c.Text, cell)
		}
		lines = append(lines, formatLine(name, cells, label, cell))
	}
	return lines
}

// shortenName returns name cut to at most width characters. The number that distinguishes similar names stays: "Co…2".
func shortenName(name string, width int) string {
	space := strings.LastIndexByte(name, ' ')
	number := name[space+1:]
	if utf8.RuneCountInString(name) <= width || space < 0 || len(number) > width-2 ||
		strings.Trim(number, "0123456789") != "" {
		return Shorten(name, width)
	}
	return Shorten(name[:space], width-len(number)) + number
}

// formatLine returns one line of a sheet: label aligned left, labelWidth characters wide, then the cells, each with a
// space before it, aligned right and cellWidth characters wide.
func formatLine(label string, cells []string, labelWidth, cellWidth int) string {
	var b strings.Builder
	b.WriteString(label)
	b.WriteString(strings.Repeat(" ", max(labelWidth-utf8.RuneCountInString(label), 0)))
	for _, c := range cells {
		b.WriteString(strings.Repeat(" ", max(cellWidth+1-utf8.RuneCountInString(markRemover.Replace(c)), 0)))
		b.WriteString(c)
	}
	return strings.TrimRight(b.String(), " ")
}
