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

// Messages as HTML, within Telegram's limits.

// Limits of texts in UTF-16 units, in which Telegram counts.
const (
	longestText  = 4096
	longestToast = 200
	longestHead  = 600
	longestName  = 48
	longestLine  = 300
)

// messageHTML returns m as Telegram's HTML, cut to longestText. For a message without text it returns "…".
func messageHTML(m chat.Message) string {
	if text := linesHTML(messageLines(m), longestText); strings.TrimSpace(text) != "" {
		return text
	}
	return "…"
}

// messageLines returns m as lines, from top to bottom: heading, news, game, players, further lines, small print.
func messageLines(m chat.Message) []line {
	board := m.Table != 0
	lines := textLines(m.Head, board, longestHead)
	if board {
		for i := range lines {
			lines[i].tag = "b"
		}
	}
	for _, told := range m.Told {
		lines = append(lines, textLines(told, board, longestLine)...)
	}
	game := tileLines(m.Tiles)
	if text := plain.Dice(m.Dice); text != "" {
		game = append(game, line{text: text})
	}
	if paper := sheetLines(m.Sheet); len(paper) > 0 {
		if len(game) > 0 {
			game = append(game, line{})
		}
		game = append(append(game, paper...), textLines(m.Star(), board, longestLine)...)
		game = append(game, line{})
	}
	if game = append(game, personLines(m.People)...); len(game) > 0 {
		lines = append(append(lines, line{}), game...)
	}
	text := bodyLines(m)
	if len(m.People) == 0 && len(lines) > 0 && (len(m.Exact) > 0 || len(text) > 0 && !text[0].folded) {
		lines = append(lines, line{})
	}
	for _, e := range m.Exact {
		said := chat.Exact{Before: noMentions(clean(e.Before)), Text: e.Text, After: noMentions(clean(e.After))}
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

// bodyLines returns m.Lines as lines. If m.Folds and there are many, they become a quotation that opens at a tap.
func bodyLines(m chat.Message) []line {
	var lines []line
	for _, l := range m.Lines {
		lines = append(lines, textLines(l, m.Table != 0, longestLine)...)
	}
	if m.Folds && (len(lines) > 5 || totalLength(lines) > 400) {
		for i := range lines {
			lines[i].folded = true
		}
	}
	return lines
}

// textLines splits text into lines. If board is true, all of them together have at most longest UTF-16 units.
func textLines(text string, board bool, longest int) []line {
	if text == "" {
		return nil
	}
	if !board {
		longest = longestText
	}
	var lines []line
	for l := range strings.SplitSeq(text, "\n") {
		l = clip(clean(l), longest)
		longest = max(longest-length(l), 1)
		lines = append(lines, line{text: l})
	}
	return lines
}

// tileLines returns the lines that show rows of tiles: for each row its owner's name, if any, and then the tiles.
func tileLines(rows []chat.TileRow) []line {
	var lines []line
	for _, row := range rows {
		owner := isolateRTL(clip(clean(row.Owner), longestName))
		if title := strings.TrimSpace(owner + " " + plain.Dice(row.Dice)); title != "" {
			lines = append(lines, line{text: title})
		}
		for _, l := range plain.Tiles(row) {
			lines = append(lines, line{tag: "code", text: l})
		}
	}
	return lines
}

// sheetWidth is the number of fixed-width characters that fit into a line on a phone.
const sheetWidth = 30

// sheetLines returns the lines of score sheet s, in fixed width. It returns nil unless s.Asked: boards are redrawn too
// often to repeat a sheet each time.
func sheetLines(s *chat.Sheet) []line {
	if s == nil || !s.Asked {
		return nil
	}
	var lines []line
	for _, l := range s.Text(sheetWidth) {
		lines = append(lines, line{tag: "code", text: clean(l)})
	}
	return lines
}

// personLines returns one line for each person, with a sign before the player whose turn it is and the winner.
func personLines(people []chat.Person) []line {
	var lines []line
	for _, p := range people {
		text := isolateRTL(clip(clean(p.Name), longestName))
		switch {
		case p.Place > 0:
			text = fmt.Sprintf("%d. %s", p.Place, text)
		case p.State == games.ToMove:
			text = "▸ " + text
		case p.State == games.Won:
			text = "🏆 " + text
		}
		if p.Text != "" {
			text += " · " + clip(clean(p.Text), longestLine)
		}
		lines = append(lines, line{text: text})
	}
	return lines
}

// line is one line of a message, with the HTML tag that encloses it.
type line struct {
	tag      string // "b", "code", "i", or "" for none
	text     string
	deadline *chat.Deadline // the text with a time that Telegram counts down, or nil
	exact    *chat.Exact    // the text with a part that a tap copies, or nil
	folded   bool           // it is in a folded quotation
}

// escaper escapes text for Telegram's HTML.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// joiner is an invisible character. After an @ it prevents a mention.
const joiner = "\u2060"

// clean returns text on one line, without line breaks, control characters and embeddings of a text direction.
func clean(text string) string { return plain.Line(text, false) }

// isolateRTL returns name. A right-to-left name gets marks around it, so that it does not reorder the line.
func isolateRTL(name string) string {
	const isolate, pop = "\u2068", "\u2069"
	if strings.ContainsFunc(name, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko) ||
			r == '\u200f' || r == '\u061c'
	}) {
		return isolate + name + pop
	}
	return name
}

