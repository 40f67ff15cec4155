package sets

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"knobel/games/sheet/sheettest"
)

// The usual way to solve a sheet of six faces and other rows, as it is published: state by state, over the rows
// filled, the sum of the faces up to that of the bonus, and whether the row of equal dice holds points; with a table of
// what may come of every keep and one of what may be kept of every throw, both without what cannot be. Benchmarks race
// against it. It computes no state whose sum cannot come up.

// usual is a solver of that make.
type usual struct {
	*sheettest.Naive
	enough, bonus, further int // the sum of the faces, what it brings, and what further equal dice bring
	flags                  int // 2 where it matters whether the row of equal dice holds points, else 1
	equalRow               int // that row, where it matters, or a joker is forced
	forced                 bool

	same    []int     // the face that all dice of a throw show, from 0; -1 for none
	chance  []float64 // of each throw of all dice
	score   [][]float64
	shown   [][sides]uint8 // how many dice of a throw show a face
	keeps   []int32        // where the outcomes of each keep begin, and the end of the last
	becomes []becoming
	holds   []int32 // where the keeps of each throw begin, and the end of the last
	within  []int32 // the keeps that may be held of a throw, all dice aside

	value []float64
}

const sides = 6

// becoming is a throw that a keep may become.
type becoming struct {
	chance float64
	throw  int32
}

// newUsual makes the tables of a game, the rows of whose faces stand first. Jokers are forced, where there are any.
func newUsual(n *sheettest.Naive, enough, bonus, further int, forced bool) *usual {
	u := &usual{Naive: n, enough: enough, bonus: bonus, further: further, flags: 1, equalRow: -1, forced: forced}
	if further > 0 || forced {
		u.equalRow = slices.IndexFunc(n.Rows, func(r sheettest.Row) bool { return r.Name == n.Flag })
	}
	if further > 0 {
		u.flags = 2
	}
	tables := sheettest.NewTables(n.Dice)
	for _, outcomes := range tables.Keeps {
		u.keeps = append(u.keeps, int32(len(u.becomes)))
		for _, o := range outcomes {
			u.becomes = append(u.becomes, becoming{o.Chance, int32(o.Throw)})
		}
	}
	u.keeps = append(u.keeps, int32(len(u.becomes)))
	for _, outcome := range tables.Keeps[0] { // of no dice
		u.chance = append(u.chance, outcome.Chance)
	}
	u.score = make([][]float64, len(n.Rows))
	for i, dice := range tables.Throws {
		h, shown := hand{Dice: dice, Throw: 2}, [sides]uint8{}
		for face := range sides {
			shown[face] = uint8(h.Count(face + 1))
		}
		u.same, u.shown = append(u.same, h.Same()-1), append(u.shown, shown)
		for r := range n.Rows {
			points, there := n.Rows[r].Score(h)
			if !there {
				points = 0
			}
			u.score[r] = append(u.score[r], float64(points))
		}
		u.holds = append(u.holds, int32(len(u.within)))
		for _, keep := range tables.Of[i] {
			u.within = append(u.within, int32(keep))
		}
	}
	u.holds = append(u.holds, int32(len(u.within)))
	return u
}

// at is the place of a state.
func (u *usual) at(filled, sum, flag int) int { return (filled*(u.enough+1)+sum)*u.flags + flag }

// total is what perfect play brings.
func (u *usual) total() float64 {
	all := 1<<len(u.Rows) - 1
	u.value = make([]float64, u.at(all, u.enough, u.flags-1)+1)
	for flag := range u.flags {
		u.value[u.at(all, u.enough, flag)] = float64(u.bonus)
	}
	comesUp := u.sums()
	byRows := make([][]int, len(u.Rows)+1)
	for filled := range all {
		n := bits.OnesCount(uint(filled))
		byRows[n] = append(byRows[n], filled)
	}
	for n := len(u.Rows) - 1; n >= 0; n-- {
		var next atomic.Int64
		var working sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			working.Go(func() {
				t := u.newTurn()
				for i := next.Add(1) - 1; int(i) < len(byRows[n]); i = next.Add(1) - 1 {
					t.solve(byRows[n][i], comesUp[byRows[n][i]%(1<<sides)])
				}
			})
		}
		working.Wait()
	}
	return u.value[0]
}

