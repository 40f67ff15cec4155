package shutbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"knobel/games"
)

// savedSheet is a sheet as it is stored. A match puts its own fields beside
// it by embedding.
type savedSheet struct {
	Seats   int          `json:"seats"`
	Round   int          `json:"round"`
	RollOff int          `json:"rollOff,omitempty"`
	Playing []games.Seat `json:"playing,omitempty"`
	Totals  []int        `json:"totals"`
	Outs    []int        `json:"outs,omitempty"`
	Kept    []games.Seat `json:"kept,omitempty"`
	Places  []int        `json:"places,omitempty"`
	Over    bool         `json:"over,omitempty"`
	Doubles []games.Seat `json:"doubles,omitempty"`
}

// save is the sheet as it is stored.
func (s *sheet) save() savedSheet {
	out := savedSheet{
		Seats: s.seats, Round: s.round, RollOff: s.rollOff, Over: s.over,
		Playing: s.playing.list(), Kept: s.kept.list(), Doubles: s.doubles,
		Totals: s.totals[:s.seats],
	}
	if s.in() != 1<<s.seats-1 {
		out.Outs = s.outs[:s.seats]
	}
	if s.over || s.rollOff > 0 {
		out.Places = s.places[:s.seats]
	}
	return out
}

// largestTotal is more than any match adds up to: a stored total beyond it is
// no total.
const largestTotal = 1 << 61

// load is the inverse of save. It refuses sheets that no match comes to, as
// far as playing on depends on it.
func (saved savedSheet) load(r *rules) (sheet, error) {
	s := sheet{seats: saved.Seats, round: saved.Round, rollOff: saved.RollOff, over: saved.Over, doubles: saved.Doubles}
	least, most := Game{}.Seats(games.Rules{"variant": r.variant})
	if s.seats < least || s.seats > most || s.round < 1 || s.rollOff < 0 {
		return s, fmt.Errorf("%d seats in round %d, roll-off %d", s.seats, s.round, s.rollOff)
	}
	for _, list := range [][]games.Seat{saved.Playing, saved.Kept, saved.Doubles} {
		for _, seat := range list {
			if seat < 0 || int(seat) >= s.seats {
				return s, fmt.Errorf("no seat %d at a table of %d", seat, s.seats)
			}
		}
	}
	s.playing, s.kept = seatsOf(saved.Playing), seatsOf(saved.Kept)
	if err := saved.loadNumbers(&s); err != nil {
		return s, err
	}
	return s, s.consistent(r)
}

func (saved savedSheet) loadNumbers(s *sheet) error {
	for _, numbers := range []struct {
		from     []int
		to       *[maxSeats]int
		needed   bool
		low, top int
	}{
		{saved.Totals, &s.totals, true, 0, largestTotal},
		{saved.Outs, &s.outs, false, 0, s.round},
		{saved.Places, &s.places, s.over || s.rollOff > 0, 1, s.seats},
	} {
		if len(numbers.from) == 0 && !numbers.needed {
			continue
		}
		if len(numbers.from) != s.seats {
			return fmt.Errorf("%d numbers for %d seats", len(numbers.from), s.seats)
		}
		for i, n := range numbers.from {
			if n < numbers.low || n > numbers.top {
				return fmt.Errorf("%d is not from %d to %d", n, numbers.low, numbers.top)
			}
			numbers.to[i] = n
		}
	}
	return nil
}

// consistent says what is wrong with a sheet under these rules.
func (s *sheet) consistent(r *rules) error {
	switch {
	case r.match == single && s.round != 1, r.match == rounds && s.round > r.limit:
		return fmt.Errorf("round %d of a match %s:%d", s.round, r.match, r.limit)
	case s.rollOff > 0 && r.ties != rollOff:
		return errors.New("roll-off where ties share")
	case s.over != (s.playing == 0):
		return fmt.Errorf("over %v with %d seats playing", s.over, s.playing.count())
	case !s.over && s.rollOff == 0 && s.playing != s.in():
		return errors.New("a round without some that are in")
	case !s.over && s.rollOff > 0 && s.playing.count() < 2:
		return errors.New("roll-off of one")
	case r.match != knockout && s.in() != 1<<s.seats-1:
		return errors.New("knocked out of a match without a limit")
	case s.over && s.winners() == 0:
		return errors.New("over with no winner")
	}
	return nil
}

// decode reads exactly one JSON value of exactly these fields.
func decode(state []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(state))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}
