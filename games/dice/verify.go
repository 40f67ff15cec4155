package dice

// The second implementation of the scheme. It shares nothing with the thrower but the
// specification: HMAC is written out by its definition, bytes come from a sequence, and nothing is
// cached between two dice. It can be followed line by line to check a record in another language.

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"iter"
)

// Expect returns the face that die number n of a table must show.
// It panics where no die of the scheme has that many sides.
func Expect(seed Seed, table string, entropies []string, n, sides int) int {
	if sides < 1 || sides > MaxSides {
		panic(fmt.Sprintf("dice: no die has %d sides", sides))
	}
	for b := range tableBytes(seed[:], table, entropies, n) {
		if whole := 256 / sides * sides; int(b) < whole {
			return int(b)%sides + 1
		}
	}
	panic("dice: the stream of bytes has no end")
}

// tableBytes yields the bytes of HMAC-SHA256(seed, message c) for c = 0, 1, …
func tableBytes(seed []byte, table string, entropies []string, n int) iter.Seq[byte] {
	return func(yield func(byte) bool) {
		for c := 0; ; c++ {
			var message bytes.Buffer
			fmt.Fprintf(&message, "knobel-dice-1\n%s\n", table)
			for _, entropy := range entropies {
				fmt.Fprintf(&message, "%s\n", entropy)
			}
			fmt.Fprintf(&message, "%d\n%d", n, c)
			for _, b := range authenticate(seed, message.Bytes()) {
				if !yield(b) {
					return
				}
			}
		}
	}
}

// authenticate is HMAC-SHA256 as RFC 2104 defines it, for keys that fit into
// one block of 64 bytes: H(key xor opad, H(key xor ipad, message)).
func authenticate(key, message []byte) [sha256.Size]byte {
	var inner, outer [64]byte
	copy(inner[:], key)
	copy(outer[:], key)
	for i := range inner {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	within := sha256.Sum256(append(inner[:], message...))
	return sha256.Sum256(append(outer[:], within[:]...))
}
