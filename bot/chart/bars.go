package chart

import (
	"math"
	"strconv"

	"github.com/go-analyze/charts"
)

// Bar charts.

// MaxBars is the most bars of a picture.
const MaxBars = 15

// Bars is a bar chart of counts, each with its number above it.
type Bars struct {
	Title string
	Below string // the title of the labels below the bars
	Bars  []Bar  // at most MaxBars; the others are left out
}

// Bar is one bar.
type Bar struct {
	Label string // a few letters below it: "10–14"
	Count int64
}

// PNG returns the chart as a file.
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

// labelSize returns the font size at which all labels fit.
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
