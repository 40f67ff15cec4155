package board

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// Who sits at a table, who is there, and who has agreed: read from what is stored.

// Paused reports whether a table waits because all its people are away or out, so that there is no
// person to play on for.
func Paused(t store.Table) bool {
	away := false
	for _, s := range t.Seats {
		switch {
		case s.House != "", store.Forgotten(s.Player) > 0: // nobody comes back there
		case s.Absence == store.Gone:
			away = true
		case s.Absence != store.Out:
			return false
		}
	}
	return away
}

// WaitedFor returns the seats that are to move and whose clocks can run: those of people who are
// not known to be absent.
func WaitedFor(t store.Table, m games.Match) []games.Seat {
	return slices.DeleteFunc(slices.Clone(m.Turn()), func(seat games.Seat) bool {
		s := t.Seats[seat]
		return s.House != "" || s.Absence != store.Present
	})
}

// SeatOf is the seat of a person at a table, or -1.
func SeatOf(t store.Table, user chat.User) int {
	return slices.IndexFunc(t.Seats, func(s store.Seat) bool { return s.Player != "" && s.Player == string(user) })
}

// BoardTurn is the number that the buttons of a table's board carry: the count of
// its terms in the lobby, then that of its moves.
func BoardTurn(t store.Table) int64 {
	if t.State == store.Lobby {
		return t.Terms
	}
	return t.Turn
}

// ToAgree reports whether a seat has a person who has not agreed to the present terms.
func ToAgree(t store.Table, seat int) bool {
	s := t.Seats[seat]
	return t.State == store.Lobby && s.House == "" && s.Confirmed && s.Agreed != t.Terms
}

// Agreed reports whether all people at a table have agreed to its present terms.
func Agreed(t store.Table) bool { return firstToAgree(t) < 0 }

// firstToAgree is the first such seat, or -1.
func firstToAgree(t store.Table) int {
	for i := range t.Seats {
		if ToAgree(t, i) {
			return i
		}
	}
	return -1
}

func AnybodySits(t store.Table) bool {
	for _, s := range t.Seats {
		if s.House == "" && s.Confirmed {
			return true
		}
	}
	return false
}

// LastWord returns the seat of the person who was the last to give or change a word for the dice by
// /luck; -1: no one has.
func LastWord(t store.Table) int {
	last := -1
	for i, s := range t.Seats {
		if s.House == "" && s.Worded > 0 && !dice.Drawn(s.Entropy) && (last < 0 || s.Worded >= t.Seats[last].Worded) {
			last = i
		}
	}
	return last
}

// HasVote reports whether the owner of a seat has a vote.
func HasVote(s store.Seat) bool {
	return s.House == "" && s.Confirmed && s.Absence != store.Gone && s.Absence != store.Out
}

// Taker returns the person who asks to take over a seat, "" if there is none or they are forgotten.
func Taker(t store.Table, seat int) chat.User {
	if store.Forgotten(t.Seats[seat].Taker) > 0 {
		return ""
	}
	return chat.User(t.Seats[seat].Taker)
}

// TakerMark returns a mark for a button that tells one person who asks for a seat from the next.
func TakerMark(t store.Table, seat int) string {
	mark := fnv.New32a()
	fmt.Fprint(mark, t.ID, " ", t.Seats[seat].Taker)
	return fmt.Sprintf("%08x", mark.Sum32())
}

// OfferedSeat reads the number of a seat that is offered.
func OfferedSeat(t store.Table, said string) (seat int, ok bool) {
	seat, err := strconv.Atoi(said)
	return seat, err == nil && seat >= 0 && seat < len(t.Seats) && t.Seats[seat].Offered && t.Seats[seat].House == ""
}

// Agreeing returns the other people at a table who may agree that a seat goes to taker. People who
// use the same device as either of the two may not: they could be the same person.
func (b *Boards) Agreeing(t store.Table, seat int, taker chat.User) (others []int) {
	for i, s := range t.Seats {
		user := chat.User(s.Player)
		if i != seat && s.House == "" && store.Forgotten(s.Player) == 0 &&
			!b.Same(user, chat.User(t.Seats[seat].Player)) && !b.Same(user, taker) {
			others = append(others, i)
		}
	}
	return others
}

// StillAsked returns the seats whose word who asks for a seat needs, and whether that of an admin, too: of one
// other seat, or of all whose people are there where all vouch.
func (b *Boards) StillAsked(t store.Table, seat int) (seats []int, admin bool) {
	s := t.Seats[seat]
	others := b.Agreeing(t, seat, Taker(t, seat))
	admin = s.Vouch == store.AdminVouches
	allowed := slices.ContainsFunc(others, s.Allows)
	if s.Vouch == store.AllVouch {
		present := slices.DeleteFunc(slices.Clone(others), func(i int) bool {
			return s.Allows(i) || !HasVote(t.Seats[i])
		})
		if len(present) > 0 {
			return present, admin
		}
	}
	if allowed {
		return nil, admin
	}
	return others, admin
}

// Asks reports whether a person asks for a seat who still needs the word of others.
func (b *Boards) Asks(t store.Table, seat int) bool {
	seats, admin := b.StillAsked(t, seat)
	return Taker(t, seat) != "" && (admin || len(seats) > 0)
}

// ReservedFor is how long a rematch reserves the seats of people who have not pressed yet, if
// another person finds no other seat.
const ReservedFor = 5 * time.Minute
