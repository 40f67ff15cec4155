package discord

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/bot/chat/platformtest"
	"knobel/bot/fakes"
	"knobel/games"
)

// buttons returns the number of buttons in the container of b.
func buttons(b body) (n int) {
	for _, row := range b.Components[0].Components {
		for _, c := range row.Components {
			if c.Type == discordgo.ButtonComponent {
				n++
			}
		}
	}
	return n
}

// texts returns the texts of the components in b, a line each.
func texts(b body) string {
	var all []string
	for _, c := range b.Components[0].Components {
		if c.Type == discordgo.TextDisplayComponent {
			all = append(all, c.Content)
		}
	}
	return strings.Join(all, "\n")
}

// TestDrawn compares boards drawn without emoji with testdata/drawn.txt. All platforms draw the same boards.
func TestDrawn(t *testing.T) {
	platformtest.Draws(t, func(m chat.Message) string {
		b := (*album)(nil).layout(m, 0)
		said := texts(b)
		if accent := b.Components[0].Accent; accent != nil {
			said = fmt.Sprintf("%06x\n%s", *accent, said)
		}
		var rows [][]string
		for _, row := range b.Components[0].Components {
			var labels []string
			for _, c := range row.Components {
				labels = append(labels, fmt.Sprint(c.Label, " ", c.Style))
			}
			if row.Type == discordgo.ActionsRowComponent {
				rows = append(rows, labels)
			}
		}
		return said + platformtest.Rows(rows)
	})
}

// TestChoicesAreSelects checks that each choice is drawn as select lists of at most 25 values in separate rows above
// the buttons, that the selected value shows the name of the choice, and that the message keeps within the limits.
func TestChoicesAreSelects(t *testing.T) {
	m := chat.Message{Head: "Rules", Buttons: [][]chat.Button{{{Label: "Close table", Press: "end"}}}}
	ties := chat.Choice{Said: "ties: share", Values: []chat.Button{{Label: "share", Press: "a", Style: games.Success},
		{Label: "roll-off", Press: "b"}, {Label: "again", Press: "b"}, {Label: " ", Press: "c"}, {Label: "none"}}}
	many := chat.Choice{Said: "Variant: custom"}
	for i := range 30 {
		many.Values = append(many.Values, chat.Button{Label: fmt.Sprint("variant ", i, strings.Repeat("w", 100)),
			Press: fmt.Sprint("v", i)})
	}
	m.Choices = []chat.Choice{ties, many}
	b := (*album)(nil).layout(m, discordgo.MessageFlagsEphemeral)
	rows := b.Components[0].Components[1:]
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	first := rows[0].Components[0]
	want := []selectable{{Label: "ties: share", Value: "a", Default: true}, {Label: "roll-off", Value: "b"}}
	if first.Type != discordgo.SelectMenuComponent || !slices.Equal(first.Options, want) {
		t.Errorf("the first list is %+v", first)
	}
	second, third := rows[1].Components[0], rows[2].Components[0]
	if len(second.Options) != 25 || len(third.Options) != 5 || third.Placeholder != "Variant: custom" ||
		first.CustomID == second.CustomID || second.CustomID == third.CustomID {
		t.Errorf("30 values are %+v and %+v", second, third)
	}
	if plain.Wide(second.Options[0].Label, utf16Width) != maxOptionLabel {
		t.Errorf("a value is called %q", second.Options[0].Label)
	}
	if last := rows[3].Components[0]; last.CustomID != "end" {
		t.Errorf("below the lists stands %+v", last)
	}
	m.Choices = slices.Repeat([]chat.Choice{ties}, chat.MaxChoices)
	m.Lines, m.Small = []string{strings.Repeat("word ", 200)}, "small"
	all := (*album)(nil).privateMessages(m)
	if len(all) != 1 || len(all[0].Components[0].Components) != 1+1+chat.MaxChoices+1+1 {
		t.Errorf("a full page is %d messages: %+v", len(all), all[0])
	}
}

