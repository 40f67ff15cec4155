package call

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// Scheduling of calls: the turns that get one, the time and the text.

// Delays of calls. In a fast round every call would be noise.
const (
	// callAfter is the time from the start of a turn to its call. People who watch the board move earlier.
	callAfter = 45 * time.Second
	// callAwake is how long after a move a person counts as watching: about three turns of others.
	callAwake = 2 * time.Minute
)

// Next adapts the call of t to the present turn of m. It schedules a call of the player whose turn it is, and cancels
// the call of an earlier turn or deletes its message. It must run after every change of turn.
func (b *Calls) Next(v *table.Visit, t store.Table, m games.Match) error {
	if t.State != store.Playing {
		return b.Cancel(v, t)
	}
	seat := seatToCall(t, m)
	c, err := v.Tx.Calls.CallAt(t.ID)
	none := errors.Is(err, store.ErrNotFound)
	switch {
	case none && seat == games.Nobody:
		return nil
	case none:
		return b.scheduleCall(v, t, seat, 0)
	case err != nil:
		return err
	case c.Seat == int(seat) && c.Due > 0 && !c.Again:
		return nil // already scheduled; the loop postpones it if necessary
	case c.Seat == int(seat):
		others, err := v.Tx.Calls.LastOfOthers(t.ID, c.Seat)
		if err != nil {
			return err
		}
		if others <= c.Since {
			return b.cancelCall(v, c)
		}
	}
	if seat != games.Nobody && !c.Sent {
		b.stopSending(v, c)
		return b.scheduleCall(v, t, seat, c.ID)
	}
	if err := b.endCall(v, c); err != nil || seat == games.Nobody {
		return err
	}
	return b.scheduleCall(v, t, seat, 0)
}

// ifFound returns value and true if err is nil, and false without an error if err is store.ErrNotFound.
func ifFound[T any](value T, err error) (T, bool, error) {
	if errors.Is(err, store.ErrNotFound) {
		return value, false, nil
	}
	return value, err == nil, err
}

// scheduleCall stores a call of seat for the present turn of t. unsent is the ID of an unsent call of an earlier turn,
// which it replaces, or 0. The call is due after callAfter, but not before callAwake has passed since the last move of
// the seat's player, so that in a fast game the next turn replaces it unsent.
func (b *Calls) scheduleCall(v *table.Visit, t store.Table, seat games.Seat, unsent int64) error {
	c := store.Call{ID: unsent, Table: t.ID, Seat: int(seat), Since: t.Turn,
		Due: v.At + limitWait(t, callAfter).Milliseconds()}
	b.wakeFor(v, &c)
	return v.Tx.Calls.AddCall(&c, limitWait(t, callAwake).Milliseconds())
}

// limitWait returns wait, or half of the table's turn limit if that is shorter.
func limitWait(t store.Table, wait time.Duration) time.Duration {
	if limit := board.TurnLimit(t); limit > 0 {
		return min(wait, limit/2)
	}
	return wait
}

// Cancel cancels the call of the present turn of t, or deletes its message. It is a no-op if there is no call.
func (b *Calls) Cancel(v *table.Visit, t store.Table) error {
	c, exists, err := ifFound(v.Tx.Calls.CallAt(t.ID))
	if !exists {
		return err
	}
	return b.endCall(v, c)
}

// Remind replaces the call of the player whose turn it is by one that is due now and adds that others wait. It is for
// turns that have exceeded their limit.
func (b *Calls) Remind(v *table.Visit, t store.Table, m games.Match) error {
	seat := seatToCall(t, m)
	if seat == games.Nobody {
		return nil
	}
	if err := b.Cancel(v, t); err != nil {
		return err
	}
	c := store.Call{Table: t.ID, Seat: int(seat), Since: t.Turn, Due: v.At, Again: true}
	b.wakeFor(v, &c)
	return v.Tx.Calls.SaveCall(&c)
}

