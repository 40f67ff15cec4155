package table

import (
	"fmt"
	"slices"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Absence. A turn may take as long as was agreed from when it began; after each of their own moves
// people have at least board.MinTurnLimit, so that no person is cut off while they play. A mere pick
// stops no clock. When a turn has taken too long, the house plays it, or the table waits, or the
// seat is out, as the terms say. A person who has missed two turns in a row is away: every turn is
// played for them at once, until they say that they are back. While all people are away nothing is
// played: the table waits for the first to come back. Whoever has left the chat is away as well.

// maxMissed is the number of missed turns in a row after which a person is away.
const maxMissed = 2

// runOut carries out what was agreed for a turn whose deadline, in Unix milliseconds, has passed; before that, with the
// last third of the turn, it has the board say when it ends. It checks first that the turn is still the same. On an
// unreachable platform no turn ends: people there cannot press.
func (v *Visit) runOut(table, by int64, unreachable map[string]bool) error {
	t, err := v.Tx.Tables.Table(table)
	if err != nil || t.Clock.Due == 0 || t.Clock.Due > by && (t.Clock.Look == 0 || t.Clock.Look > by) || t.Board.Away {
		return err
	}
	if t.State == store.Lobby || t.Clock.Due > by { // the board of a lobby says that the opener is away
		return v.Redraw(&t)
	}
	if unreachable[chat.PlatformOf(t.Place)] || !v.Condition(chat.Place(t.Place)).Link.Up {
		return v.spare(table, grace)
	}
	g, m, err := v.bot.Match(t)
	if err != nil {
		return err
	}
	t.Clock.Due = 0
	late := board.WaitedFor(t, m)
	if t.Clock.Absent == store.JustWaits {
		if err := v.bot.Notifier.Remind(v, t, m); err != nil {
			return err
		}
		return v.Redraw(&t)
	}
	var out []games.Seat
	for _, seat := range late {
		if v.miss(&t, g, seat) {
			out = append(out, seat)
		}
	}
	if err := v.noteOut(&t, out); err != nil {
		return err
	}
	if v.bot.Enough(t) {
		return v.Abandon(&t)
	}
	t.Board.Page = board.PageGame // what was asked at this turn is not asked at the next
	return v.CarryOn(&t, g, m)
}

// miss notes that a seat has missed its turn, and reports whether it is out by that. The last person at a table cannot
// be out: nobody would be left to win.
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

// noteOut notes from which move on seats are out that have just become so.
func (v *Visit) noteOut(t *store.Table, out []games.Seat) error {
	if len(out) == 0 {
		return nil
	}
	moves, err := v.MovesOf(*t)
	if err != nil {
		return err
	}
	for _, seat := range out {
		t.Seats[seat].OutFrom = int64(len(moves)) + 1
	}
	return nil
}

// imBack is the press by which a person who was away comes back.
func (v *Visit) imBack(t *store.Table, _ string) error {
	mine := board.SeatOf(*t, v.Event.User)
	if mine < 0 {
		return notSeated(*t)
	}
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

// leftChat gives up what a person has asked for and where they sit in a chat that they have left. Who comes back to a
// match finds the seat as somebody does who was away.
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

// LeaveTable gives up the seat of a person at a table: in a lobby it becomes free, in a match the house plays it from
// now on, with the same dice. Where they have none, the board is drawn again all the same.
func (v *Visit) LeaveTable(id int64, player string) error {
	t, err := v.Tx.Tables.Table(id)
	if err != nil {
		return err
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	i := board.SeatOf(t, chat.User(player))
	switch {
	case i >= 0 && t.State == store.Lobby:
		return v.GetUp(&t, i)
	case i >= 0 && t.State == store.Playing:
		s := &t.Seats[i]
		v.withdrew = false
		v.withdraw(s)
		if s.Ends = false; s.Absence != store.Out { // who is out stays so
			s.Absence = store.Gone
		}
		if v.bot.Enough(t) {
			return v.Abandon(&t)
		}
		g, m, err := v.bot.Match(t)
		if err != nil {
			return err
		}
		v.Begun = false // that was of another table
		return v.CarryOn(&t, g, m)
	}
	return v.Redraw(&t)
}
