package zehntausend

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"knobel/games"
)

// match is a match of any number of seats, as it is stored. Its slices are copied before changes.
type match struct {
	rules  *rules
	Totals []int    `json:"totals"`           // the points of each seat, without roll-offs
	Losing []losing `json:"losing,omitempty"` // the history of each seat; nil unless turns with nothing cost points
	Next   int      `json:"turn"`             // the seat to move, as if there were no roll-offs and no end of the match
	Round  int      `json:"round"`            // the number of rounds that all seats have played
	Rolls  [][]int  `json:"rolls,omitempty"`  // by roll-off: the points of its seats, in seat order
	Points int      `json:"points,omitempty"` // set aside in this turn, without the last throw
	Dice   []int    `json:"dice,omitempty"`   // the last throw of this turn; nil before the first
	Ended  ending   `json:"ended,omitzero"`   // how the previous turn ended, until the next throw
}

// losing holds facts about the earlier turns of a seat. They are needed only if turns with nothing cost points.
type losing struct {
	Banked   bool `json:"banked,omitempty"`   // the seat has banked at least once
	Nothings int  `json:"nothings,omitempty"` // consecutive turns with nothing, since the last ones that cost points
}

// mostNothings is the number of consecutive turns with nothing after which a seat loses points.
const mostNothings = 3

// hasBanked reports whether a seat has banked at least once.
func (m match) hasBanked(seat int) bool {
	if m.rules.nothings > 0 {
		return m.Losing[seat].Banked
	}
	return m.Totals[seat] > 0
}

// ending is the end of a turn.
type ending struct {
	Seat   int   `json:"seat"`
	Kind   kind  `json:"kind"`
	Points int   `json:"points"`         // the points banked or lost
	Dice   []int `json:"dice,omitempty"` // the throw that scored nothing; nil if the seat banked
}

// kind is the way in which a turn ended.
type kind string

const (
	nothing kind = ""     // no turn has ended, or dice have been thrown since
	stopped kind = "bank" // the seat has banked points
	lost    kind = "lost" // a throw in which no die counts has ended the turn
)

// seat returns the seat that has the turn, if the match is not over.
func (m match) seat() int {
	if !m.isRollOff() {
		return m.Next
	}
	playing, thrown := m.rollOffSeats()
	return playing[len(thrown)]
}

// Turn returns the seat to move, nil if the match is over.
func (m match) Turn() []games.Seat {
	if m.isOver() {
		return nil
	}
	return []games.Seat{games.Seat(m.seat())}
}

// Apply plays a legal move and returns the next match and its events; m does not change.
func (m match) Apply(_ games.Seat, move games.Move, d games.Dice) (games.Match, []games.Event) {
	verb, spelled, _ := strings.Cut(string(move), " ")
	aside, _ := games.ParseDiceSet(spelled, len(m.Dice))
	points := m.rules.throwPoints(countsOf(m.Dice, aside))
	switch verb {
	case "throw":
		return m.throw(m.rules.dice, d)
	case "keep":
		m.Points += points
		return m.throw(m.rules.nextDice(len(m.Dice), aside.Count()), d)
	default:
		return m.end(stopped, m.Points+points)
	}
}

// throw throws count dice and returns the next match and its events. If no die of the throw counts, the turn ends.
func (m match) throw(count int, d games.Dice) (games.Match, []games.Event) {
	m.Dice, m.Ended = d.Throw(count, sides), ending{}
	if len(m.options()) == 0 {
		return m.end(lost, m.Points)
	}
	return m, []games.Event{games.Event(m.throwLine())}
}

// end ends the turn with outcome; amount is the points banked or lost. It returns the next match and its events.
func (m match) end(outcome kind, amount int) (games.Match, []games.Event) {
	m.Ended = ending{Seat: m.seat(), Kind: outcome, Points: amount}
	gained := amount
	if outcome == lost {
		m.Ended.Dice, gained = m.Dice, 0
	}
	if m.isRollOff() {
		m.Rolls = slices.Clone(m.Rolls)
		if _, thrown := m.rollOffSeats(); len(thrown) == 0 {
			m.Rolls = append(m.Rolls, nil)
		}
		last := &m.Rolls[len(m.Rolls)-1]
		*last = append(slices.Clip(*last), gained)
	} else {
		m.Totals = slices.Clone(m.Totals)
		m.Totals[m.Next] += gained
		if m.rules.nothings > 0 {
			m.Losing = slices.Clone(m.Losing)
			m.Totals[m.Next] -= m.Losing[m.Next].addTurn(outcome, m.rules.nothings)
		}
		if m.Next++; m.Next == len(m.Totals) {
			m.Next = 0
			m.Round++
		}
	}
	m.Dice, m.Points = nil, 0
	var events []games.Event
	for _, line := range m.turnEndLines("") {
		events = append(events, games.Event(line))
	}
	if m.isOver() {
		events = append(events, games.Event(m.wonLine(nil)))
	}
	return m, events
}

