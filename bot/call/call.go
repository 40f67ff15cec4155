// Package call sends pings, messages that ask players to come to their table when it is their turn, and deletes them
// once the turn has passed. A ping is stored as a store.Call.
package call

import (
	"context"
	"fmt"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Calls schedules pings, and sends and deletes them in a loop. It implements table.Notifier.
type Calls struct {
	*table.Tables
	pings *pings
}

// New returns the Calls for the tables of t and sets them as the Notifier of t.
func New(t *table.Tables) *Calls {
	b := &Calls{t, &pings{Tasks: loop.NewTasks(t.Clock, callAgain)}}
	t.Notifier = b
	return b
}

// Feature returns the loop that sends pings, the setting "calls" and the command /notify.
func (b *Calls) Feature() bot.Feature {
	return bot.Feature{
		Loops: []bot.Loop{{Wake: b.pings.Waker, Waits: "read due calls failed", Look: b.runRound, Ends: b.pings.Wait}},
		Settings: []bot.Setting{{
			Name: "calls", Values: [][2]string{{notifyOn, "bot.notify.on"}, {notifyOff, "bot.notify.off"}},
		}},
		Commands: []bot.Command{{Name: "notify", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.notifyCommand),
			Options: []bot.Option{{
				Name: "calls", Type: chat.TypeChoice, About: games.Say("bot.option.calls", nil),
				Choices: []bot.Choice{{Value: notifyOn, Label: games.Say("bot.notify.on", nil)},
					{Value: notifyOff, Label: games.Say("bot.notify.off", nil)}},
			}}}},
	}
}

// The command /notify and the chat's setting "calls", which switch pings on and off.

// The values of the one option of /notify.
const (
	notifyOn  = "on"
	notifyOff = "off"
)

// notifyCommand shows whether the person gets pings, or switches pings on or off for the person in all chats. Switching
// off also cancels the person's ping in this chat or thread, or deletes its message.
func (b *Calls) notifyCommand(v *table.Visit, args bot.Args) error {
	choice := args.Text("calls")
	if choice == "" {
		return b.notifyPage(v)
	}
	v.Player.Uncalled = choice != notifyOn
	if err := v.Tx.Chats.SaveUncalled(v.Player); err != nil {
		return err
	}
	if choice == notifyOn {
		v.Receipt("bot.notify.turned-on", nil)
		return nil
	}
	v.Receipt("bot.notify.turned-off", nil)
	t, err := v.Here()
	if _, noTable := games.Refused(err); noTable {
		return nil
	}
	if err != nil {
		return err
	}
	c, exists, err := ifFound(v.Tx.Calls.CallAt(t.ID))
	if !exists || c.Seat >= len(t.Seats) || t.Seats[c.Seat].Player != string(v.Event.User) {
		return err
	}
	return b.cancelCall(v, c)
}

// notifyPage answers with whether the person gets pings, and buttons that switch pings on and off.
func (b *Calls) notifyPage(v *table.Visit) error {
	set, err := v.Settings(v.Chat.ID)
	if err != nil {
		return err
	}
	head := games.Say("bot.notify.is-on", nil)
	if v.Player.Uncalled {
		head = games.Say("bot.notify.is-off", nil)
	}
	m := v.Private(head, games.Say("bot.notify.how", games.Args{"Seconds": int(callAfter.Seconds())}))
	if v.Event.Guest {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.guest.notify", nil)))
	} else if !callsPeople(set) {
		m.Lines = append(m.Lines, v.Say(games.Say(v.OrEquals("bot.notify.not-here", "bot.notify.not-here-hosted",
			"bot.notify.not-here-equals"), nil)))
	}
	m.Buttons = [][]chat.Button{{
		v.Button(games.Say("bot.button.calls-on", nil), "/notify on", bot.Chosen(!v.Player.Uncalled)),
		v.Button(games.Say("bot.button.calls-off", nil), "/notify off", bot.Chosen(v.Player.Uncalled)),
	}}
	return nil
}

// callsPeople reports whether the settings of a chat allow pings.
func callsPeople(set bot.Settings) bool { return set["calls"] != notifyOff }

// The message that offers seats of a table to other people. It too is stored as a store.Call.

// offered is how long people can take an offered seat, and how long the message that offers it stays.
const offered = time.Minute

// Offers replaces the message that offers seats of t: it deletes the old message and, if seats are still offered,
// schedules a new one. The offers end after one minute, the constant offered.
func (b *Calls) Offers(v *table.Visit, t store.Table) error {
	c, exists, err := ifFound(v.Tx.Calls.OfferAt(t.ID))
	if exists {
		err = b.endCall(v, c)
	}
	if err != nil || !board.Offering(t) {
		return err
	}
	first := slices.IndexFunc(t.Seats, func(s store.Seat) bool { return s.Offered })
	c = store.Call{Table: t.ID, Seat: first, Since: t.Turn, Due: v.At, Until: v.At + offered.Milliseconds()}
	b.wakeFor(v, &c)
	return v.Tx.Calls.SaveCall(&c)
}

// offersPing returns the message that offers seats of t, ready to send; c is the message as stored.
func (b *Calls) offersPing(tx *store.Tx, c store.Call, t store.Table) (chat.Ping, error) {
	m, err := b.Boards.Offers(tx, t)
	return chat.Ping{Once: fmt.Sprintf("offer %d of table %d, until %d", c.ID, c.Table, c.Until),
		Board: chat.Ref(t.Board.Message), Offer: &m}, err
}

// endOffers withdraws all offers of seats at a table, unless a newer message still offers seats. c is the stored
// message about the offers, and row is its row.
func (b *Calls) endOffers(ctx context.Context, core *bot.Core, c store.Call, row store.Row) error {
	withdraw := func(v *table.Visit, id int64) error {
		newest, exists, err := ifFound(v.Tx.Calls.OfferAt(id))
		if !exists || newest.Until > v.At {
			return err
		}
		return v.EndOffers(id)
	}
	row.ID = c.Table
	return core.StepAt(ctx, store.OfTable, []store.Row{row}, "offers at table", bot.At(b.Visit, withdraw))
}
