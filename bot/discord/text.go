package discord

import (
	"knobel/bot/chat/plain"
	"regexp"
	"strings"
	"unicode/utf16"
)

// clean makes text fit for one line: no line breaks, control characters or direction marks except the isolates that
// the core sets.
func clean(text string) string {
	return strings.ReplaceAll(plain.Line(text, overrides), string(linkMark), "")
}

// overrides reports whether a character changes the direction of text.
func overrides(r rune) bool { return r >= '\u202a' && r <= '\u202e' }

// joiner after an @ prevents a mention.
const joiner = "\u2060"

var (
	marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, "<", `\<`, "[",
		`\[`, "]", `\]`, "@", "@"+joiner, "://", `:\//`)
	opening = regexp.MustCompile(`^([\s\p{Z}\p{Cf}]*)(#|>|-|\+)`)
	listing = regexp.MustCompile(`^([\s\p{Z}\p{Cf}]*\d+)([.)])`)
)

// escape escapes a line for Discord's markdown.
func escape(line string) string {
	line = marks.Replace(onlyLinks(plain.Line(line, overrides)))
	line = opening.ReplaceAllString(line, `$1\$2`)
	return listing.ReplaceAllString(line, `$1\$2`)
}

var marked = regexp.MustCompile(`[!-/:-@\[-\x60{-~]`)

// code returns a text of one line as inline code, or with each sign escaped if it would end the code.
func code(text string) string {
	text = strings.ReplaceAll(text, string(linkMark), "")
	if text == "" || strings.Contains(text, "`") {
		return marked.ReplaceAllString(text, `\$0`)
	}
	return "`" + text + "`"
}

// linkWidth is half of the characters by which a link is longer than its command.
const linkWidth = 14

// width returns the length of a character in UTF-16 units, as clients count; Discord itself never counts more.
func width(r rune) int {
	if r == linkMark {
		return linkWidth
	}
	return max(utf16.RuneLen(r), 1)
}

// clip shortens a text to that size, with an ellipsis.
func clip(text string, most int) string { return plain.Clip(text, most, width, "\\ \u200d") }
