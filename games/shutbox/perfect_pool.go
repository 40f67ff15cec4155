package shutbox

import (
	"slices"
	"sync"
	"sync/atomic"

	"knobel/games"
)

// maxWork is the largest result of rules.work that Solve accepts: about fifteen seconds of two processors.
const maxWork = 6_000_000_000

// solvers is the number of goroutines that solve a pool.
const solvers = 2

// maxTurnCache is the largest size, in bytes, of a pool's cache of solved turns.
const maxTurnCache = 8 << 20

// pool is the perfect play of a round in which every seat maximizes its share of the pool of stakes. Let left be the
// number of seats still to play, the one about to begin its turn included, best the lowest score so far, and holders
// the number of seats with that score. The values W of all seats depend on left, best and holders alone:
//
//	W(0, best, holders)     = to each holder seats/holders − 1 stakes, to others −1
//	W(left, best, holders)  = the value of the next seat's turn, perfectly played,
//	                          where ending it is worth: with a score
//	  below best              W(left−1, score, 1)
//	  equal to best           W(left−1, best, holders+1)
//	  above best              W(left−1, best, holders)
//	  by a seven that ends    W(0, …), where the seats still to play score all tiles
//	  the round
//	  with the box shut       the same as a score of 0 if shut is scores-zero, else
//	                          seats − 1 stakes to the seat that shut it, to others −1;
//	                          with pays-double each other seat pays one stake more
//
// In the last turn of a round, the seat may declare victory once its open tiles score less than best.
//
// A roll-off is a round of fewer seats for the same pool, so its start is worth W(left, no best yet, 0). Before a
// roll-off has begun, a tie counts as equal shares of the pool.
type pool struct {
	*board
	seats  int
	scores []int    // all possible scores of a turn, ascending
	place  []uint16 // by mask, the index of its score in scores
	// starts holds W by left, then by best and holders (see startValues): the values of the seat about to play, of a
	// holder, of any other seat that has played, and of each seat that plays later.
	starts [][]float64

	mu    sync.Mutex        // guards turns
	turns map[turnKey]*turn // the cache of solved turns
}

// turnKey identifies a turn of a round by all that its values depend on.
type turnKey struct {
	left    int // seats still to play, including this one
	best    int // the index of the lowest score so far; len(scores) if there is none
	holders int // number of seats with the lowest score so far
}

// possibleScores returns all scores that a turn can have, ascending.
func (b *board) possibleScores() []int {
	scores := slices.Clone(b.points)
	slices.Sort(scores)
	return slices.Compact(scores)
}

// turnCount returns how many turns are solved for a pool of that many seats if a turn has that many possible scores.
func turnCount(seats, scores int) int {
	n := 0
	for left := 1; left <= seats; left++ {
		n += 1 + scores*(seats-left)
	}
	return n
}

// newPool returns the perfect play for the pool of that many seats, at least two, on the board b.
func newPool(b *board, seats int) *pool {
	p := &pool{board: b, seats: seats, scores: b.possibleScores(), place: make([]uint16, b.full+1),
		turns: map[turnKey]*turn{}}
	for mask, points := range b.points {
		at, _ := slices.BinarySearch(p.scores, points)
		p.place[mask] = uint16(at)
	}
	p.starts = make([][]float64, seats+1)
	for left := range p.starts {
		p.starts[left] = make([]float64, (len(p.scores)*(seats-left)+1)*(left+2))
	}
	for best := range p.scores { // the values at the end of a round
		for holders := 1; holders <= seats; holders++ {
			end := p.startValues(turnKey{0, best, holders})
			end[0], end[1] = p.winnerValue(holders), -1
		}
	}
	for left := 1; left <= seats; left++ {
		p.solve(left)
	}
	return p
}

// winnerValue returns how many stakes each winner gains if there are that many winners.
func (p *pool) winnerValue(winners int) float64 { return float64(p.seats)/float64(winners) - 1 }

// noBest returns the value that turnKey.best has while no seat has a score.
func (p *pool) noBest() int { return len(p.scores) }

// startValues returns the part of starts with the seats' values at the start of the turn that key identifies. They are
// 0 until computed. If no seat is left to play, the first value is that of a holder of the best score.
func (p *pool) startValues(key turnKey) []float64 {
	wide := key.left + 2
	at := key.best*(p.seats-key.left) + key.holders - 1
	if key.best == p.noBest() {
		at = key.best * (p.seats - key.left)
	}
	return p.starts[key.left][at*wide:][:wide]
}

