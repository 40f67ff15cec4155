package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-analyze/charts"
)

// Line charts.

// MaxLines is the most lines of a picture.
const MaxLines = 10

// MaxPoints is the most points of a line; of more, these are chosen evenly, with the first and the last.
const MaxPoints = 40

// Lines is a line chart; each line is named at its end.
type Lines struct {
	Title    string
	From, To string // the labels at the ends of the horizontal axis
	Lines    []Line // at most MaxLines; the others are left out
}

// Line is one line.
type Line struct {
	// Name is at its end, without what cannot be drawn.
	Name string
	// Last is the last value as a text, "+120", after the name.
	Last string
	// Values are the values, the oldest first, as many as in all lines.
	Values []float64
}

// PNG returns the chart as a file.
func (l Lines) PNG() ([]byte, error) {
	lines := l.Lines[:min(len(l.Lines), MaxLines)]
	p := sheet()
	labels, drawn, points := make([]string, len(lines)), make([][]float64, len(lines)), 0
	for i, line := range lines {
		labels[i] = line.Last
		if name := fit(p, Drawable(line.Name), textSize, 190); name != "" {
			labels[i] = name + " " + line.Last
		}
		points = min(len(line.Values), MaxPoints)
		for k := range points {
			drawn[i] = append(drawn[i], line.Values[k*(len(line.Values)-1)/max(points-1, 1)])
		}
	}
	area := plot{top: head, bottom: Height - foot, right: Width - margin - widest(p, labels) - lead}
	all := append(slices.Concat(drawn...), 0)
	area.scale(slices.Min(all), slices.Max(all))
	option := charts.NewLineChartOptionWithData(drawn)
	option.Theme = theme()
	option.Padding = charts.Box{Left: margin, Top: area.top, Right: Width - area.right, Bottom: foot, IsSet: true}
	option.XAxis = charts.XAxisOption{Show: charts.Ptr(false), BoundaryGap: charts.Ptr(false),
		Labels: make([]string, points)}
	numbers := area.labels()
	option.YAxis = []charts.YAxisOption{{Min: &area.low, Max: &area.high, LabelCount: len(numbers), Labels: numbers,
		RangeValuePaddingScale: charts.Ptr(0.0), LabelFontStyle: style(textSize), SplitLineShow: charts.Ptr(true)}}
	option.Legend.Show = charts.Ptr(false)
	option.LineStrokeWidth = 3
	symbols := []charts.Symbol{charts.SymbolDot, charts.SymbolSquare, charts.SymbolDiamond, charts.SymbolCircle}
	for i := range option.SeriesList {
		option.SeriesList[i].Symbol = symbols[i%len(symbols)]
	}
	if err := p.LineChart(option); err != nil {
		return nil, err
	}
	left := margin + widest(p, numbers) + 16 // after its labels
	p.LineStroke([]charts.Point{{X: left, Y: area.y(0)}, {X: area.right, Y: area.y(0)}}, zero(), 1)
	writeEnds(p, area, lines, labels)
	below := area.bottom + int(textSize) + 24
	from, to := fit(p, Drawable(l.From), textSize, area.right/2), fit(p, Drawable(l.To), textSize, area.right/2)
	p.Text(from, margin, below, 0, style(textSize))
	p.Text(to, area.right-wide(p, to, textSize), below, 0, style(textSize))
	return finished(p, l.Title)
}

// writeEnds writes the names, apart from each other, with thin lines to the ends of their lines.
func writeEnds(p *charts.Painter, area plot, lines []Line, labels []string) {
	ends := make([]int, len(lines))
	for i, l := range lines {
		last := 0.0
		if n := len(l.Values); n > 0 {
			last = l.Values[n-1]
		}
		ends[i] = area.y(last)
	}
	places := apart(ends, gap, area.top, area.bottom)
	for i, text := range labels {
		colour := colours()[i]
		x := area.right + lead
		p.LineStroke([]charts.Point{{X: area.right + 8, Y: ends[i]}, {X: x - 8, Y: places[i]}}, colour, 2)
		s := style(textSize)
		s.FontColor = colour
		p.Text(text, x, places[i]+int(textSize)/3, 0, s)
	}
}

// apart moves heights as little as needed to keep a distance between any two and stay within bounds, if there is
// room.
func apart(heights []int, least, top, bottom int) []int {
	order := make([]int, len(heights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
	placed := slices.Clone(heights)
	for i, at := range order { // downwards
		placed[at] = max(placed[at], top+i*least)
		if i > 0 {
			placed[at] = max(placed[at], placed[order[i-1]]+least)
		}
	}
	for i, at := range slices.Backward(order) { // and back, if that went too far
		placed[at] = min(placed[at], bottom-(len(order)-1-i)*least)
		if i < len(order)-1 {
			placed[at] = min(placed[at], placed[order[i+1]]-least)
		}
	}
	return placed
}

// plot is the area of a picture with the values, in pixels, and the values at its lower and its upper edge.
type plot struct {
	top, bottom, right int
	low, high, step    float64
}

// scale chooses round values for the edges and the grid lines.
func (a *plot) scale(low, high float64) {
	if high-low < 1 {
		high = low + 1
	}
	rough := (high - low) / 5 // for so many grid lines, approximately
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	a.step = 10 * power
	for _, round := range []float64{1, 2, 5} {
		if round*power >= rough {
			a.step = round * power
			break
		}
	}
	a.step = math.Max(a.step, 1)
	a.low, a.high = math.Floor(low/a.step)*a.step, math.Ceil(high/a.step)*a.step
}

// y returns the height of a value, from the top.
func (a plot) y(value float64) int {
	return a.bottom - int(math.Round((value-a.low)/(a.high-a.low)*float64(a.bottom-a.top)))
}

// labels returns the numbers of the vertical axis, with a minus sign: "−20".
func (a plot) labels() (labels []string) {
	for v := a.low; v <= a.high+a.step/2; v += a.step {
		whole := strconv.FormatFloat(math.Round(v), 'f', -1, 64)
		labels = append(labels, strings.Replace(whole, "-", "−", 1))
	}
	return labels
}

// widest returns the width of the widest text.
func widest(p *charts.Painter, texts []string) (width int) {
	for _, text := range texts {
		width = max(width, wide(p, text, textSize))
	}
	return width
}
