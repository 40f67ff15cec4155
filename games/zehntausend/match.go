package zehntausend

import (
	"slices"
	"strings"

	"knobel/games"
)

// match is a match of any number of seats. It is a value: what its slices hold is changed in copies only.
type match struct {
	rules  *rules
	totals []int    // by seat, without roll-offs
	losing []losing // by seat; none where nothings cost no points
	turn   int      // whose turn of the match it is, or would be after it
	round  int      // rounds that all seats have played
	rolls  [][]int  // the points of each roll-off so far, of those who play it, in seat order
	points int      // of this turn, before the dice that lie
	dice   []int    // as they lie after the last throw; none before the first
	ended  ending   // how the turn before ended, until the next throw
}

// losing is what a seat has done of which its total tells nothing where nothings cost points.
type losing struct {
	Banked   bool `json:"banked,omitempty"`   // once or more
	Nothings int  `json:"nothings,omitempty"` // turns in a row that ended with nothing, since the last loss
}

// mostNothings is how many turns in a row that end with nothing cost points.
const mostNothings = 3

// newMatch returns a match before its first throw.
func newMatch(r *rules, seats int) match {
	m := match{rules: r, totals: make([]int, seats)}
	if r.nothings > 0 {
		m.losing = make([]losing, seats)
	}
	return m
}

// banked reports whether a seat has banked before.
func (m match) banked(seat int) bool {
	if m.rules.nothings > 0 {
		return m.losing[seat].Banked
	}
	return m.totals[seat] > 0
}

// ending is how a turn ended.
type ending struct {
	Seat   int   `json:"seat"`
	Kind   kind  `json:"kind"`
	Points int   `json:"points"`         // that were banked, or lost
	Dice   []int `json:"dice,omitempty"` // that brought nothing
}

// kind is a kind of ending.
type kind string

const (
	nothing kind = ""     // no turn has ended, or dice have been thrown since
	stopped kind = "bank" // with points
	lost    kind = "lost" // by a throw in which nothing counts
)

// seat returns the seat that is to move, while the match goes on.
func (m match) seat() int {
	if !m.rolling() {
		return m.turn
	}
	playing, thrown := m.rollingOff()
	return playing[len(thrown)]
}

// Turn returns the one seat that is to move.
func (m match) Turn() []games.Seat {
	if m.over() {
		return nil
	}
	return []games.Seat{games.Seat(m.seat())}
}

// Apply plays a move of Moves.
func (m match) Apply(_ games.Seat, move games.Move, d games.Dice) (games.Match, []games.Event) {
	verb, spelled, _ := strings.Cut(string(move), " ")
	aside := parseSet(spelled)
	points := m.rules.worth(countsOf(m.dice, aside))
	switch verb {
	case "throw":
		return m.throw(m.rules.dice, d)
	case "keep":
		m.points += points
		return m.throw(m.rules.next(len(m.dice), aside.count()), d)
	default:
		return m.end(stopped, m.points+points)
	}
}

// throw throws so many dice. Where nothing counts, the turn is over.
func (m match) throw(count int, d games.Dice) (games.Match, []games.Event) {
	m.dice, m.ended = d.Throw(count, sides), ending{}
	if len(m.options()) == 0 {
		return m.end(lost, m.points)
	}
	return m, []games.Event{games.Event(m.thrown())}
}

// end ends the turn with so many points, banked or lost.
func (m match) end(how kind, amount int) (games.Match, []games.Event) {
	m.ended = ending{Seat: m.seat(), Kind: how, Points: amount}
	gained := amount
	if how == lost {
		m.ended.Dice, gained = m.dice, 0
	}
	if m.rolling() {
		m.rolls = m.rolled(gained)
	} else {
		m.totals = slices.Clone(m.totals)
		m.totals[m.turn] += gained
		if m.rules.nothings > 0 {
			m.losing = slices.Clone(m.losing)
			m.totals[m.turn] -= m.losing[m.turn].after(how, m.rules.nothings)
		}
		if m.turn++; m.turn == len(m.totals) {
			m.turn = 0
			m.round++
		}
	}
	m.dice, m.points = nil, 0
	var events []games.Event
	for _, line := range m.turnEnded() {
		events = append(events, games.Event(line))
	}
	if m.over() {
		events = append(events, games.Event(m.won(nil)))
	}
	return m, events
}

// after notes how a turn has ended, and returns what that costs: so many points for the last of some nothings.
func (l *losing) after(how kind, points int) (cost int) {
	if how == stopped {
		*l = losing{Banked: true}
		return 0
	}
	if l.Nothings++; l.Nothings < mostNothings {
		return 0
	}
	l.Nothings = 0
	return points
}

// cost returns what the turn that has just ended cost beside its own points.
func (m match) cost() int {
	if m.rules.nothings == 0 || m.ended.Kind != lost || len(m.rolls) > 0 || m.losing[m.ended.Seat].Nothings > 0 {
		return 0
	}
	return m.rules.nothings
}

// rolled returns the roll-offs with the points of one more turn.
func (m match) rolled(points int) [][]int {
	_, thrown := m.rollingOff()
	rolls := slices.Clone(m.rolls)
	if len(thrown) == 0 {
		return append(rolls, []int{points})
	}
	last := len(rolls) - 1
	rolls[last] = append(slices.Clone(rolls[last]), points)
	return rolls
}
