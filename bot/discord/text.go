package discord

import (
	"knobel/bot/chat/plain"
	"regexp"
	"strings"
	"unicode/utf16"
)

// clean makes text of people fit for one line: without line breaks, control characters and marks
// that turn the direction of other text, except the isolates that the core sets.
func clean(text string) string { return unlinked(tidy(text)) }

// tidy is clean, but for the marks of what becomes a link.
func tidy(text string) string {
	return onlyLinks(plain.Line(text, func(r rune) bool { return r >= '\u202a' && r <= '\u202e' }))
}

// joiner behind an @ keeps it from mentioning the name behind.
const joiner = "\u2060"

var (
	marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, "<", `\<`, "[",
		`\[`, "]", `\]`, "@", "@"+joiner, "://", `:\//`)
	opening = regexp.MustCompile(`^([\s\p{Z}\p{Cf}]*)(#|>|-|\+)`)
	listing = regexp.MustCompile(`^([\s\p{Z}\p{Cf}]*\d+)([.)])`)
)

// escape makes a line mean nothing to Discord's markdown.
func escape(line string) string {
	line = marks.Replace(tidy(line))
	line = opening.ReplaceAllString(line, `$1\$2`)
	return listing.ReplaceAllString(line, `$1\$2`)
}

var marked = regexp.MustCompile(`[!-/:-@\[-\x60{-~]`)

// code sets a text of one line as code, in which Discord interprets nothing; or, if the text would
// end the code, with a backslash before each sign.
func code(text string) string {
	text = unlinked(text)
	if text == "" || strings.Contains(text, "`") {
		return marked.ReplaceAllString(text, `\$0`)
	}
	return "`" + text + "`"
}

// linkWidth is half of what a link is longer than the command that it is made of.
const linkWidth = 14

// width is how long a character is as clients count it, in UTF-16 units; Discord itself never counts more.
func width(r rune) int {
	if r == linkMark {
		return linkWidth
	}
	return max(utf16.RuneLen(r), 1)
}

// clip shortens a text to at most that size; an ellipsis shows it.
func clip(text string, most int) string { return plain.Clip(text, most, width, "\\ \u200d") }
