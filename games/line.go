package games

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Line is a sentence to be said: a key into the message files, and the arguments. It becomes words
// only in the reader's language.
type Line struct {
	Key  string
	Args Args
}

// Args are the named arguments of a Line. Their types say how they are put into words: Seat becomes a name, Faces a
// list ("5 and 6"), Tiles a sum ("9+2"), Word and Line the sentence of that key, List its lines joined as a list, int
// and Number a number, int64 what goes by a number (a table, a payment), Decimal a number with one digit behind the
// point, string stands as it is. The argument "N", an int, chooses between singular and plural.
type Args map[string]any

// Faces are the faces of dice, put into words as a list.
type Faces []int

// Tiles are tile numbers, put into words as a sum: the highest first.
type Tiles []int

// Number is a number in digits, maybe with a sign, a fraction ("−2 1/3") or decimals behind a point. It is put into
// words with the signs of the language, grouped from five digits on.
type Number string

// Word is a key whose sentence is an argument of another.
type Word string

// List holds lines that are put into words as one list.
type List []Line

// Event is a fact of a match, told while it changes: a key and arguments.
type Event Line

// You returns the line that tells an event to the mover, in the second person: its key has "you" behind the
// game's name, "coin.you.threw" for "coin.threw".
func (e Event) You() Line {
	game, rest, _ := strings.Cut(e.Key, ".")
	return Line{Key: game + ".you." + rest, Args: e.Args}
}

// Say makes a line.
func Say(key string, args Args) Line { return Line{Key: key, Args: args} }

// Refusal is an error that the player may read, in their own language.
type Refusal struct{ Line }

// Refuse makes a refusal.
func Refuse(key string, args Args) *Refusal { return &Refusal{Line{key, args}} }

// Error returns key and arguments, for logs and tests; people read words.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Key)
	for _, name := range slices.Sorted(maps.Keys(r.Args)) {
		fmt.Fprintf(&b, " %s=%v", name, r.Args[name])
	}
	return b.String()
}

// Refused returns the refusal in an error's chain, if there is one.
func Refused(err error) (*Refusal, bool) { return errors.AsType[*Refusal](err) }
