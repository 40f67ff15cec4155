package shutbox

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"knobel/games"
)

// sheet is the score of a match over its rounds, as it is stored: the seats that play the round, their totals, the
// seats knocked out, the places. All kinds of Shut the Box embed one; the round itself is played by classic, duel or
// lucky, which report its end here. It is a value: its slices are copied before they are changed.
type sheet struct {
	rules   *rules
	Seats   int          `json:"seats"`
	Round   int          `json:"round"`             // from 1; a roll-off is no round
	RollOff int          `json:"rollOff,omitempty"` // the number of the roll-off, 0 in a round that counts
	Playing []games.Seat `json:"playing,omitempty"` // the seats of this round or roll-off, in seat order
	Totals  []int        `json:"totals"`            // by seat
	Outs    []int        `json:"outs,omitempty"`    // by seat the round in which it was knocked out, or 0
	Kept    []games.Seat `json:"kept,omitempty"`    // seats without a score: the box was shut before their turn
	Places  []int        `json:"places,omitempty"`  // by seat, once all rounds that count are over
	Over    bool         `json:"over,omitempty"`
	Doubles []games.Seat `json:"doubles,omitempty"` // the seat that shut the box, once for every shut that pays double
}

// Values in place of a seat's score in a round, before or without one.
const (
	pending = -1 // its turn is still to come
	noScore = -2 // in a match of one round, a shut box ended the round before its turn
)

// newSheet returns the sheet of a new match.
func newSheet(r *rules, seats int) sheet {
	return sheet{rules: r, Seats: seats, Round: 1, Playing: allSeats(seats), Totals: make([]int, seats)}
}

// allSeats returns the seats 0 to n-1.
func allSeats(n int) []games.Seat {
	seats := make([]games.Seat, n)
	for i := range seats {
		seats[i] = games.Seat(i)
	}
	return seats
}

// paysDouble stores that every other seat owes one more stake to the seat to.
func (s *sheet) paysDouble(to games.Seat) {
	s.Doubles = append(slices.Clip(s.Doubles), to)
}

// endRound ends the present round or roll-off with the scores got, by seat. It adds them to the totals, knocks seats
// out and sets up the next round or roll-off, or ends the match. The scores of a roll-off only decide places.
func (s *sheet) endRound(got []int) {
	if s.RollOff > 0 { // a seat that could not throw is last
		s.settle(s.place(s.Playing, func(a, b games.Seat) bool {
			return got[a] != noScore && (got[b] == noScore || s.better(got[a], got[b]))
		}))
		return
	}
	s.add(got)
	if s.knockOut(); !s.last() {
		s.Round++
		s.Playing = s.in()
		return
	}
	s.settle(s.place(allSeats(s.Seats), s.before))
}

// endDuel ends a round, or roll-off, of Canoga that the seat won has won with points. In a match of one round they may
// be 0: the seat wins all the same.
func (s *sheet) endDuel(won games.Seat, points int) {
	got := make([]int, s.Seats)
	got[won] = points
	switch {
	case s.RollOff > 0:
		got[won] = max(points, 1) // not added to the total, it only has to exceed the loser's 0
	case s.rules.match == single || s.rules.match == rounds && s.rules.limit == 1:
		s.add(got)
		s.settle(s.place(s.Playing, func(a, b games.Seat) bool { return a == won && b != won }))
		return
	}
	s.endRound(got)
}

// add adds the scores got of the round, by seat, to the totals. Seats with noScore are appended to Kept instead.
func (s *sheet) add(got []int) {
	s.Totals = slices.Clone(s.Totals)
	for _, seat := range s.Playing {
		if got[seat] == noScore {
			s.Kept = append(slices.Clip(s.Kept), seat)
			continue
		}
		s.Totals[seat] += got[seat]
	}
}

// knockOut stores the present round in Outs for seats whose total has reached the limit, in a knockout match.
func (s *sheet) knockOut() {
	if s.rules.match != knockout {
		return
	}
	for _, seat := range s.Playing {
		if s.Totals[seat] >= s.rules.limit {
			outs := make([]int, s.Seats)
			copy(outs, s.Outs)
			outs[seat], s.Outs = s.Round, outs
		}
	}
}

// out returns the round in which seat was knocked out, 0 if it was not.
func (s *sheet) out(seat games.Seat) int {
	if len(s.Outs) == 0 {
		return 0
	}
	return s.Outs[seat]
}

// in returns the seats that are not knocked out, in seat order.
func (s *sheet) in() []games.Seat {
	return slices.DeleteFunc(allSeats(s.Seats), func(seat games.Seat) bool { return s.out(seat) > 0 })
}

// last reports whether the present round is the last one that counts.
func (s *sheet) last() bool {
	switch s.rules.match {
	case rounds:
		return s.Round >= s.rules.limit
	case until:
		return slices.Max(s.Totals) >= s.rules.limit
	case knockout: // alone, one plays until out
		left := len(s.in())
		return left == 0 || left == 1 && s.Seats > 1
	}
	return true
}

// settle ends the match or, if several seats are tied for the first place, starts a roll-off among them. The rules may
// exclude roll-offs, and there are at most maxRollOffs.
func (s *sheet) settle(tied []games.Seat) {
	if len(tied) > 1 && s.rules.ties == rollOff && s.RollOff < maxRollOffs {
		s.RollOff++
		s.Playing = tied
		return
	}
	s.Over, s.Playing = true, nil
}