// solve sets the startValues of all turns with left seats still to play (see turnKey), from those of left-1 seats.
func (p *pool) solve(left int) {
	all := []turnKey{{left, p.noBest(), 0}}
	for best := range p.scores {
		if best == 0 && p.r.shut != shutZero {
			continue // a score of 0 means that a shut box has ended the round
		}
		for holders := 1; holders <= p.seats-left; holders++ {
			all = append(all, turnKey{left, best, holders})
		}
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(solvers, len(all)) {
		group.Go(func() {
			t := p.newTurn(left)
			places := len(p.scores)
			paths := &paths{turn: t, reach: make([]float64, t.full+1), stuck: make([]float64, places),
				seven: make([]float64, places)}
			for i := next.Add(1) - 1; int(i) < len(all); i = next.Add(1) - 1 {
				p.setEnds(t, all[i])
				t.solveOwn()
				start := p.startValues(all[i])
				start[0] = t.own[t.full]
				paths.startRest(start[1:])
			}
		})
	}
	group.Wait()
}

// newTurn returns an unsolved turn with left seats still to play. Its fields rest and ends are not set.
func (p *pool) newTurn(left int) *turn {
	return &turn{board: p.board, wide: left + 1, own: make([]float64, p.full+1)}
}

// setEnds sets the value of each way to end t, the turn that key identifies. The further values are those of a holder
// of the best score, of any other seat that has played, and of each seat that plays later.
func (p *pool) setEnds(t *turn, key turnKey) {
	e := &t.ends
	if e.stuck == nil {
		n := len(p.scores)
		*e = ends{place: p.place, noise: games.Noise, stuck: make([]float64, n), stuckRest: make([]float64, n*t.wide)}
		e.seven, e.sevenRest, e.boxRest = e.stuck, e.stuckRest, make([]float64, t.wide)
		if p.sevenSkips(key) {
			e.seven, e.sevenRest = make([]float64, n), make([]float64, n*t.wide)
		}
	}
	for score := range p.scores {
		e.stuck[score] = p.endValues(key, score, p.startValues(key.next(score)), e.stuckRest[score*t.wide:][:t.wide])
		if p.sevenSkips(key) {
			e.seven[score] = p.sevenEndValues(key, score, e.sevenRest[score*t.wide:][:t.wide])
		}
	}
	if e.below = 0; key.left == 1 {
		e.below = key.best
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

// sevenSkips reports whether a seven in the turn that key identifies would end the round before all seats have played.
func (p *pool) sevenSkips(key turnKey) bool { return p.r.seven == endsRound && key.left > 1 }

// next returns the key of the turn that follows if this turn ends with the score pool.scores[score].
func (key turnKey) next(score int) turnKey {
	switch {
	case score < key.best:
		return turnKey{key.left - 1, score, 1}
	case score == key.best:
		return turnKey{key.left - 1, key.best, key.holders + 1}
	}
	return turnKey{key.left - 1, key.best, key.holders}
}

// endValues returns the value, to its seat, of ending the turn that key identifies with the score pool.scores[score].
// It stores the values of the other seats in rest. start holds the startValues of the turn that follows.
func (p *pool) endValues(key turnKey, score int, start, rest []float64) (own float64) {
	later := 0
	if key.left > 1 {
		later = 1
	}
	holder, other := start[later], start[later+1]
	own, rest[0], rest[1] = holder, holder, other
	switch {
	case score < key.best:
		rest[0] = other
	case score > key.best:
		own = other
	}
	if later == 1 {
		rest[2] = start[0]
		copy(rest[3:], start[3:])
	}
	return own
}

// sevenEndValues is endValues for a turn with a seven that ends the round: the seats still to play score all tiles.
func (p *pool) sevenEndValues(key turnKey, score int, rest []float64) (own float64) {
	after, all := key.next(score), len(p.scores)-1
	holders := after.holders
	if after.best == all {
		holders += after.left
	}
	wins := p.winnerValue(holders)
	own = p.endValues(turnKey{1, key.best, key.holders}, score, []float64{wins, -1}, rest)
	for i := 2; i < len(rest); i++ {
		if rest[i] = -1; after.best == all {
			rest[i] = wins
		}
	}
	return own
}

// solvedTurn returns the solved turn that key identifies, from the cache if possible.
func (p *pool) solvedTurn(key turnKey) *turn {
	p.mu.Lock()
	t := p.turns[key]
	p.mu.Unlock()
	if t != nil {
		return t
	}
	t = p.newTurn(key.left)
	t.rest = make([]float64, (p.full+1)*t.wide)
	p.setEnds(t, key)
	t.solve()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turns[key] != nil {
		return p.turns[key]
	}
	if len(p.turns) >= p.maxTurns() {
		clear(p.turns)
	}
	p.turns[key] = t
	return t
}

// maxTurns returns how many solved turns the cache may hold, at least 1.
func (p *pool) maxTurns() int { return max(1, maxTurnCache/p.turnSize()) }

// turnSize returns how many bytes a solved turn occupies at most.
func (p *pool) turnSize() int { return 8 * (p.seats + 2) * (p.full + 1 + 2*len(p.scores)) }

// currentTurn returns the solved turn that m is in. m must be in a round or roll-off for the pool.
func (p *pool) currentTurn(m *classic) *turn {
	key := turnKey{best: p.noBest()}
	lowest := m.lowestScore(m.Playing)
	for _, seat := range m.Playing {
		switch {
		case seat >= m.Mover:
			key.left++
		case m.Scores[seat] == lowest:
			key.holders++
		}
	}
	if key.holders > 0 {
		key.best, _ = slices.BinarySearch(p.scores, lowest)
	}
	return p.solvedTurn(key)
}

// values returns the values of all seats of m, by seat. own is the value of the mover's turn; rest holds the values of
// a holder of the best score, of any other seat that has played, and of each seat that plays later.
func (p *pool) values(m *classic, own float64, rest []float64) []float64 {
	values, later, lowest := make([]float64, p.seats), rest[2:], m.lowestScore(m.Playing)
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

// resultValues returns, by seat, how many stakes the seat has gained or lost by result.
func resultValues(result games.Result, seats int) []float64 {
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
