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

// The turns for which people are called, when, and in which words.

// Delays of calls: during a fast round they would only be noise.
const (
	// callAfter is how long a turn lasts before its call: people who watch the board need none.
	callAfter = 45 * time.Second
	// callAwake is how long a person counts as watching after a move: about three other turns.
	callAwake = 2 * time.Minute
)

// Next schedules the call of the mover, cancels calls for past turns and deletes sent ones. It is part of every
// change of turn.
func (b *Calls) Next(v *table.Visit, t store.Table, m games.Match) error {
	if t.State != store.Playing {
		return b.Cancel(v, t)
	}
	seat := toCall(t, m)
	c, err := v.Tx.Calls.CallAt(t.ID)
	none := errors.Is(err, store.ErrNotFound)
	switch {
	case none && seat == games.Nobody:
		return nil
	case none:
		return b.callTurn(v, t, seat, 0)
	case err != nil:
		return err
	case c.Seat == int(seat) && c.Due > 0 && !c.Again:
		return nil // the loop postpones it if necessary
	case c.Seat == int(seat):
		others, err := v.Tx.Calls.LastOfOthers(t.ID, c.Seat)
		if err != nil {
			return err
		}
		if others <= c.Since {
			return b.answered(v, c)
		}
	}
	if seat != games.Nobody && !c.Sent {
		b.stop(v, c)
		return b.callTurn(v, t, seat, c.ID)
	}
	if err := b.callPast(v, c); err != nil || seat == games.Nobody {
		return err
	}
	return b.callTurn(v, t, seat, 0)
}

// found returns what a look-up has found, and false if there is none.
func found[T any](what T, err error) (T, bool, error) {
	if errors.Is(err, store.ErrNotFound) {
		return what, false, nil
	}
	return what, err == nil, err
}

// callTurn schedules a call for a turn. unsent is the ID of the call that it replaces; 0: it is a new one. It is due no
// sooner than the person stops counting as watching: in a fast game the next turn replaces it before the loop reads it.
func (b *Calls) callTurn(v *table.Visit, t store.Table, seat games.Seat, unsent int64) error {
	c := store.Call{ID: unsent, Table: t.ID, Seat: int(seat), Since: t.Turn,
		Due: v.At + inTime(t, callAfter).Milliseconds()}
	b.callsBy(v, &c)
	return v.Tx.Calls.AddCall(&c, inTime(t, callAwake).Milliseconds())
}

// inTime returns the delay of a call, at most half of the turn's limit.
func inTime(t store.Table, wait time.Duration) time.Duration {
	if limit := board.TurnLimit(t); limit > 0 {
		return min(wait, limit/2)
	}
	return wait
}

// Cancel cancels all calls of a table.
func (b *Calls) Cancel(v *table.Visit, t store.Table) error {
	c, there, err := found(v.Tx.Calls.CallAt(t.ID))
	if !there {
		return err
	}
	return b.callPast(v, c)
}

// Remind calls the mover again, with the news that others wait, after a turn has exceeded its limit.
func (b *Calls) Remind(v *table.Visit, t store.Table, m games.Match) error {
	seat := toCall(t, m)
	if seat == games.Nobody {
		return nil
	}
	if err := b.Cancel(v, t); err != nil {
		return err
	}
	c := store.Call{Table: t.ID, Seat: int(seat), Since: t.Turn, Due: v.At, Again: true}
	b.callsBy(v, &c)
	return v.Tx.Calls.SaveCall(&c)
}

// toCall returns the seat to call, or Nobody if the computer plays or no other person waits.
func toCall(t store.Table, m games.Match) games.Seat {
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
		if present(t.Seats[seat]) {
			return seat
		}
	}
	return games.Nobody
}

// present reports whether a seat has a person who plays for themselves.
func present(s store.Seat) bool { return s.House == "" && s.Absence == store.Present }

// callsBy wakes the loop for a call, whose due time is read after the commit.
func (b *Calls) callsBy(v *table.Visit, c *store.Call) {
	v.DueBy(c.Due)
	v.After(func(context.Context, *bot.Core) error {
		b.pings.await(c.Due)
		return nil
	})
}

