package emoji

// Numbers, as strokes with round ends: readable where a picture is 22 pixels high.

import "math"

// The paper on which digits are drawn: high is their height, gap what is between two.
const (
	high = 100.0
	gap  = 26.0
)

// digit is how wide a digit is, and its strokes.
type digit struct {
	wide    float64
	strokes [][]point
}

// arc is a part of a circle, by degrees from the right as clocks go.
func arc(at point, radius, from, to float64) []point {
	const steps = 12
	var all []point
	for i := range steps + 1 {
		sin, cos := math.Sincos((from + (to-from)*float64(i)/steps) * math.Pi / 180)
		all = append(all, point{at.x + radius*cos, at.y + radius*sin})
	}
	return all
}

// digits are all ten.
func digits() [10]digit {
	join := func(parts ...[]point) [][]point {
		var whole []point
		for _, p := range parts {
			whole = append(whole, p...)
		}
		return [][]point{whole}
	}
	nine := [][]point{arc(point{28, 29}, 28, 0, 360), {{52, 44}, {18, high}}}
	six := [][]point{arc(point{28, 71}, 28, 0, 360), {{4, 56}, {38, 0}}}
	return [10]digit{
		{56, join(arc(point{28, 28}, 28, -180, 0), arc(point{28, 72}, 28, 0, 180), []point{{0, 28}})},
		{32, join([]point{{0, 22}, {26, 0}, {26, high}})},
		{54, join(arc(point{27, 27}, 26, -170, 35), []point{{0, high}, {56, high}})},
		{54, join(arc(point{26, 26}, 25, -160, 90), arc(point{26, 73}, 27, -90, 160))},
		{60, [][]point{{{44, high}, {44, 0}, {0, 70}, {62, 70}}}},
		{54, join([]point{{50, 0}, {8, 0}, {5, 46}}, arc(point{25, 68}, 31, -122, 150))},
		{56, six},
		{54, join([]point{{0, 0}, {55, 0}, {20, high}})},
		{54, [][]point{arc(point{27, 25}, 23, 0, 360), arc(point{27, 73}, 27, 0, 360)}},
		{56, nine},
	}
}

// number is a number with its middle at a point, so high, no wider than most, in strokes
// of that half breadth.
func number(n int, middle point, tall, most, half float64) shape {
	var digitsOf []int
	for rest := n; rest > 0 || len(digitsOf) == 0; rest /= 10 {
		digitsOf = append([]int{rest % 10}, digitsOf...)
	}
	all, wide := digits(), -gap
	for _, d := range digitsOf {
		wide += all[d].wide + gap
	}
	scaleY := (tall - 2*half) / high
	scaleX := min(scaleY, (most-2*half)/wide)
	left := middle.x - wide*scaleX/2
	var strokes []shape
	for _, d := range digitsOf {
		for _, stroke := range all[d].strokes {
			var through []point
			for _, p := range stroke {
				through = append(through, point{left + p.x*scaleX, middle.y + (p.y-high/2)*scaleY})
			}
			strokes = append(strokes, line(half, through...))
		}
		left += (all[d].wide + gap) * scaleX
	}
	return joined(strokes...)
}
