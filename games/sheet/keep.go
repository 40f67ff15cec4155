package sheet

import (
	"math/bits"
	"slices"
	"sync"

	"knobel/games"
)

// keep is a set of dice by position, bit 0 the leftmost.
type keep uint8

// has reports whether the die at a position is kept.
func (k keep) has(position int) bool { return k>>position&1 == 1 }

// count returns how many dice are kept.
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

// keepMove returns the move that keeps a set.
func (p *plan) keepMove(k keep) games.Move { return keepings[p.paper.Dice]().moves[k] }

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

// keeps returns all sets of dice to keep but the whole, the largest first. They are not to be changed.
func (p *plan) keeps() []keep { return keepings[p.paper.Dice]().sets }

// keeping is what keeps of so many dice there are: the sets but the whole, and the move for each set.
type keeping struct {
	sets  []keep
	moves []games.Move
}

// keepings are those of none to six dice, each made when it is first asked for: every list of moves has them all.
var keepings = func() (all [maxDice + 1]func() *keeping) {
	for dice := range all {
		all[dice] = sync.OnceValue(func() *keeping { return newKeeping(dice) })
	}
	return all
}()

func newKeeping(dice int) *keeping {
	p := &plan{paper: Paper{Dice: dice}}
	k := &keeping{}
	for set := range keep(1) << dice {
		k.sets = append(k.sets, set)
		k.moves = append(k.moves, games.Move("keep "+p.spellKeep(set)))
	}
	k.sets = k.sets[:len(k.sets)-1]
	slices.SortStableFunc(k.sets, func(a, b keep) int { return b.count() - a.count() })
	return k
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
