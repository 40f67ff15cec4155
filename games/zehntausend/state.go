package zehntausend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	Ended  *saved   `json:"ended,omitempty"`
}

// saved is an ending as it is stored.
type saved struct {
	Seat   int   `json:"seat"`
	Kind   kind  `json:"kind"`
	Points int   `json:"points"`
	Dice   []int `json:"dice,omitempty"`
}

// Save returns the state as JSON.
func (m match) Save() ([]byte, error) {
	s := state{Totals: m.totals, Losing: m.losing, Turn: m.turn, Round: m.round, Rolls: m.rolls, Points: m.points,
		Dice: m.dice}
	if e := m.ended; e.kind != nothing {
		s.Ended = &saved{Seat: e.seat, Kind: e.kind, Points: e.points, Dice: e.dice}
	}
	return json.Marshal(s)
}

// load reads a match and refuses what cannot come up in one.
func load(r *rules, text []byte) (games.Match, error) {
	var s state
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&s)
	if _, end := d.Token(); err == nil && !errors.Is(end, io.EOF) {
		err = errors.New("something follows it")
	}
	m := match{rules: r, totals: s.Totals, losing: s.Losing, turn: s.Turn, round: s.Round, rolls: s.Rolls,
		points: s.Points, dice: s.Dice}
	if s.Ended != nil {
		m.ended = ending{seat: s.Ended.Seat, kind: s.Ended.Kind, points: s.Ended.Points, dice: s.Ended.Dice}
	}
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return nil, fmt.Errorf("zehntausend: stored match: %w", err)
	}
	return m, nil
}

// maxStored keeps sums of stored numbers far inside an int. Nobody gets there.
const maxStored = 1 << 30

// amount reports whether so many points can have come together.
func amount(points int) bool { return points >= 0 && points < maxStored && points%step == 0 }

// check says what is wrong with a match that nobody can have played.
func (m match) check() error {
	seats := len(m.totals)
	switch {
	case seats < 1 || seats > maxSeats:
		return fmt.Errorf("%d seats", seats)
	case m.rules.nothings > 0 && len(m.losing) != seats || m.rules.nothings == 0 && len(m.losing) > 0:
		return fmt.Errorf("%d seats, and what is known of %d of them", seats, len(m.losing))
	case m.turn < 0 || m.turn >= seats || m.round < 0 || m.round > maxStored:
		return fmt.Errorf("round %d, the turn of seat %d", m.round, m.turn)
	}
	for seat, total := range m.totals {
		played := m.round
		if seat < m.turn {
			played++
		}
		early := !m.rules.onceMore && m.turn > 0 && seat >= m.turn && total >= m.rules.target
		if early || !m.adds(seat, total, played) {
			return fmt.Errorf("seat %d has %d points after %d turns", seat, total, played)
		}
	}
	if err := m.checkRolls(); err != nil {
		return err
	}
	if err := m.checkTurn(); err != nil {
		return err
	}
	return m.checkEnding()
}

// adds reports whether a seat may have a total after so many turns.
func (m match) adds(seat, total, played int) bool {
	first, cost := m.rules.minimum(false), m.rules.nothings
	if cost == 0 {
		return amount(total) && (total == 0 || total >= first && played > 0)
	}
	l := m.losing[seat]
	switch {
	case total%step != 0 || total <= -maxStored || total >= maxStored || l.Nothings < 0 || l.Nothings >= mostNothings:
		return false
	case !l.Banked:
		return total == -cost*(played/mostNothings) && l.Nothings == played%mostNothings
	}
	return played > l.Nothings && total >= first-cost*((played-1)/mostNothings)
}

