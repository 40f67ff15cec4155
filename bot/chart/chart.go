// Package chart draws line charts and bar charts as PNG. It depends on no game and no language: the caller provides all
// text.
//
// The charts have a background, so that they are readable on light and dark screens, and never use colour as the only
// difference between two lines.
package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-analyze/charts"
	"golang.org/x/text/unicode/norm"
)

// Width and Height are the size of charts in pixels, chosen so that text is as large as a chat's on a phone.
const (
	Width  = 900
	Height = 600
)

// Font sizes and margins in pixels.
const (
	titleSize = 26.0
	textSize  = 21.0
	margin    = 24
	head      = 78 // height of the area for the title
	foot      = 66 // height of the area below the horizontal axis
	gap       = 28 // minimum vertical distance of two line names
	lead      = 40 // horizontal distance from the end of a line to its name
)

// backgroundColour, textColour, gridColour and zeroColour (line at zero) return the colours of all but the data.
func backgroundColour() charts.Color { return charts.Color{R: 0xFD, G: 0xFB, B: 0xF6, A: 0xFF} }
func textColour() charts.Color       { return charts.Color{R: 0x22, G: 0x25, B: 0x2B, A: 0xFF} }
func gridColour() charts.Color       { return charts.Color{R: 0xD8, G: 0xD4, B: 0xCB, A: 0xFF} }
func zeroColour() charts.Color       { return charts.Color{R: 0x7A, G: 0x76, B: 0x6E, A: 0xFF} }

// dataColours returns the colours of lines and bars: ten with a contrast of at least 4.5 to 1, chosen to be distinct
// for colour-blind people.
func dataColours() []charts.Color {
	var all []charts.Color
	for _, c := range []int{0x0060A8, 0xB93A0A, 0x00705A, 0x8A3D94, 0x6B4A00, 0x333840, 0xA80038, 0x006880, 0x566300,
		0x4A4FA0} {
		all = append(all, charts.Color{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xFF})
	}
	return all
}

// theme returns the colours as a palette of the chart library.
func theme() charts.ColorPalette {
	return charts.MakeTheme(charts.ThemeOption{
		AxisStrokeColor: gridColour(), AxisSplitLineColor: gridColour(), BackgroundColor: backgroundColour(),
		TextColor: textColour(), SeriesColors: dataColours(),
	})
}

// textStyle returns the font style for a size in pixels.
func textStyle(size float64) charts.FontStyle {
	return charts.FontStyle{FontSize: size, FontColor: textColour(), Font: charts.GetFont(charts.FontFamilyNotoSans)}
}

// emptyChart returns a chart without content of that height in pixels.
func emptyChart(height int) *charts.Painter {
	return charts.NewPainter(charts.PainterOptions{
		OutputFormat: charts.ChartOutputPNG, Width: Width, Height: height,
		Theme: theme(), Font: charts.GetFont(charts.FontFamilyNotoSans),
	})
}

// finish adds the title and a frame, which separates the chart from a light background, and returns the PNG.
func finish(p *charts.Painter, title string) ([]byte, error) {
	p.Text(fitText(p, Drawable(title), titleSize, Width-2*margin), margin, margin+int(titleSize), 0,
		textStyle(titleSize))
	bottom := p.Height() - 1
	p.LineStroke([]charts.Point{{X: 0, Y: 0}, {X: Width - 1, Y: 0}, {X: Width - 1, Y: bottom}, {X: 0, Y: bottom},
		{X: 0, Y: 0}}, gridColour(), 2)
	png, err := p.Bytes()
	if err != nil {
		return nil, fmt.Errorf("draw a chart: %w", err)
	}
	return png, nil
}

// textWidth returns the width of text in pixels; size is its height in pixels.
func textWidth(p *charts.Painter, text string, size float64) int {
	box := p.MeasureText(text, 0, textStyle(size))
	return box.Width()
}

// fitText returns text, cut with an ellipsis if it is wider than most pixels; size is its height in pixels.
func fitText(p *charts.Painter, text string, size float64, most int) string {
	if textWidth(p, text, size) <= most {
		return text
	}
	letters := []rune(text)
	cut := func(n int) string { return strings.TrimRight(string(letters[:n]), " ") + "…" }
	tooLong := sort.Search(len(letters), func(n int) bool { return textWidth(p, cut(n), size) > most })
	return cut(max(tooLong-1, 0))
}

