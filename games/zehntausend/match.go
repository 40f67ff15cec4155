package zehntausend

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"knobel/games"
)

// match is a match of any number of seats, as it is stored. It is a value: its slices are copied before they are
// changed.
type match struct {
	rules  *rules
	Totals []int    `json:"totals"`           // by seat, without roll-offs
	Losing []losing `json:"losing,omitempty"` // by seat; nil unless turns with nothing cost points
	Next   int      `json:"turn"`             // the seat to move, or that would be next once the match is over
	Round  int      `json:"round"`            // the number of rounds that all seats have played
	Rolls  [][]int  `json:"rolls,omitempty"`  // the points of each roll-off, of its seats, in seat order
	Points int      `json:"points,omitempty"` // of this turn, without the dice of the last throw
	Dice   []int    `json:"dice,omitempty"`   // of the last throw; none before the first
	Ended  ending   `json:"ended,omitzero"`   // how the previous turn ended, until the next throw
}

// losing is the history of a seat, beyond its total, that matters if turns with nothing cost points.
type losing struct {
	Banked   bool `json:"banked,omitempty"`   // at least once
	Nothings int  `json:"nothings,omitempty"` // turns in a row that ended with nothing, since the last loss
}

// mostNothings is the number of consecutive turns with nothing that cost points.
const mostNothings = 3

// banked reports whether a seat has banked at least once.
func (m match) banked(seat int) bool {
	if m.rules.nothings > 0 {
		return m.Losing[seat].Banked
	}
	return m.Totals[seat] > 0
}

// ending is the end of a turn.
type ending struct {
	Seat   int   `json:"seat"`
	Kind   kind  `json:"kind"`
	Points int   `json:"points"`         // banked or lost
	Dice   []int `json:"dice,omitempty"` // the last throw, if it brought nothing
}

// kind is the way in which a turn ended.
type kind string

const (
	nothing kind = ""     // no turn has ended, or dice have been thrown since
	stopped kind = "bank" // with points
	lost    kind = "lost" // by a throw in which nothing counts
)

// seat returns the seat that is to move, if the match is not over.
func (m match) seat() int {
	if !m.rolling() {
		return m.Next
	}
	playing, thrown := m.rollingOff()
	return playing[len(thrown)]
}

// Turn returns the seat to move, nil if the match is over.
func (m match) Turn() []games.Seat {
	if m.over() {
		return nil
	}
	return []games.Seat{games.Seat(m.seat())}
}

// Apply plays a legal move and returns the next match and its events; m does not change.
func (m match) Apply(_ games.Seat, move games.Move, d games.Dice) (games.Match, []games.Event) {
	verb, spelled, _ := strings.Cut(string(move), " ")
	aside, _ := games.ParseDiceSet(spelled, len(m.Dice))
	points := m.rules.worth(countsOf(m.Dice, aside))
	switch verb {
	case "throw":
		return m.throw(m.rules.dice, d)
	case "keep":
		m.Points += points
		return m.throw(m.rules.next(len(m.Dice), aside.Count()), d)
	default:
		return m.end(stopped, m.Points+points)
	}
}

// throw throws count dice. If none of them counts, it ends the turn.
func (m match) throw(count int, d games.Dice) (games.Match, []games.Event) {
	m.Dice, m.Ended = d.Throw(count, sides), ending{}
	if len(m.options()) == 0 {
		return m.end(lost, m.Points)
	}
	return m, []games.Event{games.Event(m.thrown())}
}

// end ends the turn; amount is the number of points banked or lost.
func (m match) end(how kind, amount int) (games.Match, []games.Event) {
	m.Ended = ending{Seat: m.seat(), Kind: how, Points: amount}
	gained := amount
	if how == lost {
		m.Ended.Dice, gained = m.Dice, 0
	}
	if m.rolling() {
		m.Rolls = slices.Clone(m.Rolls)
		if _, thrown := m.rollingOff(); len(thrown) == 0 {
			m.Rolls = append(m.Rolls, nil)
		}
		last := &m.Rolls[len(m.Rolls)-1]
		*last = append(slices.Clip(*last), gained)
	} else {
		m.Totals = slices.Clone(m.Totals)
		m.Totals[m.Next] += gained
		if m.rules.nothings > 0 {
			m.Losing = slices.Clone(m.Losing)
			m.Totals[m.Next] -= m.Losing[m.Next].after(how, m.rules.nothings)
		}
		if m.Next++; m.Next == len(m.Totals) {
			m.Next = 0
			m.Round++
		}
	}
	m.Dice, m.Points = nil, 0
	var events []games.Event
	for _, line := range m.turnEnded("") {
		events = append(events, games.Event(line))
	}
	if m.over() {
		events = append(events, games.Event(m.won(nil)))
	}
	return m, events
}

// after stores how a turn ended, and returns its cost: points if it completes mostNothings turns with nothing, else 0.
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

// cost returns the points that the turn that has just ended cost in addition to its own.
func (m match) cost() int {
	if m.rules.nothings == 0 || m.Ended.Kind != lost || len(m.Rolls) > 0 || m.Losing[m.Ended.Seat].Nothings > 0 {
		return 0
	}
	return m.rules.nothings
}

