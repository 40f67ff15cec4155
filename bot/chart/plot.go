package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-analyze/charts"
)

// plot is the area of a picture with the values, in pixels, and the values at its lower and its upper edge.
type plot struct {
	top, bottom, right int
	low, high, step    float64
}

// steps is the approximate number of grid lines.
const steps = 5

// scale chooses round values for the edges and the grid lines.
func (a *plot) scale(low, high float64) {
	if high-low < 1 {
		high = low + 1
	}
	rough := (high - low) / steps
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
