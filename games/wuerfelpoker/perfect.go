package wuerfelpoker

import (
	"fmt"
	"strings"

	"knobel/games"
)

// Perfect is perfect play under some rules, by any number of seats: it knows
// what every position is worth to a seat that plays its own total as high as
// can be. As nobody's choices touch another's dice, and a settlement grows with
// one's own total, that is also the best play for the settlement. It is a
// games.Perfect that counts points of difference to the average.
//
// It is safe for concurrent use. To make one takes some milliseconds, with
// order=free seconds and 9 MB, with miss=deferred beside it a quarter of a
// minute and 140 MB.
type Perfect struct {
	rules rules
	parts []*table // with order=parts the school and the rest, else all
}

var _ games.Solver = Game{}

// Expectation is what perfect play brings on average.
type Expectation struct {
	School       float64 // part one with its bonus; 0 where the parts are not apart
	Combinations float64 // part two; 0 where the parts are not apart
	Total        float64
}

// Solve computes perfect play; there is no rule that it does not know.
func (g Game) Solve(given games.Rules, seats int) (games.Perfect, error) {
	if _, err := g.New(given, seats); err != nil {
		return nil, err
	}
	return Solve(given)
}

// Solve computes perfect play under some rules. The error is a *games.Refusal.
func Solve(given games.Rules) (*Perfect, error) {
	canonical, err := check(given)
	if err != nil {
		return nil, err
	}
	p := &Perfect{rules: read(canonical)}
	parts := []rowSet{wholeSchool, wholeRest}
	if p.rules.free {
		parts = []rowSet{wholeSheet}
	}
	for _, within := range parts {
		t := newTable(p.rules, within)
		t.fill()
		p.parts = append(p.parts, t)
	}
	return p, nil
}

// start is what a part is worth before its first round.
func (t *table) start() float64 { return *t.slot(t.within, 0, t.within.size()) }

// Expected returns what perfect play brings on average from an empty sheet.
func (p *Perfect) Expected() Expectation {
	if p.rules.free {
		return Expectation{Total: p.parts[0].start()}
	}
	school, combinations := p.parts[0].start(), p.parts[1].start()
	return Expectation{School: school, Combinations: combinations, Total: school + combinations}
}

// Alike leaves out what a point is worth, hints, and the number of seats.
func (g Game) Alike(given games.Rules, seats int) (games.Rules, int, error) {
	if _, err := g.New(given, seats); err != nil {
		return nil, 0, err
	}
	canonical, err := check(given)
	if err != nil {
		return nil, 0, err
	}
	delete(canonical, "point")
	delete(canonical, games.Hints)
	return canonical, 1, nil
}

// Laborious reports whether all rows are solved together.
func (g Game) Laborious(rules games.Rules, _ int) bool { return rules["order"] == free }

// Measure is the difference to the average of the game.
func (p *Perfect) Measure() games.Measure { return games.Difference }

// Size is how many bytes the values take.
func (p *Perfect) Size() int {
	bytes := 0
	for _, t := range p.parts {
		bytes += t.bytes()
	}
	return bytes
}

// Expect returns each seat's expected difference to the average.
func (p *Perfect) Expect(played games.Match) ([]float64, error) {
	m, err := p.own(played)
	if err != nil {
		return nil, err
	}
	totals := p.totals(m)
	if m.throws > 0 {
		at := p.round(m)
		totals[m.turn] = at.written + at.best(m)
	}
	return p.differences(totals), nil
}

// Worths returns what every legal move of the seat that is to move leads to.
func (p *Perfect) Worths(played games.Match, s games.Seat) ([]games.Worth, error) {
	m, err := p.own(played)
	if err != nil {
		return nil, err
	}
	moves := m.Moves(s)
	if len(moves) == 0 {
		return nil, nil
	}
	at, totals := p.round(m), p.totals(m)
	worths := make([]games.Worth, len(moves))
	for i, move := range moves {
		totals[m.turn] = at.written + at.worth(m, move)
		worths[i] = games.Worth{Move: move, Values: p.differences(totals)}
	}
	return worths, nil
}

