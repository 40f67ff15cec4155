// Command icons draws the pictures that stand for Knobel on the screen of a phone or a computer, from the
// die of the page. It is run by "go generate ./bot/web".
package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// icon is one picture: the die, at a part of its width, on a ground or on none.
type icon struct {
	name  string
	side  int
	part  float64
	plain bool // no ground: the corners are seen through
}

// icons are what systems ask for. Of a maskable one they may cut off all that is further from the middle
// than two fifths of its width.
var icons = []icon{
	{"icon-192.png", 192, 1, true},
	{"icon-512.png", 512, 1, true},
	{"icon-mask-512.png", 512, 0.62, false},
	{"icon-apple-180.png", 180, 0.8, false},
}

// ground is the felt on which the die lies.
var ground = color.NRGBA{0x1f, 0x60, 0x48, 0xff}

// shape is an area of one colour, in the units of the drawing.
type shape struct {
	covers func(x, y float64) bool
	colour color.NRGBA
}

func main() {
	folder := os.Args[1]
	drawing, err := os.ReadFile(filepath.Join(folder, "die.svg"))
	if err != nil {
		fail(err)
	}
	for _, i := range icons {
		picture, err := i.draw(drawing)
		if err != nil {
			fail(err)
		}
		if err := os.WriteFile(filepath.Join(folder, i.name), picture, 0o644); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "icons:", err)
	os.Exit(1)
}

// draw draws an icon as a PNG.
func (i icon) draw(drawing []byte) ([]byte, error) {
	shapes, side, err := shapesOf(drawing)
	if err != nil {
		return nil, err
	}
	const fine = 4 // points a pixel, each way
	picture := image.NewNRGBA(image.Rect(0, 0, i.side, i.side))
	scale := side / (float64(i.side) * i.part)
	shift := (1 - i.part) / 2 * float64(i.side)
	for y := range i.side {
		for x := range i.side {
			var r, g, b, a int
			for n := range fine * fine {
				at := i.colour(shapes, (float64(x)+(float64(n%fine)+0.5)/fine-shift)*scale,
					(float64(y)+(float64(n/fine)+0.5)/fine-shift)*scale)
				if at.A > 0 {
					r, g, b, a = r+int(at.R), g+int(at.G), b+int(at.B), a+1
				}
			}
			if a > 0 {
				picture.SetNRGBA(x, y, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a),
					uint8(a * 255 / (fine * fine))})
			}
		}
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture)
	return out.Bytes(), err
}

// colour is that of the uppermost shape at a point.
func (i icon) colour(shapes []shape, x, y float64) color.NRGBA {
	var on color.NRGBA
	if !i.plain {
		on = ground
	}
	for _, s := range shapes {
		if s.covers(x, y) {
			on = s.colour
		}
	}
	return on
}

// shapesOf reads the rectangles and circles of a drawing, the lowest first, and its width.
func shapesOf(drawing []byte) (shapes []shape, side float64, err error) {
	fill := ""
	for d := xml.NewDecoder(bytes.NewReader(drawing)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, 0, err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		given := map[string]string{}
		for _, a := range start.Attr {
			given[a.Name.Local] = a.Value
		}
		number := func(name string) float64 {
			n, bad := strconv.ParseFloat(given[name], 64)
			if bad != nil {
				err = fmt.Errorf("<%s %s=%q>: %w", start.Name.Local, name, given[name], bad)
			}
			return n
		}
		if given["fill"] == "" {
			given["fill"] = fill
		}
		switch start.Name.Local {
		case "svg":
			var top, left, height float64
			if _, err := fmt.Sscan(given["viewBox"], &top, &left, &side, &height); err != nil {
				return nil, 0, fmt.Errorf("viewBox %q: %w", given["viewBox"], err)
			}
		case "g":
			fill = given["fill"]
		case "rect":
			shapes = append(shapes, shape{rectangle(number("x"), number("y"), number("width"), number("height"),
				number("rx")), tint(given["fill"])})
		case "circle":
			shapes = append(shapes, shape{circle(number("cx"), number("cy"), number("r")), tint(given["fill"])})
		default:
			err = fmt.Errorf("<%s> cannot be drawn", start.Name.Local)
		}
		if err != nil {
			return nil, 0, err
		}
	}
	return shapes, side, nil
}

func circle(cx, cy, r float64) func(x, y float64) bool {
	return func(x, y float64) bool { return (x-cx)*(x-cx)+(y-cy)*(y-cy) <= r*r }
}

// rectangle covers a rectangle with round corners: what is no further than their radius from the one between
// their middles.
func rectangle(left, top, width, height, rx float64) func(x, y float64) bool {
	return func(x, y float64) bool {
		dx := x - min(max(x, left+rx), left+width-rx)
		dy := y - min(max(y, top+rx), top+height-rx)
		return dx*dx+dy*dy <= rx*rx
	}
}

func tint(hex string) color.NRGBA {
	n, err := strconv.ParseUint(hex[min(1, len(hex)):], 16, 24)
	if err != nil {
		return color.NRGBA{0xff, 0, 0xff, 0xff} // the test of what is committed finds it
	}
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
}
