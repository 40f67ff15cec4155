package telegram

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games"
)

// The look of messages: HTML within Telegram's limits.

// Limits of texts in UTF-16 units, as Telegram counts them.
const (
	longestText  = 4096
	longestToast = 200
	longestHead  = 600
	longestName  = 48
	longestLine  = 300
)

// draw returns m as a text in Telegram's HTML, cut to longestText; "…" if it has no text.
func draw(m chat.Message) string {
	if text := html(lines(m), longestText); strings.TrimSpace(text) != "" {
		return text
	}
	return "…"
}

// lines returns the lines of m from top to bottom: heading, news, game, people, small print.
func lines(m chat.Message) []line {
	board := m.Table != 0
	lines := paragraph(m.Head, board, longestHead)
	if board {
		for i := range lines {
			lines[i].tag = "b"
		}
	}
	for _, told := range m.Told {
		lines = append(lines, paragraph(told, board, longestLine)...)
	}
	game := tiles(m.Tiles)
	if text := plain.Dice(m.Dice); text != "" {
		game = append(game, line{text: text})
	}
	if paper := sheet(m.Sheet); len(paper) > 0 {
		if len(game) > 0 {
			game = append(game, line{})
		}
		game = append(append(game, paper...), paragraph(m.Star(), board, longestLine)...)
		game = append(game, line{})
	}
	if game = append(game, people(m.People)...); len(game) > 0 {
		lines = append(append(lines, line{}), game...)
	}
	text := body(m)
	if len(m.People) == 0 && len(lines) > 0 && (len(m.Exact) > 0 || len(text) > 0 && !text[0].folded) {
		lines = append(lines, line{})
	}
	for _, e := range m.Exact {
		said := chat.Exact{Before: uncalled(clean(e.Before)), Text: e.Text, After: uncalled(clean(e.After))}
		lines = append(lines, line{text: said.String(), exact: &said})
	}
	lines = append(lines, text...)
	if d := m.Deadline; d != nil {
		said := chat.Deadline{At: d.At, Before: clean(d.Before), After: clean(d.After), Clock: clean(d.Clock)}
		lines = append(lines, line{text: clip(said.String(), longestLine), deadline: &said})
	}
	for _, text := range []string{m.Guide, m.Small} {
		if text = strings.TrimSpace(clip(clean(text), longestLine)); text != "" {
			lines = append(lines, line{tag: "i", text: text})
		}
	}
	return lines
}

// body returns the lines of m.Lines. If m.Folds and they are long, they are folded: a tap shows them all.
func body(m chat.Message) []line {
	var lines []line
	for _, l := range m.Lines {
		lines = append(lines, paragraph(l, m.Table != 0, longestLine)...)
	}
	if m.Folds && (len(lines) > 5 || total(lines) > 400) {
		for i := range lines {
			lines[i].folded = true
		}
	}
	return lines
}

// paragraph returns the lines of a text. If it is for a board, they have at most most characters together.
func paragraph(text string, board bool, most int) []line {
	if text == "" {
		return nil
	}
	if !board {
		most = longestText
	}
	var lines []line
	for l := range strings.SplitSeq(text, "\n") {
		l = clip(clean(l), most)
		most = max(most-length(l), 1)
		lines = append(lines, line{text: l})
	}
	return lines
}

// tiles returns the lines that show rows of tiles, each below its owner's name.
func tiles(rows []chat.TileRow) []line {
	var lines []line
	for _, row := range rows {
		owner := apart(clip(clean(row.Owner), longestName))
		if title := strings.TrimSpace(owner + " " + plain.Dice(row.Dice)); title != "" {
			lines = append(lines, line{text: title})
		}
		for _, l := range plain.Tiles(row) {
			lines = append(lines, line{tag: "code", text: l})
		}
	}
	return lines
}

// sheetWidth is the number of fixed-width characters that fit in a line on a phone.
const sheetWidth = 30

// sheet returns the lines of a score sheet in monospace, or nil unless a person has asked for it: on all boards it
// would cost too much of the chat's budget.
func sheet(s *chat.Sheet) []line {
	if s == nil || !s.Asked {
		return nil
	}
	var lines []line
	for _, l := range s.Text(sheetWidth) {
		lines = append(lines, line{tag: "code", text: clean(l)})
	}
	return lines
}

