package bot

import (
	"strings"
	"testing"

	"knobel/bot/chat"
)

func TestPressIsStrict(t *testing.T) {
	for _, good := range []string{"1:0:0:/rules", "1:7:12:shut 9+2", "1:999999999999999999:999999999:!set one-die=high-shut-forced"} {
		p, ok := chat.ParsePress(good)
		if !ok || p.String() != good {
			t.Errorf("%q is read as %+v, %v", good, p, ok)
		}
	}
	for _, bad := range []string{
		"", "1", "1:7:12", "1:7:12:", "2:7:12:x", "01:7:12:x", "1:07:12:x", "1:7:012:x", "1:-7:12:x", "1:+7:12:x", "1: 7:12:x",
		"1:7:1234567890:x", "1:1234567890123456789:1:x", "1:7:12:ü", "1:7:12:a\nb", "1:7:12:x\n", "1:7:12:\x7f", "x1:7:12:x",
		"1:7:12:" + strings.Repeat("x", 61),
	} {
		if p, ok := chat.ParsePress(bad); ok {
			t.Errorf("%q is read as %+v", bad, p)
		}
	}
}

func FuzzPress(f *testing.F) {
	for _, seed := range []string{"1:7:12:shut 9+2", "1:0:0:/rules golf", "1:1:0:!set a=b", "1:1:0:!", "1:1:0:/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := chat.ParsePress(text)
		if !ok {
			return
		}
		if p.String() != text || len(text) > chat.MaxPress {
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
	for _, seed := range []string{"Anna", "\u202e\u2066x", "a\u0301\u0301\u0301", "👩\u200d👩\u200d👧", "\xff", strings.Repeat("x ", 4000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		cleaned := chat.CleanName(name)
		if chat.CleanName(cleaned) != cleaned {
			t.Errorf("%q becomes %q, then %q", name, cleaned, chat.CleanName(cleaned))
		}
		if len([]rune(cleaned)) > chat.MaxName || strings.ContainsAny(cleaned, "\n\r\t\x00\u202e\u2028") {
			t.Errorf("%q becomes %q", name, cleaned)
		}
	})
}

func FuzzDraft(f *testing.F) {
	f.Add("0,3", 2)
	f.Add(",,x,-1", 0)
	f.Fuzz(func(t *testing.T, text string, item int) {
		d := parseDraft(text)
		if again := parseDraft(d.String()); again.String() != d.String() {
			t.Errorf("%q is read as %v, then %v", text, d, again)
		}
		if item >= 0 && d.toggle(item).toggle(item).String() != d.String() {
			t.Errorf("%v toggled twice by %d is %v", d, item, d.toggle(item).toggle(item))
		}
	})
}

func TestStakesStepByStep(t *testing.T) {
	for _, c := range []struct{ stake, less, more int64 }{
		{0, 0, 1}, {1, 0, 2}, {3, 2, 5}, {10, 5, 20}, {11, 10, 20}, {100_000, 10_000, 1_000_000}, {1_000_000, 100_000, 1_000_000},
	} {
		if less, more := stakeBeside(c.stake, false), stakeBeside(c.stake, true); less != c.less || more != c.more {
			t.Errorf("beside %d are %d and %d, want %d and %d", c.stake, less, more, c.less, c.more)
		}
	}
}
