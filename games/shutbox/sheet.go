package shutbox

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"knobel/games"
)

// sheet is the score of a match over its rounds: whose rounds they are, what they added to, who is out, who is placed
// where. All kinds of Shut the Box keep one; a round itself is played elsewhere, and ends here. Copying a sheet
// copies the score.
type sheet struct {
	seats   int
	round   int        // from 1; a roll-off is no round
	rollOff int        // the number of the roll-off, 0 in a round that counts
	playing seatSet    // whose round, or roll-off, this is
	turn    games.Seat // who is to move, while the match goes on
	totals  [maxSeats]int
	outs    [maxSeats]int // the round in which a seat was knocked out, or 0
	kept    seatSet       // who has no score, because a shut kept them from throwing
	places  [maxSeats]int // once all rounds that count are over
	over    bool
	doubles []games.Seat // for every shut that pays double, who shut
}

// What stands for the score of a seat in a round before it has one.
const (
	pending = -1 // its turn comes
	noScore = -2 // a shut kept it from throwing in a match of one round
)

// scores are the scores of one round by seat; those of seats that do not play it mean nothing.
type scores [maxSeats]int

// noScores are the scores when a round begins.
var noScores = scores(slices.Repeat([]int{pending}, maxSeats))

// seatSet is a set of seats, a bit each.
type seatSet uint16

func (set seatSet) has(s games.Seat) bool { return s >= 0 && set&(1<<s) != 0 }

func (set seatSet) count() int { return bits.OnesCount16(uint16(set)) }

// list holds the seats in seat order.
func (set seatSet) list() []games.Seat {
	seats := make([]games.Seat, 0, set.count())
	for ; set != 0; set &= set - 1 {
		seats = append(seats, games.Seat(bits.TrailingZeros16(uint16(set))))
	}
	return seats
}

// seatsOf makes the set of a list.
func seatsOf(list []games.Seat) seatSet {
	var set seatSet
	for _, s := range list {
		set |= 1 << s
	}
	return set
}

// newSheet returns the sheet of a match that begins.
func newSheet(seats int) sheet {
	return sheet{seats: seats, round: 1, playing: 1<<seats - 1}
}

// paysDouble notes that every other seat owes one stake more to this one.
func (s *sheet) paysDouble(to games.Seat) {
	s.doubles = append(slices.Clip(s.doubles), to)
}

// endRound writes down the scores of the round, or roll-off, that has just
// ended, and says who plays the next, or that the match is over.
func (s *sheet) endRound(r *rules, got scores) {
	if s.rollOff > 0 {
		s.settle(s.placeTied(r, got), r)
		return
	}
	s.add(got)
	if s.knockOut(r); !s.last(r) {
		s.round++
		s.playing = s.in()
		return
	}
	s.settle(s.placeAll(r), r)
}

// endDuel ends a round, or roll-off, of Canoga that a seat has won with a number of points. In the
// only round of a match they may be 0: the seat has won all the same.
func (s *sheet) endDuel(r *rules, won games.Seat, points int) {
	var got scores
	got[won] = points
	switch {
	case s.rollOff > 0:
		got[won] = max(points, 1) // it is not added, and only says who is ahead
	case r.oneRound():
		s.add(got)
		s.places[won], s.places[1-won] = 1, 2
		s.settle(1<<won, r)
		return
	}
	s.endRound(r, got)
}

// add adds the scores of a round to the totals.
func (s *sheet) add(got scores) {
	for _, seat := range s.playing.list() {
		if got[seat] == noScore {
			s.kept |= 1 << seat
			continue
		}
		s.totals[seat] += got[seat]
	}
}

// knockOut notes who reached the limit in this round.
func (s *sheet) knockOut(r *rules) {
	if r.match != knockout {
		return
	}
	for _, seat := range s.playing.list() {
		if s.totals[seat] >= r.limit {
			s.outs[seat] = s.round
		}
	}
}

// in returns the set of those who are not knocked out.
func (s *sheet) in() seatSet {
	var set seatSet
	for seat := range s.seats {
		if s.outs[seat] == 0 {
			set |= 1 << seat
		}
	}
	return set
}

// oneRound reports whether a match has one round that counts, whatever happens.
func (r *rules) oneRound() bool { return r.match == single || r.match == rounds && r.limit == 1 }

