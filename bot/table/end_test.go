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

func TestWhichBoardAReplyIsAbout(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/coin")
	if r := anna.Writes("/language en"); r.Board != 0 {
		t.Errorf("a command that shows no board: %+v", r)
	}
	if r := anna.Sends("1:1:0:/language de"); r.Board != 0 {
		t.Errorf("a button of a private answer: %+v", r)
	}
	if r := anna.Sends("1:1:0:!stake more"); r.Board != 1 || r.Fresh {
		t.Errorf("a button of the board: %+v", r)
	}
}
