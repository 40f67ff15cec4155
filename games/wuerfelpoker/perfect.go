package wuerfelpoker

import (
	"errors"
	"fmt"
	"strings"

	"knobel/games"
)

// Perfect knows what every position of a match is worth to a seat that plays
// its own total as high as can be. As nobody's choices touch another's dice,
// and a settlement grows with one's own total, that is also the best play for
// the settlement.
//
// It is safe for concurrent use. To make one takes some milliseconds, with
// order=free seconds, with miss=deferred beside it half a minute.
type Perfect struct {
	rules rules
	parts []*table // with order=parts the school and the rest, else all
}

// Expectation is what perfect play brings on average.
type Expectation struct {
	School       float64 // part one with its bonus; 0 where the parts are not apart
	Combinations float64 // part two; 0 where the parts are not apart
	Total        float64
}

// Worth is what a move leads to: the seat's average total at the end, when it
// plays perfectly from then on.
type Worth struct {
	Move  games.Move
	Total float64
}

// equal is how far apart the worths of equal moves may be computed.
const equal = 1e-9

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

// Worths returns what every legal move of the seat that is to move is worth,
// in the order of Match.Moves. The error says that the match is not one of
// Würfelpoker under the same rules.
func (p *Perfect) Worths(played games.Match) ([]Worth, error) {
	m, ours := played.(match)
	if !ours || m.rules.unpriced() != p.rules.unpriced() {
		return nil, fmt.Errorf("wuerfelpoker: perfect play of other rules for a %T", played)
	}
	if m.over() {
		return nil, nil
	}
	at := p.position(m)
	moves := m.Moves(games.Seat(m.turn))
	worths := make([]Worth, len(moves))
	for i, move := range moves {
		worths[i] = Worth{move, at.written + at.worth(m, move)}
	}
	return worths, nil
}

// unpriced are the rules without what a point is worth: it changes no choice.
func (r rules) unpriced() rules {
	r.point = 0
	return r
}

// Choose returns the best move of the seat that is to move: of equal ones the
// first of Match.Moves.
func (p *Perfect) Choose(played games.Match) (games.Move, error) {
	worths, err := p.Worths(played)
	if err != nil {
		return "", err
	}
	if len(worths) == 0 {
		return "", errors.New("wuerfelpoker: no move is left to choose")
	}
	best := worths[0]
	for _, w := range worths {
		if w.Total > best.Total+equal {
			best = w
		}
	}
	return best.Move, nil
}

// position is a seat's round, as perfect play looks at it.
type position struct {
	table   *table
	round   roundWorth
	written float64 // what the sheet has, and other parts will bring
	open    rowSet
	sum     int // of the school
	left    int // rounds, with this one
}

func (p *Perfect) position(m match) *position {
	s := &m.sheets[m.turn]
	at := &position{
		table: p.parts[0], round: roundWorth{lattice: keepsAndThrows()}, sum: p.rules.school(s), left: rows - m.round,
		written: float64(p.rules.sum(s, ones, chance)),
	}
	for w := ones; w <= chance; w++ {
		if s[w].mark == open {
			at.open |= 1 << w
		}
	}
	switch {
	case p.rules.free:
	case m.round < schoolRows:
		at.open &= wholeSchool
		at.left -= combinations
		at.written += p.parts[1].start()
	default:
		at.table, at.sum = p.parts[1], 0
		at.written = float64(p.rules.total(s))
	}
	at.table.ends(&at.round, at.open, at.sum, at.left)
	switch m.throws {
	case 1:
		at.round.afterFirst()
	case 2:
		at.round.afterSecond()
	}
	return at
}

// worth is what a move brings beside what is written.
func (at *position) worth(m match, move games.Move) float64 {
	verb, rest, _ := strings.Cut(string(move), " ")
	w, _ := rowNamed(rest)
	switch verb {
	case "throw":
		return at.round.expected()
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
