package shutbox

import (
	"math"

	"knobel/games"
)

// ends holds the value of each way to end a turn. stuck, seven and box are the values to the seat that plays the turn.
// The fields ending in Rest hold turn.wide further values for each way: those to other seats, or whether the round
// ends. Slices are indexed by place, a number for the tiles left open: their mask, or the index of their score.
type ends struct {
	place     []uint16  // by mask, the index in the other slices
	stuck     []float64 // no set can be closed
	stuckRest []float64
	seven     []float64 // a seven ends the turn and the round
	sevenRest []float64
	box       float64 // the turn shuts the box
	boxRest   []float64
	// below: at indices below it the seat may declare victory, which is worth stuck; at others it may not.
	below int
	// second decides between moves that are worth the same to the seat: if it is true, the one with the larger value at
	// index 0 of the further values is taken, else the one that comes first.
	second bool
	noise  float64 // the largest rounding error between equal values
}

// turn is the perfectly played turn of a seat: the values V of all its positions before a throw. With stuck, seven and
// box as in ends,
//
//	V(no tile)  = box
//	V(open)     = the best T(open, n) of all numbers n of dice that may be thrown,
//	              or stuck(open) if victory may be declared and this is more
//	T(open, n)  = the average over the throws of n dice of
//	              seven(open) if a seven ends the round
//	              stuck(open) if no set can be closed
//	              else the best V(open without the set) of all sets that can be closed
//
// The further values follow from the moves that are best for the seat.
type turn struct {
	*board
	ends
	wide int       // number of further values of each position and end
	own  []float64 // by mask, the value to the seat itself
	rest []float64 // by mask, the further values (wide of them)
}

// solve computes the fields own and, if wide is not 0, rest.
func (t *turn) solve() {
	if t.solveOwn(); t.wide > 0 {
		t.solveRest()
	}
}

// solveOwn computes the field own: the value of each set of open tiles to the seat itself.
func (t *turn) solveOwn() {
	b, own := t.board, t.own[:t.full+1]
	own[0] = t.box
	for mask := 1; mask <= b.full; mask++ {
		at := int(t.place[mask])
		best := math.Inf(-1)
		if at < t.below {
			best = t.stuck[at]
		}
		for i := b.first[mask]; i < b.first[mask+1]; i++ {
			if v := t.average(&b.throws[i], at); v > best {
				best = v
			}
		}
		own[mask] = best
	}
}

// average returns the value of throw to the seat itself, averaged over the dice: T in the formulas of turn. place is
// that of the open tiles (see ends).
func (t *turn) average(throw *throwing, place int) float64 {
	sum := float64(throw.stuck) * t.stuck[place]
	if throw.seven > 0 {
		sum += float64(throw.seven) * t.seven[place]
	}
	own, next := t.own, t.next[throw.next:]
	for _, f := range t.falls[throw.falls[0]:throw.falls[1]] {
		best := own[next[0]]
		for _, open := range next[1:f.choices] {
			if v := own[open]; v > best {
				best = v
			}
		}
		next = next[f.choices:]
		sum += float64(f.ways) * best
	}
	return sum / float64(throw.ways)
}

// solveRest computes the field rest: the further values (see ends) of each set of open tiles if the seat plays its best
// moves. The field own must have been computed.
func (t *turn) solveRest() {
	copy(t.rest[:t.wide], t.boxRest)
	for mask := 1; mask <= t.full; mask++ {
		rest := t.rest[mask*t.wide:][:t.wide]
		throw, declares := t.bestMove(mask)
		if declares {
			at := int(t.place[mask])
			copy(rest, t.stuckRest[at*t.wide:][:t.wide])
			continue
		}
		t.averageRest(throw, mask, rest)
	}
}

// bestMove returns the best move before a throw while the tiles of mask are open: throw is the throw to make, unless
// declares is true, which means to declare victory.
func (t *turn) bestMove(mask int) (throw *throwing, declares bool) {
	throws, at := t.throws[t.first[mask]:t.first[mask+1]], int(t.place[mask])
	throw = &throws[0]
	if declares = at < t.below; !declares && len(throws) == 1 {
		return throw, false
	}
	best := t.average(throw, at)
	if declares {
		if declares = t.stuck[at] >= best-t.noise; declares {
			best = t.stuck[at]
		}
	}
	for i := 1; i < len(throws); i++ {
		v := t.average(&throws[i], at) - best
		if v > t.noise || v >= -t.noise && t.second && t.tiebreak(&throws[i], mask) > t.tiebreak(throw, mask) {
			throw, best, declares = &throws[i], v+best, false
		}
	}
	return throw, declares
}

// tiebreak returns the first further value (see ends) of throw, averaged over its results; mask is the open tiles.
func (t *turn) tiebreak(throw *throwing, mask int) float64 {
	rest := make([]float64, t.wide)
	t.averageRest(throw, mask, rest)
	return rest[0]
}

