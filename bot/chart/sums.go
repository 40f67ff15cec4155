package chart

import (
	"math"

	"github.com/go-analyze/charts"
)

// Sums is a chart of amounts that people have won or lost, with a bar to the right or to the left for each.
type Sums struct {
	Title  string
	Groups []Group
}

// Group holds the amounts in one unit, whose name is Label. Bars of different groups cannot be compared.
type Group struct {
	Label string
	Sums  []Sum
}

// Sum is the bar of one person. Amount is the text of Value, such as "+120".
type Sum struct {
	Name, Amount string
	Value        float64
}

// Heights and widths in a chart of sums, in pixels.
const (
	rowHeight   = 44
	nameWidth   = 220
	amountWidth = 130
)

// PNG returns the chart as the content of a PNG file. It is higher than Height if there are many rows.
func (s Sums) PNG() ([]byte, error) {
	rows := 0
	for _, g := range s.Groups {
		rows += len(g.Sums) + 1
	}
	p := emptyChart(max(Height, head+rows*rowHeight+margin))
	p.FilledRect(0, 0, Width, p.Height(), backgroundColour(), backgroundColour(), 0)
	zero := (margin + nameWidth + Width - margin) / 2
	longest := float64(zero - margin - nameWidth - amountWidth)
	y := head
	for _, g := range s.Groups {
		p.Text(fitText(p, Drawable(g.Label), textSize, Width-2*margin), margin, y+rowHeight*2/3, 0, textStyle(textSize))
		y += rowHeight
		most := 1.0
		for _, sum := range g.Sums {
			most = math.Max(most, math.Abs(sum.Value))
		}
		for _, sum := range g.Sums {
			text := y + rowHeight*2/3
			p.Text(fitText(p, Drawable(sum.Name), textSize, nameWidth-16), margin, text, 0, textStyle(textSize))
			length := int(math.Round(sum.Value / most * longest))
			colour, end := dataColours()[0], zero+length+8
			if length < 0 {
				colour, end = dataColours()[1], zero+length-8-textWidth(p, sum.Amount, textSize)
			}
			p.FilledRect(min(zero, zero+length), y+7, max(zero, zero+length), y+rowHeight-7, colour, colour, 0)
			p.Text(sum.Amount, end, text, 0, textStyle(textSize))
			y += rowHeight
		}
		p.LineStroke([]charts.Point{{X: zero, Y: y - len(g.Sums)*rowHeight}, {X: zero, Y: y}}, zeroColour(), 1)
	}
	return finish(p, s.Title)
}
