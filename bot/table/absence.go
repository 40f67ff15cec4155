package table

import (
	"fmt"
	"slices"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Absence. A turn lasts at most as long as the terms say; each move of their own leaves people at least
// board.MinTurnLimit. A pick stops no clock. After the deadline the house plays, the table waits, or the seat is out,
// as the terms say. A person who has missed two turns in a row is away: their turns are played at once until they
// return. While all people are away the table waits. A person who has left the chat is away too.

// maxMissed is the number of missed turns in a row after which a person is away.
const maxMissed = 2

// runOut applies the terms to a turn whose deadline, in Unix milliseconds, has passed; in the last third of a turn it
// has the board show the deadline. It does nothing if the turn has changed or the platform is unreachable.
func (v *Visit) runOut(t *store.Table, by int64, unreachable map[string]bool) error {
	if t.Clock.Due == 0 || t.Clock.Due > by && (t.Clock.Look == 0 || t.Clock.Look > by) || t.Board.Away {
		return nil
	}
	if t.State == store.Lobby || t.Clock.Due > by { // the board of a lobby says that the opener is away
		return v.Redraw(t)
	}
	if unreachable[chat.PlatformOf(t.Place)] || !v.Condition(chat.Place(t.Place)).Link.Up {
		return v.spare(t, grace)
	}
	g, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	t.Clock.Due = 0
	if t.Clock.Absent == store.JustWaits {
		if err := v.bot.Notifier.Remind(v, *t, m); err != nil {
			return err
		}
		return v.Redraw(t)
	}
	for _, seat := range board.WaitedFor(*t, m) {
		if !v.miss(t, g, seat) {
			continue
		}
		moves, err := v.MovesOf(*t)
		if err != nil {
			return err
		}
		t.Seats[seat].OutFrom = int64(len(moves)) + 1
	}
	if v.bot.Enough(*t) {
		return v.Abandon(t)
	}
	t.Board.Page = board.PageGame // a question asks about one turn only
	return v.CarryOn(t, g, m)
}

// miss counts a missed turn of a seat and reports whether the seat is out. The last person cannot be out.
func (v *Visit) miss(t *store.Table, g games.Game, seat games.Seat) (out bool) {
	s := &t.Seats[seat]
	if t.Clock.Absent == store.IsOut && t.Stake > 0 && g.Shape(t.Rules).Staked() && board.StillIn(*t) > 1 {
		s.Absence, s.Ends = store.Out, false
		v.withdraw(s)
		return true
	}
	s.Absence = store.Late
	if s.Missed++; s.Missed >= maxMissed {
		s.Absence, s.Ends = store.Gone, false
	}
	return false
}

// imBack ends the absence of the person.
func (v *Visit) imBack(t *store.Table, _ string) error {
	mine := board.SeatOf(*t, v.Event.User)
	s := &t.Seats[mine]
	switch s.Absence {
	case store.Out:
		return games.Refuse("bot.away.out", nil)
	case store.Present:
		return games.Refuse("bot.away.not", nil)
	}
	s.Absence, s.Missed = store.Present, 0
	g, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	if slices.Contains(m.Turn(), games.Seat(mine)) {
		if err := v.wholeTurn(t); err != nil {
			return err
		}
	}
	v.Toast("bot.away.back", nil)
	return v.CarryOn(t, g, m)
}

// leftChat cancels the requests of a person who has left the chat and gives up their seats. If they return to a match,
// they are back as after an absence.
func (v *Visit) leftChat(player, of string) error {
	if err := v.Withdraw(player, of); err != nil {
		return err
	}
	tables, err := v.Active(of)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if board.SeatOf(t, chat.User(player)) < 0 {
			continue
		}
		if err := v.LeaveTable(t.ID, player); err != nil {
			return fmt.Errorf("table %d: %w", t.ID, err)
		}
	}
	return nil
}

// LeaveTable gives up a person's seat: in a lobby it becomes free, in a match the house plays it with the same dice.
// Without a seat it only redraws the board.
func (v *Visit) LeaveTable(id int64, player string) error {
	t, err := v.Tx.Tables.Table(id)
	if err != nil {
		return err
	}
	v = v.bot.Visit(v.Visit) // nothing that this visit has done was about this table
	v.Names = v.bot.NamesAt(t, v.Lang)
	i := board.SeatOf(t, chat.User(player))
	switch {
	case i >= 0 && t.State == store.Lobby:
		return v.GetUp(&t, i)
	case i >= 0 && t.State == store.Playing:
		s := &t.Seats[i]
		v.withdraw(s)
		if s.Ends = false; s.Absence != store.Out { // an excluded seat stays so
			s.Absence = store.Gone
		}
		if v.bot.Enough(t) {
			return v.Abandon(&t)
		}
		g, m, err := v.bot.Match(t)
		if err != nil {
			return err
		}
		return v.CarryOn(&t, g, m)
	}
	return v.Redraw(&t)
}
