package table

import (
	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

// A vote to end a table stands on its board. Everybody seated has one, but the
// house and whoever is absent; more than half of these votes end the table, and once
// dice have fallen, more than half of all the people who play: nobody is to undo
// what the dice have done because the others are away for a while. A
// vote stands until whoever gave it takes it back or plays on, so nobody is
// surprised by one of long ago; a restart changes nothing.

// vote is the press that votes to end the table ("yes"), or to play on ("no").
func (v *Visit) vote(t *store.Table, rest string) error {
	mine := board.SeatOf(*t, v.Event.User)
	switch {
	case mine < 0:
		return notSeated(*t)
	case !board.HasVote(t.Seats[mine]):
		return games.Refuse("bot.no-vote", nil)
	case rest != "yes" && !t.Seats[mine].Ends:
		v.Toast("bot.vote-others", v.bot.BallotArgs(*t))
		return nil
	case rest != "yes":
		t.Seats[mine].Ends = false
		v.Toast("bot.vote-back", nil)
		return v.Redraw(t)
	case !board.Voted(*t): // an old button: the vote was taken back
		return v.askEnd(t)
	}
	before, _ := v.bot.Ballot(*t)
	again := t.Seats[mine].Ends
	t.Seats[mine].Ends = true
	if v.bot.Enough(*t) {
		return v.Abandon(t)
	}
	v.tellVotes(*t)
	if after, _ := v.bot.Ballot(*t); after == before && !again {
		v.Toast("bot.voted-same", v.bot.BallotArgs(*t))
	}
	return v.Redraw(t)
}
