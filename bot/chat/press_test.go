package chat

import (
	"strings"
	"testing"

	"knobel/bot/fakes"
)

func TestPressIsStrict(t *testing.T) {
	fakes.Cases(t, "presses.txt", func(text string) string {
		p, ok := ParsePress(text)
		if !ok {
			return "invalid"
		}
		return p.String()
	})
}

func FuzzPress(f *testing.F) {
	for _, seed := range []string{"1:7:12:shut 9+2", "1:0:0:/rules golf", "1:1:0:!set a=b", "1:1:0:!", "1:1:0:/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := ParsePress(text)
		if !ok {
			return
		}
		if p.String() != text || len(text) > MaxPress {
			t.Errorf("%q is read as %+v", text, p)
		}
		_, _, verb := p.Verb()
		_, _, command := p.Command()
		if verb && command {
			t.Errorf("%q is two things", text)
		}
	})
}

func FuzzName(f *testing.F) {
	for _, seed := range []string{"Anna", "\u202e\u2066x", "a\u0301\u0301\u0301", "👩\u200d👩\u200d👧", "\xff",
		strings.Repeat("x ", 4000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		cleaned := CleanName(name)
		if CleanName(cleaned) != cleaned {
			t.Errorf("%q becomes %q, then %q", name, cleaned, CleanName(cleaned))
		}
		if len([]rune(cleaned)) > MaxName || strings.ContainsAny(cleaned, "\n\r\t\x00\u202e\u2028") {
			t.Errorf("%q becomes %q", name, cleaned)
		}
	})
}