// Drawable returns the part of text that the fonts can draw, which may be empty. It leaves out emoji, and scripts that
// join letters or run from right to left.
func Drawable(text string) string {
	const most = 200 // the number of characters considered
	if letters := []rune(text); len(letters) > most {
		text = string(letters[:most])
	}
	drawn := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r), unicode.In(r, unicode.Mn, unicode.Me, unicode.Co), !hasGlyph(r):
			return -1
		}
		return r
	}, norm.NFC.String(strings.ToValidUTF8(text, "")))
	return strings.Join(strings.Fields(drawn), " ")
}

// hasGlyph reports whether one of the fonts has a glyph for r.
func hasGlyph(r rune) bool {
	for _, family := range []string{charts.FontFamilyNotoSans, "notosans-chartsymbols", charts.FontFamilyRoboto} {
		if charts.GetFont(family).Index(r) != 0 {
			return true
		}
	}
	return false
}

// Bar charts.

// Bars is a bar chart of counts, each shown above its bar.
type Bars struct {
	Title string
	Below string // caption below the labels
	Bars  []Bar
}

// Bar is one bar of Bars.
type Bar struct {
	Label string // short text below the bar: "10–14"
	Count int64
}

// PNG returns the chart as the content of a PNG file.
func (b Bars) PNG() ([]byte, error) {
	p := emptyChart(Height)
	counts := make([]float64, len(b.Bars))
	most := 1.0
	labels := make([]string, len(b.Bars))
	for i, bar := range b.Bars {
		counts[i], labels[i] = float64(bar.Count), Drawable(bar.Label)
		most = math.Max(most, counts[i])
	}
	option := charts.NewBarChartOptionWithData([][]float64{counts})
	option.Theme = theme()
	option.Padding = charts.Box{Left: margin, Top: head, Right: margin, Bottom: foot, IsSet: true}
	size := textSize // shrinks until all labels fit
	for ; size > 12; size-- {
		total := 0
		for _, l := range labels {
			total += textWidth(p, l, size) + 8
		}
		if total <= Width-3*margin {
			break
		}
	}
	option.CategoryAxis = charts.CategoryAxisOption{Labels: labels, LabelCount: len(labels),
		LabelFontStyle: textStyle(size)}
	option.ValueAxis = []charts.ValueAxisOption{{Show: charts.Ptr(false), Min: charts.Ptr(0.0),
		Max: charts.Ptr(1.08 * most), RangeValuePaddingScale: charts.Ptr(0.0)}}
	option.Legend.Show = charts.Ptr(false)
	for i := range option.SeriesList {
		option.SeriesList[i].Label = charts.SeriesLabel{
			Show: charts.Ptr(true), FontStyle: textStyle(textSize),
			ValueFormatter: func(v float64) string { return strconv.FormatInt(int64(v), 10) },
		}
	}
	if err := p.BarChart(option); err != nil {
		return nil, err
	}
	below := fitText(p, Drawable(b.Below), textSize, Width-2*margin)
	p.Text(below, (Width-textWidth(p, below, textSize))/2, Height-margin, 0, textStyle(textSize))
	return finish(p, b.Title)
}

// Line charts.

// MaxLines is the maximum number of lines in a chart.
const MaxLines = 10

// MaxPoints is the maximum number of points of a line. More values are thinned out evenly.
const MaxPoints = 40

// Lines is a line chart with a name at the end of each line.
type Lines struct {
	Title    string
	From, To string // the labels at the ends of the horizontal axis
	Lines    []Line // only the first MaxLines are drawn
}

// Line is one line of Lines.
type Line struct {
	// Name is written at the end of the line, without characters that cannot be drawn.
	Name string
	// Last is the text of the last value, such as "+120". It follows the name.
	Last string
	// Values holds the values, oldest first. All lines must have the same number of values.
	Values []float64
}

