// Package chart draws pictures of numbers as PNG: lines with their names beside them, and bars. It
// knows no game and no language; the caller provides all words.
//
// The pictures have a background of their own, so that they can be read on light and on dark
// screens, and never tell things apart by colour alone.
package chart

import (
	"fmt"
	"sort"
	"strings"
	"unicode"

	"github.com/go-analyze/charts"
	"golang.org/x/text/unicode/norm"
)

// Width and Height are the size of every picture in pixels: on a phone letters
// are then as large as those of the chat.
const (
	Width  = 900
	Height = 600
)

// Sizes of letters and margins, in pixels.
const (
	titleSize = 26.0
	textSize  = 21.0
	margin    = 24
	head      = 78 // of the title
	foot      = 66 // of what stands below the horizontal axis
)

// ground, ink and rule are the colours of the paper, of what is written, and of
// the lines of the grid.
func ground() charts.Color { return charts.Color{R: 0xFD, G: 0xFB, B: 0xF6, A: 0xFF} }
func ink() charts.Color    { return charts.Color{R: 0x22, G: 0x25, B: 0x2B, A: 0xFF} }
func rule() charts.Color   { return charts.Color{R: 0xD8, G: 0xD4, B: 0xCB, A: 0xFF} }
func zero() charts.Color   { return charts.Color{R: 0x7A, G: 0x76, B: 0x6E, A: 0xFF} }

// colours of lines and bars all stand out from the ground at least 4.5 to 1, and
// are told apart with all kinds of eyes as well as ten can be.
func colours() []charts.Color {
	var all []charts.Color
	for _, c := range []int{0x0060A8, 0xB93A0A, 0x00705A, 0x8A3D94, 0x6B4A00, 0x333840, 0xA80038, 0x006880, 0x566300,
		0x4A4FA0} {
		all = append(all, charts.Color{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xFF})
	}
	return all
}

func theme() charts.ColorPalette {
	return charts.MakeTheme(charts.ThemeOption{
		AxisStrokeColor: rule(), AxisSplitLineColor: rule(), BackgroundColor: ground(), TextColor: ink(),
		SeriesColors: colours(),
	})
}

// style is how text is written.
func style(size float64) charts.FontStyle {
	return charts.FontStyle{FontSize: size, FontColor: ink(), Font: charts.GetFont(charts.FontFamilyNotoSans)}
}

// sheet is an empty picture.
func sheet() *charts.Painter {
	return charts.NewPainter(charts.PainterOptions{
		OutputFormat: charts.ChartOutputPNG, Width: Width, Height: Height,
		Theme: theme(), Font: charts.GetFont(charts.FontFamilyNotoSans),
	})
}

// finished is the picture with its title, as a file. A frame keeps it apart from
// a light ground as well.
func finished(p *charts.Painter, title string) ([]byte, error) {
	p.Text(fit(p, Drawable(title), titleSize, Width-2*margin), margin, margin+int(titleSize), 0, style(titleSize))
	p.LineStroke([]charts.Point{{X: 0, Y: 0}, {X: Width - 1, Y: 0}, {X: Width - 1, Y: Height - 1},
		{X: 0, Y: Height - 1}, {X: 0, Y: 0}}, rule(), 2)
	png, err := p.Bytes()
	if err != nil {
		return nil, fmt.Errorf("draw a chart: %w", err)
	}
	return png, nil
}

// wide is how wide a text is, in pixels.
func wide(p *charts.Painter, text string, size float64) int {
	box := p.MeasureText(text, 0, style(size))
	return box.Width()
}

// fit cuts a text to a width in pixels; an ellipsis shows it.
func fit(p *charts.Painter, text string, size float64, most int) string {
	if wide(p, text, size) <= most {
		return text
	}
	letters := []rune(text)
	short := func(n int) string { return strings.TrimRight(string(letters[:n]), " ") + "…" }
	tooLong := sort.Search(len(letters), func(n int) bool { return wide(p, short(n), size) > most })
	return short(max(tooLong-1, 0))
}

// maxDrawn is the largest number of characters of a text that are looked at.
const maxDrawn = 200

// Drawable is what of a text can be drawn: letters that the font has, set one
// behind the other. What it has no sign for is left out, emoji and scripts that
// join or run from right to left among them, so a name may come out empty.
func Drawable(text string) string {
	if letters := []rune(text); len(letters) > maxDrawn {
		text = string(letters[:maxDrawn])
	}
	drawn := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r), unicode.In(r, unicode.Mn, unicode.Me, unicode.Co), !hasSign(r):
			return -1
		}
		return r
	}, norm.NFC.String(strings.ToValidUTF8(text, "")))
	return strings.Join(strings.Fields(drawn), " ")
}

// hasSign reports whether one of the fonts that are tried has a sign for a rune.
func hasSign(r rune) bool {
	for _, family := range []string{charts.FontFamilyNotoSans, "notosans-chartsymbols", charts.FontFamilyRoboto} {
		if charts.GetFont(family).Index(r) != 0 {
			return true
		}
	}
	return false
}
