package table_test

import (
	"context"
	"errors"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

func TestATableInAThreadOfItsOwn(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	opened := 0
	asks := func(place chat.Place, err error, text string) chat.Reply {
		ev := anna.Event()
		ev.Command, ev.Text = "coin", text
		ev.Thread = func(_ context.Context, name string) (chat.Place, error) {
			opened++
			if name != "Coin · Anna" {
				t.Errorf("the thread is called %q", name)
			}
			return place, err
		}
		return h.Bot.Handle(t.Context(), ev)
	}
	bare.Refused(t, anna.Writes("/coin thread"), "No threads here: leave that out to open it right here.")
	if r := asks("", nil, "thread 10 nonsense"); !r.Refused || opened != 0 {
		t.Errorf("a thread for a table that cannot be: %+v", r)
	}
	if r := asks("test:1/7", nil, "thread 5"); r.Refused || r.At != "test:1/7" || r.Board != 0 ||
		r.Toast != "Your table stands in a thread of its own." {
		t.Errorf("told %+v", r)
	}
	if table := h.TableAt("test:1/7"); table.Stake != 5 || table.Chat != "test:1" || opened != 1 {
		t.Errorf("%d threads, the table is %+v", opened, table)
	}
	anna.Writes("/coin 1") // the place itself is free
	if table := h.TableAt("test:1/1"); table.Stake != 1 {
		t.Errorf("here stands %+v", table)
	}
	if r := asks("test:1/8", nil, "thread=true"); r.At != "test:1/8" {
		t.Errorf("beside a table that is here: %+v", r)
	}
	anna.At("test:1/9").Writes("/coin 2 thread=no")
	h.TableAt("test:1/9")

	if r := asks("", errors.New("trouble"),
		"thread"); r.Toast != "Something broke on our side. Nothing changed; try again." {
		t.Errorf("told %+v", r)
	}
}