// seatToCall returns the seat to call: the first one to move whose player is a person and not absent. It is
// games.Nobody if there is none, if the table has only one person, or while the computer computes its move.
func seatToCall(t store.Table, m games.Match) games.Seat {
	people := 0
	for _, s := range t.Seats {
		if s.House == "" {
			people++
		}
	}
	if people < 2 || t.Waits {
		return games.Nobody
	}
	for _, seat := range m.Turn() {
		if isPresent(t.Seats[seat]) {
			return seat
		}
	}
	return games.Nobody
}

// isPresent reports whether the seat belongs to a person who is not absent.
func isPresent(s store.Seat) bool { return s.House == "" && s.Absence == store.Present }

// wakeFor makes the loop handle c when it is due: here and, by a hint, on the replica that runs the chat's loops. This
// replica reads c.Due only after the commit, when it is final.
func (b *Calls) wakeFor(v *table.Visit, c *store.Call) {
	v.DueBy(c.Due)
	v.After(func(context.Context, *bot.Core) error {
		b.pings.await(c.Due)
		return nil
	})
}

// stopSending ends the task that sends c after the commit. If c was sent, it wakes the loop to delete the message.
func (b *Calls) stopSending(v *table.Visit, c store.Call) {
	if c.Sent {
		v.DueBy(v.At)
	}
	v.After(func(context.Context, *bot.Core) error {
		b.pings.Stop(c.ID)
		if c.Sent {
			b.pings.Waker.Wake()
		}
		return nil
	})
}

// Sooner makes the call at t due at most callAfter from now, when the loop checks it again. It is for changes, such as
// new quiet hours, that can make a call due earlier. It is a no-op if there is no call.
func (b *Calls) Sooner(v *table.Visit, t store.Table) error {
	c, exists, err := ifFound(v.Tx.Calls.CallAt(t.ID))
	soon := v.At + limitWait(t, callAfter).Milliseconds()
	if !exists || c.Due <= soon {
		return err
	}
	c.Due = soon
	b.wakeFor(v, &c)
	return v.Tx.Calls.SaveCall(&c)
}

// cancelCall ends a call that its player no longer needs, because they have moved or switched calls off. It cancels an
// unsent call, and has the message of a sent one deleted. The call stays stored until the turn ends, so that the same
// turn gets no second one.
func (b *Calls) cancelCall(v *table.Visit, c store.Call) error {
	if c.Over || c.Due == 0 && !c.Sent {
		return nil
	}
	b.stopSending(v, c)
	c.Due, c.Over = 0, c.Sent
	return v.Tx.Calls.SaveCall(&c)
}

// endCall ends a call whose turn or offers have ended: it deletes an unsent one, and marks a sent one for the loop.
func (b *Calls) endCall(v *table.Visit, c store.Call) error {
	b.stopSending(v, c)
	if !c.Sent {
		return v.Tx.Calls.DropCall(c.ID)
	}
	c.Due, c.Past, c.Over = 0, true, true
	return v.Tx.Calls.SaveCall(&c)
}

// checkedPing is a due call as checked by checkDue: ready to send, or with one of ends, at and never set.
type checkedPing struct {
	chat.Ping
	place chat.Place
	ends  bool  // the offered seats of this message have expired
	at    int64 // when to check the call again, in Unix milliseconds; 0: it has to be sent now
	never bool  // it is no longer needed
}

// checkDue checks whether the due call c is still needed. If it can be sent now, s holds its text.
func (b *Calls) checkDue(tx *store.Tx, c store.Call) (s checkedPing, err error) {
	t, err := tx.Tables.Table(c.Table)
	if err != nil {
		return s, err
	}
	s.place = chat.Place(t.Place)
	if c.Until > 0 { // a message about offered seats
		s.ends, s.never = !c.Past && c.Until <= b.Now(), c.Past || !board.Offering(t)
		if c.Sent || s.ends || s.never {
			s.at = c.Until
			return s, nil
		}
		s.Ping, err = b.offersPing(tx, c, t)
		return s, err
	}
	if c.Past || c.Sent || t.State != store.Playing || c.Seat >= len(t.Seats) || !isPresent(t.Seats[c.Seat]) {
		s.never = true
		return s, nil
	}
	set, err := bot.SettingsOf(tx, t.Chat)
	if s.never = !callsPeople(set); err != nil || s.never {
		return s, err
	}
	if s.at, err = b.nextCheck(tx, t, c, table.QuietOf(set, b.Bot)); err != nil || s.at > 0 {
		return s, err
	}
	player := store.Player{}
	s.Ping, player, err = b.pingOf(tx, t, c)
	s.never = player.Uncalled
	return s, err
}

