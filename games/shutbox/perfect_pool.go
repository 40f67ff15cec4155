package shutbox

import (
	"slices"
	"sync"
	"sync/atomic"

	"knobel/games"
)

// Perfect play for a share of the pool.

// maxWork is the largest allowed number of choices in the turns of a pool, about fifteen seconds of two processors.
const maxWork = 6_000_000_000

// solvers is the number of goroutines that solve a pool.
const solvers = 2

// keptTurns is the largest size, in bytes, of a pool's cache of turns.
const keptTurns = 8 << 20

// pool is the perfect play of a round for a pool, in which every seat maximizes its own share. Let left be the number
// of seats still to play, including the one that is about to begin its turn, best the lowest score so far, and holders
// the number of seats with it. The values W of all seats depend on these three alone:
//
//	W(0, best, holders)     = to each holder seats/holders − 1 stakes, to others −1
//	W(left, best, holders)  = the turn of the next seat, perfectly played, that is
//	                          worth, when it ends with a score,
//	  below best              W(left−1, score, 1)
//	  equal to best           W(left−1, best, holders+1)
//	  above best              W(left−1, best, holders)
//	  by a seven that ends    W(0, …), where those still to play have all tiles
//	  the round
//	  with the box shut       as a score of 0, where that counts as one, else
//	                          seats − 1 stakes to the seat that shut it, to others −1, and
//	                          with pays-double one stake more from each other
//
// In the last turn victory may be declared below best.
//
// A roll-off is a round of fewer seats for the same pool, so W(left, no best yet, 0) is its start. Before it begins it
// counts as equal parts of the pool, as if the tied seats shared it.
type pool struct {
	*board
	seats  int
	scores []int    // all possible scores of a turn, ascending
	place  []uint16 // by mask, the place of its score among them
	// starts holds W, by left, then by best and holders: the values of the seat about to play, of a holder, of any
	// other that has played, and of each seat that plays later.
	starts [][]float64

	mu    sync.Mutex
	turns map[turnOf]*turn
}

// turnOf identifies a turn of a round.
type turnOf struct {
	left    int // seats still to play, including this one
	best    int // the index of the lowest score so far; len(scores) if there is none
	holders int // how many seats have it
}

// scoresOf returns the possible scores of a turn, ascending.
func (b *board) scoresOf() []int {
	scores := slices.Clone(b.points)
	slices.Sort(scores)
	return slices.Compact(scores)
}

// turnsOf returns the number of turns to solve for a pool of that many seats and possible scores.
func turnsOf(seats, scores int) int {
	n := 0
	for left := 1; left <= seats; left++ {
		n += 1 + scores*(seats-left)
	}
	return n
}

// newPool returns the solved pool of that many seats, at least two.
func newPool(b *board, seats int) *pool {
	p := &pool{board: b, seats: seats, scores: b.scoresOf(), place: make([]uint16, b.full+1), turns: map[turnOf]*turn{}}
	for mask, points := range b.points {
		at, _ := slices.BinarySearch(p.scores, points)
		p.place[mask] = uint16(at)
	}
	p.starts = make([][]float64, seats+1)
	for left := range p.starts {
		p.starts[left] = make([]float64, (len(p.scores)*(seats-left)+1)*(left+2))
	}
	for best := range p.scores { // a round that is over
		for holders := 1; holders <= seats; holders++ {
			end := p.start(turnOf{0, best, holders})
			end[0], end[1] = p.winning(holders), -1
		}
	}
	for left := 1; left <= seats; left++ {
		p.solve(left)
	}
	return p
}

// winning returns the value of each of that many winners, in stakes.
func (p *pool) winning(winners int) float64 { return float64(p.seats)/float64(winners) - 1 }

// none returns the index that means no best score yet.
func (p *pool) none() int { return len(p.scores) }

// start returns the part of starts that holds W, the values of the seats, at the start of a turn: zeros if no round
// reaches it. If no seat is left to play, the first value is that of a holder of the best score.
func (p *pool) start(of turnOf) []float64 {
	wide := of.left + 2
	at := of.best*(p.seats-of.left) + of.holders - 1
	if of.best == p.none() {
		at = of.best * (p.seats - of.left)
	}
	return p.starts[of.left][at*wide:][:wide]
}

