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

// line is one line of a message: what it says, and the tag it stands in.
type line struct {
	tag      string // "b", "code", "i" or none
	text     string
	deadline *chat.Deadline // nil, or what the text says, with a time that counts
	exact    *chat.Exact    // nil, or what the text says, with a part to be copied
	folded   bool           // it stands in a quotation that whoever reads unfolds
}

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// joiner behind an @ keeps it from mentioning the name behind.
const joiner = "\u2060"

// clean makes text of people fit for one line: without line breaks, control characters and marks
// that turn the direction of other text.
func clean(text string) string {
	return plain.Line(text, overrides)
}

// overrides reports whether a character opens or closes a run of text in another
// direction than its letters have.
func overrides(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// apart keeps a name written from right to left from reordering its line.
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

// length counts as Telegram does, in units of UTF-16.
func length(text string) int { return plain.Wide(text, units) }

func units(r rune) int { return max(utf16.RuneLen(r), 1) }

// clip shortens a text to at most that length; an ellipsis shows it.
func clip(text string, most int) string { return plain.Clip(text, most, units, " \u200d") }

// total is how long lines are once html has joined them.
func total(lines []line) int {
	n := max(len(lines)-1, 0)
	for _, l := range lines {
		n += length(l.plain())
	}
	return n
}

// counting is a deadline whose time Telegram counts; where it cannot, it shows
// the clock.
func counting(d chat.Deadline) string {
	return fmt.Sprintf(`%s<tg-time unix="%d" format="r">%s</tg-time>%s`,
		markup.Replace(uncalled(d.Before)), d.At, markup.Replace(d.Clock), markup.Replace(uncalled(d.After)))
}

// copied is a line with a text in code.
func copied(e chat.Exact) string {
	return markup.Replace(e.Before) + "<code>" + markup.Replace(e.Text) + "</code>" + markup.Replace(e.After)
}

// uncalled returns a text in which each @ mentions no person.
func uncalled(text string) string { return strings.ReplaceAll(text, "@", "@"+joiner) }

// plain returns the text of a line without mentions. In code there are none.
func (l line) plain() string {
	if l.exact != nil {
		return l.text
	}
	return uncalled(l.text)
}

// html joins lines into at most longest characters, as counted after parsing. Their text has no
// markup and mentions no person.
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
		case whole && l.deadline != nil && l.text == l.deadline.String(): // Telegram counts by itself
			text = counting(*l.deadline)
		case whole && l.exact != nil && l.exact.Text != "":
			text = copied(*l.exact)
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

// newerMarkup is what older servers refuse to read: those before Bot API 9.5 know no times, those before 7.4 no
// quotation that unfolds. What looks like it in a text is escaped there.
var newerMarkup = regexp.MustCompile(`</?(tg-time|blockquote)\b[^<>]*>`)

// barer returns parameters without markup that older servers refuse, and whether there was any.
func barer(params tg.Params) (less tg.Params, any bool) {
	less = maps.Clone(params)
	for _, name := range [...]string{"text", "caption", "media"} {
		if text := newerMarkup.ReplaceAllString(params[name], ""); text != params[name] {
			less[name], any = text, true
		}
	}
	return less, any
}