// PNG returns the chart as the content of a PNG file.
func (l Lines) PNG() ([]byte, error) {
	lines := l.Lines[:min(len(l.Lines), MaxLines)]
	p := emptyChart(Height)
	labels, drawn, points := make([]string, len(lines)), make([][]float64, len(lines)), 0
	for i, line := range lines {
		labels[i] = line.Last
		if name := fitText(p, Drawable(line.Name), textSize, 190); name != "" {
			labels[i] = name + " " + line.Last
		}
		points = min(len(line.Values), MaxPoints)
		for k := range points {
			drawn[i] = append(drawn[i], line.Values[k*(len(line.Values)-1)/max(points-1, 1)])
		}
	}
	area := plot{top: head, bottom: Height - foot, right: Width - margin - maxWidth(p, labels) - lead}
	all := append(slices.Concat(drawn...), 0)
	area.scale(slices.Min(all), slices.Max(all))
	option := charts.NewLineChartOptionWithData(drawn)
	option.Theme = theme()
	option.Padding = charts.Box{Left: margin, Top: area.top, Right: Width - area.right, Bottom: foot, IsSet: true}
	option.XAxis = charts.XAxisOption{Show: charts.Ptr(false), BoundaryGap: charts.Ptr(false),
		Labels: make([]string, points)}
	numbers := area.labels()
	option.YAxis = []charts.YAxisOption{{Min: &area.low, Max: &area.high, LabelCount: len(numbers), Labels: numbers,
		RangeValuePaddingScale: charts.Ptr(0.0), LabelFontStyle: textStyle(textSize), SplitLineShow: charts.Ptr(true)}}
	option.Legend.Show = charts.Ptr(false)
	option.LineStrokeWidth = 3
	symbols := []charts.Symbol{charts.SymbolDot, charts.SymbolSquare, charts.SymbolDiamond, charts.SymbolCircle}
	for i := range option.SeriesList {
		option.SeriesList[i].Symbol = symbols[i%len(symbols)]
	}
	if err := p.LineChart(option); err != nil {
		return nil, err
	}
	left := margin + maxWidth(p, numbers) + 16 // the left end of the zero line, right of the axis labels
	p.LineStroke([]charts.Point{{X: left, Y: area.y(0)}, {X: area.right, Y: area.y(0)}}, zeroColour(), 1)
	writeEnds(p, area, lines, labels)
	below := area.bottom + int(textSize) + 24
	from, to := fitText(p, Drawable(l.From), textSize, area.right/2), fitText(p, Drawable(l.To), textSize, area.right/2)
	p.Text(from, margin, below, 0, textStyle(textSize))
	p.Text(to, area.right-textWidth(p, to, textSize), below, 0, textStyle(textSize))
	return finish(p, l.Title)
}

// writeEnds writes labels next to the ends of lines, spaced apart and joined to them by thin lines.
func writeEnds(p *charts.Painter, area plot, lines []Line, labels []string) {
	ends := make([]int, len(lines))
	for i, l := range lines {
		last := 0.0
		if n := len(l.Values); n > 0 {
			last = l.Values[n-1]
		}
		ends[i] = area.y(last)
	}
	spread := spreadHeights(ends, gap, area.top, area.bottom)
	for i, text := range labels {
		colour := dataColours()[i]
		x := area.right + lead
		p.LineStroke([]charts.Point{{X: area.right + 8, Y: ends[i]}, {X: x - 8, Y: spread[i]}}, colour, 2)
		s := textStyle(textSize)
		s.FontColor = colour
		p.Text(text, x, spread[i]+int(textSize)/3, 0, s)
	}
}

// spreadHeights returns heights, moved as little as needed so that they differ by at least least and are between top
// and bottom, if there is room. All are in pixels from the top.
func spreadHeights(heights []int, least, top, bottom int) []int {
	order := make([]int, len(heights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
	placed := slices.Clone(heights)
	for i, at := range order { // push overlapping ones down
		placed[at] = max(placed[at], top+i*least)
		if i > 0 {
			placed[at] = max(placed[at], placed[order[i-1]]+least)
		}
	}
	for i, at := range slices.Backward(order) { // push those below the bottom up again
		placed[at] = min(placed[at], bottom-(len(order)-1-i)*least)
		if i < len(order)-1 {
			placed[at] = min(placed[at], placed[order[i+1]]-least)
		}
	}
	return placed
}

// plot is the part of the chart that shows values: its edges, the values at them, and the step of grid lines.
type plot struct {
	top, bottom, right int // in pixels: top and bottom from the chart's top edge, right from its left edge
	low, high, step    float64
}

// scale sets low, high and step to round values, so that values from low to high fit.
func (a *plot) scale(low, high float64) {
	if high-low < 1 {
		high = low + 1
	}
	rough := (high - low) / 5 // for about five grid lines
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

// y returns the vertical position of a value, in pixels from the top of the chart.
func (a plot) y(value float64) int {
	return a.bottom - int(math.Round((value-a.low)/(a.high-a.low)*float64(a.bottom-a.top)))
}

// labels returns the numbers of the vertical axis, lowest first, with a typographic minus: "−20".
func (a plot) labels() (labels []string) {
	for v := a.low; v <= a.high+a.step/2; v += a.step {
		whole := strconv.FormatFloat(math.Round(v), 'f', -1, 64)
		labels = append(labels, strings.Replace(whole, "-", "−", 1))
	}
	return labels
}

// maxWidth returns the width of the widest of texts in pixels.
func maxWidth(p *charts.Painter, texts []string) (width int) {
	for _, text := range texts {
		width = max(width, textWidth(p, text, textSize))
	}
	return width
}
