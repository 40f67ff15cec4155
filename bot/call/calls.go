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

// Scheduling of pings: the turns that get one, the time and the text.

// Delays of pings. In a fast game, pings of every turn would be noise.
const (
	// callAfter is the time from the start of a turn until its ping. People who watch the board move earlier.
	callAfter = 45 * time.Second
	// callAwake is how long after their move a person counts as watching: about three turns of other people.
	callAwake = 2 * time.Minute
)

// Next must be called after every change of turn. It schedules a ping of the player whose turn it is in m, the match of
// t. It cancels the ping of an earlier turn, or deletes its message if it was sent.
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

// ifFound returns value, whether a query has found it, and the query's error err. store.ErrNotFound counts as no error.
func ifFound[T any](value T, err error) (T, bool, error) {
	if errors.Is(err, store.ErrNotFound) {
		return value, false, nil
	}
	return value, err == nil, err
}

// scheduleCall stores a ping of the player at seat for the present turn of t. It replaces the unsent ping with the ID
// unsent, of an earlier turn; 0: none. The ping is due after callAfter, but no sooner than callAwake after the player's
// own last move. So in a fast game each turn replaces the ping of the turn before, and none is sent.
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

// Cancel cancels the ping of the present turn of t, or deletes its message if sent. Without a ping it does nothing.
func (b *Calls) Cancel(v *table.Visit, t store.Table) error {
	c, exists, err := ifFound(v.Tx.Calls.CallAt(t.ID))
	if !exists {
		return err
	}
	return b.endCall(v, c)
}

// Remind replaces the ping of the player whose turn it is by one that is sent now and says that others wait. It is for
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

// seatToCall returns the seat to ping: the first whose turn it is and whose player is a person who is not absent. It is
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

// wakeFor makes the loop handle the ping c when it is due, in this process and on the replica (bot process) that runs
// the loops of the chat. c.Due may change until the commit.
func (b *Calls) wakeFor(v *table.Visit, c *store.Call) {
	v.DueBy(c.Due)
	v.After(func(context.Context, *bot.Core) error {
		b.pings.await(c.Due)
		return nil
	})
}

// stopSending stops, after the commit, the task that sends the ping c. If c was sent, the loop deletes its message.
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

// Sooner makes the loop check the ping at t within callAfter from now. It is for changes, such as of quiet hours, after
// which the ping may have to be sent earlier. Without a ping it does nothing.
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

// cancelCall ends a ping that its player does not need, since they have moved or switched pings off. It cancels an
// unsent ping and has the message of a sent one deleted. The ping stays stored until the turn ends, so that the turn
// gets no second one.
func (b *Calls) cancelCall(v *table.Visit, c store.Call) error {
	if c.Over || c.Due == 0 && !c.Sent {
		return nil
	}
	b.stopSending(v, c)
	c.Due, c.Over = 0, c.Sent
	return v.Tx.Calls.SaveCall(&c)
}

// endCall ends a ping or offer message that is over: it drops an unsent one, and the loop deletes a sent one.
func (b *Calls) endCall(v *table.Visit, c store.Call) error {
	b.stopSending(v, c)
	if !c.Sent {
		return v.Tx.Calls.DropCall(c.ID)
	}
	c.Due, c.Past, c.Over = 0, true, true
	return v.Tx.Calls.SaveCall(&c)
}

// checkedPing is what checkDue found about a stored ping: ready to send, or at least one of ends, at and never is set.
type checkedPing struct {
	chat.Ping
	place chat.Place
	ends  bool  // the offered seats of this message have expired
	at    int64 // when to check the call again, in Unix milliseconds; 0: it has to be sent now
	never bool  // it is no longer needed
}

// checkDue checks whether the due ping c is still needed. If it can be sent now, s holds the message to send.
func (b *Calls) checkDue(tx *store.Tx, c store.Call) (s checkedPing, err error) {
	t, err := tx.Tables.Table(c.Table)
	if err != nil {
		return s, err
	}
	s.place = chat.Place(t.Place)
	// A guest cannot post messages.
	guest := t.Board.Expires > 0 || b.Traits(s.place).Guest
	if c.Until > 0 { // a message about offered seats
		s.ends, s.never = !c.Past && c.Until <= b.Now(), c.Past || guest || !board.Offering(t)
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
	if s.never = !callsPeople(set) || guest; err != nil || s.never {
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

// Delays of a ping whose board is not drawn yet. The first is boardFirst; later ones grow up to boardSoon, or up to
// boardSeldom if the bot cannot reach the chat or thread.
const (
	boardFirst  = 5 * time.Second
	boardSoon   = 30 * time.Second // the board is late, but the chat can be reached
	boardSeldom = 15 * time.Minute
)

// nextCheck returns when to check again whether to send the ping c, in Unix milliseconds; 0: send it now. A ping waits
// for the end of the quiet hours, for its board to be drawn, and while its player counts as watching.
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

// Muted reports whether no one in a chat may be called now: it has quiet hours, or its pings are switched off.
func (b *Calls) Muted(ctx context.Context, id chat.Chat) (muted bool, err error) {
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		set, err := bot.SettingsOf(tx, string(id))
		now := time.UnixMilli(b.Now())
		muted = !callsPeople(set) || table.QuietOf(set, b.Bot).After(now, 0).After(now)
		return err
	})
	return muted, err
}

// named takes the place of the player's name in the sentence of a ping, until the sentence is split there.
const named = "\ue000"

// pingOf returns the message of the ping c, in the chat's language if it has one, else in the language of player,
// its recipient.
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
	others, err := tx.Calls.LastOfOthers(t.ID, c.Seat)
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
		// IDs of pings are reused, even for the table's next turn, so the key names the turn as well.
		Once: fmt.Sprintf("call %d of table %d, turn %d, again %t", c.ID, c.Table, c.Since, c.Again),
		Turn: fmt.Sprintf("table %d, seat %d, after %d", t.ID, c.Seat, others), Lasts: board.TurnLimit(t),
		To: chat.User(player.ID), Name: b.NamesAt(t, lang)[c.Seat], Board: chat.Ref(t.Board.Message),
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
