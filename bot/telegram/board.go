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

// Limits of texts in Telegram's characters.
const (
	longestText  = 4096
	longestToast = 200
	longestHead  = 600
	longestName  = 48
	longestLine  = 300
)

// draw returns a message as Telegram's HTML.
func draw(m chat.Message) string {
	if text := html(lines(m), longestText); strings.TrimSpace(text) != "" {
		return text
	}
	return "…"
}

// lines returns a message from top to bottom: heading, news, game, people, small print.
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

// body returns the further lines of a message. A long text is folded.
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

// paragraph returns the lines of a text, on a board of at most most characters.
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

// tiles draws rows of tiles, each below its owner.
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

// sheetWidth is how many fixed-width characters a phone shows in a line.
const sheetWidth = 30

// sheet draws a sheet in monospace, if a person asked for it: on boards it would cost too much of the chat's budget.
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

// line is one line of a message and its tag.
type line struct {
	tag      string // "b", "code", "i" or none
	text     string
	deadline *chat.Deadline // nil, or the text with a time that counts
	exact    *chat.Exact    // nil, or the text with a part to be copied
	folded   bool           // in a folded quotation
}

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// joiner after an @ prevents a mention.
const joiner = "\u2060"

// clean makes text fit for one line: no line breaks, control characters or direction marks.
func clean(text string) string { return plain.Line(text, false) }

// apart keeps a right-to-left name from reordering its line.
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

// length counts UTF-16 units, as Telegram does.
func length(text string) int { return plain.Wide(text, units) }

func units(r rune) int { return max(utf16.RuneLen(r), 1) }

// clip shortens a text to that length, with an ellipsis.
func clip(text string, most int) string { return plain.Clip(text, most, units, " \u200d") }

// total returns the length of lines joined by html.
func total(lines []line) int {
	n := max(len(lines)-1, 0)
	for _, l := range lines {
		n += length(l.plain())
	}
	return n
}

// uncalled returns a text in which no @ mentions a person.
func uncalled(text string) string { return strings.ReplaceAll(text, "@", "@"+joiner) }

// plain returns the text of a line without mentions; code has none.
func (l line) plain() string {
	if l.exact != nil {
		return l.text
	}
	return uncalled(l.text)
}

// html joins lines into at most longest characters, counted after parsing, without markup or mentions from their
// texts.
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

// barer removes markup that older servers refuse, and reports whether there was any.
func barer(params tg.Params) (less tg.Params, any bool) {
	less = maps.Clone(params)
	for _, name := range [...]string{"text", "caption", "media"} {
		if text := newerMarkup.ReplaceAllString(params[name], ""); text != params[name] {
			less[name], any = text, true
		}
	}
	return less, any
}