// Delays of a call whose board is not drawn yet: boardFirst is the first one. Later ones grow, up to boardSoon for a
// late board and boardSeldom for a place that the bot cannot reach.
const (
	boardFirst  = 5 * time.Second
	boardSoon   = 30 * time.Second // the board is only late
	boardSeldom = 15 * time.Minute
)

// nextCheck returns when to check a call again that is too early, in Unix milliseconds; 0: send it now. A call waits
// for the end of the quiet hours, for its board to be drawn, and while the player counts as watching.
func (b *Calls) nextCheck(tx *store.Tx, t store.Table, c store.Call, quiet table.Quiet) (int64, error) {
	now := b.Now()
	if begins := quiet.After(time.UnixMilli(now), 0).UnixMilli(); begins > now {
		return begins, nil
	}
	if t.Board.Away || t.Board.Drawn < t.Version {
		most := boardSoon
		switch {
		case t.Board.Away:
			most = boardSeldom
		case c.Again: // the board exists and is being redrawn
			most = boardFirst
		}
		return now + min(max(boardFirst.Milliseconds(), (now-t.Changed)/4), most.Milliseconds()), nil
	}
	if c.Again {
		return 0, nil
	}
	moved, err := tx.Calls.LastMoveOf(t.ID, c.Seat)
	if err != nil {
		return 0, err
	}
	if t.Draft != "" {
		moved = max(moved, t.Changed) // picks count as moves
	}
	if awake := moved + limitWait(t, callAwake).Milliseconds(); moved > 0 && awake > now {
		return awake, nil
	}
	return 0, nil
}

// named stands for the called player's name in a sentence until the sentence is split there.
const named = "\ue000"

// pingOf returns the message of the call c, in the chat's language if one is set, else in that of player, who is
// called.
func (b *Calls) pingOf(tx *store.Tx, t store.Table, c store.Call) (p chat.Ping, player store.Player, err error) {
	if player, err = tx.Chats.Player(t.Seats[c.Seat].Player); err != nil {
		return p, player, err
	}
	group, err := tx.Chats.Chat(t.Chat)
	if err != nil {
		return p, player, err
	}
	g, err := b.Game(t.Game)
	if err != nil {
		return p, player, err
	}
	lang := b.SharedLanguage(group, player)
	key := "bot.call"
	if c.Again {
		key = "bot.remind"
	}
	game := b.TableLabel(g, t.Rules)
	texts := func(lang, name string) (said, off string) {
		said = b.Words.Say(lang, games.Say(key, games.Args{"Name": name, "Game": game}), words.Context{})
		off = b.Words.Say(lang, games.Say("bot.button.calls-off", nil), words.Context{})
		return said, chat.Shorten(off, chat.MaxButton)
	}
	said, off := texts(lang, named)
	p = chat.Ping{
		// IDs of calls are reused, even for the table's next turn, so the key names the turn as well.
		Once: fmt.Sprintf("call %d of table %d, turn %d, again %t", c.ID, c.Table, c.Since, c.Again),
		To:   chat.User(player.ID), Name: b.NamesAt(t, lang)[c.Seat], Board: chat.Ref(t.Board.Message),
		Off: chat.Button{
			Label: off, Press: chat.Press{Table: t.ID, What: "/notify off"}.String(), Style: games.Plain,
		},
	}
	name := p.Name
	p.In = func(lang string) (said, off string) { return texts(lang, name) }
	if before, after, hasName := strings.Cut(said, named); hasName {
		p.Before, p.After = before, after
	} else {
		p.After = " " + said
	}
	return p, player, nil
}
