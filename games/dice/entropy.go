package dice

import (
	"crypto/rand"
	"encoding/hex"
	"unicode"
	"unicode/utf8"

	"knobel/games"
)

// MaxEntropy is the largest number of characters in a seat's entropy.
const MaxEntropy = 64

// HouseEntropy is the entropy of every house seat.
const HouseEntropy = "house"

// NewEntropy draws 16 bytes as hex: the entropy of a seat that gives no text
// of its own.
func NewEntropy() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
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
