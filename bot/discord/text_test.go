package discord

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/bot/fakes"
)

func TestEscape(t *testing.T) { fakes.Cases(t, "escaped.txt", escape) }

// A word to copy is in code, where Discord changes nothing; in one that would end the code each sign has a backslash,
// which Discord removes.
func TestAWordIsCopiedAsItIs(t *testing.T) {
	for _, word := range []string{"fox", "@everyone", "https://evil.com/x", "discord.gg/evil", "1. *two*_", "a  b",
		"`c` <@1> #d", "``", "שלום.com", "👩‍👩‍👧", "\\`"} {
		m := chat.Message{Head: "The dice", Exact: []chat.Exact{{Before: "Luck of @anna: ", Text: word}}, Accent: -1}
		content := (*album)(nil).messages(m)[0].Components[0].Components[1].Content
		drawn, ok := strings.CutPrefix(content, "Luck of @"+joiner+"anna: ")
		copied := regexp.MustCompile(`\\([[:punct:]])`).ReplaceAllString(drawn, "$1")
		if strings.HasPrefix(drawn, "`") {
			if copied = strings.Trim(drawn, "`"); strings.Count(drawn, "`") != 2 {
				t.Errorf("%q ends the code: %q", word, drawn)
			}
		}
		if copied != word || !ok {
			t.Errorf("%q is drawn as %q", word, content)
		}
	}
}

// unescaped removes escapes, and reports a mark of Discord's markdown without one.
func unescaped(text string) (plain string, bare rune) {
	var b strings.Builder
	escaped := false
	for _, r := range text {
		switch {
		case !escaped && r == '\\':
			escaped = true
			continue
		case !escaped && strings.ContainsRune("*_~`|<[]", r):
			bare = r
		}
		b.WriteRune(r)
		escaped = false
	}
	if escaped {
		bare = '\\'
	}
	return b.String(), bare
}

func FuzzEscape(f *testing.F) {
	for _, text := range hostile() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := escape(text)
		read, bare := unescaped(got)
		if bare != 0 {
			t.Errorf("%q: %q stands bare in %q", text, bare, got)
		}
		if want := clean(text); strings.ReplaceAll(read, "@"+joiner, "@") != want && !strings.Contains(want, joiner) {
			t.Errorf("%q reads %q", want, read)
		}
		if strings.ContainsFunc(got, unicode.IsControl) || !utf8.ValidString(got) {
			t.Errorf("%q holds what is no text", got)
		}
		if first := strings.TrimSpace(got); first != "" && strings.ContainsRune("#>-+", rune(first[0])) {
			t.Errorf("%q begins as a heading, a quote or a list", got)
		}
		if strings.Contains(got, "://") || strings.Contains(got, "@everyone") || strings.Contains(got, "@here") {
			t.Errorf("%q links or calls", got)
		}
		for _, most := range []int{1, 5, 80} {
			short := clip(got, most)
			if plain.Wide(short, width) > most {
				t.Errorf("clipped to %d: %q", most, short)
			}
			if _, bare := unescaped(strings.TrimSuffix(short, "…")); bare == '\\' && short != got {
				t.Errorf("%q is cut inside an escape", short)
			}
		}
	})
}
