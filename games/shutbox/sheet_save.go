package shutbox

import (
	"errors"
	"fmt"
	"slices"

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

// largestTotal is more than any match adds up to.
const largestTotal = 1 << 61

// load is the inverse of save. It refuses sheets on which a match cannot go on.
func (saved savedSheet) load(r *rules) (sheet, error) {
	s := sheet{seats: saved.Seats, round: saved.Round, rollOff: saved.RollOff, over: saved.Over, doubles: saved.Doubles}
	least, most := Game{}.Seats(games.Rules{"variant": r.variant})
	if s.seats < least || s.seats > most || s.round < 1 || s.rollOff < 0 {
		return s, fmt.Errorf("%d seats in round %d, roll-off %d", s.seats, s.round, s.rollOff)
	}
	for _, seat := range slices.Concat(saved.Playing, saved.Kept, saved.Doubles) {
		if seat < 0 || int(seat) >= s.seats {
			return s, fmt.Errorf("no seat %d at a table of %d", seat, s.seats)
		}
	}
	s.playing, s.kept = seatsOf(saved.Playing), seatsOf(saved.Kept)
	fits := func(n int) bool { return n == 0 || n == s.seats }
	if len(saved.Totals) != s.seats || !fits(len(saved.Outs)) || !fits(len(saved.Places)) {
		return s, fmt.Errorf("%d totals for %d seats", len(saved.Totals), s.seats)
	}
	copy(s.totals[:], saved.Totals)
	copy(s.outs[:], saved.Outs)
	copy(s.places[:], saved.Places)
	switch {
	case s.over != (s.playing == 0) || s.over && s.winners() == 0:
		return s, fmt.Errorf("over %v with %d seats playing", s.over, s.playing.count())
	case !s.over && s.rollOff == 0 && s.playing != s.in():
		return s, errors.New("a round without some that are in")
	}
	return s, nil
}