// Save returns the state as JSON.
func (m match) Save() ([]byte, error) { return json.Marshal(m) }

// load returns the match that Save stored.
func load(r *rules, saved []byte) (games.Match, error) {
	m := match{rules: r}
	err := games.Decode(saved, &m)
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return nil, fmt.Errorf("zehntausend: stored match: %w", err)
	}
	return m, nil
}

// check returns an error if a stored match is inconsistent. It does not check that its moves lead to that state.
func (m match) check() error {
	e, seats := m.Ended, len(m.Totals)
	switch {
	case seats < 1 || seats > maxSeats:
		return fmt.Errorf("%d seats", seats)
	case m.rules.nothings > 0 && len(m.Losing) != seats:
		return fmt.Errorf("%d seats, and what is known of %d of them", seats, len(m.Losing))
	case m.Next < 0 || m.Next >= seats:
		return fmt.Errorf("round %d, the turn of seat %d", m.Round, m.Next)
	case m.Points < 0 || m.Points%step != 0 || !m.faces(m.Dice):
		return fmt.Errorf("the dice %v lie after %d points", m.Dice, m.Points)
	case !slices.Contains([]kind{nothing, stopped, lost}, e.Kind) || e.Seat < 0 || e.Seat >= seats || !m.faces(e.Dice):
		return fmt.Errorf("the turn before ended as %+v", e)
	}
	if err := m.checkRolls(); err != nil {
		return err
	}
	if len(m.Dice) > 0 && (m.over() || len(m.options()) == 0) {
		return fmt.Errorf("the dice %v lie, and no move follows", m.Dice)
	}
	return nil
}

// checkRolls returns an error unless each roll-off has points of the seats that play it.
func (m match) checkRolls() error {
	if len(m.Rolls) > 0 && (!m.rules.rollOff || !m.played()) {
		return errors.New("a roll-off, and nobody is tied")
	}
	playing := m.leaders()
	for i, points := range m.Rolls {
		whole := len(points) == len(playing)
		if len(points) == 0 || len(points) > len(playing) || !whole && i < len(m.Rolls)-1 {
			return fmt.Errorf("roll-off %d has the points %v of the seats %v", i, points, playing)
		}
		if whole {
			playing = best(points, playing)
		}
	}
	return nil
}

// faces reports whether dice can be one throw.
func (m match) faces(dice []int) bool {
	wrong := func(face int) bool { return face < 1 || face > sides }
	return len(dice) <= m.rules.dice && !slices.ContainsFunc(dice, wrong)
}

// played reports whether all turns of the match have been played, except those of a roll-off. With the rule once-more
// that is when it would be the turn of a seat with the target: the first that reached it.
func (m match) played() bool {
	if m.rules.onceMore {
		return m.Totals[m.Next] >= m.rules.target
	}
	return m.Next == 0 && slices.Max(m.Totals) >= m.rules.target
}

// last reports whether a seat has reached the target and the others play their last turns.
func (m match) last() bool { return !m.played() && slices.Max(m.Totals) >= m.rules.target }

// leaders returns the seats with the highest total.
func (m match) leaders() []int { return best(m.Totals, nil) }

// best returns the elements of seats whose points are the highest. If seats is nil, it returns the indices of points.
func best(points, seats []int) []int {
	var first []int
	for i, p := range points {
		if p < slices.Max(points) {
			continue
		}
		if seats == nil {
			first = append(first, i)
		} else {
			first = append(first, seats[i])
		}
	}
	return first
}

// rollingOff returns the seats that play the present roll-off, and the points of those that have already played it. If
// playing has one seat only, the roll-off is decided.
func (m match) rollingOff() (playing, thrown []int) {
	playing = m.leaders()
	for _, points := range m.Rolls {
		if len(points) < len(playing) {
			return playing, points
		}
		playing = best(points, playing)
	}
	return playing, nil
}

// rolling reports whether a roll-off is being played.
func (m match) rolling() bool {
	if !m.rules.rollOff || !m.played() {
		return false
	}
	playing, _ := m.rollingOff()
	return len(playing) > 1
}

func (m match) over() bool { return m.played() && !m.rolling() }

// Result returns totals and places, with the first as winners, and false if the match is not over.
func (m match) Result() (games.Result, bool) {
	if !m.over() {
		return games.Result{}, false
	}
	keys := make([][]int, len(m.Totals))
	for seat, total := range m.Totals {
		keys[seat] = []int{total}
	}
	playing := m.leaders()
	for _, points := range m.Rolls {
		for i, seat := range playing {
			keys[seat] = append(keys[seat], points[i])
		}
		playing = best(points, playing)
	}
	result := games.Result{Rows: make([]games.Row, len(keys))}
	ahead := func(a, b int) bool { return slices.Compare(keys[a], keys[b]) > 0 }
	for seat, place := range games.Places(len(keys), ahead) {
		result.Rows[seat] = games.Row{Score: m.Totals[seat], Threw: true, Place: place}
		if place == 1 {
			result.Winners = append(result.Winners, games.Seat(seat))
		}
	}
	return result, true
}
