package emoji

// Dice: with pips, as padlocks where they are kept, and with twenty sides.

import "math"

// The colours of dice.
var (
	ivory  = rgb(0xfffdf6)
	bone   = rgb(0xe4dcc8)
	ink    = rgb(0x23262d)
	amber  = rgb(0xffcf4a)
	honey  = rgb(0xf0a51e)
	bronze = rgb(0x6b4200)
	violet = rgb(0x6c5ce0)
	plum   = rgb(0x4a3bb5)
)

// pips are where the pips of a face lie, -1 to 1 from the middle.
func pips(face int) []point {
	corners := [][]point{
		{{0, 0}},
		{{-1, -1}, {1, 1}},
		{{-1, -1}, {0, 0}, {1, 1}},
		{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}},
		{{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}},
		{{-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {1, 1}},
	}
	return corners[face-1]
}

// faced lays the pips of a face around a point.
func (c *canvas) faced(face int, at point, apart, radius, degrees float64, colour tint) {
	for _, p := range pips(face) {
		s := circle(point{at.x + p.x*apart, at.y + p.y*apart}, radius)
		c.lay(turned(s, at, degrees), even(colour))
	}
}

// thrown is a die as it lies.
func thrown(face int) func(*canvas) {
	return func(c *canvas) {
		c.outlined(box(point{7, 7}, point{121, 121}, 26), down(ivory, bone, 20, 120), ink, 7)
		c.faced(face, point{64, 64}, 31, 14, 0, ink)
	}
}

// kept is a die that is a padlock: a shackle stands on it.
func kept(face int) func(*canvas) {
	return func(c *canvas) {
		shackle := joined(line(7, arc(point{64, 38}, 27, -180, 0)...), line(7, point{37, 38}, point{37, 52}),
			line(7, point{91, 38}, point{91, 52}))
		c.lay(grown(shackle, 3), even(bronze))
		c.lay(grown(shackle, -2.5), even(rgb(0xe9edf2)))
		c.outlined(box(point{15, 41}, point{113, 124}, 17), down(amber, honey, 46, 124), bronze, 7)
		for _, p := range pips(face) {
			c.lay(circle(point{64 + p.x*29, 82.5 + p.y*24.5}, 11.5), even(rgb(0x2c1a00)))
		}
	}
}

// twenty is a die with twenty sides, from above.
func twenty(face int) func(*canvas) {
	return func(c *canvas) {
		middle := point{64, 64}
		c.outlined(regular(middle, 6, 57, 3, 0), down(violet, plum, 10, 120), rgb(0x1d1650), 6)
		edge := rgb(0x1d1650)
		edge.a = 0.55
		var front []point
		for _, degrees := range []float64{-90, 30, 150} {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			inner, outer := point{64 + 44*cos, 64 + 44*sin}, point{64 + 57*cos, 64 + 57*sin}
			front = append(front, inner)
			c.lay(line(1.6, inner, outer), even(edge))
		}
		c.lay(polygon(2, front...), down(rgb(0x8f80ff), violet, 16, 90))
		c.lay(line(1.6, front[0], front[1], front[2], front[0]), even(edge))
		s := number(face, point{64, 69}, 56, 66, 6.5)
		c.lay(grown(s, 3.5), even(rgb(0x1d1650)))
		c.lay(s, even(rgb(0xffffff)))
	}
}

// oneDie and twoDice are what buttons throw.
func oneDie(c *canvas) { c.tumbling(point{64, 64}, 46, 12, 5) }

func twoDice(c *canvas) {
	c.tumbling(point{41, 42}, 33, -12, 3)
	c.tumbling(point{85, 84}, 33, 14, 5)
}

// tumbling lays a die that is turned, by half its side.
func (c *canvas) tumbling(at point, half, degrees float64, face int) {
	side := box(point{at.x - half, at.y - half}, point{at.x + half, at.y + half}, half/2.4)
	c.outlined(turned(side, at, degrees), down(ivory, bone, at.y-half, at.y+half), ink, 7)
	c.faced(face, at, half*0.54, half*0.22, degrees, ink)
}
