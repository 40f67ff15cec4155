package sheet

import (
	"slices"
	"sync"

	"knobel/games"
)

// keepMove returns the move that keeps a set.
func (p *plan) keepMove(k games.DiceSet) games.Move { return keepings[p.paper.Dice]().moves[k] }

// keeping is what keeps of so many dice there are: the sets but the whole, the largest first, and the move for each.
type keeping struct {
	sets  []games.DiceSet
	moves []games.Move
}

// keepings are those of none to six dice, each made when it is first asked for: every list of moves has them all. They
// are not to be changed.
var keepings = func() (all [maxDice + 1]func() *keeping) {
	for dice := range all {
		all[dice] = sync.OnceValue(func() *keeping { return newKeeping(dice) })
	}
	return all
}()

func newKeeping(dice int) *keeping {
	k := &keeping{}
	for set := range games.DiceSet(1) << dice {
		k.sets = append(k.sets, set)
		k.moves = append(k.moves, games.Move("keep "+set.Spell(dice)))
	}
	k.sets = k.sets[:len(k.sets)-1]
	slices.SortStableFunc(k.sets, func(a, b games.DiceSet) int { return b.Count() - a.Count() })
	return k
}

// showing returns the leftmost dice of a hand that show a face, at most so many.
func (h hand) showing(face, most int) games.DiceSet {
	var k games.DiceSet
	for position, shown := range h {
		if int(shown) == face && most > 0 {
			k |= 1 << position
			most--
		}
	}
	return k
}

// keptCounts counts the faces of the dice that are kept.
func (m match) keptCounts(k games.DiceSet) counts {
	var c counts
	for position, face := range m.hand {
		if k.Has(position) {
			c[face]++
		}
	}
	return c
}
