package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"knobel/games"
)

// Names and other words of people, made safe to stand on a board.

// MaxName is the largest number of characters of a name on a board.
const MaxName = 24

// CleanName makes a name fit for a board: one line, at most MaxName
// characters, nothing that is invisible, turns the direction of the text
// around it, or piles marks onto the lines above. It may leave nothing.
func CleanName(name string) string {
	var b strings.Builder
	marks, length := 0, 0
	space, seen := false, false
	for _, r := range strings.ToValidUTF8(name, "") {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case !Shows(r):
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
		if length++; length > MaxName {
			break
		}
	}
	if !seen {
		return ""
	}
	return Shorten(b.String(), MaxName)
}

// Shows reports whether a rune may stand in a name. The zero width joiner may, since it holds emoji
// together; other format characters may not, nor letters without ink, such as the fillers of Hangul
// or an empty Braille cell.
func Shows(r rune) bool {
	const joiner, emptyBraille = '\u200d', '\u2800'
	return r == joiner ||
		r != emptyBraille && !unicode.In(r, unicode.C, unicode.Zl, unicode.Zp,
			unicode.Other_Default_Ignorable_Code_Point)
}

// Isolate keeps words of people from being more than words in a sentence of the
// bot: letters that run from right to left do not turn it around, and no platform
// makes a link, a command, a tag or a telephone number of them.
func Isolate(text string) string {
	const first, pop = "\u2068", "\u2069"
	text = inert(text)
	for _, r := range text {
		if unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan,
			unicode.Mandaic, unicode.Adlam) {
			return first + text + pop
		}
	}
	return text
}

// Repeated makes text of a person fit to be quoted in an answer: cleaned as a name, with at most
// length characters.
func Repeated(said string, length int) string { return Isolate(Shorten(CleanName(said), length)) }

// wordJoiner takes up no room. Platforms look for links in unbroken text only.
const wordJoiner = '\u2060'

// inert breaks up what platforms turn into links: "evil.com", "https://", "/abandon", "#tag",
// "$CASH", "+49 30". Other signs stay; mentions with @ are broken up by the adapters, which know
// whom they would call.
func inert(text string) string {
	if !strings.ContainsAny(text, ".:/#$+") {
		return text
	}
	runes := []rune(text)
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	var b strings.Builder
	for i, r := range runes {
		b.WriteRune(r)
		if links(at(i-1), r, at(i+1)) {
			b.WriteRune(wordJoiner)
		}
	}
	return b.String()
}

// links reports whether a sign between two others makes a link.
func links(before, sign, after rune) bool {
	within := unicode.IsLetter(after) || unicode.IsNumber(after)
	switch sign {
	case '.':
		return unicode.IsLetter(after) && !unicode.IsSpace(before) &&
			(!unicode.IsPunct(before) || strings.ContainsRune("_-", before))
	case ':':
		return after == '/'
	case '/':
		return within && !unicode.IsLetter(before) && !unicode.IsNumber(before)
	case '#', '$', '+':
		return within
	}
	return false
}

// unmarked removes the marks of Isolate, which take no column.
var unmarked = strings.NewReplacer("\u2068", "", "\u2069", "", string(wordJoiner), "")

// Skeleton returns what a name looks like at a glance: names with the same skeleton get numbers.
func Skeleton(name string) string {
	if plainASCII(name) {
		name = strings.ToLower(name)
	} else {
		name = games.Lookalikes.Replace(strings.ToLower(Unstyled(name)))
	}
	return strings.Join(strings.Fields(name), " ")
}

// Unstyled returns a text without the marks of Isolate and in its usual letters: bold, circled and full-width ones,
// for example, are replaced.
func Unstyled(text string) string { return norm.NFKC.String(unmarked.Replace(text)) }

// Unaccented returns a text in its usual letters, without accents.
func Unaccented(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(unmarked.Replace(text)))
}

// plainASCII reports whether nothing in a name has a lookalike or a mark. Most names are so, and
// every press needs the skeleton of everybody at the table.
func plainASCII(name string) bool {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf || name[i] == '|' {
			return false
		}
	}
	return true
}

// Shorten cuts a text to a number of characters, the last of them an ellipsis
// where something was cut.
func Shorten(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:most-1]), " \u200d") + "…"
}
