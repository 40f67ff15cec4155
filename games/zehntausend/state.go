package zehntausend

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"knobel/games"
)

// state is a match as it is stored.
type state struct {
	Totals []int    `json:"totals"`
	Losing []losing `json:"losing,omitempty"`
	Turn   int      `json:"turn"`
	Round  int      `json:"round"`
	Rolls  [][]int  `json:"rolls,omitempty"`
	Points int      `json:"points,omitempty"`
	Dice   []int    `json:"dice,omitempty"`
	Ended  *ending  `json:"ended,omitempty"`
}

// Save returns the state as JSON.
func (m match) Save() ([]byte, error) {
	s := state{Totals: m.totals, Losing: m.losing, Turn: m.turn, Round: m.round, Rolls: m.rolls, Points: m.points,
		Dice: m.dice}
	if m.ended.Kind != nothing {
		s.Ended = &m.ended
	}
	return json.Marshal(s)
}

// load reads a match.
func load(r *rules, text []byte) (games.Match, error) {
	var s state
	err := games.Decode(text, &s)
	m := match{rules: r, totals: s.Totals, losing: s.Losing, turn: s.Turn, round: s.Round, rolls: s.Rolls,
		points: s.Points, dice: s.Dice}
	if s.Ended != nil {
		m.ended = *s.Ended
	}
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return nil, fmt.Errorf("zehntausend: stored match: %w", err)
	}
	return m, nil
}

// check returns an error for a stored match that cannot be played on or shown. Whether it is what its moves lead to is
// found by playing them again.
func (m match) check() error {
	e, seats := m.ended, len(m.totals)
	switch {
	case seats < 1 || seats > maxSeats:
		return fmt.Errorf("%d seats", seats)
	case m.rules.nothings > 0 && len(m.losing) != seats:
		return fmt.Errorf("%d seats, and what is known of %d of them", seats, len(m.losing))
	case m.turn < 0 || m.turn >= seats:
		return fmt.Errorf("round %d, the turn of seat %d", m.round, m.turn)
	case m.points < 0 || m.points%step != 0 || !m.faces(m.dice):
		return fmt.Errorf("the dice %v lie after %d points", m.dice, m.points)
	case !slices.Contains([]kind{nothing, stopped, lost}, e.Kind) || e.Seat < 0 || e.Seat >= seats || !m.faces(e.Dice):
		return fmt.Errorf("the turn before ended as %+v", e)
	}
	if err := m.checkRolls(); err != nil {
		return err
	}
	if len(m.dice) > 0 && (m.over() || len(m.options()) == 0) {
		return fmt.Errorf("the dice %v lie, and no move follows", m.dice)
	}
	return nil
}

// checkRolls checks that the roll-offs have points of those who play them.
func (m match) checkRolls() error {
	if len(m.rolls) > 0 && (!m.rules.rollOff || !m.played()) {
		return errors.New("a roll-off, and nobody is tied")
	}
	playing := m.leaders()
	for i, points := range m.rolls {
		whole := len(points) == len(playing)
		if len(points) == 0 || len(points) > len(playing) || !whole && i < len(m.rolls)-1 {
			return fmt.Errorf("roll-off %d has the points %v of the seats %v", i, points, playing)
		}
		if whole {
			playing = best(points, playing)
		}
	}
	return nil
}

// faces reports whether these may be dice of one throw.
func (m match) faces(dice []int) bool {
	wrong := func(face int) bool { return face < 1 || face > sides }
	return len(dice) <= m.rules.dice && !slices.ContainsFunc(dice, wrong)
}
