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
// seats knocked out, the places. classic, duel and lucky embed a sheet, play the round and call endRound or endDuel. A
// sheet is copied with its match, so its slices are copied before they are changed.
type sheet struct {
	rules   *rules
	Seats   int          `json:"seats"`
	Round   int          `json:"round"`             // from 1; a roll-off is not a round
	RollOff int          `json:"rollOff,omitempty"` // the number of the roll-off, 0 in a round that counts
	Playing []games.Seat `json:"playing,omitempty"` // the seats of this round or roll-off, in seat order
	Totals  []int        `json:"totals"`            // by seat
	Outs    []int        `json:"outs,omitempty"`    // by seat the round in which it was knocked out, or 0
	Kept    []games.Seat `json:"kept,omitempty"`    // seats without a score: the box was shut before their turn
	Places  []int        `json:"places,omitempty"`  // by seat, 1 for a winner; nil until the last round that counts
	Over    bool         `json:"over,omitempty"`
	Doubles []games.Seat `json:"doubles,omitempty"` // the seat that shut the box, once for every shut that pays double
}

// Values that are stored instead of the score of a seat that has no score in the round.
const (
	pending = -1 // its turn is still to come, or it does not play the round
	noScore = -2 // in a match of one round, a shut box ended the round before its turn
)

// newSheet returns the sheet of a new match under the rules r with that many seats.
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

// addDouble stores that winner has shut the box, so that every other seat owes it one more stake.
func (s *sheet) addDouble(winner games.Seat) {
	s.Doubles = append(slices.Clip(s.Doubles), winner)
}

// endRound ends the present round or roll-off; scores holds its scores, by seat. It adds them to the totals, knocks
// seats out and starts the next round or roll-off, or ends the match. The scores of a roll-off only decide places.
func (s *sheet) endRound(scores []int) {
	if s.RollOff > 0 { // a seat that had no turn is last
		s.endOrRollOff(s.setPlaces(s.Playing, func(a, b games.Seat) bool {
			return scores[a] != noScore && (scores[b] == noScore || s.isBetter(scores[a], scores[b]))
		}))
		return
	}
	s.addScores(scores)
	if s.knockOut(); !s.isLastRound() {
		s.Round++
		s.Playing = s.remaining()
		return
	}
	s.endOrRollOff(s.setPlaces(allSeats(s.Seats), s.isAhead))
}

// endDuel ends a round or roll-off of Canoga that winner has won with that many points. In a match of one round winner
// wins the match even with 0 points.
func (s *sheet) endDuel(winner games.Seat, points int) {
	scores := make([]int, s.Seats)
	scores[winner] = points
	switch {
	case s.RollOff > 0:
		scores[winner] = max(points, 1) // not added to the total; it only has to exceed the loser's 0
	case s.rules.match == single || s.rules.match == rounds && s.rules.limit == 1:
		s.addScores(scores)
		s.endOrRollOff(s.setPlaces(s.Playing, func(a, b games.Seat) bool { return a == winner && b != winner }))
		return
	}
	s.endRound(scores)
}

// addScores adds the scores of a round, by seat, to the totals. It appends seats with noScore to Kept instead.
func (s *sheet) addScores(scores []int) {
	s.Totals = slices.Clone(s.Totals)
	for _, seat := range s.Playing {
		if scores[seat] == noScore {
			s.Kept = append(slices.Clip(s.Kept), seat)
			continue
		}
		s.Totals[seat] += scores[seat]
	}
}

// knockOut stores in Outs that seats which have reached the limit of a knockout match are knocked out in this round.
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

// outRound returns the round in which seat was knocked out, 0 if it was not.
func (s *sheet) outRound(seat games.Seat) int {
	if len(s.Outs) == 0 {
		return 0
	}
	return s.Outs[seat]
}

// remaining returns the seats that are not knocked out, in seat order.
func (s *sheet) remaining() []games.Seat {
	return slices.DeleteFunc(allSeats(s.Seats), func(seat games.Seat) bool { return s.outRound(seat) > 0 })
}

