package chart

import (
	"math"
	"strconv"

	"github.com/go-analyze/charts"
)

// Bar charts.

// MaxBars is how many bars one picture has room for.
const MaxBars = 15

// Bars tell how often something was: a bar each, with its number above it.
type Bars struct {
	Title string
	Below string // what the labels below the bars mean
	Bars  []Bar  // at most MaxBars; the others are left out
}

// Bar is one of them.
type Bar struct {
	Label string // stands below it, a few letters: "10–14"
	Count int64
}

// PNG draws the bars.
func (b Bars) PNG() ([]byte, error) {
	bars := b.Bars[:min(len(b.Bars), MaxBars)]
	p := sheet()
	counts := make([]float64, len(bars))
	most := 1.0
	labels := make([]string, len(bars))
	for i, bar := range bars {
		counts[i], labels[i] = float64(bar.Count), Drawable(bar.Label)
		most = math.Max(most, counts[i])
	}
	option := charts.NewBarChartOptionWithData([][]float64{counts})
	option.Theme = theme()
	option.Padding = charts.Box{Left: margin, Top: head, Right: margin, Bottom: foot, IsSet: true}
	small := style(labelSize(p, labels))
	option.CategoryAxis = charts.CategoryAxisOption{Labels: labels, LabelCount: len(labels), LabelFontStyle: small}
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

// labelSize is the size of letters in which all labels have room side by side.
func labelSize(p *charts.Painter, labels []string) float64 {
	size := textSize
	for ; size > 12; size-- {
		total := 0
		for _, l := range labels {
			total += wide(p, l, size) + 8
		}
		if total <= Width-3*margin {
			break
		}
	}
	return size
}
