// Package qr makes QR codes, as an SVG or square by square.
package qr

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// Margin is the width of the light rim that scanners need, in squares.
const Margin = 4

// Code is a QR code: a square of dark and light squares, without the rim.
type Code struct{ drawn image.Image }

// Encode returns the QR code of a text, or an error if the text is longer than some two thousand letters.
func Encode(text string) (Code, error) {
	drawn, err := qr.Encode(text, qr.M, qr.Unicode)
	if err != nil {
		return Code{}, fmt.Errorf("draw a QR code: %w", err)
	}
	return Code{drawn}, nil
}

// Size returns the number of squares of one side, without the rim.
func (c Code) Size() int { return c.drawn.Bounds().Dx() }

// Dark reports whether the square in column x and row y, counted from 0, is dark. Outside of the code nothing is dark.
func (c Code) Dark(x, y int) bool {
	return image.Pt(x, y).In(c.drawn.Bounds()) && c.drawn.At(x, y) == color.Black
}

// SVG returns the code with its rim as an SVG image. It is dark on white in any theme, which many scanners need.
func (c Code) SVG() string {
	var b strings.Builder
	side := c.Size() + 2*Margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`, side,
		side)
	fmt.Fprintf(&b, `<path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, side, side)
	for y := range c.Size() {
		for x := 0; x < c.Size(); x++ {
			from := x
			for c.Dark(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+Margin, y+Margin, x-from, x-from)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.String()
}
