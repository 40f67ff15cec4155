package chat

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"knobel/games"
)

// Cleaning of names and other texts that people typed, for boards.

// MaxName is the largest number of characters of a name on a board.
const MaxName = 24

// OneLine returns a text as one line of at most maxLength characters, with nothing invisible, no direction marks and no
// piles of accents. It may return "".
func OneLine(text string, maxLength int) string {
	var b strings.Builder
	marks := 0
	space, seen := false, false
	for _, r := range strings.ToValidUTF8(text, "") {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case !Shows(r):
			continue
		case r == joiner || unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > 2 || b.Len() == 0 {
				continue
			}
		default:
			marks = 0
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		seen = seen || unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
	}
	if !seen {
		return ""
	}
	return Shorten(b.String(), maxLength)
}

// joiner is the zero width joiner.
const joiner = '\u200d'

// Shows reports whether a rune may be in a name. The zero width joiner may, because emoji need it; other format
// characters and blank letters, such as Hangul fillers or an empty Braille cell, may not.
func Shows(r rune) bool {
	const emptyBraille = '\u2800'
	return r == joiner ||
		r != emptyBraille && !unicode.In(r, unicode.C, unicode.Zl, unicode.Zp,
			unicode.Other_Default_Ignorable_Code_Point)
}

// Isolate makes a text that people typed safe inside a sentence: right-to-left letters do not reorder the sentence, and
// no platform turns the text into a link, a command, a tag or a telephone number.
func Isolate(text string) string {
	const first, pop = "\u2068", "\u2069"
	if strings.ContainsAny(text, ".:/#$+") {
		text = breakLinks(text)
	}
	for _, r := range text {
		if unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan,
			unicode.Mandaic, unicode.Adlam) {
			return first + text + pop
		}
	}
	return text
}

// Repeated returns a typed text for quoting: cleaned, cut to length characters, and isolated (see Isolate).
func Repeated(text string, length int) string { return Isolate(OneLine(text, length)) }

// wordJoiner is an invisible character that prevents a link: no platform makes a link of a text that contains it.
const wordJoiner = '\u2060'

// breakLinks inserts a wordJoiner wherever platforms would make a link, command or tag: "evil.com", "https://",
// "/abandon", "#tag", "$CASH", "+49 30". Mentions (@) are left to the adapters.
func breakLinks(text string) string {
	runes := []rune(text)
	runeAt := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	isAlphanumeric := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	var b strings.Builder
	for i, r := range runes {
		b.WriteRune(r)
		isLink, before, after := false, runeAt(i-1), runeAt(i+1)
		switch r {
		case '.':
			isLink = unicode.IsLetter(after) && !unicode.IsSpace(before) &&
				(!unicode.IsPunct(before) || strings.ContainsRune("_-", before))
		case ':':
			isLink = after == '/'
		case '/':
			isLink = isAlphanumeric(after) && !isAlphanumeric(before)
		case '#', '$', '+':
			isLink = isAlphanumeric(after)
		}
		if isLink {
			b.WriteRune(wordJoiner)
		}
	}
	return b.String()
}

// markRemover removes the invisible characters that Isolate adds.
var markRemover = strings.NewReplacer("\u2068", "", "\u2069", "", string(wordJoiner), "")

// Skeleton returns the same text for all names that look alike: in lower case and plain letters, with one letter for
// each group of lookalikes.
func Skeleton(name string) string {
	special := func(r rune) bool { return r >= utf8.RuneSelf || r == '|' } // it may have lookalikes or invisible marks
	if strings.ContainsFunc(name, special) {
		name = games.Lookalikes.Replace(strings.ToLower(Unstyled(name)))
	} else {
		name = strings.ToLower(name)
	}
	return strings.Join(strings.Fields(name), " ")
}

// TakenNames is the set of names that Unlike has returned, each as its Skeleton. The nil map is an empty set.
type TakenNames map[string]bool

// Unlike returns name, or "Ben 2" if "Ben" looks like a name in n. It adds the returned name to n.
func (n *TakenNames) Unlike(name string) string {
	free, skeleton := name, Skeleton(name)
	for number := 2; (*n)[skeleton]; number++ {
		free = fmt.Sprint(name, " ", number)
		skeleton = Skeleton(free)
	}
	if *n == nil {
		*n = TakenNames{}
	}
	(*n)[skeleton] = true
	return free
}

// Unstyled returns a text without the characters that Isolate adds, with plain letters instead of bold, circled or
// full-width ones.
func Unstyled(text string) string { return norm.NFKC.String(markRemover.Replace(text)) }

// Unaccented returns a text in plain letters without accents.
func Unaccented(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(markRemover.Replace(text)))
}

// Shorten returns text cut to at most maxLength characters. A cut text ends with an ellipsis.
func Shorten(text string, maxLength int) string {
	if utf8.RuneCountInString(text) <= maxLength {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:maxLength-1]), " \u200d") + "…"
}
