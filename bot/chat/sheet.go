package chat

import (
	"strings"
	"unicode/utf8"
)

// Sheets set in monospaced text.

// How wide the columns of a sheet are, in characters.
const (
	widestCell  = 7
	slimmest    = 4 // "142", "24*", "−18" and a space before the next
	widestShort = 10
)

// Text sets the sheet in lines of monospaced text, at most width characters
// each: names above their columns, cells to the right, a rule above each sum.
// Names and labels are shortened where they have to be; 30 characters hold
// four columns. What is wider is set in parts, one below the other.
func (s Sheet) Text(width int) []string {
	var lines []string
	for i, part := range s.parts(max((width-widestShort)/(slimmest+1), 1)) {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, part.text(width)...)
	}
	return lines
}

// parts are sheets of at most so many columns, as even as can be.
func (s Sheet) parts(most int) []Sheet {
	var all []Sheet
	for count := (len(s.Columns) + most - 1) / most; count > 0; count-- {
		n := (len(s.Columns) + count - 1) / count
		part := Sheet{Columns: s.Columns[:n]}
		rest := Sheet{Columns: s.Columns[n:]}
		for _, row := range s.Rows {
			left, right := row, row
			left.Cells, right.Cells = row.Cells[:n], row.Cells[n:]
			part.Rows, rest.Rows = append(part.Rows, left), append(rest.Rows, right)
		}
		all, s = append(all, part), rest
	}
	return all
}

// text sets a sheet whose columns stand side by side.
func (s Sheet) text(width int) []string {
	label := widestShort
	cell := min(widestCell, (width-label)/len(s.Columns)-1)
	if cell < slimmest {
		cell = slimmest
		label = max(width-len(s.Columns)*(cell+1), 0)
	} else {
		label = width - len(s.Columns)*(cell+1)
	}
	label = min(label, s.longestLabel())
	names := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = Isolate(Shorten(unmarked.Replace(c.Name), cell))
	}
	lines := []string{setLine("", names, label, cell)}
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

// longestLabel is the width that shows every row's whole name.
func (s Sheet) longestLabel() int {
	most := 0
	for _, row := range s.Rows {
		most = max(most, utf8.RuneCountInString(row.Label))
	}
	return most
}

// setLine sets one line: the label to the left, the cells to the right.
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