// place sets the places of the given seats among each other; before reports whether seat a is placed before seat b. It
// returns the seats that share the first place.
func (s *sheet) place(seats []games.Seat, before func(a, b games.Seat) bool) (first []games.Seat) {
	places := make([]int, s.Seats)
	copy(places, s.Places)
	for i, place := range games.Places(len(seats), func(a, b int) bool { return before(seats[a], seats[b]) }) {
		if places[seats[i]] = place; place == 1 {
			first = append(first, seats[i])
		}
	}
	s.Places = places
	return first
}

// before reports whether seat a is placed before seat b by the rounds that count: knocked out later is better, seats
// without a score are last, then the total decides.
func (s *sheet) before(a, b games.Seat) bool {
	if outA, outB := s.survived(a), s.survived(b); outA != outB {
		return outA > outB
	}
	if keptA, keptB := slices.Contains(s.Kept, a), slices.Contains(s.Kept, b); keptA || keptB {
		return !keptA
	}
	return s.better(s.Totals[a], s.Totals[b])
}

// survived returns the round in which seat was knocked out, MaxInt if it was not.
func (s *sheet) survived(seat games.Seat) int { return cmp.Or(s.out(seat), math.MaxInt) }

// better reports whether score a beats score b: the lower one does, except in Canoga.
func (s *sheet) better(a, b int) bool {
	if s.rules.variant == canoga {
		return a > b
	}
	return a < b
}

// Result returns how the match ended, and false if it is not over.
func (s sheet) Result() (games.Result, bool) {
	if !s.Over {
		return games.Result{}, false
	}
	out := games.Result{Rows: make([]games.Row, s.Seats), Winners: s.winners(), Doubles: slices.Clone(s.Doubles)}
	for seat := range out.Rows {
		out.Rows[seat] = games.Row{
			Score: s.Totals[seat],
			Threw: !slices.Contains(s.Kept, games.Seat(seat)),
			Place: s.Places[seat],
		}
	}
	return out, true
}

// wonBy reports whether the match is over and seat is its only winner and not in out, the seats that have left the game
// for good.
func (s *sheet) wonBy(seat games.Seat, out []games.Seat) bool {
	return slices.Equal(s.winners(), []games.Seat{seat}) && !slices.Contains(out, seat)
}

// said returns a view with the sentences head and notes. Once the match is over it adds the line of won, unless a
// winner is in out, the seats that have left the game for good.
func (s *sheet) said(out []games.Seat, head, notes []games.Line, won func() games.Line) games.View {
	v := games.View{Head: head, Notes: notes}
	if s.Over && len(without(s.winners(), out)) == len(s.winners()) {
		v.Won = won()
	}
	return v
}

// winners returns the seats that share the first place, nil if the match is not over.
func (s *sheet) winners() []games.Seat {
	if !s.Over {
		return nil
	}
	return slices.DeleteFunc(allSeats(s.Seats), func(seat games.Seat) bool { return s.Places[seat] != 1 })
}

// state returns the state of seat; mover is the seat whose turn it is.
func (s *sheet) state(seat, mover games.Seat) games.StandState {
	switch {
	case slices.Contains(s.winners(), seat) && s.Seats > 1:
		return games.Won
	case s.out(seat) > 0 && !slices.Contains(s.Playing, seat): // if all are knocked out at once, they may roll off
		return games.Out
	case s.Over || !slices.Contains(s.Playing, seat):
		return games.Done
	case seat == mover:
		return games.ToMove
	}
	return games.Waiting
}

// without returns the elements of seats that are not in others.
func without(seats, others []games.Seat) []games.Seat {
	return slices.DeleteFunc(slices.Clone(seats), func(s games.Seat) bool { return slices.Contains(others, s) })
}

// largestTotal is greater than any total of a match.
const largestTotal = 1 << 61

// check returns an error if a stored sheet is inconsistent, so that its match cannot be continued.
func (s *sheet) check() error {
	least, most := Game{}.Seats(games.Rules{"variant": s.rules.variant})
	if s.Seats < least || s.Seats > most || s.Round < 1 || s.RollOff < 0 {
		return fmt.Errorf("%d seats in round %d, roll-off %d", s.Seats, s.Round, s.RollOff)
	}
	for _, seat := range slices.Concat(s.Playing, s.Kept, s.Doubles) {
		if seat < 0 || int(seat) >= s.Seats {
			return fmt.Errorf("no seat %d at a table of %d", seat, s.Seats)
		}
	}
	fits := func(n int) bool { return n == 0 || n == s.Seats }
	if len(s.Totals) != s.Seats || !fits(len(s.Outs)) || !fits(len(s.Places)) || s.Over && len(s.Places) == 0 {
		return fmt.Errorf("%d totals for %d seats", len(s.Totals), s.Seats)
	}
	for i := 1; i < len(s.Playing); i++ {
		if s.Playing[i-1] >= s.Playing[i] {
			return fmt.Errorf("seats %v play, out of order", s.Playing)
		}
	}
	switch {
	case s.Over != (len(s.Playing) == 0) || s.Over && len(s.winners()) == 0:
		return fmt.Errorf("over %v with %d seats playing", s.Over, len(s.Playing))
	case !s.Over && s.RollOff == 0 && !slices.Equal(s.Playing, s.in()):
		return errors.New("a round without some that are in")
	}
	return nil
}