// stop cancels a call, or has it deleted if it was sent.
func (b *Calls) stop(v *table.Visit, c store.Call) {
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

// Sooner has the loop read a long-waiting call soon, because its due time may have changed.
func (b *Calls) Sooner(v *table.Visit, t store.Table) error {
	c, there, err := found(v.Tx.Calls.CallAt(t.ID))
	soon := v.At + inTime(t, callAfter).Milliseconds()
	if !there || c.Due <= soon {
		return err
	}
	c.Due = soon
	b.callsBy(v, &c)
	return v.Tx.Calls.SaveCall(&c)
}

// answered deletes the message of a call to which the person has come. The call stays stored until the turn ends, so
// that no person is called twice.
func (b *Calls) answered(v *table.Visit, c store.Call) error {
	if c.Over || c.Due == 0 && !c.Sent {
		return nil
	}
	b.stop(v, c)
	c.Due, c.Over = 0, c.Sent
	return v.Tx.Calls.SaveCall(&c)
}

// callPast cancels a call for a past turn.
func (b *Calls) callPast(v *table.Visit, c store.Call) error {
	b.stop(v, c)
	if !c.Sent {
		return v.Tx.Calls.DropCall(c.ID)
	}
	c.Due, c.Past, c.Over = 0, true, true
	return v.Tx.Calls.SaveCall(&c)
}

// duePing is a call ready to send, or the reason why not.
type duePing struct {
	chat.Ping
	place chat.Place
	ends  bool  // a message about offers that have expired
	at    int64 // when to look again, in Unix milliseconds; 0: now
	never bool  // no call is needed for this turn
}

// duePing checks whether a due call is still needed, and words it.
func (b *Calls) duePing(tx *store.Tx, c store.Call) (s duePing, err error) {
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
		s.Ping, err = b.offering(tx, c, t)
		return s, err
	}
	if c.Past || c.Sent || t.State != store.Playing || c.Seat >= len(t.Seats) || !present(t.Seats[c.Seat]) {
		s.never = true
		return s, nil
	}
	set, err := bot.SettingsOf(tx, t.Chat)
	if s.never = !callsPeople(set); err != nil || s.never {
		return s, err
	}
	if s.at, err = b.callLater(tx, t, c, table.QuietOf(set, b.Bot)); err != nil || s.at > 0 {
		return s, err
	}
	who := store.Player{}
	s.Ping, who, err = b.calling(tx, t, c)
	s.never = who.Uncalled
	return s, err
}

// boardFirst is how long a call waits for its board. If the board does not come, the loop looks again ever less often,
// down to every boardSeldom.
const (
	boardFirst  = 5 * time.Second
	boardSoon   = 30 * time.Second // the board is only late
	boardSeldom = 15 * time.Minute
)

// callLater returns when to look again at a call that is too early, or 0 if it is due. No calls are sent in the quiet
// hours of a chat.
func (b *Calls) callLater(tx *store.Tx, t store.Table, c store.Call, hours table.Quiet) (int64, error) {
	now := b.Now()
	if begins := hours.After(time.UnixMilli(now), 0).UnixMilli(); begins > now {
		return begins, nil
	}
	if t.Board.Away || t.Board.Drawn < t.Version {
		most := boardSoon
		switch {
		case t.Board.Away:
			most = boardSeldom
		case c.Again: // the board was there, and has just been redrawn
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
	if awake := moved + inTime(t, callAwake).Milliseconds(); moved > 0 && awake > now {
		return awake, nil
	}
	return 0, nil
}

// named is the placeholder for the called person's name in a sentence.
const named = "\ue000"

// calling words a call to a person in the chat's language, or else the person's.
func (b *Calls) calling(tx *store.Tx, t store.Table, c store.Call) (p chat.Ping, who store.Player, err error) {
	if who, err = tx.Chats.Player(t.Seats[c.Seat].Player); err != nil {
		return p, who, err
	}
	group, err := tx.Chats.Chat(t.Chat)
	if err != nil {
		return p, who, err
	}
	g, err := b.Game(t.Game)
	if err != nil {
		return p, who, err
	}
	lang := b.SharedLanguage(group, who)
	key := "bot.call"
	if c.Again {
		key = "bot.remind"
	}
	game := b.TableLabel(g, t.Rules)
	in := func(lang, name string) (said, off string) {
		said = b.Words.Say(lang, games.Say(key, games.Args{"Name": name, "Game": game}), words.Context{})
		off = b.Words.Say(lang, games.Say("bot.button.calls-off", nil), words.Context{})
		return said, chat.Shorten(off, chat.MaxButton)
	}
	said, off := in(lang, named)
	p = chat.Ping{
		// The number of a call is used again, also for the table's next turn, but not with the same turn.
		Once: fmt.Sprintf("call %d of table %d, turn %d, again %t", c.ID, c.Table, c.Since, c.Again),
		To:   chat.User(who.ID), Name: b.NamesAt(t, lang)[c.Seat], Board: chat.Ref(t.Board.Message),
		Off: chat.Button{
			Label: off, Press: chat.Press{Table: t.ID, What: "/notify off"}.String(), Style: games.Plain,
		},
	}
	name := p.Name
	p.In = func(lang string) (said, off string) { return in(lang, name) }
	if before, after, told := strings.Cut(said, named); told {
		p.Before, p.After = before, after
	} else {
		p.After = " " + said
	}
	return p, who, nil
}
