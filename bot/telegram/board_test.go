package telegram

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
	"knobel/games"
)

func TestDrawn(t *testing.T) {
	platformtest.Draws(t, func(m chat.Message) string {
		seen(t, m)
		var rows [][]string
		for _, row := range keys(m.Buttons).Rows {
			var labels []string
			for _, k := range row {
				labels = append(labels, strings.TrimSpace(k.Text+" "+k.Style))
			}
			rows = append(rows, labels)
		}
		return draw(m) + platformtest.Rows(rows)
	})
}

// seen returns the visible text of a message, and fails if Telegram would refuse it.
func seen(t interface{ Fatalf(string, ...any) }, m chat.Message) string {
	html := draw(m)
	text, err := telegramtest.ParseHTML(html)
	if err != nil {
		t.Fatalf("Telegram cannot parse %q: %v", html, err)
	}
	if n := length(text); n < 1 || n > longestText || strings.TrimSpace(text) == "" {
		t.Fatalf("a text of %d characters", n)
	}
	return text
}

// hostile returns hostile names and words.
func hostile() []string {
	return []string{
		"<b>*_[x](y)@everyone", "</code></b>", "&amp;&lt;", "Tom & Anna", `"><a href="tg://user?id=1">x</a>`,
		"\u202egnp.exe", "\u2066\u2067x", "\u200fשלום\u200f", "محمد", strings.Repeat("ä", 4000),
		strings.Repeat("🎲", 4000),
		strings.Repeat("👨‍👩‍👧‍👦", 500), "", " ", "\x00\x07\x1b[31m", "line\nbreak\r\n\u2028x", "\xff\xfe",
		"@everyone @clara",
		"/abandon", "\u0000", strings.Repeat("a\u0300", 3000), "1️⃣", "\ufffd",
	}
}

// exactWords are words to copy that platforms would change.
var exactWords = []string{"fox", "@everyone", "https://evil.com/x", "/abandon", "#tag", "1. *two*_", "a  b",
	"`c` & <d>", "שלום.com", "👩‍👩‍👧", "\ufffd"}

// A word to copy is in code, where Telegram changes nothing, without added characters.
func TestAWordIsCopiedAsItIs(t *testing.T) {
	for _, word := range exactWords {
		m := chat.Message{Head: "The dice", Exact: []chat.Exact{{Before: "Luck of @anna: ", Text: word, After: "!"}}}
		before, after, ok := strings.Cut(draw(m), "<code>")
		copied, end, closed := strings.Cut(after, "</code>")
		if unmarked(copied) != word || !ok || !closed || before != "The dice\n\nLuck of @"+joiner+"anna: " ||
			end != "!" {
			t.Errorf("%q is drawn as %q", word, draw(m))
		}
		if text := seen(t, m); !strings.HasSuffix(text, word+"!") {
			t.Errorf("%q is seen as %q", word, text)
		}
	}
}

// A word that is cut off mentions no person, and the characters against that fit.
func TestACutWordCallsNobody(t *testing.T) {
	for room := range 20 {
		m := chat.Message{Head: strings.Repeat("ä", longestText-2-room),
			Exact: []chat.Exact{{Text: "@everyone @clara"}}}
		text := seen(t, m)
		if word := text[strings.LastIndex(text, "\n")+1:]; room < 16 && strings.Contains(word, "@e") {
			t.Errorf("of the word stands %q", word)
		}
	}
}

// unmarked returns the text that Telegram shows for escaped text.
func unmarked(text string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(text)
}

// Telegram accepts any message of the core.
func TestAnyMessageIsTaken(t *testing.T) {
	spec := telegramtest.Described()
	words := rapid.OneOf(rapid.String(), rapid.SampledFrom(hostile()))
	buttons := rapid.Custom(func(t *rapid.T) chat.Button {
		return chat.Button{
			Label: words.Draw(t, "label"), Press: rapid.StringMatching(`[ -~]{0,70}`).Draw(t, "press"),
			Style: rapid.SampledFrom([]games.Style{"", "primary", "success", "danger", "blue"}).Draw(t, "style"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		m := chat.Message{
			Table: rapid.Int64Range(0, 2).Draw(t, "table"), Head: words.Draw(t, "head"), Small: words.Draw(t, "small"),
			Lines: rapid.SliceOfN(words, 0, 9).Draw(t, "lines"), Folds: rapid.Bool().Draw(t, "folds"),
			Exact: []chat.Exact{{Before: words.Draw(t, "before"),
				Text: rapid.SampledFrom(exactWords).Draw(t, "word")}},
			Buttons: rapid.SliceOfN(rapid.SliceOfN(buttons, 0, 12), 0, 12).Draw(t, "buttons"),
		}
		for _, name := range rapid.SliceOfN(words, 0, 10).Draw(t, "people") {
			m.People = append(m.People, chat.Person{Name: name, Text: name})
		}
		text := strings.ReplaceAll(seen(t, m), m.Exact[0].Text, "") // code has no mentions
		if strings.Contains(text, "@everyone") || strings.ContainsFunc(text, func(r rune) bool {
			return r >= '\u202a' && r <= '\u202e' || r == '\u2066' || r == '\u2067'
		}) {
			t.Fatalf("it calls or turns: %.200q", text)
		}
		if wrong := spec.Check("sendMessage", written(-5, m), nil); len(wrong) > 0 {
			t.Fatalf("%q", wrong)
		}
	})
}

func TestKeyboardsFitAPhone(t *testing.T) {
	fakes.Cases(t, "keyboards.txt", func(said string) string {
		var rows [][]chat.Button
		for part := range strings.SplitSeq(said, "/") {
			var row []chat.Button
			for label := range strings.FieldsSeq(part) {
				row = append(row, chat.Button{Label: label, Press: "x"})
			}
			rows = append(rows, row)
		}
		var got []string
		for _, r := range keys(rows).Rows {
			var labels []string
			for _, k := range r {
				labels = append(labels, k.Text)
			}
			got = append(got, "["+strings.Join(labels, " ")+"]")
		}
		return strings.Join(got, " ")
	})
}
