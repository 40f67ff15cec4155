package emoji

// The paper: shapes are told by their distance, and laid over each other with smooth edges.

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// Side is how many pixels a picture is wide and high.
const Side = 128

// shape says how far a point is from an outline: less than 0 inside.
type shape func(x, y float64) float64

// paint says which colour a point has.
type paint func(x, y float64) tint

// tint is a colour, each part between 0 and 1, not multiplied by its opacity.
type tint struct{ r, g, b, a float64 }

// rgb is an opaque colour by its usual number.
func rgb(hex int) tint {
	return tint{float64(hex>>16&0xff) / 255, float64(hex>>8&0xff) / 255, float64(hex&0xff) / 255, 1}
}

// even paints everything alike.
func even(c tint) paint { return func(float64, float64) tint { return c } }

// down paints from one colour at the height from to another at the height to.
func down(top, bottom tint, from, to float64) paint {
	return func(_, y float64) tint { return mix(top, bottom, (y-from)/(to-from)) }
}

func mix(a, b tint, part float64) tint {
	part = min(max(part, 0), 1)
	between := func(x, y float64) float64 { return x + (y-x)*part }
	return tint{between(a.r, b.r), between(a.g, b.g), between(a.b, b.b), between(a.a, b.a)}
}

// canvas is a picture on its way, without a ground.
type canvas struct {
	at [Side * Side]tint // multiplied by opacity
}

// block is how many pixels are passed over at once where a shape is far away.
const block = 8

// lay lays a shape over what is there.
func (c *canvas) lay(s shape, p paint) {
	const reach = block // more than from the middle of a block to its corner, as leaning shapes say too much
	for top := 0; top < Side; top += block {
		for left := 0; left < Side; left += block {
			if s(float64(left)+block/2, float64(top)+block/2) > reach {
				continue
			}
			for i := range block * block {
				c.dot(left+i%block, top+i/block, s, p)
			}
		}
	}
}

// dot lays what a shape has of one pixel.
func (c *canvas) dot(column, row int, s shape, p paint) {
	x, y := float64(column)+0.5, float64(row)+0.5
	covered := min(max(0.5-s(x, y), 0), 1)
	if covered == 0 {
		return
	}
	top := p(x, y)
	top.a *= covered
	under := &c.at[row*Side+column]
	rest := 1 - top.a
	under.r, under.g = top.r*top.a+under.r*rest, top.g*top.a+under.g*rest
	under.b, under.a = top.b*top.a+under.b*rest, top.a+under.a*rest
}

// outlined lays a shape with a rim of some pixels, half inside and half outside.
func (c *canvas) outlined(s shape, p paint, rim tint, wide float64) {
	c.lay(grown(s, wide/2), even(rim))
	c.lay(grown(s, -wide/2), p)
}

// image is the finished picture.
func (c *canvas) image() *image.NRGBA {
	drawn := image.NewNRGBA(image.Rect(0, 0, Side, Side))
	part := func(v, a float64) uint8 { return uint8(math.Round(255 * min(max(v/a, 0), 1))) }
	for i, t := range c.at {
		if alpha := uint8(math.Round(255 * min(t.a, 1))); alpha > 0 {
			drawn.SetNRGBA(i%Side, i/Side, color.NRGBA{part(t.r, t.a), part(t.g, t.a), part(t.b, t.a), alpha})
		}
	}
	return drawn
}

// encoded is a picture as a file.
func encoded(drawn image.Image) []byte {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, drawn); err != nil {
		panic("emoji: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}
