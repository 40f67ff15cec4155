// Package dice throws the dice of a table so that anybody can check them
// afterwards (scheme knobel-dice-1).
//
// A table draws a secret seed when it opens and shows its SHA-256 at once, so
// the seed cannot be exchanged later. Everybody who takes a seat adds a text
// of their own. Seed, table and texts fix every die of the table; when the game is
// over the seed is published, and everybody can throw the same dice again.
//
// That proves that whoever runs the table fixed the seed before anybody sat down, and
// that no die depends on who throws. It does not prove that nobody looked: who can
// read the seed can know the dice to come, and who knows it and gives their text last
// can choose that to suit them.
package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"

	"knobel/games"
)

// Scheme names the way from seed, table and entropies to faces. Every message and every record
// contains it.
const Scheme = "knobel-dice-1"

// MaxSides is the largest number of sides that a die of the scheme can have:
// it is made of one byte.
const MaxSides = 256

// Seed is the secret of a table, published when its game is over.
type Seed [32]byte

// NewSeed draws a seed from where chance comes from. Its errors are those of reading.
func NewSeed(chance io.Reader) (s Seed, err error) {
	if _, err := io.ReadFull(chance, s[:]); err != nil {
		return Seed{}, fmt.Errorf("draw a seed: %w", err)
	}
	return s, nil
}

// SeriesSeed is the seed of game number n of a repeatable series, as
// simulations play them. It is no secret: people never play with it.
func SeriesSeed(series int64, n int) Seed {
	return sha256.Sum256(fmt.Appendf(nil, "knobel-series\n%d\n%d", series, n))
}

// ParseSeed reads a seed from 64 lower-case hex digits.
func ParseSeed(text string) (Seed, error) {
	var s Seed
	if len(text) != hex.EncodedLen(len(s)) || strings.ToLower(text) != text {
		return s, fmt.Errorf("a seed is %d lower-case hex digits", hex.EncodedLen(len(s)))
	}
	if _, err := hex.Decode(s[:], []byte(text)); err != nil {
		return s, fmt.Errorf("seed: %w", err)
	}
	return s, nil
}

// String returns the seed in lower-case hex.
func (s Seed) String() string { return hex.EncodeToString(s[:]) }

// Commitment returns the SHA-256 of the seed's raw bytes in lower-case hex, which is shown before
// people take seats.
func (s Seed) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// Fair throws the dice of one table, one after the other. It serves one
// change of one match: take Next from it afterwards and store it.
type Fair struct {
	Seed      Seed
	Table     string   // the table's id
	Entropies []string // one a seat, in seat order
	Next      int      // the number of the next die, from 0
}

// Throw throws the next count dice. It panics where no die of the scheme has
// that many sides.
func (f *Fair) Throw(count, sides int) []int {
	if sides < 1 || sides > MaxSides {
		panic(fmt.Sprintf("dice: no die has %d sides", sides))
	}
	faces := make([]int, count)
	mac := hmac.New(sha256.New, f.Seed[:]) // once, since making it costs more than a die does
	table := Scheme + "\n" + f.Table + "\n" + strings.Join(f.Entropies, "\n") + "\n"
	for i := range faces {
		faces[i] = die(&stream{mac: mac, message: table + strconv.Itoa(f.Next)}, sides)
		f.Next++
	}
	return faces
}

// die returns the face that the stream of a die shows: the first byte below the largest
// multiple of sides decides, so that all faces are alike.
func die(s *stream, sides int) int {
	limit := 256 - 256%sides
	for {
		if b := int(s.next()); b < limit {
			return 1 + b%sides
		}
	}
}

// stream is the bytes of HMAC-SHA256 over a message and a counter from 0.
type stream struct {
	mac     hash.Hash
	message string
	block   []byte
	used    int
	counter int
}

func newStream(seed Seed, message string) *stream {
	return &stream{mac: hmac.New(sha256.New, seed[:]), message: message}
}

func (s *stream) next() byte {
	if s.used == len(s.block) {
		s.mac.Reset()
		s.mac.Write([]byte(s.message + "\n" + strconv.Itoa(s.counter)))
		s.block = s.mac.Sum(s.block[:0])
		s.used = 0
		s.counter++
	}
	b := s.block[s.used]
	s.used++
	return b
}

// Recorder passes throws on to Dice and remembers their faces: what a record
// says about a move.
type Recorder struct {
	Dice  games.Dice
	Faces []int // all faces thrown so far, in order
}

// Throw throws the dice of the Recorder.
func (r *Recorder) Throw(count, sides int) []int {
	faces := r.Dice.Throw(count, sides)
	r.Faces = append(r.Faces, faces...)
	return faces
}
