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
)

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
