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
		for _, row := range newKeyboard(m.Buttons).Rows {
			var labels []string
			for _, k := range row {
				labels = append(labels, strings.TrimSpace(k.Text+" "+k.Style))
			}
			rows = append(rows, labels)
		}
		return messageHTML(m) + platformtest.Rows(rows)
	})
}

// seen returns the visible text of m, and fails the test if Telegram would refuse it.
func seen(t interface{ Fatalf(string, ...any) }, m chat.Message) string {
	html := messageHTML(m)
	text, err := telegramtest.ParseHTML(html)
	if err != nil {
		t.Fatalf("Telegram cannot parse %q: %v", html, err)
	}
	if n := length(text); n < 1 || n > longestText || strings.TrimSpace(text) == "" {
		t.Fatalf("a text of %d characters", n)
	}
	return text
}

// hostile returns names and words that people might enter to break a message.
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

// exactWords are texts to copy (chat.Exact) that platforms would change.
var exactWords = []string{"fox", "@everyone", "https://evil.com/x", "/abandon", "#tag", "1. *two*_", "a  b",
	"`c` & <d>", "שלום.com", "👩‍👩‍👧", "\ufffd"}

// TestAWordIsCopiedAsItIs checks that a text to copy is in code, where Telegram changes nothing, without additions.
func TestAWordIsCopiedAsItIs(t *testing.T) {
	for _, word := range exactWords {
		m := chat.Message{Head: "The dice", Exact: []chat.Exact{{Before: "Luck of @anna: ", Text: word, After: "!"}}}
		before, after, ok := strings.Cut(messageHTML(m), "<code>")
		copied, end, closed := strings.Cut(after, "</code>")
		shown := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(copied)
		if shown != word || !ok || !closed || before != "The dice\n\nLuck of @"+joiner+"anna: " ||
			end != "!" {
			t.Errorf("%q is drawn as %q", word, messageHTML(m))
		}
		if text := seen(t, m); !strings.HasSuffix(text, word+"!") {
			t.Errorf("%q is seen as %q", word, text)
		}
	}
}

// TestACutWordCallsNobody checks that a text to copy that is cut off mentions no one and stays within the limit.
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

// TestAnyMessageIsTaken checks that Telegram accepts any message of the core.
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
		if wrong := spec.Check("sendMessage", messageParams(-5, m), nil); len(wrong) > 0 {
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
		for _, r := range newKeyboard(rows).Rows {
			var labels []string
			for _, k := range r {
				labels = append(labels, k.Text)
			}
			got = append(got, "["+strings.Join(labels, " ")+"]")
		}
		return strings.Join(got, " ")
	})
}

// TestOldServersGetLessMarkup checks that a server that refuses some markup gets all texts, without that markup.
func TestOldServersGetLessMarkup(t *testing.T) {
	lines := strings.Split("1 2 3 4 5 expandable", " ")
	for _, c := range []struct {
		api, want string
		asks      int // requests that send three messages, with retries
	}{
		{"", "<blockquote expandable>1\n2\n3\n4\n5\nexpandable</blockquote>\nThe house plays " +
			`<tg-time unix="1790000000" format="r">at 21:40</tg-time>.`, 3},
		{"7.4", "1\n2\n3\n4\n5\nexpandable\nThe house plays at 21:40.", 4},
		{"6.9", "1\n2\n3\n4\n5\nexpandable\nThe house plays at 21:40.", 4},
	} {
		t.Run("Bot API "+c.api, func(t *testing.T) {
			s := openWith(t, telegramtest.Options{API: c.api})
			s.core.answer = func(chat.Event) chat.Reply {
				late := chat.Deadline{At: 1790000000, Before: "The house plays ", After: ".", Clock: "at 21:40"}
				m := chat.Message{Head: "The rules.", Lines: lines, Folds: true, Deadline: &late}
				return chat.Reply{Private: &m, Public: true}
			}
			s.run()
			group := s.server.Group("Friends")
			for n := range 3 {
				group.Say(anna, "/rules")
				s.until("it is answered", func() bool { return len(group.Messages()) == n+1 })
			}
			for _, m := range group.Messages() {
				if m.HTML != "The rules.\n"+c.want {
					t.Errorf("it is sent as\n%s\nwant\n%s", m.HTML, c.want)
				}
			}
			if asks := len(s.server.Calls("sendMessage")); asks != c.asks {
				t.Errorf("%d requests, want %d", asks, c.asks)
			}
			logged := strings.Count(s.log.String(), "rejected newer markup")
			if want := map[bool]int{true: 1}[c.asks > 3]; logged != want {
				t.Errorf("it is logged %d times, want %d", logged, want)
			}
		})
	}
}

