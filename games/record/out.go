package record

import (
	"slices"

	"knobel/games"
)

// OutOf returns the seats that were out, in seat order.
func (r Record) OutOf() []games.Seat {
	var out []games.Seat
	for i, seat := range r.Seats {
		if seat.Out != nil {
			out = append(out, games.Seat(i))
		}
	}
	return out
}

// checkOut checks that each seat marked as out can have been: a person in a game for a stake, whose
// later moves were all played for them, and not the last seat left.
func (v *verifier) checkOut() {
	r := v.record
	out := r.OutOf()
	if len(out) == 0 {
		return
	}
	if !v.shape.Staked() || r.Stake == 0 {
		v.fault("nobody can be out where there is no stake to lose")
	}
	if !slices.ContainsFunc(r.Seats, func(s Seat) bool { return s.House == "" && s.Out == nil }) {
		v.fault("somebody has to be left: the last person cannot be out")
	}
	for _, seat := range out {
		after := *r.Seats[seat].Out
		if r.Seats[seat].House != "" {
			v.fault("seat %d: a house seat cannot be out", seat)
		}
		if after < 0 || after >= len(r.Moves) {
			v.fault("seat %d: it cannot have been out after move %d of %d", seat, after, len(r.Moves))
			continue
		}
		v.checkPlayedFor(seat, after)
	}
}

// checkPlayedFor checks that a seat that was out after a move has moved since, and
// not by itself.
func (v *verifier) checkPlayedFor(seat games.Seat, after int) {
	played := false
	for i, move := range v.record.Moves[after:] {
		if move.Seat != seat {
			continue
		}
		if !move.Auto {
			v.fault("move %d, seat %d: it was out after move %d, so it cannot have made this move itself", after+i+1,
				seat, after)
			return
		}
		played = true
	}
	if !played {
		v.fault("seat %d: nothing was played for it after move %d, so it was not out", seat, after)
	}
}
