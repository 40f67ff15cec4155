package emoji

// The shapes that pictures are made of.

import "math"

// point is a place on the paper.
type point struct{ x, y float64 }

// grown is a shape with its outline further out.
func grown(s shape, by float64) shape {
	return func(x, y float64) float64 { return s(x, y) - by }
}

// turned is a shape that is turned around a point, by degrees, as clocks go.
func turned(s shape, around point, degrees float64) shape {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return func(x, y float64) float64 {
		x, y = x-around.x, y-around.y
		return s(around.x+cos*x+sin*y, around.y-sin*x+cos*y)
	}
}

// sheared is a shape that leans: for each pixel above base a point is moved by lean.
func sheared(s shape, base, lean float64) shape {
	return func(x, y float64) float64 { return s(x-(base-y)*lean, y) }
}

// joined is where one of the shapes is.
func joined(all ...shape) shape {
	return func(x, y float64) float64 {
		nearest := math.Inf(1)
		for _, s := range all {
			nearest = min(nearest, s(x, y))
		}
		return nearest
	}
}

// without is where a shape is and the other is not.
func without(s, hole shape) shape {
	return func(x, y float64) float64 { return max(s(x, y), -hole(x, y)) }
}

func circle(at point, radius float64) shape {
	return func(x, y float64) float64 { return math.Hypot(x-at.x, y-at.y) - radius }
}

// box is a rectangle with round corners, between two of its corners.
func box(from, to point, round float64) shape {
	middle := point{(from.x + to.x) / 2, (from.y + to.y) / 2}
	half := point{(to.x-from.x)/2 - round, (to.y-from.y)/2 - round}
	return func(x, y float64) float64 {
		dx, dy := math.Abs(x-middle.x)-half.x, math.Abs(y-middle.y)-half.y
		return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - round
	}
}

// segment is how far a point is from the line between two others.
func segment(x, y float64, a, b point) float64 {
	wide, high := b.x-a.x, b.y-a.y
	along := 0.0
	if length := wide*wide + high*high; length > 0 {
		along = min(max(((x-a.x)*wide+(y-a.y)*high)/length, 0), 1)
	}
	return math.Hypot(x-a.x-along*wide, y-a.y-along*high)
}

// line is a stroke with round ends through some points.
func line(half float64, through ...point) shape {
	return func(x, y float64) float64 {
		nearest := math.Inf(1)
		for i := range len(through) - 1 {
			nearest = min(nearest, segment(x, y, through[i], through[i+1]))
		}
		return nearest - half
	}
}

// polygon is the area between corners, which may be round.
func polygon(round float64, corners ...point) shape {
	return func(x, y float64) float64 {
		nearest, inside := math.Inf(1), false
		for i, a := range corners {
			b := corners[(i+1)%len(corners)]
			nearest = min(nearest, segment(x, y, a, b))
			if (a.y > y) != (b.y > y) && x < (b.x-a.x)*(y-a.y)/(b.y-a.y)+a.x {
				inside = !inside
			}
		}
		if inside {
			nearest = -nearest
		}
		return nearest - round
	}
}

// star has its corners on two circles in turn; with one radius it is a regular polygon
// of twice as many corners.
func star(at point, points int, outer, inner, round, degrees float64) shape {
	var corners []point
	for i := range 2 * points {
		radius := outer
		if i%2 == 1 {
			radius = inner
		}
		sin, cos := math.Sincos((degrees-90)*math.Pi/180 + float64(i)*math.Pi/float64(points))
		corners = append(corners, point{at.x + radius*cos, at.y + radius*sin})
	}
	return polygon(round, corners...)
}

// regular is a polygon with equal sides.
func regular(at point, corners int, radius, round, degrees float64) shape {
	inner := radius * math.Cos(math.Pi/float64(corners))
	return star(at, corners, radius, inner, round, degrees)
}