// solve computes W for all turns with that many seats left.
func (p *pool) solve(left int) {
	all := []turnOf{{left, p.none(), 0}}
	for best := range p.scores {
		if best == 0 && p.r.shut != shutZero {
			continue // a shut box has ended the round
		}
		for holders := 1; holders <= p.seats-left; holders++ {
			all = append(all, turnOf{left, best, holders})
		}
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(solvers, len(all)) {
		group.Go(func() {
			t := p.room(left)
			places := len(p.scores)
			paths := &paths{turn: t, reach: make([]float64, t.full+1), stuck: make([]float64, places),
				seven: make([]float64, places)}
			for i := next.Add(1) - 1; int(i) < len(all); i = next.Add(1) - 1 {
				p.ends(t, all[i])
				t.solveOwn()
				start := p.start(all[i])
				start[0] = t.own[t.full]
				paths.start(start[1:])
			}
		})
	}
	group.Wait()
}

// room returns a turn to be solved with that many seats left; it has no memory for the values of other seats yet.
func (p *pool) room(left int) *turn {
	return &turn{board: p.board, wide: left + 1, own: make([]float64, p.full+1)}
}

// ends sets the values of the ways to end the turn t. Its further values are those of a holder of the best score, of
// any other seat that has played, and of each seat that plays later.
func (p *pool) ends(t *turn, of turnOf) {
	e := &t.ends
	if e.stuck == nil {
		n := len(p.scores)
		*e = ends{place: p.place, noise: games.Noise, stuck: make([]float64, n), stuckRest: make([]float64, n*t.wide)}
		e.seven, e.sevenRest, e.boxRest = e.stuck, e.stuckRest, make([]float64, t.wide)
		if p.keeps(of) {
			e.seven, e.sevenRest = make([]float64, n), make([]float64, n*t.wide)
		}
	}
	for score := range p.scores {
		e.stuck[score] = p.end(of, score, p.start(of.after(score)), e.stuckRest[score*t.wide:][:t.wide])
		if p.keeps(of) {
			e.seven[score] = p.sevenEnds(of, score, e.sevenRest[score*t.wide:][:t.wide])
		}
	}
	if e.below = 0; of.left == 1 {
		e.below = of.best
	}
	if p.r.shut == shutZero {
		e.box = e.stuck[0]
		copy(e.boxRest, e.stuckRest)
		return
	}
	loses := -1.0
	if p.r.shut == shutDouble {
		loses = -2
	}
	e.box = -loses * float64(p.seats-1)
	for i := range e.boxRest {
		e.boxRest[i] = loses
	}
}

// keeps reports whether a seven in this turn would end the round before other seats have played.
func (p *pool) keeps(of turnOf) bool { return p.r.seven == endsRound && of.left > 1 }

// after returns the turn that follows if this one ends with the score of that index.
func (of turnOf) after(score int) turnOf {
	switch {
	case score < of.best:
		return turnOf{of.left - 1, score, 1}
	case score == of.best:
		return turnOf{of.left - 1, of.best, of.holders + 1}
	}
	return turnOf{of.left - 1, of.best, of.holders}
}

// end returns the value, to the seat itself, of ending a turn with the score of that index, and stores the values of
// the other seats in rest. start is W after the turn.
func (p *pool) end(of turnOf, score int, start, rest []float64) (own float64) {
	later := 0
	if of.left > 1 {
		later = 1
	}
	holder, other := start[later], start[later+1]
	own, rest[0], rest[1] = holder, holder, other
	switch {
	case score < of.best:
		rest[0] = other
	case score > of.best:
		own = other
	}
	if later == 1 {
		rest[2] = start[0]
		copy(rest[3:], start[3:])
	}
	return own
}

// sevenEnds returns the same as end for a seven that ends the round: the seats still to play score all tiles.
func (p *pool) sevenEnds(of turnOf, score int, rest []float64) (own float64) {
	after, all := of.after(score), len(p.scores)-1
	holders := after.holders
	if after.best == all {
		holders += after.left
	}
	wins := p.winning(holders)
	own = p.end(turnOf{1, of.best, of.holders}, score, []float64{wins, -1}, rest)
	for i := 2; i < len(rest); i++ {
		if rest[i] = -1; after.best == all {
			rest[i] = wins
		}
	}
	return own
}

// turn returns a solved turn of a round, from the cache if it is there.
func (p *pool) turn(of turnOf) *turn {
	p.mu.Lock()
	t := p.turns[of]
	p.mu.Unlock()
	if t != nil {
		return t
	}
	t = p.room(of.left)
	t.rest = make([]float64, (p.full+1)*t.wide)
	p.ends(t, of)
	t.solve()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turns[of] != nil {
		return p.turns[of]
	}
	if len(p.turns) >= p.maxTurns() {
		clear(p.turns)
	}
	p.turns[of] = t
	return t
}

// maxTurns returns how many turns the cache holds, at least 1.
func (p *pool) maxTurns() int { return max(1, keptTurns/p.turnSize()) }

// turnSize returns an upper bound of the bytes that a turn takes.
func (p *pool) turnSize() int { return 8 * (p.seats + 2) * (p.full + 1 + 2*len(p.scores)) }

// at returns the solved turn that a match, or its roll-off, is in.
func (p *pool) at(m *classic) *turn {
	of := turnOf{best: p.none()}
	lowest := m.lowest(m.Playing)
	for _, seat := range m.Playing {
		switch {
		case seat >= m.Mover:
			of.left++
		case m.Scores[seat] == lowest:
			of.holders++
		}
	}
	if of.holders > 0 {
		of.best, _ = slices.BinarySearch(p.scores, lowest)
	}
	return p.turn(of)
}

// values returns the values of all seats, in seat order, if own is the value of the mover's turn and rest holds those
// of a holder of the best score, of other seats that have played, and of the seats that play later.
func (p *pool) values(m *classic, own float64, rest []float64) []float64 {
	values, later, lowest := make([]float64, p.seats), rest[2:], m.lowest(m.Playing)
	for i := range values {
		switch s := games.Seat(i); {
		case s == m.Mover:
			values[i] = own
		case slices.Contains(m.Playing, s) && s > m.Mover:
			values[i], later = later[0], later[1:]
		case slices.Contains(m.Playing, s) && m.Scores[s] == lowest:
			values[i] = rest[0]
		default:
			values[i] = rest[1]
		}
	}
	return values
}

// won returns the value of a result to each seat, in stakes.
func won(result games.Result, seats int) []float64 {
	values := make([]float64, seats)
	for s := range values {
		values[s] = -1 - float64(len(result.Doubles))
	}
	for _, s := range result.Winners {
		values[s] += float64(seats) / float64(len(result.Winners))
	}
	for _, s := range result.Doubles {
		values[s] += float64(seats)
	}
	return values
}