// tabled returns an answer with two tables between its lines.
func tabled() chat.Message {
	return chat.Message{Head: "2 payments <settle> all.", Small: "Small.",
		Lines: []string{"Chips: Anna +30 · Ben −30", "Ben → Anna 30", "@last"},
		Grids: []chat.Grid{
			{From: 0, To: 1, Caption: "Chips:", Rows: [][]string{{"Anna", "+30"}, {"Ben", "−30"}, {"…"}}},
			{From: 1, To: 2, Head: []string{"Pays", "To", "Amount"}, Rows: [][]string{{"Ben", "→ Anna", "30"}}},
		}}
}

func TestTablesAsRichMessages(t *testing.T) {
	const want = `<p>2 payments &lt;settle&gt; all.</p>` +
		`<table><tr><th colspan="2">Chips:</th></tr><tr><td>Anna</td><td align="right">+30</td></tr>` +
		`<tr><td>Ben</td><td align="right">−30</td></tr><tr><td colspan="2">…</td></tr></table>` +
		`<table><tr><th>Pays</th><th>To</th><th>Amount</th></tr><tr><td>Ben</td>` +
		`<td>→ Anna</td><td align="right">30</td></tr></table>` +
		"<p>@\u2060last</p><p><i>Small.</i></p>"
	if got := richHTML(tabled()); got != want {
		t.Errorf("drawn as\n%s\nwant\n%s", got, want)
	}
	sheet := chat.Sheet{Asked: true, Columns: []chat.SheetColumn{{Name: "<b>An"}, {Name: "Ben", Seat: 1}},
		Rows: []chat.SheetRow{{Label: "Full house", Short: "Full",
			Cells: []chat.SheetCell{{Text: "24*"}, {Text: "—"}}}}}
	got, err := telegramtest.ParseRich(richHTML(chat.Message{Head: "The sheet.", Sheet: &sheet}))
	if want := "The sheet.\n<b>An Ben\nFull house 24* —"; got != want || err != nil {
		t.Errorf("the sheet is %q, %v; want %q", got, err, want)
	}
	wide := sheet
	for range 20 {
		wide.Columns = append(wide.Columns, chat.SheetColumn{Name: "x"})
	}
	broken := tabled()
	broken.Grids[1].To = 9
	pictured := tabled()
	pictured.Picture = &chat.Picture{}
	for what, m := range map[string]chat.Message{
		"a board": {Table: 7, Head: "x", Sheet: &sheet}, "a text": {Head: "x"},
		"too many columns":         {Head: "x", Sheet: &wide},
		"lines that are not there": broken, "a picture": pictured, "a sheet not asked for": {Sheet: &chat.Sheet{}},
	} {
		if got := richHTML(m); got != "" {
			t.Errorf("%s is drawn as %s", what, got)
		}
	}
	for _, word := range hostile() {
		m := tabled()
		m.Head, m.Lines[2], m.Grids[0].Rows[0][0], m.Small = word, word, word, word
		if _, err := telegramtest.ParseRich(richHTML(m)); err != nil && strings.TrimSpace(word) != "" {
			t.Errorf("%.40q: %v", word, err)
		}
	}
}