// last reports whether this round was the last that counts.
func (s *sheet) last(r *rules) bool {
	switch r.match {
	case rounds:
		return s.round >= r.limit
	case until:
		return slices.Max(s.totals[:s.seats]) >= r.limit
	case knockout: // alone, one plays until out
		left := s.in().count()
		return left == 0 || left == 1 && s.seats > 1
	}
	return true
}

// settle ends the match, or lets those tied for the first place roll off.
func (s *sheet) settle(tied seatSet, r *rules) {
	if tied.count() > 1 && r.ties == rollOff && s.rollOff < maxRollOffs {
		s.rollOff++
		s.playing = tied
		return
	}
	s.over = true
	s.playing = 0
}

// placeAll gives each seat a place after the last round that counts, and returns who shares the first.
func (s *sheet) placeAll(r *rules) seatSet {
	var first seatSet
	for a := range s.seats {
		s.places[a] = 1
		for b := range s.seats {
			if s.before(r, b, a) {
				s.places[a]++
			}
		}
		if s.places[a] == 1 {
			first |= 1 << a
		}
	}
	return first
}

// before reports whether seat a ends before seat b by the rounds that count:
// later out is better, no score is last, then the total decides.
func (s *sheet) before(r *rules, a, b int) bool {
	if outA, outB := s.survived(a), s.survived(b); outA != outB {
		return outA > outB
	}
	if keptA, keptB := s.kept.has(games.Seat(a)), s.kept.has(games.Seat(b)); keptA || keptB {
		return !keptA
	}
	return better(r, s.totals[a], s.totals[b])
}

// survived returns the round in which a seat was knocked out, later than all for those who were not.
func (s *sheet) survived(seat int) int {
	if s.outs[seat] == 0 {
		return math.MaxInt
	}
	return s.outs[seat]
}

// placeTied orders the seats that rolled off, and returns those that still share the first place. A
// seat that could not throw is last.
func (s *sheet) placeTied(r *rules, got scores) seatSet {
	var first seatSet
	for _, a := range s.playing.list() {
		s.places[a] = 1
		for _, b := range s.playing.list() {
			switch {
			case got[b] == noScore:
			case got[a] == noScore || better(r, got[b], got[a]):
				s.places[a]++
			}
		}
		if s.places[a] == 1 {
			first |= 1 << a
		}
	}
	return first
}

// better reports whether one score wins against another: the lower one does, but in Canoga the higher.
func better(r *rules, a, b int) bool {
	if r.variant == canoga {
		return a > b
	}
	return a < b
}

// Turn returns the one seat that is to move.
func (s sheet) Turn() []games.Seat {
	if s.over {
		return nil
	}
	return []games.Seat{s.turn}
}

// Result returns how the match ended, and false while it goes on.
func (s sheet) Result() (games.Result, bool) {
	if !s.over {
		return games.Result{}, false
	}
	out := games.Result{Rows: make([]games.Row, s.seats), Doubles: slices.Clone(s.doubles)}
	for seat := range s.seats {
		out.Rows[seat] = games.Row{
			Score: s.totals[seat],
			Threw: !s.kept.has(games.Seat(seat)),
			Place: s.places[seat],
		}
	}
	out.Winners = s.winners().list()
	return out, true
}

// wonBy reports whether a seat alone has won a match that is over, and is not out.
func (s *sheet) wonBy(seat games.Seat, out seatSet) bool {
	return s.winners() == 1<<seat && s.winners()&out == 0
}

// said returns the sentences of a view; once the match is over, also who has won, unless a winner is out.
func (s *sheet) said(out seatSet, head, notes []games.Line, won func() games.Line) games.View {
	v := games.View{Head: head, Notes: notes}
	if s.over && s.winners()&out == 0 {
		v.Won = won()
	}
	return v
}

// winners returns those who share the first place of a match that is over.
func (s *sheet) winners() seatSet {
	var set seatSet
	for seat := range s.seats {
		if s.over && s.places[seat] == 1 {
			set |= 1 << seat
		}
	}
	return set
}

// savedSheet is a sheet as it is stored. A match puts its own fields beside it by embedding.
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

// save returns the sheet as it is stored.
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

// load reads what save returned. It refuses sheets on which a match cannot go on.
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
