package table_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
)

// A table whose place is gone is offered to those who sit there, and stands
// where they bring it, once.
func TestATableIsBroughtToAnotherPlace(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	var gone atomic.Bool
	s.Fail = func(what string, place chat.Place) error {
		switch {
		case gone.Load() && place == "test:1/1" && what == "edit":
			return chat.ErrGone
		case gone.Load() && place == "test:1/1":
			return chat.ErrAway
		}
		return nil
	}
	h.OnStage(s)
	anna, ben, dora := h.Person("Anna"), h.Person("Ben"), h.Person("Dora")
	anna.Writes("/coin 10")
	s.WantDone(t, "post test:m1")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	s.Until(t, "the board is drawn", func([]string) bool { x := h.TableAt("test:1/1"); return x.Drawn == x.Version })

	bare.Refused(t, dora.At("test:1/2").Writes("/table"), "There is no table here. /help shows how to open one.")
	led := ben.At("test:1/2").Writes("/table")
	if bare.Refused(t, led, "No table here. Table 1 is elsewhere: play it there."); led.At != "test:1/1" {
		t.Errorf("Ben is led to %q", led.At)
	}
	bare.Refused(t, ben.At("test:1/2").Writes("/bring 1"), "That table stands well where it is. Play it there.")

	gone.Store(true)
	r := ben.At("test:1/2").Writes("/table")
	if r.Private == nil || len(r.Private.Buttons) != 1 || !strings.Contains(r.Private.Head, "1 table of yours") {
		t.Fatalf("told %+v", r)
	}
	if line := r.Private.Lines[0]; line != "Table 1, Coin: Anna · Ben" {
		t.Errorf("offered %q", line)
	}
	bring := r.Private.Buttons[0][0].Press
	bare.Refused(t, dora.At("test:1/2").Sends(bring), "Only those who sit at that table can bring it. Ask them.")
	dora.At("test:1/3").Writes("/coin 1")
	bare.Refused(t, ben.At("test:1/3").Sends(bring), "There is a table here already: it has to end first.")
	other := ben.Event()
	other.Chat, other.Place, other.Press = "test:2", "test:2/1", bring
	if r := h.Bot.Handle(t.Context(), other); r.Toast != "That table is not here any more. /help opens another." {
		t.Errorf("from another chat: %+v", r)
	}
	if r := anna.At("test:1/2").Sends(bring); r.Toast != "The table stands here now." || r.Board != 1 || !r.Fresh {
		t.Errorf("brought: %+v", r)
	}
	s.Until(t, "its board", func([]string) bool {
		x := h.TableAt("test:1/2")
		return x.Board != "" && x.Drawn == x.Version
	})
	bare.Refused(t, ben.At("test:1/4").Sends(bring), "That table stands well where it is. Play it there.")
	if r := anna.At("test:1/2").Presses("Throw"); r.Refused {
		t.Errorf("the game does not go on: %q", r.Toast)
	}
	h.Sound()
}

// What is not there any more, or was closed, says so; numbers are no spells.
func TestBringingWhatIsNotThere(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	anna.Writes("/abandon")
	anna.Presses("Yes, end it")
	bare.Refused(t, anna.Writes("/bring 1"), "This table was closed. ↻ Rematch opens the next.")
	for _, odd := range []string{"", "0", "-1", "99", "one", "1e9", "9223372036854775808", "1; --"} {
		bare.Refused(t, anna.Writes("/bring "+odd), "That table is not here any more. /help opens another.")
	}
}

// A bot that was removed keeps its tables, and draws them when it is asked again.
func TestLostAndFound(t *testing.T) {
	for _, c := range []struct {
		name string
		lost chat.Place
		back func(p *bare.Person) chat.Reply
	}{
		{"a place, by a command", "test:1/1", func(p *bare.Person) chat.Reply { return p.Writes("/table") }},
		{"the chat, by a press", "", func(p *bare.Person) chat.Reply { return p.Sends("1:1:0:!join") }},
		{"the chat, by a press that is refused", "", func(p *bare.Person) chat.Reply { return p.Sends("1:1:9:throw") }},
		{"the chat, by a command that is refused", "", func(p *bare.Person) chat.Reply { return p.Writes("/luck") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, s := bare.New(t), bare.NewStage()
			h.OnStage(s)
			anna := h.Person("Anna")
			anna.Writes("/coin 10")
			s.WantDone(t, "post test:m1")
			h.Settled(s)
			if err := h.Bot.Lost(t.Context(), "test:1", c.lost); err != nil {
				t.Fatal(err)
			}
			if lost := h.TableAt("test:1/1"); !lost.Away {
				t.Error("the table is not away")
			}
			h.Person("Ben").At("test:1/2").Writes("/help") // elsewhere in the chat
			if lost := h.TableAt("test:1/1"); !lost.Away {
				t.Error("what happens elsewhere does not bring it back")
			}
			c.back(h.Person("Ben"))
			s.Until(t, "it is back", func([]string) bool { x := h.TableAt("test:1/1"); return !x.Away })
		})
	}
}

