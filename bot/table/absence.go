package table

import (
	"fmt"
	"slices"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Absence. A turn has the time limit set in the terms. After a move that does not end the turn, at least
// board.MinTurnLimit remains; picking dice adds no time. After the deadline, as the terms say, the computer plays, the
// table waits, or the seat is out of the game. A person who has missed two turns in a row, or has left the chat, is
// away: the computer plays their turns at once until they return. While all people are away the table waits.

// maxMissed is how many turns in a row a person misses before they count as away.
const maxMissed = 2

// handleTimeout handles the deadlines of the table t at the time now, in Unix milliseconds. After the deadline of a
// turn it follows the terms. In the last third of a turn, or after the deadline of a lobby, it only redraws the board.
// If the platform is down or listed in unreachable, it extends the turn by grace. It does nothing while the board's
// place cannot be reached.
func (v *Visit) handleTimeout(t *store.Table, now int64, unreachable map[string]bool) error {
	if t.Clock.Due == 0 || t.Clock.Due > now && (t.Clock.Look == 0 || t.Clock.Look > now) || t.Board.Away {
		return nil
	}
	if t.State == store.Lobby || t.Clock.Due > now { // a lobby's board now shows that the opener is inactive
		return v.Redraw(t)
	}
	if unreachable[chat.PlatformOf(t.Place)] || !v.Condition(chat.Place(t.Place)).Link.Up {
		return v.extendTurn(t, grace)
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
		if !v.countMissed(t, g, seat) {
			continue
		}
		moves, err := v.MovesOf(*t)
		if err != nil {
			return err
		}
		t.Seats[seat].OutFrom = int64(len(moves)) + 1
	}
	if v.bot.VotesSuffice(*t) {
		return v.Abandon(t)
	}
	t.Board.Page = board.PageGame // closes the question whether to end the table, which was for the old turn
	return v.CarryOn(t, g, m)
}

// countMissed counts a missed turn of a seat. If the terms say so and other people still play, it returns true and puts
// the seat out of the game instead.
func (v *Visit) countMissed(t *store.Table, g games.Game, seat games.Seat) (out bool) {
	s := &t.Seats[seat]
	if t.Clock.Absent == store.IsOut && t.Stake > 0 && g.Shape(t.Rules).Staked() && board.CountPeople(*t) > 1 {
		s.Absence, s.Ends = store.Out, false
		v.withdrawSeat(s)
		return true
	}
	s.Absence = store.Late
	if s.Missed++; s.Missed >= maxMissed {
		s.Absence, s.Ends = store.Gone, false
	}
	return false
}

// endAbsence ends the absence of the person, who gets a whole turn limit if it is their turn. It refuses people who are
// out of the game or not absent.
func (v *Visit) endAbsence(t *store.Table, _ string) error {
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
		if err := v.restartTurn(t); err != nil {
			return err
		}
	}
	v.Toast("bot.away.back", nil)
	return v.CarryOn(t, g, m)
}

// leftChat removes player, who has left the chat chatID, from its tables: it gives up their seats there and withdraws
// their requests for seats that others offer. If they return during a match, the button "I'm back" still works.
func (v *Visit) leftChat(player, chatID string) error {
	if err := v.Withdraw(player, chatID); err != nil {
		return err
	}
	tables, err := v.Active(chatID)
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

// LeaveTable gives up the seat that player has at the table id. In a lobby the seat becomes free. In a match the player
// counts as away, and the computer plays with the same dice. Without a seat of player it only redraws the board.
func (v *Visit) LeaveTable(id int64, player string) error {
	t, err := v.Tx.Tables.Table(id)
	if err != nil {
		return err
	}
	v = v.bot.Visit(v.Visit) // a visit without the state of another table
	v.Names = v.bot.NamesAt(t, v.Lang)
	i := board.SeatOf(t, chat.User(player))
	switch {
	case i >= 0 && t.State == store.Lobby:
		return v.FreeSeat(&t, i)
	case i >= 0 && t.State == store.Playing:
		s := &t.Seats[i]
		v.withdrawSeat(s)
		if s.Ends = false; s.Absence != store.Out { // a seat that is out stays out
			s.Absence = store.Gone
		}
		if v.bot.VotesSuffice(t) {
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
