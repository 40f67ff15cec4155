package sheet

import (
	"slices"
	"strings"

	"knobel/games"
)

// Matches: their state, moves and results.

// maxDice is the largest number of dice of a paper.
const maxDice = 6

// hand holds the faces of the dice, left to right; unused ones are 0.
type hand [maxDice]uint8

// counts returns how many dice of hand h show each face.
func (p *plan) counts(h hand) counts {
	var c counts
	for _, face := range h[:p.paper.Dice] {
		c[face]++
	}
	return c
}

// match is a match of any number of seats. Seats below match.turn have played one round more than the others.
type match struct {
	plan   *plan
	pages  []page        // by seat; other matches share them, so they are copied before a change
	round  int           // the present round, from 0; the number of places if the match is over
	turn   int           // the seat that has the turn
	throws int           // the number of throws made in this turn
	hand   hand          // the dice after the last throw
	kept   games.DiceSet // the dice that were kept in the last throw
	called int           // the row that was called in this turn, -1 for none
	ended  ending        // how the previous turn ended, until the next throw
	winner games.Seat    // the seat that won by the first throw of a turn, else games.Nobody
}

// ending is the end of a turn: its kind, and the row and column that were filled, if any.
type ending struct {
	kind kind
	spot spot
}

// kind is the way in which a turn ended: with a written row, a struck row or a miss.
type kind uint8

const (
	nothing kind = iota // no turn has ended, or dice have been thrown since
	wrote
	struckOut
	missed
)

// isOver reports whether the match is over.
func (m match) isOver() bool { return m.round == m.plan.places || m.winner != games.Nobody }

var _ games.Flowing = match{}

// MidTurn reports whether the seat to move has already thrown in its turn.
func (m match) MidTurn() bool { return m.throws > 0 && !m.isOver() }

// Turn returns the seat to move, nil if the match is over.
func (m match) Turn() []games.Seat {
	if m.isOver() {
		return nil
	}
	return []games.Seat{games.Seat(m.turn)}
}

// throwsLeft returns how many more throws the mover may make in this turn, including throws saved earlier.
func (m match) throwsLeft() int { return m.plan.paper.Throws + m.pages[m.turn].saved - m.throws }

// moment returns which throw of the turn the dice are from, and whether it threw all dice.
func (m match) moment() moment { return moment{throw: m.throws, served: m.throws > 0 && m.kept == 0} }

// Apply plays a legal move and returns the next match and its events; m does not change.
func (m match) Apply(s games.Seat, move games.Move, d games.Dice) (games.Match, []games.Event) {
	verb, rest, _ := strings.Cut(string(move), " ")
	target, _ := m.plan.spotNamed(rest)
	switch verb {
	case "throw":
		return m.throw(0, d)
	case "keep":
		k, _ := games.ParseDiceSet(rest, m.plan.paper.Dice)
		return m.throw(k, d)
	case "call":
		m.called = m.plan.rowNamed(rest)
		return m, []games.Event{games.Event(m.callLine())}
	case "write":
		return m.fill(ending{wrote, target}, m.plan.writtenCell(target.row, m.hand,
			m.plan.storedMoment(target.row, m.moment())))
	case "strike":
		return m.fill(ending{struckOut, target}, cell{mark: struck})
	default:
		return m.pass(ending{kind: missed}, false)
	}
}

// storedMoment returns the part of now that a cell stores: whether it is throw 1, and what row r's points depend on.
func (p *plan) storedMoment(r int, now moment) moment {
	points := p.rows[r].Points
	stored := moment{served: now.served && points.Served != 0}
	if n := len(points.ByThrow); now.throw == 1 || n > 0 {
		stored.throw = min(now.throw, max(n, 1))
	}
	return stored
}

// throw throws all dice except those in kept, and returns the next match and its events.
func (m match) throw(kept games.DiceSet, d games.Dice) (games.Match, []games.Event) {
	var again []int
	for position := range m.plan.paper.Dice {
		if !kept.Has(position) {
			again = append(again, position)
		}
	}
	for i, face := range d.Throw(len(again), sides) {
		m.hand[again[i]] = uint8(face)
	}
	m.throws++
	m.kept, m.ended = kept, ending{}
	events := []games.Event{games.Event(m.throwLine())}
	if m.plan.paper.Wins && m.throws == 1 && m.plan.counts(m.hand).equalFace() > 0 {
		m.winner = games.Seat(m.turn)
		events = append(events, games.Event(m.wonLine()))
	}
	return m, events
}

// fill ends the turn with end, and stores c as the new cell of end.spot. It returns the next match and its events.
func (m match) fill(end ending, c cell) (games.Match, []games.Event) {
	m.pages = slices.Clone(m.pages)
	g := &m.pages[m.turn]
	further := m.earnsFurther()
	if further {
		g.further++
	}
	place, _ := m.plan.openPlace(g, end.spot)
	g.cells = slices.Clone(g.cells)
	g.cells[place] = c
	return m.pass(end, further)
}

// earnsFurther reports whether ending the turn now earns bonus points: all dice are equal, and their row has points.
func (m match) earnsFurther() bool {
	p := m.plan
	return p.paper.Again.Points > 0 && p.counts(m.hand).equalFace() > 0 && p.rowHolds(&m.pages[m.turn], p.again)
}

// pass ends the turn with end. It returns the next match and its events, one of them on bonus points if further.
func (m match) pass(end ending, further bool) (games.Match, []games.Event) {
	if m.plan.paper.Saves {
		m.pages = slices.Clone(m.pages)
		m.pages[m.turn].saved = m.throwsLeft()
	}
	m.throws, m.hand, m.kept, m.called, m.ended = 0, hand{}, 0, -1, end
	if m.turn++; m.turn == len(m.pages) {
		m.turn = 0
		m.round++
	}
	var events []games.Event
	for _, line := range m.turnEndLines(further) {
		events = append(events, games.Event(line))
	}
	if m.isOver() {
		events = append(events, games.Event(m.wonLine()))
	}
	return m, events
}

// previousSeat returns the seat whose turn ended last.
func (m match) previousSeat() int { return (m.turn + len(m.pages) - 1) % len(m.pages) }

// roundsPlayed returns in how many rounds the turn of seat is over.
func (m match) roundsPlayed(seat int) int {
	if seat < m.turn {
		return m.round + 1
	}
	return m.round
}

// Result returns the totals, the places and, for a pool, its winners, and false if the match is not over.
func (m match) Result() (games.Result, bool) {
	if !m.isOver() {
		return games.Result{}, false
	}
	result := games.Result{Point: m.plan.paper.Point, Rows: make([]games.Row, len(m.pages))}
	for seat, place := range games.Places(len(m.pages), m.isAhead) {
		result.Rows[seat] = games.Row{Score: m.plan.score(&m.pages[seat]), Threw: true, Place: place}
		if m.plan.paper.Final != nil {
			result.Rows[seat].Total = new(m.plan.total(&m.pages[seat]))
		}
		if place == 1 && m.plan.paper.Settle == games.ShapePool {
			result.Winners = append(result.Winners, games.Seat(seat))
		}
	}
	return result, true
}

// isAhead reports whether seat a is placed before seat b.
func (m match) isAhead(a, b int) bool {
	if m.winner != games.Nobody && a != b && (int(m.winner) == a || int(m.winner) == b) {
		return int(m.winner) == a
	}
	p := m.plan
	if first, second := p.score(&m.pages[a]), p.score(&m.pages[b]); first != second {
		return first > second
	}
	return p.paper.Final != nil && p.total(&m.pages[a]) > p.total(&m.pages[b])
}
