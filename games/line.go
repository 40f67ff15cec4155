package games

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Line is a sentence that is not yet translated: a key of the message files, and its arguments.
type Line struct {
	Key  string
	Args Args
}

// Args holds the named arguments of a Line. The type of an argument decides how it is shown: Seat becomes a name, Faces
// a list ("5 and 6"), Tiles a sum ("9+2"), Word and Line the sentence that they name, List a list of its lines, int and
// Number a number, int64 a number that identifies a table or a payment, Decimal a number with one digit after the
// point, string the text itself. The argument "N", an int, chooses between singular and plural.
type Args map[string]any

// Faces holds the faces of dice. It is shown as a list.
type Faces []int

// Tiles holds tile numbers, the highest first. It is shown as a sum.
type Tiles []int

// Number is a number in digits, optionally with a sign, a fraction ("−2 1/3") or decimals after a point. It is shown
// with the separators of the reader's language, grouped from five digits on.
type Number string

// Word is the key of a sentence that is inserted into another one.
type Word string

// List holds lines that are joined into one list when shown.
type List []Line

// Event is an effect of a move on a match, as a key and arguments of a sentence.
type Event Line

// You returns the line about the event for the player who moved.
func (e Event) You() Line { return Line(e).You() }

// You returns the line that says the same to the player at its argument Seat, as "you": "coin.you.threw" for
// "coin.threw".
func (l Line) You() Line {
	game, rest, _ := strings.Cut(l.Key, ".")
	return Line{Key: game + ".you." + rest, Args: l.Args}
}

// Say returns the line with this key and these arguments.
func Say(key string, args Args) Line { return Line{Key: key, Args: args} }

// Refusal is an error that is shown to the player, translated into their language.
type Refusal struct{ Line }

// Refuse returns the refusal that shows the line with this key and these arguments.
func Refuse(key string, args Args) *Refusal { return &Refusal{Line{key, args}} }

// Error returns the key and the arguments, for logs and tests; players see the translated line.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Key)
	for _, name := range slices.Sorted(maps.Keys(r.Args)) {
		fmt.Fprintf(&b, " %s=%v", name, r.Args[name])
	}
	return b.String()
}

// Refused returns the *Refusal in the chain of err, and false if there is none.
func Refused(err error) (*Refusal, bool) { return errors.AsType[*Refusal](err) }

// Instead returns a line for a player who typed an unknown word: it suggests the one of words most similar to typed or,
// if none is similar, lists the first maxInstead of words.
func Instead(typed string, words []string) Line {
	if near := Nearest(typed, words); near != "" {
		return Say("games.instead.near", Args{"Near": near})
	}
	if len(words) > maxInstead {
		words = append(slices.Clone(words[:maxInstead]), "…")
	}
	return Say("games.instead.these", Args{"These": strings.Join(words, ", ")})
}

// maxInstead is the largest number of words that the line of Instead lists.
const maxInstead = 8

// Nearest returns the first of those words that are most similar to typed, ignoring case; "" if no word is similar.
func Nearest(typed string, words []string) string {
	typed = strings.ToLower(strings.TrimSpace(typed))
	n := utf8.RuneCountInString(typed)
	best, least := "", min(n/3, 3)+1 // more letters may be wrong in a long word than in a short one
	for _, w := range words {
		low := strings.ToLower(w)
		d := distance([]rune(typed), []rune(low))
		if n >= 3 && strings.HasPrefix(low, typed) || n >= 5 && strings.Contains(low, typed) {
			d = min(d, 1) // a prefix or a part of the word was typed
		}
		if d < least {
			best, least = w, d
		}
	}
	return best
}

// distance returns the fewest edits that turn a into b: insert, delete or replace a letter, swap two neighbours.
func distance(a, b []rune) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			cost := row[j]
			if a[i] != b[j] {
				cost++
			}
			next[j+1] = min(cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// Lookalikes replaces letters of other scripts by the small Latin letters they look like. The text must be in lower
// case. Letters that have no lower case are also replaced if they look like Latin capitals.
var Lookalikes = strings.NewReplacer(
	"а", "a", "в", "b", "с", "c", "ԁ", "d", "е", "e", "ё", "e", "һ", "h", "н", "h", "і", "i", "ї", "i", "ј", "j",
	"к", "k", "ӏ", "l", "м", "m", "о", "o",
	"р", "p", "ԛ", "q", "ѕ", "s", "т", "t", "ѵ", "v", "ԝ", "w", "х", "x", "у", "y",
	"α", "a", "β", "b", "ε", "e", "η", "n", "ι", "i", "κ", "k", "μ", "u",
	"ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "u", "χ", "x", "ζ", "z",
	"ꓮ", "a", "ꓐ", "b", "ꓚ", "c", "ꓓ", "d", "ꓰ", "e", "ꓝ", "f", "ꓖ", "g", "ꓧ", "h", "ꓲ", "i", "ꓙ", "j", "ꓗ", "k",
	"ꓡ", "l", "ꓟ", "m", "ꓠ", "n", "ꓳ", "o", "ꓑ", "p", "ꓣ", "r", "ꓢ", "s", "ꓔ", "t", "ꓴ", "u", "ꓦ", "v", "ꓪ", "w",
	"ꓫ", "x", "ꓬ", "y", "ꓜ", "z",
	"ᴀ", "a", "ʙ", "b", "ᴄ", "c", "ᴅ", "d", "ᴇ", "e", "ꜰ", "f", "ɢ", "g", "ʜ", "h", "ɪ", "i", "ᴊ", "j", "ᴋ", "k",
	"ʟ", "l", "ᴍ", "m", "ɴ", "n", "ᴏ", "o", "ᴘ", "p", "ʀ", "r", "ꜱ", "s", "ᴛ", "t", "ᴜ", "u", "ᴠ", "v", "ᴡ", "w",
	"ʏ", "y", "ᴢ", "z",
	"ı", "i", "ſ", "s", "ɑ", "a", "ɡ", "g", "|", "l",
)
