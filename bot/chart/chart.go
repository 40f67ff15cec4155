// Package chart draws charts as PNG: lines with their names at the ends, and bars. It knows no game and no language;
// the caller provides all words.
//
// The pictures have a background, so that they can be read on light and on dark screens, and never tell things apart
// by colour alone.
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

// Width and Height are the size of every picture in pixels: on a phone its letters are as large as those of the chat.
const (
	Width  = 900
	Height = 600
)

// Font sizes and margins in pixels.
const (
	titleSize = 26.0
	textSize  = 21.0
	margin    = 24
	head      = 78 // of the title
	foot      = 66 // below the horizontal axis
	gap       = 28 // the least distance of two names
	lead      = 40 // from the end of a line to its name
)

// ground, ink and rule are the colours of background, text and grid.
func ground() charts.Color { return charts.Color{R: 0xFD, G: 0xFB, B: 0xF6, A: 0xFF} }
func ink() charts.Color    { return charts.Color{R: 0x22, G: 0x25, B: 0x2B, A: 0xFF} }
func rule() charts.Color   { return charts.Color{R: 0xD8, G: 0xD4, B: 0xCB, A: 0xFF} }
func zero() charts.Color   { return charts.Color{R: 0x7A, G: 0x76, B: 0x6E, A: 0xFF} }

// colours are those of lines and bars: a contrast of 4.5 to 1 at least, and as distinct for colour-blind people as
// ten can be.
func colours() []charts.Color {
	var all []charts.Color
	for _, c := range []int{0x0060A8, 0xB93A0A, 0x00705A, 0x8A3D94, 0x6B4A00, 0x333840, 0xA80038, 0x006880, 0x566300,
		0x4A4FA0} {
		all = append(all, charts.Color{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xFF})
	}
	return all
}

func theme() charts.ColorPalette {
	return charts.MakeTheme(charts.ThemeOption{
		AxisStrokeColor: rule(), AxisSplitLineColor: rule(), BackgroundColor: ground(), TextColor: ink(),
		SeriesColors: colours(),
	})
}

// style returns the font style of a size.
func style(size float64) charts.FontStyle {
	return charts.FontStyle{FontSize: size, FontColor: ink(), Font: charts.GetFont(charts.FontFamilyNotoSans)}
}

// sheet returns an empty picture.
func sheet() *charts.Painter {
	return charts.NewPainter(charts.PainterOptions{
		OutputFormat: charts.ChartOutputPNG, Width: Width, Height: Height,
		Theme: theme(), Font: charts.GetFont(charts.FontFamilyNotoSans),
	})
}

// finished returns the picture with its title as a file. A frame separates it from a light background.
func finished(p *charts.Painter, title string) ([]byte, error) {
	p.Text(fit(p, Drawable(title), titleSize, Width-2*margin), margin, margin+int(titleSize), 0, style(titleSize))
	p.LineStroke([]charts.Point{{X: 0, Y: 0}, {X: Width - 1, Y: 0}, {X: Width - 1, Y: Height - 1},
		{X: 0, Y: Height - 1}, {X: 0, Y: 0}}, rule(), 2)
	png, err := p.Bytes()
	if err != nil {
		return nil, fmt.Errorf("draw a chart: %w", err)
	}
	return png, nil
}

// wide returns the width of a text in pixels.
func wide(p *charts.Painter, text string, size float64) int {
	box := p.MeasureText(text, 0, style(size))
	return box.Width()
}

// fit cuts a text to a width in pixels, with an ellipsis.
func fit(p *charts.Painter, text string, size float64, most int) string {
	if wide(p, text, size) <= most {
		return text
	}
	letters := []rune(text)
	short := func(n int) string { return strings.TrimRight(string(letters[:n]), " ") + "…" }
	tooLong := sort.Search(len(letters), func(n int) bool { return wide(p, short(n), size) > most })
	return short(max(tooLong-1, 0))
}

// Drawable returns the drawable part of a text: letters of the font. Emoji and scripts that join or run from right to
// left are left out, so a name may become empty.
func Drawable(text string) string {
	const most = 200 // characters that are examined
	if letters := []rune(text); len(letters) > most {
		text = string(letters[:most])
	}
	drawn := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r), unicode.In(r, unicode.Mn, unicode.Me, unicode.Co), !hasSign(r):
			return -1
		}
		return r
	}, norm.NFC.String(strings.ToValidUTF8(text, "")))
	return strings.Join(strings.Fields(drawn), " ")
}

// hasSign reports whether one of the fonts has a glyph for a rune.
func hasSign(r rune) bool {
	for _, family := range []string{charts.FontFamilyNotoSans, "notosans-chartsymbols", charts.FontFamilyRoboto} {
		if charts.GetFont(family).Index(r) != 0 {
			return true
		}
	}
	return false
}

// Bar charts.

// Bars is a bar chart of counts, each with its number above it.
type Bars struct {
	Title string
	Below string // the title of the labels below the bars
	Bars  []Bar
}

// Bar is one bar.
type Bar struct {
	Label string // a few letters below it: "10–14"
	Count int64
}

// PNG returns the chart as a file.
func (b Bars) PNG() ([]byte, error) {
	p := sheet()
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
	size := textSize // at which all labels fit
	for ; size > 12; size-- {
		total := 0
		for _, l := range labels {
			total += wide(p, l, size) + 8
		}
		if total <= Width-3*margin {
			break
		}
	}
	option.CategoryAxis = charts.CategoryAxisOption{Labels: labels, LabelCount: len(labels),
		LabelFontStyle: style(size)}
	option.ValueAxis = []charts.ValueAxisOption{{Show: charts.Ptr(false), Min: charts.Ptr(0.0),
		Max: charts.Ptr(1.08 * most), RangeValuePaddingScale: charts.Ptr(0.0)}}
	option.Legend.Show = charts.Ptr(false)
	for i := range option.SeriesList {
		option.SeriesList[i].Label = charts.SeriesLabel{
			Show: charts.Ptr(true), FontStyle: style(textSize),
			ValueFormatter: func(v float64) string { return strconv.FormatInt(int64(v), 10) },
		}
	}
	if err := p.BarChart(option); err != nil {
		return nil, err
	}
	below := fit(p, Drawable(b.Below), textSize, Width-2*margin)
	p.Text(below, (Width-wide(p, below, textSize))/2, Height-margin, 0, style(textSize))
	return finished(p, b.Title)
}

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
