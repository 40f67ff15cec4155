package table_test

import (
	"context"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
)

func TestTheSameEventTwiceDoesNothing(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ev := anna.Event()
	ev.Command, ev.Text = "coin", ""
	h.Bot.Handle(context.Background(), ev)
	if r := h.Bot.Handle(context.Background(), ev); r != (chat.Reply{}) {
		t.Errorf("the second time %+v", r)
	}
	join := ben.Event()
	join.Press = "1:1:0:!start"
	bare.Refused(t, h.Bot.Handle(context.Background(), join), "Sit down first: “Sit down” is on the board.")
	ben.Presses("Sit down")
	anna.Presses("Get up")
	h.Restart()
	// Ben could start now, but this press was answered long ago.
	if r := h.Bot.Handle(context.Background(), join); r != (chat.Reply{}) {
		t.Errorf("a refused press comes again: %+v", r)
	}
	if state := ben.Table().State; state != store.Lobby {
		t.Errorf("the table is %s", state)
	}
}