// addTurn adds a turn with this outcome to the history l. It returns the cost of the turn: points if it completes
// mostNothings turns with nothing, else 0.
func (l *losing) addTurn(outcome kind, points int) (cost int) {
	if outcome == stopped {
		*l = losing{Banked: true}
		return 0
	}
	if l.Nothings++; l.Nothings < mostNothings {
		return 0
	}
	l.Nothings = 0
	return points
}

// cost returns the points that the previous turn cost because it completed mostNothings turns with nothing, else 0.
func (m match) cost() int {
	if m.rules.nothings == 0 || m.Ended.Kind != lost || len(m.Rolls) > 0 || m.Losing[m.Ended.Seat].Nothings > 0 {
		return 0
	}
	return m.rules.nothings
}

// Save returns the state as JSON.
func (m match) Save() ([]byte, error) { return json.Marshal(m) }

// load returns the match that Save stored as saved, or an error if it does not fit the rules.
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
		return fmt.Errorf("%d seats, but data of %d", seats, len(m.Losing))
	case m.Next < 0 || m.Next >= seats:
		return fmt.Errorf("round %d, the turn of seat %d", m.Round, m.Next)
	case m.Points < 0 || m.Points%step != 0 || !m.canBeThrow(m.Dice):
		return fmt.Errorf("dice %v after %d points", m.Dice, m.Points)
	case !slices.Contains([]kind{nothing, stopped, lost}, e.Kind) || e.Seat < 0 || e.Seat >= seats ||
		!m.canBeThrow(e.Dice) || e.Dice != nil && len(e.Dice) == 0: // Save omits an empty list
		return fmt.Errorf("the turn before ended as %+v", e)
	}
	if err := m.checkRolls(); err != nil {
		return err
	}
	if len(m.Dice) > 0 && (m.isOver() || len(m.options()) == 0) {
		return fmt.Errorf("no move for the dice %v", m.Dice)
	}
	return nil
}

// checkRolls returns an error if a stored roll-off does not fit the rules or has points of too few or too many seats.
func (m match) checkRolls() error {
	if len(m.Rolls) > 0 && (!m.rules.rollOff || !m.isPlayed()) {
		return errors.New("a roll-off without a tie")
	}
	playing := m.leaders()
	for i, points := range m.Rolls {
		complete := len(points) == len(playing)
		if len(points) == 0 || len(points) > len(playing) || !complete && i < len(m.Rolls)-1 {
			return fmt.Errorf("roll-off %d has the points %v of the seats %v", i, points, playing)
		}
		if complete {
			playing = best(points, playing)
		}
	}
	return nil
}

// canBeThrow reports whether dice can be the faces of one throw.
func (m match) canBeThrow(dice []int) bool {
	wrong := func(face int) bool { return face < 1 || face > sides }
	return len(dice) <= m.rules.dice && !slices.ContainsFunc(dice, wrong)
}

// isPlayed reports whether all turns except those of a roll-off have been played. With the rule once-more, these are
// the turns before the next one of the seat that reached the target first.
func (m match) isPlayed() bool {
	if m.rules.onceMore {
		return m.Totals[m.Next] >= m.rules.target
	}
	return m.Next == 0 && slices.Max(m.Totals) >= m.rules.target
}

// isLastRound reports whether a seat has reached the target and other seats still have their final turns.
func (m match) isLastRound() bool { return !m.isPlayed() && slices.Max(m.Totals) >= m.rules.target }

// leaders returns the seats with the highest total.
func (m match) leaders() []int { return best(m.Totals, nil) }

// best returns the seats with the most points: points[i] belongs to seats[i] or, if seats is nil, to seat i.
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

// rollOffSeats returns the seats that play the present roll-off and, in thrown, the points of those that have had their
// turn in it. If playing has a single seat, the roll-off is decided.
func (m match) rollOffSeats() (playing, thrown []int) {
	playing = m.leaders()
	for _, points := range m.Rolls {
		if len(points) < len(playing) {
			return playing, points
		}
		playing = best(points, playing)
	}
	return playing, nil
}

// isRollOff reports whether a roll-off is being played.
func (m match) isRollOff() bool {
	if !m.rules.rollOff || !m.isPlayed() {
		return false
	}
	playing, _ := m.rollOffSeats()
	return len(playing) > 1
}

// isOver reports whether the match is over.
func (m match) isOver() bool { return m.isPlayed() && !m.isRollOff() }

// Result returns totals, places and the winners (the seats on place 1), and false if the match is not over.
func (m match) Result() (games.Result, bool) {
	if !m.isOver() {
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
