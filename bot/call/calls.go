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

// Which turns people are called to, when, and in which words.

// Which turns call their people. In a round that goes on within seconds a call at every turn would
// only be noise.
const (
	// callAfter is how long a turn must have lasted before its call: people who look at the board
	// see it without one.
	callAfter = 45 * time.Second
	// callAwake is how long a person counts as looking after a move: about as long as three other
	// turns take.
	callAwake = 2 * time.Minute
)

// callNext has the person who is to move called in time. Calls for past turns are not sent any
// more, and sent ones are deleted. It is part of every change of turn.
func (v *visit) callNext(t store.Table, m games.Match) error {
	if t.State != store.Playing {
		return v.cancelCalls(t)
	}
	seat := toCall(t, m)
	c, err := v.Tx.Calls.CallAt(t.ID)
	switch {
	case errors.Is(err, store.ErrNotFound) && seat == games.Nobody:
		return nil
	case errors.Is(err, store.ErrNotFound):
		return v.callTurn(t, seat)
	case err != nil:
		return err
	case c.Seat == int(seat) && c.Due > 0 && !c.Again:
		return nil // it looks by itself whether it has to be put off
	case c.Seat == int(seat):
		others, err := v.Tx.Calls.LastOfOthers(t.ID, c.Seat)
		if err != nil {
			return err
		}
		if others <= c.Since {
			return v.answered(c)
		}
	}
	if err := v.callPast(c); err != nil || seat == games.Nobody {
		return err
	}
	return v.callTurn(t, seat)
}

// callTurn has the person called whose turn it is, unless they come by themselves: no sooner than they count as
// looking, so that in a game that goes on nobody has to look at the call before it is dropped.
func (v *visit) callTurn(t store.Table, seat games.Seat) error {
	c := store.Call{Table: t.ID, Seat: int(seat), Since: t.Turn, Due: v.At + inTime(t, callAfter).Milliseconds()}
	v.callsBy(&c)
	return v.Tx.Calls.AddCall(&c, inTime(t, callAwake).Milliseconds())
}

// inTime returns how long a call waits at a table: if turns are short, half of the limit is left
// for the called person.
func inTime(t store.Table, wait time.Duration) time.Duration {
	if limit := board.TurnLimit(t); limit > 0 {
		return min(wait, limit/2)
	}
	return wait
}