// thread is what a platform with threads adds to an event.
func thread(ev chat.Event, open func(name string) (chat.Place, error)) chat.Event {
	ev.Thread = func(_ context.Context, name string) (chat.Place, error) { return open(name) }
	return ev
}

func TestATableInAThreadOfItsOwn(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	h.OnStage(s)
	anna := h.Person("Anna")
	opened := 0
	asks := func(place chat.Place, err error, text string) chat.Reply {
		ev := anna.Event()
		ev.Command, ev.Text = "coin", text
		return h.Bot.Handle(t.Context(), thread(ev, func(name string) (chat.Place, error) {
			opened++
			if name != "Coin · Anna" {
				t.Errorf("the thread is called %q", name)
			}
			return place, err
		}))
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
	s.Until(t, "the board is in the thread", func(done []string) bool {
		return len(done) == 1 && strings.HasPrefix(done[0], "post ")
	})
	anna.Writes("/coin 1") // the place itself is free
	if table := h.TableAt("test:1/1"); table.Stake != 1 {
		t.Errorf("here stands %+v", table)
	}
	if r := asks("test:1/8", nil, "thread=true"); r.At != "test:1/8" {
		t.Errorf("beside a table that is here: %+v", r)
	}
	anna.At("test:1/9").Writes("/coin 2 thread=no")
	h.TableAt("test:1/9")

	missing := chat.MissingPermissions{Permissions: games.List{games.Say("bot.discord.open-threads", nil)},
		Where: games.Say("bot.discord.where", nil)}
	bare.Refused(t, asks("", fmt.Errorf("wrapped: %w", missing), "thread"),
		"I may not open a thread here. Missing: Create Public Threads. To grant it: Edit Channel → Permissions, or "+
			"Server Settings → Roles.")
	if r := asks("", errors.New("trouble"),
		"thread"); r.Toast != "Something broke on our side. Nothing changed; try again." {
		t.Errorf("told %+v", r)
	}
	ev := anna.Event()
	ev.Command, ev.Text, ev.NoThread = "coin", "thread", games.Say("bot.thread.topics", nil)
	bare.Refused(t, h.Bot.Handle(t.Context(), ev),
		"Open a topic and write the command there: topics are places of their own.")
}

// The same event again opens no second thread.
func TestAThreadIsOpenedOnce(t *testing.T) {
	h := bare.New(t)
	ev := h.Person("Anna").Event()
	ev.Command, ev.Text = "coin", "thread"
	opened := 0
	ev = thread(ev, func(string) (chat.Place, error) { opened++; return "test:1/7", nil })
	for range 2 {
		h.Bot.Handle(t.Context(), ev)
	}
	if opened != 1 {
		t.Errorf("%d threads", opened)
	}
}

// Who presses a button of a board that cannot follow reads what is missing.
func TestAPressOnABoardThatCannotFollow(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Locale = "de"
	anna.Writes("/coin 10")
	ev := ben.Event()
	ev.Press = "1:1:0:!join"
	ev.Missing = chat.MissingPermissions{Permissions: games.List{games.Say("bot.telegram.send", nil)},
		Where: games.Say("bot.telegram.where", nil)}
	want := "Du bist dabei. /luck WORT gibt dein Glück zu den Würfeln. Das Brett kann nicht folgen. Hier fehlt: " +
		"Nachrichten senden."
	if r := h.Bot.Handle(t.Context(), ev); r.Refused || r.Toast != want {
		t.Errorf("told %q", r.Toast)
	}
	ev = ben.Event()
	ev.Press, ev.Carries = "1:1:0:!leave", true // the answer draws the board
	if r := h.Bot.Handle(t.Context(), ev); strings.Contains(r.Toast, "fehlt") {
		t.Errorf("told %q", r.Toast)
	}
}
