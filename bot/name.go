package bot

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostName is the largest number of characters of a name on a board.
const mostName = 24

// cleanName makes a name fit for a board: one line, at most mostName
// characters, nothing that is invisible, turns the direction of the text
// around it, or piles marks onto the lines above. It may leave nothing.
func cleanName(name string) string {
	var b strings.Builder
	marks, length := 0, 0
	space, seen := false, false
	for _, r := range strings.ToValidUTF8(name, "") {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case !shows(r):
			continue
		case unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > 2 || b.Len() == 0 {
				continue
			}
		default:
			marks = 0
		}
		if space {
			b.WriteByte(' ')
			length++
			space = false
		}
		b.WriteRune(r)
		seen = seen || unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
		if length++; length > mostName {
			break
		}
	}
	if !seen {
		return ""
	}
	return shorten(b.String(), mostName)
}

// shows says whether a rune may stand in a name. The zero width joiner holds
// emoji together and harms nobody; the other format characters may not stay.
func shows(r rune) bool {
	const joiner = '\u200d'
	return r == joiner || !unicode.In(r, unicode.C, unicode.Zl, unicode.Zp)
}

// isolate keeps a name with letters that run from right to left from turning
// the sentence around it.
func isolate(name string) string {
	const first, pop = "\u2068", "\u2069"
	for _, r := range name {
		if unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam) {
			return first + name + pop
		}
	}
	return name
}

// shorten cuts a text to a number of characters, the last of them an ellipsis
// where something was cut.
func shorten(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	return strings.TrimRight(string(runes[:most-1]), " \u200d") + "…"
}
