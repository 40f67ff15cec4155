package zehntausend

import (
	"math"
	"math/big"
	"sync"

	"knobel/games"
)

// The solution of a turn: what each amount and number of dice is worth.

// equal is how far apart, for each of its points, two choices may be worth that are equally good.
const equal = 1e-9

// A turn is played for its greatest expected points. They depend on the points so far, the dice to throw and whether
// the seat has banked before. A throw only adds points, so they follow from those of more points; and from some
// points on it is best to bank the most wherever that is offered, so that there they are a·points + b, with an a and
// a b for each number of dice. So the figures are exact without an end being put to a turn.

// figures are what a turn comes to from here.
type figures struct {
	points  float64 // expected
	nothing float64 // the chance to end it with nothing
}

// turn is the solution of a turn.
type turn struct {
	slope [maxDice + 1]float64
	line  [maxDice + 1]figures   // b and the chance of nothing, by dice to throw
	below [][maxDice + 1]figures // by points in steps, up to where the lines hold
}

// at returns what is expected before so many dice are thrown.
func (t *turn) at(points, dice int) figures {
	if points/step < len(t.below) {
		return t.below[points/step][dice]
	}
	f := t.line[dice]
	f.points += t.slope[dice] * float64(points)
	return f
}

// solutions are the two turns of rules: before a seat has banked, and after. They
// are solved when they are first asked for.
type solutions struct {
	throws       func() [maxDice + 1][]throw
	first, later func() *turn
}

// solutions of rules.
func (r *rules) solutions() (s solutions) {
	s.throws = sync.OnceValue(r.allThrows)
	s.later = sync.OnceValue(func() *turn { return r.solve(s.throws(), r.minimum(true)) })
	s.first = s.later
	if r.minimum(false) > r.minimum(true) {
		s.first = sync.OnceValue(func() *turn { return r.solve(s.throws(), r.minimum(false)) })
	}
	return s
}

// maxKnown is of how many rules the solutions are remembered.
const maxKnown = 64

// known are solutions of rules that were read lately: a match is read for every press.
type known struct {
	mu sync.Mutex
	of map[string]solutions // by canonical rules
}

// solutions of rules, which are spelled so.
func (k *known) solutions(r *rules, spelled string) solutions {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, there := k.of[spelled]
	if !there {
		if len(k.of) >= maxKnown {
			clear(k.of)
		}
		s = r.solutions()
		k.of[spelled] = s
	}
	return s
}

// turn returns the solution of a turn of a seat that has banked before, or not.
func (r *rules) turn(entered bool) *turn {
	if entered {
		return r.solved.later()
	}
	return r.solved.first()
}

// throw is what dice may bring that are thrown together.
type throw struct {
	chance float64
	keeps  []kept // the fewest dice first
	bank   int    // the most points with which the turn may stop, its own; 0: it may not
}

// kept are dice that are set aside, the most points of so many.
type kept struct {
	points int
	next   int // how many dice are thrown then
}

// allThrows returns the throws of each number of dice. Those that bring the same are one.
func (r *rules) allThrows() (all [maxDice + 1][]throw) {
	for dice := 1; dice <= r.dice; dice++ {
		chances := map[[maxDice + 1]int]float64{}
		var order [][maxDice + 1]int
		eachThrow(dice, func(c counts, chance float64) {
			best := r.bestOf(c)
			if _, known := chances[best]; !known {
				order = append(order, best)
			}
			chances[best] += chance
		})
		for _, best := range order {
			thrown := throw{chance: chances[best]}
			for aside, points := range best {
				if points == 0 {
					continue
				}
				thrown.keeps = append(thrown.keeps, kept{points, r.next(dice, aside)})
				if aside < dice || r.hotMay {
					thrown.bank = max(thrown.bank, points)
				}
			}
			all[dice] = append(all[dice], thrown)
		}
	}
	return all
}

// eachThrow calls do for all that so many dice can show, with its chance.
func eachThrow(dice int, do func(counts, float64)) {
	var c counts
	var next func(face, left int, ways float64)
	next = func(face, left int, ways float64) {
		if face == sides {
			c[face] = left
			do(c, ways*math.Pow(1./sides, float64(dice)))
			return
		}
		for n := range left + 1 {
			c[face] = n
			next(face+1, left-n, ways*float64(new(big.Int).Binomial(int64(left), int64(n)).Int64()))
		}
	}
	next(1, dice, 1)
}

// bestOf returns the most points of dice for each number of them that is set aside.
func (r *rules) bestOf(c counts) (best [maxDice + 1]int) {
	var part counts
	var next func(face, n int)
	next = func(face, n int) {
		if face > sides {
			best[n] = max(best[n], r.worth(part))
			return
		}
		for part[face] = 0; part[face] <= c[face]; part[face]++ {
			next(face+1, n+part[face])
		}
		part[face] = 0
	}
	next(1, 0)
	return best
}

// solve solves a turn in which an amount of at least so many points may be banked.
func (r *rules) solve(all [maxDice + 1][]throw, least int) *turn {
	t := r.lines(all)
	top, most := t.top(all, least), 0
	var stopping [maxDice + 1]*stops
	for dice, throws := range all {
		stopping[dice] = &stops{throws: throws, check: make([]int, len(throws))}
		for i, thrown := range throws {
			for _, k := range thrown.keeps {
				most = max(most, k.points)
			}
			stopping[dice].check[i] = top
		}
	}
	below := make([][maxDice + 1]figures, (top+most)/step+1)
	for i := len(below) - 1; i >= 0; i-- {
		for dice := 1; dice <= r.dice; dice++ {
			if i*step >= top {
				below[i][dice] = t.at(i*step, dice)
			} else {
				below[i][dice] = stopping[dice].figures(below, i*step, least)
			}
		}
	}
	t.below = below
	return t
}

