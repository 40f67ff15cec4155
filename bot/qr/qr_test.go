package qr

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// A code has the size and the corner marks that scanners look for.
func TestACodeHasItsMarks(t *testing.T) {
	c, err := Encode("http://192.168.1.20:8080/r/ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if err != nil {
		t.Fatal(err)
	}
	if c.Size() < 21 || c.Size()%4 != 1 {
		t.Fatalf("the code is %d squares wide", c.Size())
	}
	// Three corners have a dark ring of seven squares around a light one, the fourth has none.
	last := c.Size() - 7
	for _, at := range [][2]int{{0, 0}, {last, 0}, {0, last}} {
		for i := range 7 {
			if !c.Dark(at[0]+i, at[1]) || !c.Dark(at[0], at[1]+i) {
				t.Errorf("the mark at %v has a hole", at)
			}
		}
		if c.Dark(at[0]+1, at[1]+1) || !c.Dark(at[0]+3, at[1]+3) {
			t.Errorf("the mark at %v is filled wrongly", at)
		}
	}
	for _, outside := range [][2]int{{-1, 0}, {0, -1}, {c.Size(), 0}, {0, c.Size()}} {
		if c.Dark(outside[0], outside[1]) {
			t.Errorf("the rim is dark at %v", outside)
		}
	}
}

// The picture shows the same squares as the code.
func TestThePictureIsTheCode(t *testing.T) {
	c, err := Encode("Knobel")
	if err != nil {
		t.Fatal(err)
	}
	dark := 0
	for y := range c.Size() {
		for x := range c.Size() {
			if c.Dark(x, y) && !c.Dark(x-1, y) {
				dark++
			}
		}
	}
	svg := c.SVG()
	if drawn := strings.Count(svg, "v1h"); drawn != dark {
		t.Errorf("%d dark bars are drawn, there are %d", drawn, dark)
	}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestTooMuchIsRefused(t *testing.T) {
	if _, err := Encode(strings.Repeat("x", 5000)); err == nil {
		t.Error("five thousand letters fit")
	}
}