// people returns a line for each person in list, with a sign for the mover and the winner.
func people(list []chat.Person) []line {
	var lines []line
	for _, p := range list {
		text := apart(clip(clean(p.Name), longestName))
		switch p.State {
		case games.ToMove:
			text = "▸ " + text
		case games.Won:
			text = "🏆 " + text
		case games.Waiting, games.Done, games.Out:
		}
		if p.Text != "" {
			text += " · " + clip(clean(p.Text), longestLine)
		}
		lines = append(lines, line{text: text})
	}
	return lines
}

// line is one line of a message and the HTML tag around it.
type line struct {
	tag      string // "b", "code", "i" or none
	text     string
	deadline *chat.Deadline // nil, or the text with a time that Telegram counts down
	exact    *chat.Exact    // nil, or the text with a part that a tap copies
	folded   bool           // in a folded quotation
}

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// joiner after an @ prevents a mention.
const joiner = "\u2060"

// clean makes text fit for one line: no line breaks, control characters or direction marks.
func clean(text string) string { return plain.Line(text, false) }

// apart returns name between direction isolates if it is right-to-left, so that it does not reorder its line.
func apart(name string) string {
	const isolate, pop = "\u2068", "\u2069"
	if strings.ContainsFunc(name, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko) ||
			r == '\u200f' || r == '\u061c'
	}) {
		return isolate + name + pop
	}
	return name
}

// length returns the length of text in UTF-16 units, as Telegram counts.
func length(text string) int { return plain.Wide(text, units) }

// units returns the length of a character in UTF-16 units.
func units(r rune) int { return max(utf16.RuneLen(r), 1) }

// clip shortens text to at most most UTF-16 units, with an ellipsis at its end.
func clip(text string, most int) string { return plain.Clip(text, most, units, " \u200d") }

// total returns the length of the lines once html has joined them.
func total(lines []line) int {
	n := max(len(lines)-1, 0)
	for _, l := range lines {
		n += length(l.plain())
	}
	return n
}

// uncalled returns text with a joiner after each @, so that it mentions no person.
func uncalled(text string) string { return strings.ReplaceAll(text, "@", "@"+joiner) }

// plain returns the text of the line, without mentions unless it has a part to be copied, which is code and has none.
func (l line) plain() string {
	if l.exact != nil {
		return l.text
	}
	return uncalled(l.text)
}

// html returns lines as Telegram's HTML, cut to longest characters without the tags. Markup and mentions in their texts
// have no effect.
func html(lines []line, longest int) string {
	var b strings.Builder
	left, folding := longest, false
	for i, l := range lines {
		if i > 0 {
			left--
		}
		if left <= 0 {
			break
		}
		if folding && !l.folded {
			b.WriteString("</blockquote>")
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		if l.folded && !folding {
			b.WriteString("<blockquote expandable>")
		}
		folding = l.folded
		text := clip(l.plain(), left)
		whole := text == l.plain()
		if l.exact != nil && !whole {
			text = clip(uncalled(l.text), left)
		}
		left -= length(text)
		text = markup.Replace(text)
		switch {
		case whole && l.deadline != nil && l.text == l.deadline.String(): // Telegram counts down
			d := l.deadline
			text = fmt.Sprintf(`%s<tg-time unix="%d" format="r">%s</tg-time>%s`,
				markup.Replace(uncalled(d.Before)), d.At, markup.Replace(d.Clock), markup.Replace(uncalled(d.After)))
		case whole && l.exact != nil && l.exact.Text != "":
			e := l.exact
			text = markup.Replace(e.Before) + "<code>" + markup.Replace(e.Text) + "</code>" + markup.Replace(e.After)
		}
		if l.tag != "" && text != "" {
			text = "<" + l.tag + ">" + text + "</" + l.tag + ">"
		}
		b.WriteString(text)
	}
	if folding {
		b.WriteString("</blockquote>")
	}
	return b.String()
}

// newerMarkup matches markup that older servers refuse: times before Bot API 9.5, folded quotations before 7.4. Texts
// are escaped, so they never match.
var newerMarkup = regexp.MustCompile(`</?(tg-time|blockquote)\b[^<>]*>`)

// barer returns params without markup that older servers refuse, and whether there was any.
func barer(params tg.Params) (less tg.Params, any bool) {
	less = maps.Clone(params)
	for _, name := range [...]string{"text", "caption", "media"} {
		if text := newerMarkup.ReplaceAllString(params[name], ""); text != params[name] {
			less[name], any = text, true
		}
	}
	return less, any
}
