package sheet

import (
	"math/bits"
	"slices"

	"knobel/games"
)

// keep is a set of dice by position, bit 0 the leftmost.
type keep uint8

// has reports whether the die at a position is kept.
func (k keep) has(position int) bool { return k>>position&1 == 1 }

// count is how many dice are kept.
func (k keep) count() int { return bits.OnesCount8(uint8(k)) }

// spellKeep spells a set as in moves: 1 for a die that is kept.
func (p *plan) spellKeep(k keep) string {
	text := make([]byte, p.paper.Dice)
	for position := range text {
		text[position] = '0'
		if k.has(position) {
			text[position] = '1'
		}
	}
	return string(text)
}

// keepMove is the move that keeps a set.
func (p *plan) keepMove(k keep) games.Move { return games.Move("keep " + p.spellKeep(k)) }

// parseKeep reads a digit of 0 and 1 for each die.
func (p *plan) parseKeep(text string) (k keep, ok bool) {
	if len(text) != p.paper.Dice {
		return 0, false
	}
	for position, digit := range []byte(text) {
		if digit != '0' && digit != '1' {
			return 0, false
		}
		k |= keep(digit-'0') << position
	}
	return k, true
}

// keeps are all sets of dice to keep but the whole, the largest first.
func (p *plan) keeps() []keep {
	sets := make([]keep, p.all)
	for k := range sets {
		sets[k] = keep(k)
	}
	slices.SortStableFunc(sets, func(a, b keep) int { return b.count() - a.count() })
	return sets
}

// showing returns the leftmost dice of a hand that show a face, at most so many.
func (h hand) showing(face, most int) keep {
	var k keep
	for position, shown := range h {
		if int(shown) == face && most > 0 {
			k |= 1 << position
			most--
		}
	}
	return k
}

// keptCounts counts the faces of the dice that are kept.
func (m match) keptCounts(k keep) counts {
	var c counts
	for position, face := range m.hand {
		if k.has(position) {
			c[face]++
		}
	}
	return c
}
