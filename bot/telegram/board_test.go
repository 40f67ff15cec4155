package telegram

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
	"knobel/games"
)

func row(open ...int) []chat.Tile {
	var tiles []chat.Tile
	for n := 1; n <= 9; n++ {
		tiles = append(tiles, chat.Tile{Number: n})
	}
	for _, n := range open {
		tiles[n-1].Open = true
	}
	return tiles
}

func TestBoardsAsPeopleSeeThem(t *testing.T) {
	for _, c := range []struct {
		name string
		m    chat.Message
		want string
	}{
		{"a choice before the throw", chat.Message{
			Table: 7, Head: "Anna has 3 and 6 open, 9 points; Ben's 12 is to beat.",
			Tiles: []chat.TileRow{{Tiles: row(3, 6)}},
			People: []chat.Person{
				{Name: "Ben", Text: "12", State: games.Done}, {Name: "House (fewest)", Text: "17", State: games.Done},
				{Name: "Anna", State: games.ToMove},
			},
			Lines: []string{"pool 30"}, Small: "dice seal 3fa9c1d20b77",
		}, `Anna has 3 and 6 open, 9 points; Ben's 12 is to beat.

▁ ▁ 3 ▁ ▁ 6 ▁ ▁ ▁
Ben · 12
House (fewest) · 17
▸ Anna
pool 30
dice seal 3fa9c1d20b77`},
		{"after a throw, two rows", chat.Message{
			Table: 7, Head: "Anna threw 5 and 6.",
			Tiles:  []chat.TileRow{{Owner: "Anna", Tiles: row(9)}, {Owner: "Ben", Tiles: row(1)}},
			Dice:   []chat.Die{{Face: 5, Sides: 6, Kept: true}, {Face: 6, Sides: 6}},
			People: []chat.Person{{Name: "Ben", Text: "won", State: games.Won}},
		}, `Anna threw 5 and 6.

Anna
▁ ▁ ▁ ▁ ▁ ▁ ▁ ▁ 9
Ben
1 ▁ ▁ ▁ ▁ ▁ ▁ ▁ ▁
🎲 5🔒 6
🏆 Ben · won`},
		{"a turn that has ended", chat.Message{
			Table: 7, Head: "10 does not fit. Anna has 24.", Told: []string{"Ben is next; 24 is to beat."},
			Tiles: []chat.TileRow{{Owner: "Anna", Tiles: row(7, 8, 9),
				Dice: []chat.Die{{Face: 4, Sides: 6}, {Face: 6, Sides: 6}}}},
			People: []chat.Person{{Name: "Anna", Text: "24", State: games.Done}, {Name: "Ben", State: games.ToMove}},
		}, `10 does not fit. Anna has 24.
Ben is next; 24 is to beat.

Anna 🎲 4 6
▁ ▁ ▁ ▁ ▁ ▁ 7 8 9
Anna · 24
▸ Ben`},
		{"words only", chat.Message{Head: "Shut the Box", Lines: []string{"Throw.", "Close.\nAgain."}},
			"Shut the Box\n\nThrow.\nClose.\nAgain."},
		{"nothing", chat.Message{Table: 7}, "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := seen(t, c.m); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// seen is what people see of a message; it fails where Telegram would not
// take it.
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

// hostile are names and words that people have tried.
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

// exactWords are words that people copy, and what platforms like to make of them.
var exactWords = []string{"fox", "@everyone", "https://evil.com/x", "/abandon", "#tag", "1. *two*_", "a  b",
	"`c` & <d>", "שלום.com", "👩‍👩‍👧", "\ufffd"}

// A word that people copy stands in code, where Telegram makes nothing of it, and is
// in no character another one.
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

// A word for which there is no room calls nobody either, and what keeps it from that has room.
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

// unmarked is what Telegram makes of escaped text.
func unmarked(text string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(text)
}

// Whatever the core makes, Telegram takes it.
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
		text := strings.ReplaceAll(seen(t, m), m.Exact[0].Text, "") // in code nobody is called
		if strings.Contains(text, "@everyone") || strings.ContainsFunc(text, func(r rune) bool {
			return r != '\u2068' && r != '\u2069' && overrides(r)
		}) {
			t.Fatalf("it calls or turns: %.200q", text)
		}
		if wrong := spec.Check("sendMessage", written(-5, m), nil); len(wrong) > 0 {
			t.Fatalf("%q", wrong)
		}
	})
}

