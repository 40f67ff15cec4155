package chart

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-analyze/charts"
)

// decode decodes picture. It fails the test unless err is nil and size, opaque background and content are right.
func decode(t testing.TB, picture []byte, err error) image.Image {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != Width || b.Dy() < Height {
		t.Fatalf("the picture is %v", b)
	}
	if len(picture) > 200_000 {
		t.Errorf("the picture has %d bytes", len(picture))
	}
	drawn := 0
	for y := 0; y < Height; y += 2 {
		for x := 0; x < Width; x += 3 {
			r, g, b, a := img.At(x, y).RGBA()
			if a != 0xFFFF {
				t.Fatalf("%d, %d shows what is behind it", x, y)
			}
			if r+g+b < 3*0xA000 {
				drawn++
			}
		}
	}
	if drawn < 100 {
		t.Errorf("only %d points are drawn", drawn)
	}
	return img
}

// waves returns a line chart with the given numbers of lines and of values in each.
func waves(lines, values int) Lines {
	l := Lines{Title: "Balance in chips over 41 games", From: "2025-10-01", To: "2025-11-20"}
	for i := range lines {
		line := Line{Name: fmt.Sprint(i+1, " Player")}
		v := 0.0
		for k := range values {
			v += math.Round(20 * math.Sin(float64(k*i+i*i)))
			line.Values = append(line.Values, v)
		}
		line.Last = fmt.Sprint(v)
		l.Lines = append(l.Lines, line)
	}
	return l
}

func TestLines(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {1, 2}, {2, 41}, {10, 41}, {10, 1000}, {25, 3}, {0, 0}, {3, 0}} {
		l := waves(c[0], c[1])
		picture, err := l.PNG()
		decode(t, picture, err)
	}
}

func TestLinesOfGreatAndSmallValues(t *testing.T) {
	for _, values := range [][]float64{{0, 0, 0}, {0, 0.25, -0.25}, {1e12, -1e12}, {5, 5}, {-3, -7, -9}} {
		l := Lines{Title: "t", Lines: []Line{{Name: "Anna", Last: "0", Values: values}}}
		picture, err := l.PNG()
		decode(t, picture, err)
	}
}

// TestPointsAreWhereTheirValuesAre searches for the colour of a line at the heights of its values.
func TestPointsAreWhereTheirValuesAre(t *testing.T) {
	l := Lines{Lines: []Line{{Name: "A", Last: "+90", Values: []float64{0, 90, 90}}}}
	picture, err := l.PNG()
	img := decode(t, picture, err)
	area := plot{top: head, bottom: Height - foot}
	area.scale(0, 90)
	want := dataColours()[0]
	for x := Width / 2; x < Width/2+40; x++ {
		if got, _, b, _ := img.At(x, area.y(90)).RGBA(); uint8(got>>8) != want.R || uint8(b>>8) != want.B {
			t.Fatalf("at %d, %d stands %v", x, area.y(90), img.At(x, area.y(90)))
		}
	}
}

func TestHostileTexts(t *testing.T) {
	for _, name := range []string{
		"", strings.Repeat("W", 500), strings.Repeat("🎲", 200), "日本語の名前", "שלום עולם",
		"A\u0300\u0301\u0302\u0303\u0304", "\u202eanna", "a\nb\tc",
		"\x00\xff", "👩‍👩‍👧‍👦 Anna", "Ёжик", "Ελένη", "<b>&amp;", "Zoë Ångström ﬁ",
	} {
		l := waves(10, 20)
		l.Title, l.From, l.To = name, name, name
		for i := range l.Lines {
			l.Lines[i].Name = name
		}
		picture, err := l.PNG()
		decode(t, picture, err)
		sums := Sums{Title: name, Groups: []Group{{name, []Sum{{name, "+1", 1}, {name, "−1", -1}}}}}
		picture, err = sums.PNG()
		decode(t, picture, err)
		picture, err = Bars{Title: name, Below: name, Bars: []Bar{{name, 1}, {name, math.MaxInt64}}}.PNG()
		decode(t, picture, err)
	}
}