// checkRolls checks that only those roll off who were tied.
func (m match) checkRolls() error {
	if len(m.rolls) > 0 && (!m.rules.rollOff || !m.played()) {
		return errors.New("a roll-off, and nobody is tied")
	}
	playing := m.leaders()
	for i, points := range m.rolls {
		whole := len(points) == len(playing)
		if len(playing) < 2 || len(points) == 0 || len(points) > len(playing) || !whole && i < len(m.rolls)-1 {
			return fmt.Errorf("roll-off %d has the points %v of the seats %v", i, points, playing)
		}
		for _, p := range points {
			if !amount(p) || p > 0 && p < m.rules.least {
				return fmt.Errorf("roll-off %d has the points %v", i, points)
			}
		}
		if whole {
			playing = best(points, playing)
		}
	}
	return nil
}

// checkTurn checks the dice that lie, and the points of the throws before them.
func (m match) checkTurn() error {
	if !amount(m.points) || m.points > 0 && len(m.dice) == 0 {
		return fmt.Errorf("%d points before %d dice", m.points, len(m.dice))
	}
	if len(m.dice) == 0 {
		return nil
	}
	if m.over() || !m.faces(m.dice) || len(m.dice) < m.rules.dice && m.points == 0 || len(m.options()) == 0 {
		return fmt.Errorf("the dice %v lie after %d points", m.dice, m.points)
	}
	return nil
}

// faces reports whether these may be dice of one throw.
func (m match) faces(dice []int) bool {
	wrong := func(face int) bool { return face < 1 || face > sides }
	return len(dice) <= m.rules.dice && !slices.ContainsFunc(dice, wrong)
}

// checkEnding checks that the turn before ended as the points say.
func (m match) checkEnding() error {
	e := m.ended
	started := m.round+m.turn > 0
	if (e.kind != nothing) != (started && len(m.dice) == 0) {
		return fmt.Errorf("the turn before ended as %q, and %d dice lie", e.kind, len(m.dice))
	}
	if e.kind == nothing {
		return nil
	}
	seat, gained := m.before()
	ok := e.seat == seat && amount(e.points)
	switch e.kind {
	case stopped:
		ok = ok && e.points >= max(step, m.rules.least) && len(e.dice) == 0 && gained(e.points)
	case lost:
		ok = ok && len(e.dice) > 0 && m.faces(e.dice) && (len(e.dice) == m.rules.dice || e.points > 0)
		ok = ok && len(match{rules: m.rules, totals: m.totals, losing: m.losing, dice: e.dice}.options()) == 0
		ok = ok && (len(m.rolls) == 0 || gained(0))
	default:
		ok = false
	}
	if !ok {
		return fmt.Errorf("the turn before ended as %+v", e)
	}
	return nil
}

// before is the seat whose turn has ended last, and whether it can have gained so
// many points.
func (m match) before() (seat int, gained func(int) bool) {
	playing := m.leaders()
	for i, points := range m.rolls {
		if i == len(m.rolls)-1 {
			last := len(points) - 1
			return playing[last], func(p int) bool { return p == points[last] }
		}
		playing = best(points, playing)
	}
	seat = (m.turn + len(m.totals) - 1) % len(m.totals)
	return seat, func(p int) bool {
		before := m.totals[seat] - p
		if m.rules.nothings > 0 {
			return m.gains(seat, before, p)
		}
		return before == 0 && p >= m.rules.minimum(false) || before > 0 && before >= m.rules.minimum(false)
	}
}

// gains reports whether a seat may have had so many points before it banked some in the turn that has just ended, where
// nothings cost points.
func (m match) gains(seat, before, points int) bool {
	turns := m.round
	if seat < m.turn {
		turns++
	}
	turns-- // before that one
	first := match{rules: m.rules, losing: make([]losing, len(m.losing))}
	first.losing[seat].Nothings = turns % mostNothings
	later := match{rules: m.rules, losing: slices.Clone(first.losing)}
	later.losing[seat] = losing{Banked: true}
	return m.losing[seat] == losing{Banked: true} &&
		(first.adds(seat, before, turns) && points >= m.rules.minimum(false) || later.adds(seat, before, turns))
}
