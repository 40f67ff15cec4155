package emoji_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"knobel/bot/discord/emoji"
)

// ground is a colour of Discord's on which pictures stand.
type ground struct {
	name   string
	colour color.NRGBA
}

func grounds() []ground {
	return []ground{
		{"dark", color.NRGBA{0x31, 0x33, 0x38, 0xff}},
		{"light", color.NRGBA{0xff, 0xff, 0xff, 0xff}},
	}
}

// shrunk is a picture as small as clients show it, on a ground: each of its pixels is the mean of
// those that it stands for.
func shrunk(drawn *image.NRGBA, side int, on color.NRGBA) *image.NRGBA {
	full := image.NewNRGBA(drawn.Bounds())
	draw.Draw(full, full.Bounds(), image.NewUniform(on), image.Point{}, draw.Src)
	draw.Draw(full, full.Bounds(), drawn, image.Point{}, draw.Over)
	small := image.NewNRGBA(image.Rect(0, 0, side, side))
	from := func(i int) int { return i * emoji.Side / side }
	for y := range side {
		for x := range side {
			var sum [3]int
			n := 0
			for row := from(y); row < from(y+1); row++ {
				for column := from(x); column < from(x+1); column++ {
					c := full.NRGBAAt(column, row)
					sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
					n++
				}
			}
			small.SetNRGBA(x, y, color.NRGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 0xff})
		}
	}
	return small
}

// shows reports whether a twentieth of a picture stands out from its ground.
func shows(small *image.NRGBA, ground color.NRGBA) bool {
	apart := 0
	for at := 0; at < len(small.Pix); at += 4 {
		most := 0
		for i, of := range []uint8{ground.R, ground.G, ground.B} {
			most = max(most, int(small.Pix[at+i])-int(of), int(of)-int(small.Pix[at+i]))
		}
		if most >= 64 {
			apart++
		}
	}
	return apart*20 >= len(small.Pix)/4
}

// TestContactSheet draws all pictures in the sizes of texts and of large signs, and each shows on each ground; the
// folder that KNOBEL_ARTIFACTS names keeps the sheets for people to look at.
func TestContactSheet(t *testing.T) {
	folder := os.Getenv("KNOBEL_ARTIFACTS")
	if folder == "" {
		folder = t.TempDir()
	}
	all := emoji.All()
	var drawn []*image.NRGBA
	for _, p := range all {
		drawn = append(drawn, p.Image())
	}
	const columns, cell = 12, 64
	for _, g := range grounds() {
		for _, side := range []int{22, 48} {
			rows := (len(all) + columns - 1) / columns
			sheet := image.NewNRGBA(image.Rect(0, 0, columns*cell, rows*cell))
			draw.Draw(sheet, sheet.Bounds(), image.NewUniform(g.colour), image.Point{}, draw.Src)
			for i, p := range all {
				at := image.Pt(i%columns*cell+(cell-side)/2, i/columns*cell+(cell-side)/2)
				small := shrunk(drawn[i], side, g.colour)
				if !shows(small, g.colour) {
					t.Errorf("%s does not show on a %s ground in %d pixels", p.Name, g.name, side)
				}
				draw.Draw(sheet, image.Rect(at.X, at.Y, at.X+side, at.Y+side), small, image.Point{}, draw.Src)
			}
			var b bytes.Buffer
			if err := png.Encode(&b, sheet); err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(folder, fmt.Sprintf("emoji-%s-%d.png", g.name, side))
			if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestPicturesAreWhatDiscordTakes(t *testing.T) {
	fit := regexp.MustCompile(`^[a-z0-9_]{2,32}$`)
	names, pictures := map[string]bool{}, map[string]string{}
	for _, p := range emoji.All() {
		name := p.FullName()
		if !fit.MatchString(name) || names[name] {
			t.Errorf("%q cannot be the name, or is that of two", name)
		}
		names[name] = true
		if read, version, ok := emoji.Parse(name); !ok || read != p.Name || version != p.Version {
			t.Errorf("%s is read as version %d of %q", name, version, read)
		}
		raw := p.PNG()
		if len(raw) >= 256<<10 {
			t.Errorf("%s has %d bytes", name, len(raw))
		}
		if !bytes.Equal(raw, p.PNG()) {
			t.Errorf("%s is drawn in two ways", name)
		}
		if other := pictures[string(raw)]; other != "" {
			t.Errorf("%s looks like %s", name, other)
		}
		pictures[string(raw)] = name
		drawn, err := png.Decode(bytes.NewReader(raw))
		if err != nil || drawn.Bounds() != image.Rect(0, 0, emoji.Side, emoji.Side) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, theirs := range []string{"", "die_4", "die_4_k", "die_4_k0", "die_4_k01", "die_4_k-1", "die_7_k1", "blob_k1",
		"_k1", "my_die_4_k1"} {
		if _, _, ok := emoji.Parse(theirs); ok {
			t.Errorf("%q passes for ours", theirs)
		}
	}
}

// drawings are what the pictures of each kind look like: kind, version and a fingerprint.
var drawings = map[emoji.Kind]string{
	emoji.Dice:      "1 7ac60f0b5708bae3",
	emoji.Throws:    "1 c13884338d5aab03",
	emoji.LowTiles:  "1 c8f263b62d4f0928",
	emoji.Seats:     "1 5f3780646b00c430",
	emoji.Box:       "1 4e852bcc3e23a98c",
	emoji.HighTiles: "1 6d7046248bf1398a",
	emoji.LargeDie:  "1 6544c1f5c951c98b",
}

// TestChangedDrawingsHaveAnotherVersion: what was uploaded is known by its name only. Other processors round
// otherwise.
func TestChangedDrawingsHaveAnotherVersion(t *testing.T) {
	sums, versions := map[emoji.Kind]hash.Hash{}, map[emoji.Kind]int{}
	for _, p := range emoji.All() {
		if sums[p.Kind] == nil {
			sums[p.Kind], versions[p.Kind] = sha256.New(), p.Version
		}
		if p.Version != versions[p.Kind] {
			t.Errorf("%s has version %d, others of its kind %d", p.Name, p.Version, versions[p.Kind])
		}
		fmt.Fprint(sums[p.Kind], p.Name)
		sums[p.Kind].Write(p.Image().Pix)
	}
	for kind, sum := range sums {
		got := fmt.Sprintf("%d %x", versions[kind], sum.Sum(nil)[:8])
		if runtime.GOARCH == "amd64" && got != drawings[kind] {
			t.Errorf("%s are %q, were %q: raise their version, and write that here", kind, got, drawings[kind])
		}
	}
}