// averageRest stores in averages the further values (see ends) of throw, averaged over its results; mask is the open
// tiles.
func (t *turn) averageRest(throw *throwing, mask int, averages []float64) {
	at, wide, stuck, seven := int(t.place[mask]), t.wide, float64(throw.stuck), float64(throw.seven)
	for j := range averages {
		averages[j] = stuck * t.stuckRest[at*wide+j]
		if seven > 0 {
			averages[j] += seven * t.sevenRest[at*wide+j]
		}
	}
	next := t.next[throw.next:]
	for _, f := range t.falls[throw.falls[0]:throw.falls[1]] {
		chosen := int(next[0])
		if f.choices > 1 {
			chosen = t.bestChoice(next[:f.choices])
		}
		next = next[f.choices:]
		rest, ways := t.rest[chosen*wide:][:len(averages)], float64(f.ways)
		for j, v := range rest {
			averages[j] += ways * v
		}
	}
	for j := range averages {
		averages[j] /= float64(throw.ways)
	}
}

// bestChoice returns the best one of choices: masks of the tiles that stay open after each possible move.
func (t *turn) bestChoice(choices []uint16) int {
	chosen := choices[0]
	for _, next := range choices[1:] {
		switch v := t.own[next] - t.own[chosen]; {
		case v > t.noise:
			chosen = next
		case t.second && v >= -t.noise && t.rest[int(next)*t.wide] > t.rest[int(chosen)*t.wide]:
			chosen = next
		}
	}
	return int(chosen)
}

// worths calls each with every legal move of m, in the order of Match.Moves. own is the value of the move to the mover;
// rest holds its further values (see ends) and is valid during the call only.
func (t *turn) worths(m *classic, each func(mv games.Move, own float64, rest []float64)) {
	if len(m.found) > 0 {
		for _, set := range m.found {
			left := t.mask(m.open &^ set)
			each(setMove("shut", set), t.own[left], t.restOf(left))
		}
		return
	}
	mask := t.mask(m.open)
	at := int(t.place[mask])
	if m.mayDeclare() {
		each("declare", t.stuck[at], t.stuckRest[at*t.wide:][:t.wide])
	}
	rest := make([]float64, t.wide)
	for i := t.first[mask]; i < t.first[mask+1]; i++ {
		throw := &t.throws[i]
		t.averageRest(throw, mask, rest)
		each(throwMove(int(throw.dice)), t.average(throw, at), rest)
	}
}

// restOf returns the further values (see ends) before a throw while the tiles of mask are open.
func (t *turn) restOf(mask int) []float64 { return t.rest[mask*t.wide:][:t.wide] }

// paths holds the probabilities that a perfectly played turn reaches each position and each end. From these, startRest
// computes the further values (see ends) at the start of the turn, faster than turn.solveRest does for all positions.
type paths struct {
	*turn
	reach        []float64 // by mask, the probability to reach these open tiles
	stuck, seven []float64 // by place, the probability of that end
}

// startRest stores in values the further values (see ends) of the turn at its start. turn.own must have been computed.
func (p *paths) startRest(values []float64) {
	clear(p.reach)
	clear(p.stuck)
	clear(p.seven)
	p.reach[p.full] = 1
	for mask := p.full; mask > 0; mask-- {
		if p.reach[mask] > 0 {
			p.follow(mask)
		}
	}
	for j := range values {
		values[j] = p.reach[0] * p.boxRest[j]
	}
	p.addWeighted(values, p.stuck, p.stuckRest)
	p.addWeighted(values, p.seven, p.sevenRest)
}

// follow distributes the probability of reaching the open tiles mask among the positions and ends that follow after one
// perfectly played throw.
func (p *paths) follow(mask int) {
	at, reach := p.place[mask], p.reach[mask]
	throw, declares := p.bestMove(mask)
	if declares {
		p.stuck[at] += reach
		return
	}
	reach /= float64(throw.ways)
	p.stuck[at] += reach * float64(throw.stuck)
	p.seven[at] += reach * float64(throw.seven)
	next := p.next[throw.next:]
	for _, f := range p.falls[throw.falls[0]:throw.falls[1]] {
		chosen := int(next[0])
		if f.choices > 1 {
			chosen = p.bestChoice(next[:f.choices])
		}
		next = next[f.choices:]
		p.reach[chosen] += reach * float64(f.ways)
	}
}

// addWeighted adds rest, the further values of all ends of one kind, to sums, each end weighted with its probability in
// chances. chances and rest are indexed by place; rest holds len(sums) values for each place.
func (p *paths) addWeighted(sums, chances, rest []float64) {
	for at, chance := range chances {
		if chance == 0 {
			continue
		}
		for j, v := range rest[at*len(sums):][:len(sums)] {
			sums[j] += chance * v
		}
	}
}
