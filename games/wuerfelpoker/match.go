package wuerfelpoker

import (
	"slices"
	"strings"

	"knobel/games"
)

// match is a match of any number of seats. Seats before turn have played one
// round more than the others.
type match struct {
	rules  rules
	sheets []sheet // by seat; shared by matches, changed in a copy
	round  int     // from 0; rows when the match is over
	turn   int     // the seat that is to move
	throws int     // made in this round
	hand   hand    // as it lies after the last throw
	kept   keep    // what lay already before it
	ended  ending  // how the turn before ended, until the next throw
}

// ending is how a turn ended: with a row filled, or with none.
type ending struct {
	kind kind
	row  row
}

// kind is a kind of ending.
type kind uint8

const (
	nothing kind = iota // no turn has ended, or dice have been thrown since
	wrote
	struckOut
	missed
)

// keep is a set of dice by position, bit 0 the leftmost.
type keep uint8

// keepAll is the set of all five dice, which nobody may keep.
const keepAll = 1<<handSize - 1

// keeps are the moves that keep dice, by set.
var keeps = func() (moves [keepAll]games.Move) {
	for k := range moves {
		moves[k] = games.Move("keep " + keep(k).String())
	}
	return moves
}()

// has reports whether the die at a position is kept.
func (k keep) has(position int) bool { return k>>position&1 == 1 }

// String spells the set as in moves: 1 for a die that is kept.
func (k keep) String() string {
	text := []byte("00000")
	for position := range text {
		if k.has(position) {
			text[position] = '1'
		}
	}
	return string(text)
}

// parseKeep reads five digits of 0 and 1.
func parseKeep(text string) (k keep, ok bool) {
	if len(text) != handSize {
		return 0, false
	}
	for position, digit := range []byte(text) {
		if digit != '0' && digit != '1' {
			return 0, false
		}
		k |= keep(digit-'0') << position
	}
	return k, true
}

func (m match) over() bool { return m.round == rows }

// Turn returns the one seat that is to move.
func (m match) Turn() []games.Seat {
	if m.over() {
		return nil
	}
	return []games.Seat{games.Seat(m.turn)}
}

// Apply plays a move of Moves.
func (m match) Apply(s games.Seat, move games.Move, d games.Dice) (games.Match, []games.Event) {
	verb, rest, _ := strings.Cut(string(move), " ")
	w, _ := rowNamed(rest)
	switch verb {
	case "throw":
		return m.throw(0, d)
	case "keep":
		k, _ := parseKeep(rest)
		return m.throw(k, d)
	case "write":
		c := cell{mark: written, hand: m.hand}
		if m.throws == 1 {
			c.mark = writtenFirst
		}
		return m.fill(ending{wrote, w}, c)
	case "strike":
		return m.fill(ending{struckOut, w}, cell{mark: struck})
	default:
		return m.pass(ending{kind: missed})
	}
}

// throw throws all dice that are not kept.
func (m match) throw(kept keep, d games.Dice) (games.Match, []games.Event) {
	var again []int
	for position := range m.hand {
		if !kept.has(position) {
			again = append(again, position)
		}
	}
	for i, face := range d.Throw(len(again), sides) {
		m.hand[again[i]] = uint8(face)
	}
	m.throws++
	m.kept, m.ended = kept, ending{}
	return m, []games.Event{games.Event(m.thrown())}
}

// fill fills a row and ends the turn.
func (m match) fill(how ending, c cell) (games.Match, []games.Event) {
	m.sheets = slices.Clone(m.sheets)
	m.sheets[m.turn][how.row] = c
	return m.pass(how)
}

// pass ends the turn: the next seat is to throw, or the match is over.
func (m match) pass(how ending) (games.Match, []games.Event) {
	m.throws, m.hand, m.kept, m.ended = 0, hand{}, 0, how
	if m.turn++; m.turn == len(m.sheets) {
		m.turn = 0
		m.round++
	}
	var events []games.Event
	for _, line := range m.turnEnded() {
		events = append(events, games.Event(line))
	}
	if m.over() {
		events = append(events, games.Event(m.won()))
	}
	return m, events
}

// before is the seat whose turn has ended last.
func (m match) before() int { return (m.turn + len(m.sheets) - 1) % len(m.sheets) }

// played is how many rounds a seat has played.
func (m match) played(seat int) int {
	if seat < m.turn {
		return m.round + 1
	}
	return m.round
}

// Result returns the totals and places; there is no pool.
func (m match) Result() (games.Result, bool) {
	if !m.over() {
		return games.Result{}, false
	}
	totals := m.totals()
	result := games.Result{Point: m.rules.point, Rows: make([]games.Row, len(totals))}
	for seat, total := range totals {
		place := 1
		for _, other := range totals {
			if other > total {
				place++
			}
		}
		result.Rows[seat] = games.Row{Score: total, Threw: true, Place: place}
	}
	return result, true
}

// totals are what the seats have by now.
func (m match) totals() []int {
	totals := make([]int, len(m.sheets))
	for seat := range m.sheets {
		totals[seat] = m.rules.total(&m.sheets[seat])
	}
	return totals
}
