package dice

import (
	"encoding/binary"
	"fmt"

	"knobel/games"
)

// choicesScheme labels the stream of the house's choices, so that it shares
// no message with the dice.
const choicesScheme = "knobel-choices-1"

// Choices is the chance that a house seat has for move number n of a table
// (moves counted from 0). It follows from the seed, so a retried transaction
// chooses alike, and touches none of the table's dice.
func Choices(seed Seed, table string, n int) games.Rand {
	return &choices{newStream(seed, fmt.Sprintf("%s\n%s\n%d", choicesScheme, table, n))}
}

type choices struct{ stream *stream }

// IntN returns a number from 0 to n-1, each alike.
func (c *choices) IntN(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("dice: no choice among %d", n))
	}
	// The numbers below 2^64 mod n are thrown away, so that what remains is a
	// multiple of n.
	size := uint64(n)
	for {
		var word [8]byte
		for i := range word {
			word[i] = c.stream.next()
		}
		if v := binary.BigEndian.Uint64(word[:]); v >= -size%size {
			return int(v % size)
		}
	}
}
