package board

import (
	"slices"
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
		case s.House != "", store.Forgotten(s.Player) > 0: // no person comes back there
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

// SeatOf returns the seat of a person at a table, or -1.
func SeatOf(t store.Table, user chat.User) int {
	return slices.IndexFunc(t.Seats, func(s store.Seat) bool { return s.Player != "" && s.Player == string(user) })
}

// BoardTurn returns the number that the buttons of a table's board carry: the count of
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

// firstToAgree returns the first such seat, or -1.
func firstToAgree(t store.Table) int {
	for i := range t.Seats {
		if ToAgree(t, i) {
			return i
		}
	}
	return -1
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

// ReservedFor is how long a rematch reserves the seats of people who have not pressed yet, if
// another person finds no other seat.
const ReservedFor = 5 * time.Minute
