package discord

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text from people fit for one line: no line breaks, no control
// characters, nothing that turns the direction of what stands around it but
// the isolates that the core sets.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// An @ calls whoever bears the name behind it; with this after it, nobody.
const joiner = "\u2060"

var (
	marks   = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, "<", `\<`, "[", `\[`, "]", `\]`, "@", "@"+joiner, "://", `:\//`)
	opening = regexp.MustCompile(`^(\s*)(#|>|-|\+)`)
	listing = regexp.MustCompile(`^(\s*\d+)([.)])`)
)

// escape makes a line mean nothing to Discord's markdown.
func escape(line string) string {
	line = marks.Replace(clean(line))
	line = opening.ReplaceAllString(line, `$1\$2`)
	return listing.ReplaceAllString(line, `$1\$2`)
}

// clip shortens a text to at most that many characters; an ellipsis shows it.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	return strings.TrimRight(string(runes[:most-1]), "\\ \u200d") + "…"
}
