package table_test

import (
	"context"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
)

// The platform is asked who is an admin whenever that changes something, outside
// transactions; only a no is believed, for a moment.
func TestWhoIsAnAdminIsAskedWhenItWeighs(t *testing.T) {
	h := bare.New(t)
	mod := h.Person("Mod")
	asked := 0
	asks := func(admin bool) chat.Reply {
		ev := mod.Event()
		ev.Command, ev.Text = "unit", "coffees"
		ev.Admin = func(ctx context.Context) bool {
			asked++
			if err := h.Store.UpdateOf(ctx, store.OfAll, func(*store.Tx) error { return nil }); err != nil {
				t.Errorf("asked inside a transaction: %v", err)
			}
			return admin
		}
		return h.Bot.Handle(context.Background(), ev)
	}
	const no = "Only admins of this chat can change that. Ask one of them."
	bare.Refused(t, asks(false), no)
	h.Wait(3*time.Second - time.Millisecond)
	bare.Refused(t, asks(true), no) // for a moment it is believed
	h.Wait(time.Millisecond)
	bare.Told(t, asks(true), "From now on you play for coffees here.")
	bare.Refused(t, asks(false), no) // who was dismissed changes nothing any more
	h.Wait(3 * time.Second)
	bare.Told(t, asks(true), "From now on you play for coffees here.")
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
}