// cancelCalls takes back all calls to a table.
func (v *visit) cancelCalls(t store.Table) error {
	c, err := v.Tx.Calls.CallAt(t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return v.callPast(c)
}

// remind calls the person who is to move once more, and says that others wait: for a turn that has
// exceeded its limit.
func (v *visit) remind(t store.Table, m games.Match) error {
	seat := toCall(t, m)
	if seat == games.Nobody {
		return nil
	}
	if err := v.cancelCalls(t); err != nil {
		return err
	}
	return v.callIn(t, seat, 0, true)
}

// toCall returns the seat whose person is to be called, Nobody if there is none: because the house
// plays, or no other person waits.
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

// callIn has a person called after a time.
func (v *visit) callIn(t store.Table, seat games.Seat, after time.Duration, again bool) error {
	c := store.Call{Table: t.ID, Seat: int(seat), Since: t.Turn, Due: v.At + after.Milliseconds(), Again: again}
	v.callsBy(&c)
	return v.Tx.Calls.SaveCall(&c)
}

// callsBy has the loop look in time for a call, by when it is due once the transaction has ended.
func (v *visit) callsBy(c *store.Call) {
	v.DueBy(c.Due)
	v.After(func(context.Context, *bot.Core) error {
		v.bot.pings.await(c.Due)
		return nil
	})
}

// stop has a call waited for no longer that is not to be sent any more, and is to be taken away if it was.
func (v *visit) stop(c store.Call) {
	if c.Sent {
		v.DueBy(v.At)
	}
	v.After(func(context.Context, *bot.Core) error {
		v.bot.pings.Stop([]int64{c.ID})
		if c.Sent {
			v.bot.pings.Waker.Wake()
		}
		return nil
	})
}

// callSooner has a call looked at soon that waits for long: what it waits for is
// another moment by now, or past.
func (v *visit) callSooner(t store.Table) error {
	c, err := v.Tx.Calls.CallAt(t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	soon := v.At + inTime(t, callAfter).Milliseconds()
	if err != nil || c.Due <= soon {
		return err
	}
	c.Due = soon
	v.callsBy(&c)
	return v.Tx.Calls.SaveCall(&c)
}

// answered deletes a call to which the person has come. It stays stored until the turn ends, so
// that no person is called twice.
func (v *visit) answered(c store.Call) error {
	if c.Over || c.Due == 0 && !c.Sent {
		return nil
	}
	v.stop(c)
	c.Due, c.Over = 0, c.Sent
	return v.Tx.Calls.SaveCall(&c)
}

// cancelCall deletes the call of a person who does not want to be called.
func (v *visit) cancelCall(t store.Table) error {
	c, err := v.Tx.Calls.CallAt(t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil || c.Seat >= len(t.Seats) || t.Seats[c.Seat].Player != string(v.Event.User) {
		return err
	}
	return v.answered(c)
}

// callPast takes a call back whose turn has passed.
func (v *visit) callPast(c store.Call) error {
	v.stop(c)
	if !c.Sent {
		return v.Tx.Calls.DropCall(c.ID)
	}
	c.Due, c.Past, c.Over = 0, true, true
	return v.Tx.Calls.SaveCall(&c)
}

// duePing is a call as it is to be said, or why it is not.
type duePing struct {
	chat.Ping
	place chat.Place
	ends  bool  // it shows offers, whose time is over
	at    int64 // when to look again, in Unix milliseconds, 0: now is the time
	never bool  // nobody is to be called any more for this turn
}

// duePing looks whether a call that is due is still to be sent, and puts it into
// words.
func (b *Calls) duePing(tx *store.Tx, c store.Call) (s duePing, err error) {
	t, err := tx.Tables.Table(c.Table)
	if err != nil {
		return s, err
	}
	s.place = chat.Place(t.Place)
	if c.Until > 0 {
		return b.dueOffer(tx, c, t)
	}
	if c.Past || c.Sent || t.State != store.Playing || c.Seat >= len(t.Seats) || !present(t.Seats[c.Seat]) {
		s.never = true
		return s, nil
	}
	who, err := tx.Chats.Player(t.Seats[c.Seat].Player)
	if err != nil {
		return s, err
	}
	chat, err := tx.Chats.Chat(t.Chat)
	if err != nil {
		return s, err
	}
	set, err := bot.SettingsOf(tx, t.Chat)
	if err != nil {
		return s, err
	}
	if s.never = who.Uncalled || !callsPeople(set); s.never {
		return s, nil
	}
	if s.at, err = b.callLater(tx, t, c, table.QuietOf(set, b.Bot)); err != nil || s.at > 0 {
		return s, err
	}
	return b.calling(t, c, chat, who)
}

// boardFirst is how long a call waits for the board that it calls to. Where
// that does not come, as from a place that cannot be reached, it is looked for
// ever more seldom, down to once in boardSeldom.
const (
	boardFirst  = 5 * time.Second
	boardSoon   = 30 * time.Second // where it only lags behind
	boardSeldom = 15 * time.Minute
)

// callLater returns when to look again at a call that is too early, 0 if it is due. No calls are
// sent in the quiet hours of a chat.
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
		case c.Again: // the board was there, and says since a moment ago that others wait
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
		moved = max(moved, t.Changed) // they pick
	}
	if awake := moved + inTime(t, callAwake).Milliseconds(); moved > 0 && awake > now {
		return awake, nil
	}
	return 0, nil
}

// named is the placeholder for the called person's name in a sentence.
const named = "\ue000"

// calling puts a call into words: those of the chat, else of the person.
func (b *Calls) calling(t store.Table, c store.Call, group store.Chat, who store.Player) (s duePing, err error) {
	g, err := b.Game(t.Game)
	if err != nil {
		return s, err
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
	s.place = chat.Place(t.Place)
	s.Ping = chat.Ping{
		// A number can come again once a call was dropped: its turn does not.
		Once: fmt.Sprintf("call %d of table %d, turn %d, again %t", c.ID, c.Table, c.Since, c.Again),
		To:   chat.User(who.ID), Name: b.NamesAt(t, lang)[c.Seat], Board: chat.Ref(t.Board.Message),
		Off: chat.Button{
			Label: off, Press: chat.Press{Table: t.ID, What: "/notify off"}.String(), Style: games.Plain,
		},
	}
	name := s.Name
	s.In = func(lang string) (said, off string) { return in(lang, name) }
	if before, after, told := strings.Cut(said, named); told {
		s.Before, s.After = before, after
	} else {
		s.After = " " + said
	}
	return s, nil
}
