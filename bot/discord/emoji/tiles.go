package emoji

// Tiles of the box: upright while they are open, leaning once they are chosen, and flat
// when they are shut; and the box itself.

// The colours of wood and felt.
var (
	maple  = rgb(0xffdf9e)
	oak    = rgb(0xe9a955)
	walnut = rgb(0x4a2808)
	teak   = rgb(0x9a6a3a)
	felt   = rgb(0x1f7a4d)
	mint   = rgb(0x9ff0b8)
	moss   = rgb(0x3fb66b)
	pine   = rgb(0x0b3d22)
)

// open is a tile that stands.
func open(n int) func(*canvas) {
	return func(c *canvas) {
		c.outlined(box(point{14, 5}, point{114, 123}, 18), down(maple, oak, 10, 120), walnut, 7)
		c.lay(number(n, point{64, 65}, 82, 82, 8.5), even(walnut))
	}
}

// picked is a tile that is about to fall: it leans, and a tick is on it.
func picked(n int) func(*canvas) {
	return func(c *canvas) {
		const lean = 0.24
		leaning := func(s shape) shape { return sheared(s, 123, lean) }
		c.outlined(leaning(box(point{6, 26}, point{100, 124}, 15)), down(mint, moss, 26, 124), pine, 7)
		c.lay(leaning(number(n, point{53, 78}, 68, 74, 8)), even(pine))
		tick := line(7, point{86, 27}, point{97, 38}, point{113, 17})
		c.lay(grown(tick, 6), even(pine))
		c.lay(tick, even(rgb(0xffffff)))
	}
}

// shut is a tile that lies, its number seen from the side.
func shut(n int) func(*canvas) {
	return func(c *canvas) {
		lying := polygon(5, point{24, 84}, point{104, 84}, point{119, 114}, point{9, 114})
		c.outlined(lying, down(rgb(0xb98a55), teak, 80, 118), walnut, 6)
		dim := walnut
		dim.a = 0.75
		c.lay(number(n, point{64, 99}, 22, 60, 3.6), even(dim))
	}
}

// wholeBox is the box, open, with some tiles up.
func wholeBox(c *canvas) {
	lid := polygon(5, point{22, 12}, point{106, 12}, point{118, 52}, point{10, 52})
	c.outlined(lid, down(rgb(0xc98d4b), teak, 10, 52), walnut, 6)
	for i := range 4 {
		left := 21 + 22.5*float64(i)
		if i == 2 {
			continue // one of them is shut
		}
		c.outlined(box(point{left, 32}, point{left + 18, 64}, 5), down(maple, oak, 32, 64), walnut, 5)
	}
	c.outlined(box(point{7, 56}, point{121, 120}, 10), down(oak, rgb(0xb9742c), 56, 120), walnut, 7)
	c.outlined(box(point{21, 70}, point{107, 107}, 6), even(felt), walnut, 5)
	c.outlined(box(point{42, 77}, point{64, 99}, 6), even(ivory), ink, 4)
	c.lay(circle(point{53, 88}, 4.5), even(ink))
	c.outlined(box(point{70, 79}, point{92, 101}, 6), even(ivory), ink, 4)
	c.faced(2, point{81, 90}, 5, 3.5, 0, ink)
}
