package emoji_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"image"
	"image/png"
	"regexp"
	"runtime"
	"testing"

	"knobel/bot/discord/emoji"
)

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
