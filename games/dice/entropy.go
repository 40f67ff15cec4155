package dice

import (
	"encoding/hex"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"knobel/games"
)

// What each seat adds to the dice: a word that a person gives, or a number drawn by chance.

// MaxEntropy is the largest number of characters in a seat's entropy.
const MaxEntropy = 64

// HouseEntropy is the entropy of every house seat.
const HouseEntropy = "house"

// NewEntropy draws 16 bytes from where chance comes from, and returns them as hex: the
// entropy of a seat that gives no text of its own. Its errors are those of reading.
func NewEntropy(chance io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(chance, b[:]); err != nil {
		return "", fmt.Errorf("draw the entropy of a seat: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// Drawn reports whether a seat's entropy looks as NewEntropy draws it: it is no word that a person has given.
func Drawn(entropy string) bool {
	b, err := hex.DecodeString(entropy)
	return err == nil && len(b) == 16 && hex.EncodeToString(b) == entropy
}

// CheckEntropy reports whether a seat may add this text: UTF-8, at most 64
// characters, no control characters. The error is a *games.Refusal.
func CheckEntropy(text string) error {
	switch {
	case !utf8.ValidString(text):
		return games.Refuse("games.luck-unreadable", nil)
	case utf8.RuneCountInString(text) > MaxEntropy:
		return games.Refuse("games.luck-long", games.Args{"N": MaxEntropy})
	case hasControl(text):
		return games.Refuse("games.luck-control", nil)
	}
	return nil
}

// CheckTable reports whether a table may have this id: the messages of its dice
// are lines, so the id may not hold control characters.
func CheckTable(id string) error {
	if id == "" || !utf8.ValidString(id) || utf8.RuneCountInString(id) > MaxEntropy || hasControl(id) {
		return games.Refuse("games.table-id", nil)
	}
	return nil
}

func hasControl(text string) bool {
	for _, r := range text {
		if unicode.IsControl(r) {
			return true
		}
	}
	return false
}
