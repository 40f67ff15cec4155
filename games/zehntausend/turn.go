package zehntausend

import (
	"math"
	"math/big"
	"sync"

	"knobel/games"
)

// The solution of a turn: the value of points so far and a number of dice to throw.

// equal is the largest relative difference between the values of two choices that count as equally good.
const equal = 1e-9

// A turn is played for the greatest expected points. These depend on the points so far, the number of dice to throw and
// whether the seat has banked before. A throw only adds points, so a value is computed from values with more points.
// From a certain number of points on, it is best to bank as much as possible whenever that is allowed. There the value
// is a·points + b, with a and b depending on the number of dice, so it is exact although a turn has no limit.

// figures holds the expected points of a turn, and its chance to end with nothing, at some moment.
type figures struct {
	points  float64 // the expected points
	nothing float64 // the chance that the turn ends with nothing
}

// turn is the solution of a turn: the expected points and the chance of nothing, by points so far and dice to throw.
// Where banking is always best, the expected points are a·points + b.
type turn struct {
	slope [maxDice + 1]float64   // the factor a, by dice to throw
	line  [maxDice + 1]figures   // the constant b and the chance of nothing, by dice to throw
	below [][maxDice + 1]figures // by points/step and dice to throw, for points too few for slope and line
}

// figuresAt returns the figures of a turn with points so far, before a throw of that many dice.
func (t *turn) figuresAt(points, dice int) figures {
	if points/step < len(t.below) {
		return t.below[points/step][dice]
	}
	f := t.line[dice]
	f.points += t.slope[dice] * float64(points)
	return f
}

// solutions holds the solved turns under some rules: the field first for seats that have not yet banked, the field
// later for all other seats. Each is solved on its first use.
type solutions struct {
	throws       func() [maxDice + 1][]throw // returns the result of allThrows
	first, later func() *turn
}

// solutions returns the solved turns under the rules r. Each is solved on its first use.
func (r *rules) solutions() (s solutions) {
	s.throws = sync.OnceValue(r.allThrows)
	s.later = sync.OnceValue(func() *turn { return r.solve(s.throws(), r.minimum(true)) })
	s.first = s.later
	if r.minimum(false) > r.minimum(true) {
		s.first = sync.OnceValue(func() *turn { return r.solve(s.throws(), r.minimum(false)) })
	}
	return s
}

// maxKnown is the largest number of rules in the cache of solved turns; a full cache is emptied.
const maxKnown = 64

// known is a cache of solved turns, because each button press loads a match with its rules.
type known struct {
	mu sync.Mutex
	of map[string]solutions // by canonical rules as text
}

// solutions returns the solved turns under r from the cache, where it adds them under key if they are missing.
func (k *known) solutions(r *rules, key string) solutions {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, isKnown := k.of[key]
	if !isKnown {
		if len(k.of) >= maxKnown {
			clear(k.of)
		}
		s = r.solutions()
		k.of[key] = s
	}
	return s
}

// turn returns the solved turn under the rules r; hasBanked means that the seat has banked before.
func (r *rules) turn(hasBanked bool) *turn {
	if hasBanked {
		return r.solved.later()
	}
	return r.solved.first()
}

// throw is a group of results of one throw after which the choices are the same.
type throw struct {
	chance float64
	keeps  []kept // the sets that may be set aside, the fewest dice first
	bank   int    // the most points of this throw that may be banked; 0 if none may
}

// kept is a choice of dice to set aside: of all choices with that number of dice, the one with the most points.
type kept struct {
	points int
	next   int // the number of dice to throw next
}

// allThrows returns, by number of dice thrown, the groups of results that leave the same choices.
func (r *rules) allThrows() (all [maxDice + 1][]throw) {
	for dice := 1; dice <= r.dice; dice++ {
		chances := map[[maxDice + 1]int]float64{}
		var order [][maxDice + 1]int
		eachThrow(dice, func(c counts, chance float64) {
			best := r.bestBySize(c)
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
				thrown.keeps = append(thrown.keeps, kept{points, r.nextDice(dice, aside)})
				if aside < dice || r.hotMay {
					thrown.bank = max(thrown.bank, points)
				}
			}
			all[dice] = append(all[dice], thrown)
		}
	}
	return all
}

