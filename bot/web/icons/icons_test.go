package main

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"testing"
)

// What is committed is what is drawn.
func TestIconsAreDrawnFromTheDie(t *testing.T) {
	drawing, err := os.ReadFile("../page/die.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range icons {
		want, err := i.draw(drawing)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("../page/" + i.name)
		if err != nil {
			t.Fatal(err)
		}
		if !samePixels(t, got, want) {
			t.Errorf("%s is another picture: go generate ./bot/web", i.name)
		}
		picture, err := png.Decode(bytes.NewReader(got))
		if err != nil {
			t.Fatal(err)
		}
		if side := picture.Bounds().Dx(); side != i.side || picture.Bounds().Dy() != side {
			t.Errorf("%s is %v", i.name, picture.Bounds())
		}
		if _, _, _, a := picture.At(0, 0).RGBA(); (a == 0) != i.plain {
			t.Errorf("the corner of %s has the opacity %d", i.name, a)
		}
		pip := color.NRGBA{0x3a, 0x1f, 0x0c, 0xff}
		if middle := color.NRGBAModel.Convert(picture.At(i.side/2, i.side/2)); middle != pip {
			t.Errorf("the middle of %s is %v, no pip", i.name, middle)
		}
	}
}

// Writers of PNG may come to compress otherwise: it is pixels that count.
func samePixels(t *testing.T, a, b []byte) bool {
	t.Helper()
	one, err1 := png.Decode(bytes.NewReader(a))
	other, err2 := png.Decode(bytes.NewReader(b))
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if one.Bounds() != other.Bounds() {
		return false
	}
	for y := range one.Bounds().Dy() {
		for x := range one.Bounds().Dx() {
			if one.At(x, y) != other.At(x, y) {
				return false
			}
		}
	}
	return true
}

func TestWhatCannotBeDrawnIsSaid(t *testing.T) {
	for _, drawing := range []string{`<svg viewBox="0 0 64 64"><path d="M0 0"/></svg>`, `<svg viewBox="x"/>`, `<svg`,
		`<svg viewBox="0 0 64 64"><circle cx="a" cy="1" r="1"/></svg>`} {
		if _, err := icons[0].draw([]byte(drawing)); err == nil {
			t.Errorf("%s is drawn", drawing)
		}
	}
}