// stops are the throws of one number of dice, of a turn of fewer and fewer points. What going on brings more than
// stopping grows by at most a point for each point that the turn has less. So a throw after which it is best to stop
// need not be looked at again before that is made up for.
type stops struct {
	throws []throw
	check  []int // the points at which each is to be looked at again
}

// figures returns what so many points come to before the throw.
func (s *stops) figures(below [][maxDice + 1]figures, points, least int) (f figures) {
	for i := range s.throws {
		thrown := &s.throws[i]
		if s.check[i] < points {
			f.points += thrown.chance * float64(points+thrown.bank)
			continue
		}
		best, apart := thrown.play(below, points, least)
		s.check[i] = max(points-int(apart), least-thrown.bank-1)
		f.points += thrown.chance * best.points
		f.nothing += thrown.chance * best.nothing
	}
	return f
}

// play returns what the best choice after a throw comes to, and by how much it is better
// to stop, where it is. Of equal ones it sets more dice aside, or rather stops.
func (t *throw) play(below [][maxDice + 1]figures, points, least int) (best figures, apart float64) {
	best.nothing = 1
	for _, k := range t.keeps {
		if f := &below[(points+k.points)/step][k.next]; f.points >= best.points*(1-equal) {
			best = *f
		}
	}
	stop := float64(points + t.bank)
	if t.bank == 0 || points+t.bank < least || stop < best.points*(1-equal) {
		return best, 0
	}
	return figures{points: stop}, max(stop-best.points, 0)
}

// lines returns what a turn comes to where it banks the most wherever it may. A throw
// of which all dice must be set aside leads to a throw of all.
func (r *rules) lines(all [maxDice + 1][]throw) *turn {
	t := &turn{}
	for _, dice := range [...]int{r.dice, 1, 2, 3, 4, 5} {
		var banks, forced, gain, first, nothing float64
		for _, thrown := range all[dice] {
			switch {
			case thrown.bank > 0:
				banks += thrown.chance
				gain += thrown.chance * float64(thrown.bank)
			case len(thrown.keeps) > 0:
				forced += thrown.chance
				first += thrown.chance * float64(thrown.keeps[0].points)
			default:
				nothing += thrown.chance
			}
		}
		if dice == r.dice { // it leads to itself
			t.slope[dice] = banks / (1 - forced)
			t.line[dice].points = (gain + first*t.slope[dice]) / (1 - forced)
			t.line[dice].nothing = nothing / (1 - forced)
			continue
		}
		t.slope[dice] = banks + forced*t.slope[r.dice]
		t.line[dice].points = gain + forced*t.line[r.dice].points + first*t.slope[r.dice]
		t.line[dice].nothing = nothing + forced*t.line[r.dice].nothing
	}
	return t
}

// top returns the points from which on nothing is better than to bank the most wherever it may be banked.
func (t *turn) top(all [maxDice + 1][]throw, least int) int {
	top := float64(least)
	for _, throws := range all {
		for _, thrown := range throws {
			for _, k := range thrown.keeps {
				if thrown.bank > 0 {
					apart := t.slope[k.next]*float64(k.points) + t.line[k.next].points - float64(thrown.bank)
					top = max(top, apart/(1-t.slope[k.next]))
				}
			}
		}
	}
	return step * (int(top/step) + 1)
}

// Houses returns the strategies that may take a seat.
func (Game) Houses() []games.House {
	return []games.House{
		{Name: "random", Choose: games.Random},
		{Name: "careful", Choose: careful},
		{Name: "bold", Choose: bold},
	}
}

// careful sets aside the most dice that it can, of as many the most points, and
// stops wherever it may with enough points in the turn.
func careful(played games.Match, s games.Seat, _ games.Rand) games.Move {
	m, ours := played.(match)
	if !ours || len(m.Dice) == 0 {
		return played.Moves(s)[0]
	}
	var most option
	for _, o := range m.options() {
		if o.set.Count() > most.set.Count() {
			most = o
		}
	}
	if most.bank && m.Points+most.points >= enough {
		return most.move("bank", len(m.Dice))
	}
	return most.move("keep", len(m.Dice))
}

// bold plays the turn for its greatest expected points. Whether to stop and what
// to set aside is exact; totals and the target play no part in it.
func bold(played games.Match, s games.Seat, _ games.Rand) games.Move {
	m, ours := played.(match)
	if !ours || len(m.Dice) == 0 {
		return played.Moves(s)[0]
	}
	t := m.rules.turn(m.banked(int(s)))
	var best choice
	for _, o := range m.options() {
		points := m.Points + o.points
		aside := o.set.Count()
		if o.bank {
			best = best.or(choice{worth: float64(points), bank: true, aside: aside, move: o.move("bank", len(m.Dice))})
		}
		worth := t.at(points, m.rules.next(len(m.Dice), aside)).points
		best = best.or(choice{worth: worth, aside: aside, move: o.move("keep", len(m.Dice))})
	}
	return best.move
}

// choice is a move with what it is worth.
type choice struct {
	worth float64
	bank  bool
	aside int
	move  games.Move // "": none
}

// or returns the better of two choices. Of equal ones, one that stops is better,
// then one that sets more dice aside, then the one further to the left.
func (c choice) or(other choice) choice {
	better := false
	switch apart := other.worth - c.worth; {
	case c.move == "" || apart > equal*c.worth:
		better = true
	case apart < -equal*c.worth:
	case other.bank != c.bank:
		better = other.bank
	case other.aside != c.aside:
		better = other.aside > c.aside
	default:
		better = other.move > c.move
	}
	if better {
		return other
	}
	return c
}