// own is a match of the same rules.
func (p *Perfect) own(played games.Match) (match, error) {
	m, ours := played.(match)
	if !ours || m.rules.unpriced() != p.rules.unpriced() {
		return match{}, fmt.Errorf("wuerfelpoker: perfect play of other rules for a %T", played)
	}
	return m, nil
}

// differences are totals less their mean. Who plays alone is compared with what
// perfect play brings on average: there would be no difference else.
func (p *Perfect) differences(totals []float64) []float64 {
	if len(totals) == 1 {
		return []float64{totals[0] - p.Expected().Total}
	}
	mean := 0.0
	for _, total := range totals {
		mean += total
	}
	mean /= float64(len(totals))
	values := make([]float64, len(totals))
	for seat, total := range totals {
		values[seat] = total - mean
	}
	return values
}

// totals are what the seats expect to have at the end, as they did when their
// rounds began.
func (p *Perfect) totals(m match) []float64 {
	totals := make([]float64, len(m.sheets))
	for seat := range m.sheets {
		at := p.position(m, seat)
		totals[seat] = at.written + at.begins()
	}
	return totals
}

// unpriced are the rules without what a point is worth: it changes no choice.
func (r rules) unpriced() rules {
	r.point = 0
	return r
}

// position is a seat's sheet, as perfect play looks at it.
type position struct {
	table   *table
	written float64 // what the sheet has, and other parts will bring
	open    rowSet
	sum     int // of the school
	left    int // rounds, with the one that it plays
}

// position is the sheet of a seat before the round that it plays or waits for.
func (p *Perfect) position(m match, seat int) position {
	s, played := &m.sheets[seat], m.played(seat)
	at := position{
		table: p.parts[0], sum: p.rules.school(s), left: rows - played,
		written: float64(p.rules.sum(s, ones, chance)),
	}
	for w := ones; w <= chance; w++ {
		if s[w].mark == open {
			at.open |= 1 << w
		}
	}
	switch {
	case p.rules.free:
	case played < schoolRows:
		at.open &= wholeSchool
		at.left -= combinations
		at.written += p.parts[1].start()
	default:
		at.table, at.sum = p.parts[1], 0
		at.written = float64(p.rules.total(s))
	}
	return at
}

// begins is what the seat expects beside what is written.
func (at *position) begins() float64 { return *at.table.slot(at.open, at.sum, at.left) }

// playing is the round of the seat that is to move.
type playing struct {
	position
	round roundWorth
}

func (p *Perfect) round(m match) *playing {
	at := &playing{position: p.position(m, m.turn), round: roundWorth{lattice: keepsAndThrows()}}
	at.table.ends(&at.round, at.open, at.sum, at.left)
	switch m.throws {
	case 1:
		at.round.afterFirst()
	case 2:
		at.round.afterSecond()
	}
	return at
}

// best is what the dice as they lie bring beside what is written.
func (at *playing) best(m match) float64 {
	throw := at.round.lattice.number[m.hand.counts()]
	if m.throws == maxThrows {
		return at.round.later[throw-fewer]
	}
	return at.round.best[throw]
}

// worth is what a move brings beside what is written.
func (at *playing) worth(m match, move games.Move) float64 {
	verb, rest, _ := strings.Cut(string(move), " ")
	w, _ := rowNamed(rest)
	switch verb {
	case "throw":
		return at.begins()
	case "keep":
		k, _ := parseKeep(rest)
		return at.round.thrown[at.round.lattice.number[m.showingIn(k)]]
	case "write":
		points, _ := at.table.rules.points(w, m.hand, m.throws == 1)
		sum := at.sum
		if w.school() {
			sum += points
		}
		return float64(points) + *at.table.slot(at.open&^(1<<w), sum, at.left-1)
	case "strike":
		return *at.table.slot(at.open&^(1<<w), at.sum, at.left-1)
	default:
		return *at.table.slot(at.open, at.sum, at.left-1)
	}
}

// showingIn counts the faces of the dice that are kept.
func (m match) showingIn(k keep) counts {
	var c counts
	for position, face := range m.hand {
		if k.has(position) {
			c[face]++
		}
	}
	return c
}