func TestKeyboardsFitAPhone(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"9+2 8+3 7+4 6+5 8+2+1", "[9+2 8+3 7+4] [6+5 8+2+1]"},
		{"7+3+1 6+4+1 6+3+2 5+4+2 5+3+2+1", "[7+3+1 6+4+1 6+3+2] [5+4+2 5+3+2+1]"},
		{"Mitspielen Aufstehen", "[Mitspielen Aufstehen]"},
		{"▶_Los +_Haus ⚙_Regeln", "[▶_Los +_Haus ⚙_Regeln]"},
		{"Los Regeln_ändern,_aber_wie Haus", "[Los] [Regeln_ändern,_aber_wie] [Haus]"},
		{"🎲🎲_Two_dice 🎲_One_die 🏁_Declare_victory", "[🎲🎲_Two_dice 🎲_One_die] [🏁_Declare_victory]"},
		{"9+2 8+3 7+4 6+5 8+2+1 / 7+3+1 6+4+1 6+3+2 5+4+2 5+3+2+1",
			"[9+2 8+3 7+4 6+5] [8+2+1 7+3+1 6+4+1] [6+3+2 5+4+2 5+3+2+1]"},
		{"1 2 3 4 5 / 6 7 8 9 / Shut_two_tiles", "[1 2 3 4 5] [6 7 8 9] [Shut_two_tiles]"},
		{"2🔒 5 3 2🔒 6 / Throw_the_others Write… Sheet", "[2🔒 5 3 2🔒 6] [Throw_the_others Write…] [Sheet]"},
		{"2 5 3 2 6 / Hint", "[2 5 3 2 6] [Hint]"},
		{"1 2 3 4 5 6 7 8", "[1 2 3 4 5 6 7 8]"},
		{"1🔒 2 3 4 5 6 7", "[1🔒 2 3 4] [5 6 7]"},
		{"9 10 11 12 13 14 15 16 17", "[9 10 11 12 13] [14 15 16 17]"},
		{"5 / 6", "[5] [6]"},
		{"ein_Würfel,_wenn_7_8_9_zu_sind nie", "[ein_Würfel,_wenn_7_8_9_zu_sind] [nie]"},
		{"Bei_Gleichstand:_Stechen,_und_dann", "[Bei_Gleichstand:_Stechen,_und_dann]"}, // as wide as a phone shows
		{"the_sum,_or_the_difference_as_one_tile", "[the_sum,_or_the_difference_as_one…]"},
		{"🎲🎲_the_sum,_or_the_difference_as_one", "[🎲🎲_the_sum,_or_the_difference_a…]"},
	} {
		var rows [][]chat.Button
		for part := range strings.SplitSeq(c.row, "/") {
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
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.row, strings.Join(got, " "), c.want)
		}
	}
}

// TestTheHeadingIsBold: of boards, whatever their sentence holds; answers are paragraphs.
func TestTheHeadingIsBold(t *testing.T) {
	m := chat.Message{Table: 7, Head: "Ben <3 shut the box!", Told: []string{"A & B"}}
	if got := draw(m); got != "<b>Ben &lt;3 shut the box!</b>\nA &amp; B" {
		t.Error(got)
	}
	m.Table = 0
	if got := draw(m); got != "Ben &lt;3 shut the box!\nA &amp; B" {
		t.Error(got)
	}
}

// TestADeadlineCountsByItself: no board is drawn anew for it, and a client that
// cannot count shows the clock.
func TestADeadlineCountsByItself(t *testing.T) {
	m := chat.Message{Table: 7, Head: "Anna is to throw.", Deadline: &chat.Deadline{
		At: 1700000600, Before: "<b>@anna</b> is out ", After: ", and the stake is lost.", Clock: "at 22:23",
	}}
	text := draw(m)
	if want := `is out <tg-time unix="1700000600" format="r">at 22:23</tg-time>, and the stake is lost.`; !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text)
	}
	seen, err := telegramtest.ParseHTML(text)
	if want := "<b>@\u2060anna</b> is out at 22:23, and the stake is lost."; err != nil ||
		!strings.HasSuffix(seen, want) {
		t.Errorf("people see\n%s\n%v", seen, err)
	}
	m.Deadline.Before = strings.Repeat("x", 5000) // longer than a line: the text alone
	if seen, err := telegramtest.ParseHTML(draw(m)); err != nil || len(seen) > 1000 {
		t.Errorf("%d characters, %v", len(seen), err)
	}
}

func TestSheetIsSetInOneWidth(t *testing.T) {
	m := chat.Message{Table: 7, Head: "Anna keeps 4.", Sheet: &chat.Sheet{
		Asked:   true,
		Columns: []chat.SheetColumn{{Name: "<b>An"}, {Name: "Ben", Seat: 1}},
		Rows:    []chat.SheetRow{{Label: "Pair", Short: "Pair", Cells: []chat.SheetCell{{Text: "24*"}, {Text: "—"}}}},
	}}
	text, err := telegramtest.ParseHTML(draw(m))
	if err != nil {
		t.Fatal(err)
	}
	want := "Anna keeps 4.\n\n       <b>An     Ben\nPair     24*       —"
	if strings.TrimSpace(text) != want {
		t.Errorf("the sheet is\n%s\nwant\n%s", text, want)
	}
	if !strings.Contains(draw(m), "<code>Pair     24*       —</code>") {
		t.Errorf("a row is not in letters of one width:\n%s", draw(m))
	}
}
