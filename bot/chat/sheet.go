package chat

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Score sheets in fixed-width text.

// Widths of a sheet's columns in characters.
const (
	widestCell  = 7
	slimmest    = 4 // "142", "24*", "−18" and a space before the next
	widestShort = 10
)

// Text returns the sheet in lines of fixed-width text, at most width characters each: names above their columns, cells
// to the right, a rule above each sum. Long names and labels are shortened; 30 characters hold four columns. A wider
// sheet is split into parts, one below the other; a seat with several columns has a separate part.
func (s Sheet) Text(width int) []string {
	most := max((width-widestShort)/(slimmest+1), 1)
	var lines []string
	for rest := s; len(rest.Columns) > 0; {
		var of Sheet // a seat with several columns, or all seats
		n := len(rest.Columns)
		if other := slices.IndexFunc(rest.Columns, func(c SheetColumn) bool {
			return c.Sign != "" && c.Seat != rest.Columns[0].Seat
		}); other > 0 {
			n = other
		}
		of, rest = rest.cut(n)
		for count := (n + most - 1) / most; count > 0; count-- { // evenly
			var part Sheet
			part, of = of.cut((len(of.Columns) + count - 1) / count)
			if len(lines) > 0 {
				lines = append(lines, "")
			}
			lines = append(lines, part.text(width)...)
		}
	}
	return lines
}

// cut returns the first n columns, and the others.
func (s Sheet) cut(n int) (part, rest Sheet) {
	part, rest = Sheet{Columns: s.Columns[:n]}, Sheet{Columns: s.Columns[n:]}
	for _, row := range s.Rows {
		left, right := row, row
		left.Cells, right.Cells = row.Cells[:n], row.Cells[n:]
		part.Rows, rest.Rows = append(part.Rows, left), append(rest.Rows, right)
	}
	return part, rest
}

// text returns the lines of a sheet whose columns are all side by side.
func (s Sheet) text(width int) []string {
	label := widestShort
	cell := min(widestCell, (width-label)/len(s.Columns)-1)
	if cell < slimmest {
		cell = slimmest
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
		names[i] = Isolate(Shorten(unmarked.Replace(c.Name), cell))
		if c.Sign != "" {
			names[i] = Shorten(c.Sign, cell)
		}
	}
	var lines []string
	if s.Columns[0].Sign != "" { // the seat, above the signs of its columns
		lines = append(lines, Isolate(Shorten(unmarked.Replace(s.Columns[0].Name), width)))
	}
	lines = append(lines, setLine("", names, label, cell))
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
		lines = append(lines, setLine(name, cells, label, cell))
	}
	return lines
}

// setLine returns one line: the label aligned left in wide characters, each cell aligned right in cell characters.
func setLine(label string, cells []string, wide, cell int) string {
	var b strings.Builder
	b.WriteString(label)
	b.WriteString(strings.Repeat(" ", max(wide-utf8.RuneCountInString(label), 0)))
	for _, c := range cells {
		b.WriteString(strings.Repeat(" ", max(cell+1-utf8.RuneCountInString(unmarked.Replace(c)), 0)))
		b.WriteString(c)
	}
	return strings.TrimRight(b.String(), " ")
}