// sums are the sums that can come up, up to that of the bonus, by the faces filled.
func (u *usual) sums() (all [1 << sides][]bool) {
	for filled := range all {
		all[filled] = make([]bool, u.enough+1)
		all[filled][0] = true
		for face := range sides {
			if filled>>face&1 == 0 {
				continue
			}
			more := make([]bool, u.enough+1)
			for sum, reached := range all[filled] {
				for n := 0; reached && n <= u.Dice; n++ {
					more[min(sum+n*(face+1), u.enough)] = true
				}
			}
			all[filled] = more
		}
	}
	return all
}

// usualTurn is the working space of one goroutine.
type usualTurn struct {
	*usual
	ends, worth, kept []float64
}

func (u *usual) newTurn() *usualTurn {
	n := len(u.chance)
	return &usualTurn{u, make([]float64, n), make([]float64, n), make([]float64, len(u.keeps)-1)}
}

// solve computes all states with the same rows filled.
func (t *usualTurn) solve(filled int, comesUp []bool) {
	for sum, reached := range comesUp {
		if !reached {
			continue
		}
		for flag := range t.flags {
			if flag == 0 || filled>>t.equalRow&1 == 1 {
				t.value[t.at(filled, sum, flag)] = t.state(filled, sum, flag)
			}
		}
	}
}

// state is what one state is worth.
func (t *usualTurn) state(filled, sum, flag int) float64 {
	t.end(filled, sum, flag)
	copy(t.worth, t.ends)
	for range t.Throws - 1 {
		for k := range t.kept {
			worth := 0.0
			for _, b := range t.becomes[t.keeps[k]:t.keeps[k+1]] {
				worth += b.chance * t.worth[b.throw]
			}
			t.kept[k] = worth
		}
		for i, best := range t.ends {
			for _, k := range t.within[t.holds[i]:t.holds[i+1]] {
				if v := t.kept[k]; v > best {
					best = v
				}
			}
			t.worth[i] = best
		}
	}
	worth := 0.0
	for i, chance := range t.chance {
		worth += chance * t.worth[i]
	}
	return worth
}

// end is what each throw is worth to whoever ends the turn with it.
func (t *usualTurn) end(filled, sum, flag int) {
	for i := range t.ends {
		t.ends[i] = math.Inf(-1)
	}
	for r, points := range t.score {
		if filled>>r&1 == 1 {
			continue
		}
		next := filled | 1<<r
		switch {
		case r < sides:
			var gives [8]float64
			for n := range t.Dice + 1 {
				gives[n] = float64(n*(r+1)) + t.value[t.at(next, min(sum+n*(r+1), t.enough), flag)]
			}
			for i := range t.shown {
				if v := gives[t.shown[i][r]&7]; v > t.ends[i] {
					t.ends[i] = v
				}
			}
		case t.flags == 2 && r == t.equalRow:
			without, with := t.value[t.at(next, sum, 0)], t.value[t.at(next, sum, 1)]
			for i, p := range points {
				v := without
				if p > 0 {
					v = p + with
				}
				if v > t.ends[i] {
					t.ends[i] = v
				}
			}
		default:
			rest := t.value[t.at(next, sum, flag)]
			for i, p := range points {
				if v := p + rest; v > t.ends[i] {
					t.ends[i] = v
				}
			}
		}
	}
	if t.equalRow >= 0 && filled>>t.equalRow&1 == 1 {
		t.endEqual(filled, sum, flag)
	}
}

// endEqual is what throws of equal dice are worth once their row is filled.
func (t *usualTurn) endEqual(filled, sum, flag int) {
	for i, face := range t.same {
		if face < 0 {
			continue
		}
		if t.forced {
			t.ends[i] = t.joker(filled, sum, flag, i)
		}
		t.ends[i] += float64(t.further * flag)
	}
}

// joker is what a throw of equal dice is worth as a forced joker.
func (t *usualTurn) joker(filled, sum, flag, throw int) float64 {
	face := t.same[throw]
	if filled>>face&1 == 0 {
		points := t.Dice * (face + 1)
		return float64(points) + t.value[t.at(filled|1<<face, min(sum+points, t.enough), flag)]
	}
	best := math.Inf(-1)
	for r := sides; r < len(t.Rows); r++ {
		if filled>>r&1 == 0 {
			points := max(t.score[r][throw], float64(jokerPoints[t.Rows[r].Name]))
			best = max(best, points+t.value[t.at(filled|1<<r, sum, flag)])
		}
	}
	if !math.IsInf(best, -1) {
		return best
	}
	for r := range sides {
		if filled>>r&1 == 0 {
			best = max(best, t.value[t.at(filled|1<<r, sum, flag)])
		}
	}
	return best
}
