// Package dice throws the dice of a table so that all players can check them afterwards (scheme knobel-dice-1).
//
// A table draws a secret seed when it opens and shows its SHA-256 at once, so the seed cannot be exchanged later. Each
// player adds a text. Seed, table and texts determine every die of the table; when the game is over the seed is
// published, and everyone can compute the same dice again.
//
// That proves that the seed was fixed before anyone joined, and that no die depends on the seat that rolls it. It does
// not prove that no one looked: a person who can read the seed can compute the next rolls, and could choose the last
// text to suit them.
package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"knobel/games"
)

// Scheme names the version of the algorithm that computes faces from a table's seed and number and the luck words of
// its seats. Every hashed message and every record contains it.
const Scheme = "knobel-dice-1"

// MaxSides is the largest number of sides of a die: each die is computed from one byte.
const MaxSides = 256

// Seed is the secret of a table, published when its game is over.
type Seed [32]byte

// NewSeed returns a seed read from random. Its errors are those of reading.
func NewSeed(random io.Reader) (s Seed, err error) {
	if _, err := io.ReadFull(random, s[:]); err != nil {
		return Seed{}, fmt.Errorf("draw a seed: %w", err)
	}
	return s, nil
}

// SeriesSeed returns the seed of game n of a series that can be repeated, as in simulations; the number series tells
// one series from another. The seed is not secret: people never play with it.
func SeriesSeed(series int64, n int) Seed {
	return sha256.Sum256(fmt.Appendf(nil, "knobel-series\n%d\n%d", series, n))
}

// ParseSeed returns the seed that text spells as 64 lower-case hex digits, or an error.
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

// Commitment returns the SHA-256 of the seed's raw bytes in lower-case hex, which is shown before people join.
func (s Seed) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// Fair throws the dice of one table, one after the other, for one change of one match. After that change the caller
// stores Next, and a new Fair continues from there.
type Fair struct {
	Seed      Seed
	Table     string   // the table's id
	Entropies []string // the entropy of each seat, in seat order
	Next      int      // the number of the next die, from 0
	Faces     []int    // the faces thrown so far, in order
}

// Throw returns the faces of the next count dice and updates Next and Faces. It panics if no die has that many sides.
func (f *Fair) Throw(count, sides int) []int {
	if sides < 1 || sides > MaxSides {
		panic(fmt.Sprintf("dice: no die has %d sides", sides))
	}
	faces := make([]int, count)
	mac := hmac.New(sha256.New, f.Seed[:]) // created once, because that takes longer than a die
	table := Scheme + "\n" + f.Table + "\n" + strings.Join(f.Entropies, "\n") + "\n"
	limit := 256 - 256%sides // greater bytes are skipped, so that all faces are equally likely
	for i := range faces {
		s := &stream{mac: mac, message: table + strconv.Itoa(f.Next)}
		b := int(s.next())
		for b >= limit {
			b = int(s.next())
		}
		faces[i] = 1 + b%sides
		f.Next++
	}
	f.Faces = append(f.Faces, faces...)
	return faces
}

// stream is a sequence of bytes: HMAC-SHA256 of a message and a counter, which goes up from 0 block by block.
type stream struct {
	mac     hash.Hash
	message string
	block   []byte
	used    int
	counter int
}

// newStream returns the stream of message, with seed as the key.
func newStream(seed Seed, message string) *stream {
	return &stream{mac: hmac.New(sha256.New, seed[:]), message: message}
}

// next returns the next byte of the stream.
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

// Fallen is a Dice that shows the faces of earlier throws, to replay a move.
type Fallen struct {
	Throws []games.Faces // the throws so far, in order
	Dice   []games.Die   // the dice of all throws

	faces []int
	wrong bool
}

// NewFallen returns a Dice that shows faces, one die after the other.
func NewFallen(faces []int) *Fallen { return &Fallen{faces: faces} }

// Throw returns the next count of the known faces. A die shows 1 if no known face is left for it or if that face is
// impossible; then Err returns an error.
func (f *Fallen) Throw(count, sides int) []int {
	thrown := make([]int, count)
	for i := range thrown {
		thrown[i] = 1
		if i < len(f.faces) && f.faces[i] >= 1 && f.faces[i] <= sides {
			thrown[i] = f.faces[i]
		} else {
			f.wrong = true
		}
	}
	f.faces = f.faces[min(count, len(f.faces)):]
	f.Throws = append(f.Throws, slices.Clone(thrown))
	f.Dice = append(f.Dice, games.LieAs(thrown, sides)...)
	return thrown
}

// errOthers means that a replayed move did not throw exactly the dice that it threw at first.
var errOthers = errors.New("other dice were rolled")

// Err returns nil if the replay has thrown all known faces and no further dice.
func (f *Fallen) Err() error {
	if f.wrong || len(f.faces) > 0 {
		return errOthers
	}
	return nil
}

// choicesScheme is the first line of messages for choices of computer players; messages for dice begin with Scheme.
const choicesScheme = "knobel-choices-1"

// Choices returns the random source of a computer player that makes move number n (from 0) at a table. It depends on
// the arguments only, so a retried transaction makes the same choice. It does not change the table's dice.
func Choices(seed Seed, table string, n int) games.Rand {
	return &choices{newStream(seed, fmt.Sprintf("%s\n%s\n%d", choicesScheme, table, n))}
}

type choices struct{ stream *stream }

// IntN returns a number from 0 to n-1, all equally likely. It panics if n is less than 1.
func (c *choices) IntN(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("dice: no choice among %d", n))
	}
	// The numbers below 2^64 mod n are skipped, so that how many numbers are left is a multiple of n.
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

// The entropy that each seat adds to the dice: a word chosen by the player, or a random number.

// MaxEntropy is the largest number of characters in a seat's entropy.
const MaxEntropy = 64

// HouseEntropy is the entropy of every computer player.
const HouseEntropy = "house"

// NewEntropy returns 16 bytes read from random as hex: the entropy (text added to the dice) of a seat whose player
// chooses none. Its errors are those of reading.
func NewEntropy(random io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("draw the entropy of a seat: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// Drawn reports whether entropy (text that a seat added to the dice) has the form of NewEntropy: no player chose it.
func Drawn(entropy string) bool {
	b, err := hex.DecodeString(entropy)
	return err == nil && len(b) == 16 && hex.EncodeToString(b) == entropy
}

// CheckEntropy returns nil if a player may add this text to the dice: valid UTF-8, at most MaxEntropy characters, and
// no control characters. Otherwise the error is a *games.Refusal.
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

// CheckTable returns nil if a table may have this id, else a *games.Refusal. Dice are computed from lines of text that
// contain the id, so it must not contain control characters.
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