// isLastRound reports whether the present round, whose scores the totals include, is the last one that counts.
func (s *sheet) isLastRound() bool {
	switch s.rules.match {
	case rounds:
		return s.Round >= s.rules.limit
	case until:
		return slices.Max(s.Totals) >= s.rules.limit
	case knockout: // a single seat plays until it is knocked out
		left := len(s.remaining())
		return left == 0 || left == 1 && s.Seats > 1
	}
	return true
}

// endOrRollOff starts a roll-off among tied, the seats that share the first place, if these are several and the rules
// allow one more roll-off. Otherwise it ends the match.
func (s *sheet) endOrRollOff(tied []games.Seat) {
	if len(tied) > 1 && s.rules.ties == rollOff && s.RollOff < maxRollOffs {
		s.RollOff++
		s.Playing = tied
		return
	}
	s.Over, s.Playing = true, nil
}

// setPlaces stores the places of seats, ranked among each other, and returns the seats that share the first place.
// better reports whether seat a is better than seat b.
func (s *sheet) setPlaces(seats []games.Seat, better func(a, b games.Seat) bool) (first []games.Seat) {
	places := make([]int, s.Seats)
	copy(places, s.Places)
	for i, place := range games.Places(len(seats), func(a, b int) bool { return better(seats[a], seats[b]) }) {
		if places[seats[i]] = place; place == 1 {
			first = append(first, seats[i])
		}
	}
	s.Places = places
	return first
}

// isAhead reports whether seat a is better than seat b after the rounds that count. The seat knocked out later is
// better, a seat without a score is worse; otherwise the totals decide.
func (s *sheet) isAhead(a, b games.Seat) bool {
	if outA, outB := s.lastRoundOf(a), s.lastRoundOf(b); outA != outB {
		return outA > outB
	}
	if keptA, keptB := slices.Contains(s.Kept, a), slices.Contains(s.Kept, b); keptA || keptB {
		return !keptA
	}
	return s.isBetter(s.Totals[a], s.Totals[b])
}

// lastRoundOf returns the round in which seat was knocked out, MaxInt if it was not.
func (s *sheet) lastRoundOf(seat games.Seat) int { return cmp.Or(s.outRound(seat), math.MaxInt) }

// isBetter reports whether score a is better than score b: lower, but in Canoga higher.
func (s *sheet) isBetter(a, b int) bool {
	if s.rules.variant == canoga {
		return a > b
	}
	return a < b
}

// Result returns the result of the match, and false if it is not over.
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

// isSoleWinner reports whether the match is over, seat is its only winner, and seat is not in gone, the seats that have
// left the game for good.
func (s *sheet) isSoleWinner(seat games.Seat, gone []games.Seat) bool {
	return slices.Equal(s.winners(), []games.Seat{seat}) && !slices.Contains(gone, seat)
}

// newView returns a view with the sentences head and notes. Once the match is over it also has the line won(), unless a
// winner is in gone, the seats that have left the game for good.
func (s *sheet) newView(gone []games.Seat, head, notes []games.Line, won func() games.Line) games.View {
	v := games.View{Head: head, Notes: notes}
	if s.Over && len(without(s.winners(), gone)) == len(s.winners()) {
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

// state returns the state of seat for the board; mover is the seat whose turn it is.
func (s *sheet) state(seat, mover games.Seat) games.StandState {
	switch {
	case slices.Contains(s.winners(), seat) && s.Seats > 1:
		return games.Won
	case s.outRound(seat) > 0 && !slices.Contains(s.Playing, seat): // if all are knocked out at once, they may roll off
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
			return fmt.Errorf("seats %v out of order", s.Playing)
		}
	}
	switch {
	case s.Over != (len(s.Playing) == 0) || s.Over && len(s.winners()) == 0:
		return fmt.Errorf("over %v with %d seats playing", s.Over, len(s.Playing))
	case !s.Over && s.RollOff == 0 && !slices.Equal(s.Playing, s.remaining()):
		return errors.New("a round without seats that are in")
	}
	return nil
}