func TestDrawable(t *testing.T) {
	for name, want := range map[string]string{
		"Anna": "Anna", "Ben 🎲": "Ben", "🎲🎲": "", "日本": "", "Zoe\u0308": "Zoë", "Ёжик": "Ёжик", "  a \n b ": "a b",
		"\u202eanna\u202c": "anna", "\u2068אב\u2069": "", "−3": "−3", "10–14": "10–14", "x\xff": "x",
		"Jürgen ß": "Jürgen ß",
	} {
		if got := Drawable(name); got != want {
			t.Errorf("of %q %q is drawn, not %q", name, got, want)
		}
	}
}

func FuzzDrawable(f *testing.F) {
	f.Add("Anna 🎲 日本 \u202e")
	f.Fuzz(func(t *testing.T, text string) {
		drawn := Drawable(text)
		if !utf8.ValidString(drawn) || Drawable(drawn) != drawn {
			t.Fatalf("%q becomes %q", text, drawn)
		}
		for _, r := range drawn {
			if !hasGlyph(r) {
				t.Fatalf("there is no sign for %q", r)
			}
		}
	})
}

func TestApart(t *testing.T) {
	for _, c := range []struct{ heights, want []int }{
		{[]int{100, 100, 100}, []int{100, 120, 140}},
		{[]int{300, 10, 12}, []int{300, 10, 30}},
		{[]int{399, 398, 400}, []int{380, 360, 400}},
		{[]int{0, 500}, []int{0, 400}},
		{nil, nil},
	} {
		got := spreadHeights(c.heights, 20, 0, 400)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: %v, want %v", c.heights, got, c.want)
		}
	}
}

func TestBars(t *testing.T) {
	for _, n := range []int{0, 1, 2, 15, 40} {
		b := Bars{Title: "Scores of Anna", Below: "points"}
		for i := range n {
			b.Bars = append(b.Bars, Bar{fmt.Sprintf("%d–%d", i*1000, i*1000+999), int64(i)})
		}
		picture, err := b.PNG()
		if n > 1 {
			decode(t, picture, err)
		} else if err != nil {
			t.Error(err)
		}
	}
}

// TestSums checks that wins have bars to the right and losses bars to the left, as long as their share of the greatest
// amount, and that many rows make a higher picture.
func TestSums(t *testing.T) {
	draw := func(groups ...Group) image.Image {
		picture, err := Sums{Title: "The evening of 20 November", Groups: groups}.PNG()
		return decode(t, picture, err)
	}
	img := draw(Group{"Chips", []Sum{{"Anna", "+40", 40}, {"Ben", "0", 0}, {"Clara", "−20", -20}}})
	zero := (margin + nameWidth + Width - margin) / 2
	longest := zero - margin - nameWidth - amountWidth
	for row, bar := range map[int][2]int{1: {1, longest}, 3: {-longest / 2, -1}} {
		colour := dataColours()[row/3]
		for x := bar[0] + 2; x < bar[1]-2; x++ {
			r, _, b, _ := img.At(zero+x, head+row*rowHeight+rowHeight/2).RGBA()
			if uint8(r>>8) != colour.R || uint8(b>>8) != colour.B {
				t.Fatalf("row %d: there is no bar at %d", row, x)
			}
		}
	}
	group := Group{"Chips", slices.Repeat([]Sum{{"Anna", "+40", 40}}, 12)}
	if img := draw(group, group, group); img.Bounds().Dy() < head+3*13*rowHeight {
		t.Errorf("it is only %d high", img.Bounds().Dy())
	}
}

// TestColoursStandOut measures contrast by the Web Content Accessibility Guidelines.
func TestColoursStandOut(t *testing.T) {
	luminance := func(c charts.Color) float64 {
		linear := func(v uint8) float64 {
			s := float64(v) / 255
			if s <= 0.04045 {
				return s / 12.92
			}
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	for _, c := range append(dataColours(), textColour()) {
		if ratio := (luminance(backgroundColour()) + 0.05) / (luminance(c) + 0.05); ratio < 4.5 {
			t.Errorf("%v stands out %.2f to 1", c, ratio)
		}
	}
	if len(dataColours()) < MaxLines {
		t.Error("too few colours")
	}
}