// TestLargestBoards checks that the largest boards of all games fit into a message with all their buttons.
func TestLargestBoards(t *testing.T) {
	tiles := chat.TileRow{Owner: strings.Repeat("W", 24)}
	for i := range 24 {
		tiles.Tiles = append(tiles.Tiles, chat.Tile{Number: i + 1, Open: true, Picked: i%3 == 0})
	}
	full := chat.Message{Head: strings.Repeat("word ", 60), Tiles: []chat.TileRow{tiles, tiles},
		Dice: make([]chat.Die, 6), Small: "seal"}
	for range 10 {
		full.People = append(full.People, chat.Person{Name: strings.Repeat("𝔸", 24), Text: "12 points so far",
			State: games.ToMove})
		full.Lines = append(full.Lines, strings.Repeat("*", 24)+" keeps what was agreed")
	}
	row := func(n, from int) []chat.Button {
		var all []chat.Button
		for i := range n {
			all = append(all, chat.Button{Label: fmt.Sprint(from + i), Press: fmt.Sprint("p", from+i)})
		}
		return all
	}
	for _, c := range []struct {
		name string
		rows []int
	}{
		{"24 tiles, and what is picked", []int{5, 5, 5, 5, 4, 1}},
		{"24 tiles, what is picked, and the end", []int{5, 5, 5, 5, 4, 1, 2}},
		{"25 sets", []int{5, 5, 5, 5, 5}},
		{"25 in one row", []int{25}},
		{"pairs of options", []int{2, 2, 2, 2, 2, 2, 1, 4}},
		{"values, one a row", []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, want := full, 0
			for _, n := range c.rows {
				m.Buttons = append(m.Buttons, row(n, want))
				want += n
			}
			if got := buttons((*album)(nil).layout(m, 0)); got != want {
				t.Errorf("%d of %d buttons are drawn", got, want)
			}
		})
	}
}

// hostile returns texts that people might enter to break a message.
func hostile() []string {
	return []string{
		"<b>*_[x](y)@everyone", "@here <@123> <@&1> <#2> <:a:1> <t:1:R>", "`code` ```block``` ||spoiler|| ~~gone~~",
		"# big", "> quote", "-# small",
		"- list", "1. one", "[link](https://example.org)", "https://example.org", "\u202egnihtemos\u202c",
		"\u2067rtl\u2069", "שלום",
		strings.Repeat("😀", 4000), strings.Repeat("*", 4000), strings.Repeat("a\n", 2000), "", " ", "\u200b",
		"a\x00b\x1b[31m", "\xff\xfe", "\\", "\\*", "👨‍👩‍👧‍👦", "Z̸̡͈̈́algo",
		"***", "a_b_c", "\r\n# big\r\n> quote",
	}
}

// TestLettersHoldEverything checks that private messages cut nothing off, whatever they contain.
func TestLettersHoldEverything(t *testing.T) {
	for _, line := range []string{"word ", "word", "*", "😀", "𝔸 "} {
		for _, n := range []int{1, 700, 3800, 9000} {
			m := chat.Message{Head: strings.Repeat("head ", 20),
				Lines: []string{"first", strings.Repeat(line, n), "last"}, Small: "small", Accent: -1}
			var got strings.Builder
			for _, b := range (*album)(nil).privateMessages(m) {
				got.WriteString(texts(b))
			}
			if clipped := strings.Contains(got.String(), "…"); clipped {
				t.Errorf("%d × %q: something is cut off", n, line)
			}
			want := strings.Join([]string{m.Head, "first", m.Lines[1], "last"}, "") + "-#small"
			if packed(got.String()) != packed(want) {
				t.Errorf("%d × %q: %d characters of %d", n, line, len(packed(got.String())), len(packed(want)))
			}
		}
	}
}

// packed returns text without white space and backslashes.
func packed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\\' {
			return -1
		}
		return r
	}, text)
}

func TestEscape(t *testing.T) { fakes.Cases(t, "escaped.txt", escape) }

// TestAWordIsCopiedAsItIs checks that a text to copy is in code or, if it would end the code, escaped sign by sign.
func TestAWordIsCopiedAsItIs(t *testing.T) {
	for _, word := range []string{"fox", "@everyone", "https://evil.com/x", "discord.gg/evil", "1. *two*_", "a  b",
		"`c` <@1> #d", "``", "שלום.com", "👩‍👩‍👧", "\\`"} {
		m := chat.Message{Head: "The dice", Exact: []chat.Exact{{Before: "Luck of @anna: ", Text: word}}, Accent: -1}
		content := (*album)(nil).privateMessages(m)[0].Components[0].Components[1].Content
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

// unescaped returns text without escapes, and in unsafe a character of Markdown that was not escaped, 0 for none.
func unescaped(text string) (plain string, unsafe rune) {
	var b strings.Builder
	escaped := false
	for _, r := range text {
		switch {
		case !escaped && r == '\\':
			escaped = true
			continue
		case !escaped && strings.ContainsRune("*_~`|<[]", r):
			unsafe = r
		}
		b.WriteRune(r)
		escaped = false
	}
	if escaped {
		unsafe = '\\'
	}
	return b.String(), unsafe
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
			if plain.Wide(short, utf16Width) > most {
				t.Errorf("clipped to %d: %q", most, short)
			}
			if _, bare := unescaped(strings.TrimSuffix(short, "…")); bare == '\\' && short != got {
				t.Errorf("%q is cut inside an escape", short)
			}
		}
	})
}
