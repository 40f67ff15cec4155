package zehntausend

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"knobel/games"
)

// Save returns the state as JSON.
func (m match) Save() ([]byte, error) { return json.Marshal(m) }

// load reads a match.
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

// check returns an error for a stored match that cannot be played on or shown. Whether it is what its moves lead to is
// found by playing them again.
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

// checkRolls checks that the roll-offs have points of those who play them.
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

// faces reports whether these may be dice of one throw.
func (m match) faces(dice []int) bool {
	wrong := func(face int) bool { return face < 1 || face > sides }
	return len(dice) <= m.rules.dice && !slices.ContainsFunc(dice, wrong)
}
