package emoji_test

import (
	"bytes"
	"image"
	"image/png"
	"regexp"
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
		raw := p.PNG()
		if len(raw) >= 256<<10 {
			t.Errorf("%s has %d bytes", name, len(raw))
		}
		if other := pictures[string(raw)]; other != "" {
			t.Errorf("%s looks like %s", name, other)
		}
		pictures[string(raw)] = name
		drawn, err := png.Decode(bytes.NewReader(raw))
		if err != nil || drawn.Bounds() != image.Rect(0, 0, 128, 128) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
