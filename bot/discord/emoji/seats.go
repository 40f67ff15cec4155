package emoji

// The signs of seats: each has a form of its own beside its colour.

// sign is how a seat is marked.
type sign struct {
	word  string
	hex   int
	drawn shape
}

// signs are those of ten seats, in the colours that boards have for them.
func signs() []sign {
	middle := point{64, 64}
	bar := box(point{46, 12}, point{82, 116}, 8)
	heart := joined(circle(point{41, 48}, 28), circle(point{87, 48}, 28),
		polygon(4, point{21, 64}, point{64, 112}, point{107, 64}, point{64, 46}))
	drop := joined(circle(point{64, 78}, 38), polygon(2, point{64, 10}, point{95, 56}, point{64, 78}, point{33, 56}))
	moon := without(circle(point{60, 64}, 54), circle(point{88, 48}, 40))
	return []sign{
		{"blue_circle", 0x3b82f6, circle(middle, 52)},
		{"red_square", 0xef4444, box(point{16, 16}, point{112, 112}, 12)},
		{"green_triangle", 0x22a55b, polygon(8, point{64, 18}, point{114, 104}, point{14, 104})},
		{"yellow_diamond", 0xe0a100, polygon(8, point{64, 14}, point{110, 64}, point{64, 114}, point{18, 64})},
		{"purple_star", 0x9b59d0, star(point{64, 68}, 5, 58, 27, 4, 0)},
		{"teal_hexagon", 0x12a5b8, regular(middle, 6, 54, 4, 30)},
		{"orange_cross", 0xe8713c, joined(bar, turned(bar, middle, 90))},
		{"pink_heart", 0xd6569b, heart},
		{"olive_drop", 0x7a9a2e, drop},
		{"brown_moon", 0x8a6a52, moon},
	}
}

// seat is the sign of a seat, with a pale rim inside a dark one: one of them stands
// out from whatever ground there is.
func seat(s sign) func(*canvas) {
	return func(c *canvas) {
		colour := rgb(s.hex)
		c.lay(grown(s.drawn, 4), even(mix(colour, rgb(0x000000), 0.55)))
		c.lay(grown(s.drawn, -3), down(mix(colour, rgb(0xffffff), 0.25), colour, 10, 90))
	}
}