// length returns the length of text in UTF-16 units, in which Telegram counts.
func length(text string) int { return plain.Wide(text, utf16Units) }

// utf16Units returns the length of r in UTF-16 units.
func utf16Units(r rune) int { return max(utf16.RuneLen(r), 1) }

// clip cuts text to at most longest UTF-16 units. A cut text ends with an ellipsis.
func clip(text string, longest int) string { return plain.Clip(text, longest, utf16Units, " \u200d") }

// totalLength returns the length in UTF-16 units of lines when they are joined by line breaks.
func totalLength(lines []line) int {
	n := max(len(lines)-1, 0)
	for _, l := range lines {
		n += length(l.plainText())
	}
	return n
}

// noMentions returns text with a joiner after each @, so that it mentions no one.
func noMentions(text string) string { return strings.ReplaceAll(text, "@", "@"+joiner) }

// plainText returns the line's text, changed by noMentions. If l.exact is set, l.text already mentions no one.
func (l line) plainText() string {
	if l.exact != nil {
		return l.text
	}
	return noMentions(l.text)
}

// linesHTML returns lines as Telegram's HTML, cut to at most longest UTF-16 units, not counting tags. It escapes their
// texts, so that mentions and markup in these have no effect.
func linesHTML(lines []line, longest int) string {
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
		text := clip(l.plainText(), left)
		whole := text == l.plainText()
		if l.exact != nil && !whole {
			text = clip(noMentions(l.text), left)
		}
		left -= length(text)
		text = escaper.Replace(text)
		switch {
		case whole && l.deadline != nil && l.text == l.deadline.String(): // Telegram counts down
			d := l.deadline
			text = fmt.Sprintf(`%s<tg-time unix="%d" format="r">%s</tg-time>%s`,
				escaper.Replace(noMentions(d.Before)), d.At, escaper.Replace(d.Clock),
				escaper.Replace(noMentions(d.After)))
		case whole && l.exact != nil && l.exact.Text != "":
			e := l.exact
			text = escaper.Replace(e.Before) + "<code>" + escaper.Replace(e.Text) + "</code>" + escaper.Replace(e.After)
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

// newerMarkup matches tags that older servers refuse: times need Bot API 9.5, folded quotations 7.4. It never matches
// an escaped text.
var newerMarkup = regexp.MustCompile(`</?(tg-time|blockquote)\b[^<>]*>`)

// withoutNewerMarkup returns a copy of params without tags that older servers refuse; found: params had such tags.
func withoutNewerMarkup(params tg.Params) (less tg.Params, found bool) {
	less = maps.Clone(params)
	for _, name := range [...]string{"text", "caption", "media"} {
		if text := newerMarkup.ReplaceAllString(params[name], ""); text != params[name] {
			less[name], found = text, true
		}
	}
	return less, found
}