// eachThrow calls each for every possible result of that many dice, with its probability.
func eachThrow(dice int, each func(counts, float64)) {
	var c counts
	var next func(face, left int, ways float64)
	next = func(face, left int, ways float64) {
		if face == sides {
			c[face] = left
			each(c, ways*math.Pow(1./sides, float64(dice)))
			return
		}
		for n := range left + 1 {
			c[face] = n
			next(face+1, left-n, ways*float64(new(big.Int).Binomial(int64(left), int64(n)).Int64()))
		}
	}
	next(1, dice, 1)
}

// bestBySize returns the most points that dice among c give, by the number of dice set aside.
func (r *rules) bestBySize(c counts) (best [maxDice + 1]int) {
	var part counts
	var next func(face, n int)
	next = func(face, n int) {
		if face > sides {
			best[n] = max(best[n], r.throwPoints(part))
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

// solve returns the solution of a turn; least is the least amount that may be banked, all is the result of allThrows.
func (r *rules) solve(all [maxDice + 1][]throw, least int) *turn {
	t := r.bankingTurn(all)
	top, most := t.bankFrom(all, least), 0
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
				below[i][dice] = t.figuresAt(i*step, dice)
			} else {
				below[i][dice] = stopping[dice].figures(below, i*step, least)
			}
		}
	}
	t.below = below
	return t
}

// stops holds the throws of one number of dice and the points at which solve, counting down, must evaluate each again.
//
// With each point less in the turn, the advantage of throwing again over banking grows by at most one point. So a throw
// after which banking is better by some margin need not be evaluated again until the points are lower by that margin.
type stops struct {
	throws []throw
	check  []int // by throw: the most points at which it must be evaluated again
}

// figures returns the figures of a turn with points before the throw. below holds the figures for more points; least is
// the least amount that may be banked.
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

// play returns the figures of the best choice after t is thrown in a turn with points, and by how many points banking
// is better than throwing again, 0 if it is not. Among equal choices it banks, or else sets more dice aside. below
// holds the figures for more points; least is the least amount that may be banked.
func (t *throw) play(below [][maxDice + 1]figures, points, least int) (best figures, margin float64) {
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

// bankingTurn returns the solution of a turn that banks the most whenever it may; its field below is not set. If a
// throw cannot be banked because all its dice count, all dice are thrown again.
func (r *rules) bankingTurn(all [maxDice + 1][]throw) *turn {
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
		if dice == r.dice { // if all dice count, all are thrown again
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

// bankFrom returns the points of a turn from which on it is best to bank the most whenever that is allowed.
func (t *turn) bankFrom(all [maxDice + 1][]throw, least int) int {
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

// Houses returns the strategies of the computer player.
func (Game) Houses() []games.House {
	return []games.House{
		{Name: "random", Choose: games.Random},
		{Name: "careful", Choose: careful},
		{Name: "bold", Choose: bold},
	}
}

// careful is a strategy of the computer player. It sets aside as many dice as possible, among equally many those with
// the most points. It banks if that is allowed and the turn has reached the constant enough.
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

// bold is a strategy of the computer player: it plays for the greatest expected points of each turn, ignoring totals.
func bold(played games.Match, s games.Seat, _ games.Rand) games.Move {
	m, ours := played.(match)
	if !ours || len(m.Dice) == 0 {
		return played.Moves(s)[0]
	}
	t := m.rules.turn(m.hasBanked(int(s)))
	var best choice
	for _, o := range m.options() {
		points := m.Points + o.points
		aside := o.set.Count()
		if o.bank {
			best = best.or(choice{worth: float64(points), bank: true, aside: aside, move: o.move("bank", len(m.Dice))})
		}
		worth := t.figuresAt(points, m.rules.nextDice(len(m.Dice), aside)).points
		best = best.or(choice{worth: worth, aside: aside, move: o.move("keep", len(m.Dice))})
	}
	return best.move
}

// choice is a move and its value.
type choice struct {
	worth float64    // the expected points of the turn
	bank  bool       // the move banks
	aside int        // the number of dice that the move sets aside
	move  games.Move // "" if there is none yet
}

// or returns the better of c and other. If equal, banking is better, then more dice set aside, then dice to the left.
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
