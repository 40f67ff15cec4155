package table_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
)

func TestRematch(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Writes("/coin 2")
	ben.Presses("Sit down")
	clara.Presses("Sit down")
	anna.Presses("+ House")
	h.Agree(ben, clara)
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	ben.Presses("Throw")
	clara.Presses("Throw")
	rematch := anna.Button("↻ Rematch").Press
	bare.Refused(t, h.Person("Dora").Sends(rematch), "You have no seat at this table. Sit down at the next.")

	r := ben.Sends(rematch)
	if r.Board != 2 || !r.Fresh {
		t.Errorf("reply %+v", r)
	}
	if m := h.BoardOf(1); strings.Contains(bare.Show(m), "Rematch") {
		t.Errorf("the old board offers another rematch\n%s", bare.Show(m))
	}
	bare.Told(t, anna.Sends(rematch), "You are in again.") // the same table
	bare.Refused(t, anna.Sends(rematch), "You sit here already. “Get up” gives the seat back.")
	confirmed := 0
	for _, s := range anna.Table().Seats {
		if s.Confirmed {
			confirmed++
		}
	}
	if table := anna.Table(); table.ID != 2 || confirmed != 3 || table.Stake != 2 {
		t.Errorf("table %d for %d with %d of %d confirmed", table.ID, table.Stake, confirmed, len(table.Seats))
	}
	bare.Refused(t, clara.Presses("▶ Start"), "Ben decides that. In 5 minutes you may, too.")
	bare.Told(t, ben.Presses("▶ Start"), "")
	if table := ben.Table(); len(table.Seats) != 3 {
		t.Errorf("%d seats, Clara's should be free", len(table.Seats))
	}
	bare.Refused(t, clara.Sends(rematch), "The game has begun. Sit down when the next one opens.")
	h.Sound()
}

func TestEndBeforeTheEnd(t *testing.T) {
	h := bare.New(t)
	anna, ben, mod := h.Person("Anna"), h.Person("Ben"), h.Person("Mod")
	mod.Admin = true
	anna.Writes("/coin 10")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	h.Balance("player:test:Ben", -10)
	const who = "Ask Anna, an admin or those seated to end it."
	bare.Refused(t, h.Person("Dora").Writes("/abandon"), who)
	if r := mod.Writes("/abandon"); r.Board != 1 || !r.Fresh {
		t.Errorf("reply %+v", r)
	}
	bare.Want(t, anna.Board(), `
End this table?
Anna is to throw.
Anna
Ben
Ended now, everybody gets 10 chips back.
[Throw]
[Yes, end it][No, go on]`)
	stale := anna.Button("Yes, end it").Press
	bare.Refused(t, ben.Sends(stale), who) // it is no vote
	anna.Presses("Throw")                  // the question is gone, and she is one of two
	bare.Refused(t, anna.Sends(stale), "Ask an admin or those seated to end it.")

	// It waits for Ben: for that he cannot end it alone, however long.
	h.Wait(time.Hour)
	bare.Told(t, ben.Sends("1:1:1:!end"), "To end it: 1 of 2 votes.")
	bare.Told(t, ben.Presses("Play on"), "You would play on.")
	mod.Writes("/abandon")
	mod.Presses("No, go on")
	mod.Writes("/abandon")
	bare.Told(t, mod.Presses("Yes, end it"), "The table is closed, all stakes are back.")
	bare.Want(t, anna.Board(), `
The table was ended before its time. Everybody has their 10 chips again.
Anna 1 · +10 back
Ben +10 back
[↻ Rematch][Dice ✓]`)
	h.Balance("player:test:Anna", 0)
	h.Balance("player:test:Ben", 0)
	h.Balance("pool:1", 0)
	bare.Refused(t, anna.Writes("/abandon"), "This table was closed. ↻ Rematch opens the next.")
	bare.Refused(t, anna.Sends("1:1:1:throw"), "This table was closed. ↻ Rematch opens the next.")
	anna.Presses("↻ Rematch")
	if table := anna.Table(); table.ID != 2 || table.State != store.Lobby {
		t.Errorf("table %d is %s", table.ID, table.State)
	}
	h.Sound()
}

// Whoever has been kept waiting for an hour, or longer than a turn may take,
// ends the table alone.
func TestKeptWaiting(t *testing.T) {
	h := bare.New(t)
	for i, c := range []struct{ patience, waits time.Duration }{
		{10 * time.Minute, time.Hour}, {72 * time.Hour, 72 * time.Hour}, {0, 24 * time.Hour},
	} {
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Place = chat.Place(fmt.Sprint("test:1/", i))
		ben.Place = anna.Place
		anna.Writes("/coin 10")
		ben.Presses("Sit down")
		anna.Presses("▶ Start")
		h.Tamper(fmt.Sprintf(`UPDATE tables SET patience = %d, due = 0`, c.patience.Milliseconds()))
		h.Wait(c.waits - time.Minute)
		bare.Told(t, ben.Sends(fmt.Sprintf("1:%d:0:!end", i+1)), "To end it: 1 of 2 votes.")
		ben.Presses("Play on")
		h.Wait(time.Minute)
		ben.Writes("/abandon")
		ben.Presses("Yes, end it")
		if text := bare.Show(ben.Board()); !strings.Contains(text, "The table had waited too long for Anna.") {
			t.Errorf("the board says\n%s", text)
		}
		if table := ben.Table(); table.State != store.Abandoned {
			t.Errorf("after %s of a turn of %s, the table is %s", c.waits, c.patience, table.State)
		}
	}
	h.Sound()
}

// Whoever toggles dice, turns the board or takes back what they write keeps the
// others waiting all the same: only what the match has made of it counts.
func TestWhoeverOnlyTogglesKeepsTheOthersWaiting(t *testing.T) {
	bare.Beside(t)
	for what, busy := range map[string]func(anna *bare.Person){
		"picks": func(anna *bare.Person) { anna.Sends("1:1:1:!pick 0") },
		"turns": func(anna *bare.Person) {
			anna.Sends("1:1:1:!show write")
			anna.Sends("1:1:1:!show")
		},
		"keeps": func(anna *bare.Person) { anna.Sends("1:1:1:!keep") },
		"takes back": func(anna *bare.Person) {
			for _, press := range []string{"!pick 0", "write fives", "!undo"} {
				anna.Sends(fmt.Sprintf("1:1:%d:%s", anna.Table().Turn, press))
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			people := bare.PokerTable(t, "/wuerfelpoker point=1", "Anna", "Ben")
			anna, ben := people[0], people[1]
			anna.Presses("▶ Start")
			anna.Wait(10 * time.Minute) // before the first throw
			anna.Presses("Throw")
			anna.Tamper(`UPDATE tables SET due = 0`) // no clock is to be minded
			for range 6 {
				anna.Restart()
				bare.Told(t, ben.Sends(fmt.Sprintf("1:1:%d:!end", ben.Table().Turn)), "To end it: 1 of 2 votes.")
				ben.Presses("Play on")
				anna.Wait(10 * time.Minute)
				busy(anna)
			}
			ben.Writes("/abandon")
			ben.Presses("Yes, end it")
			if text := bare.Show(ben.Board()); !strings.Contains(text, "The table had waited too long for Anna.") {
				t.Errorf("the board says\n%s", text)
			}
			anna.Sound()
		})
	}
}

func TestOneTableInAPlace(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/coin")
	bare.LobbyHere(t, ben.Writes("/coin 99"), "Anna's table is open here.", "Sit down")
	if strings.Contains(bare.Show(ben.Board()), "Close table") {
		t.Error("Ben, who may not end it, is offered to")
	}
	anna.Writes("/coin")
	bare.Told(t, anna.Presses("Close table"), "")
	if m := anna.Board(); m.Said() != "Close this table?" {
		t.Errorf("the board asks %q", m.Said())
	}
	anna.Presses("Yes, end it")
	elsewhere := h.Person("Anna")
	elsewhere.Place = "test:1/2"
	elsewhere.Writes("/coin")
	if id := elsewhere.Table().ID; id != 2 {
		t.Errorf("table %d", id)
	}
	bare.Refused(t, ben.Sends("1:2:0:!join"), "That table is not here any more. /help opens another.")
	r := ben.Writes("/coin")
	if r.Board != 3 {
		t.Errorf("after the end of the first, table %d", r.Board)
	}
}

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

func TestOldButtonsWorkAfterARestart(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/coin")
	sit := anna.Button("Sit down").Press
	h.Restart()
	ben.Sends(sit)
	start := anna.Button("▶ Start").Press
	h.Restart()
	anna.Sends(start)
	throw := anna.Button("Throw").Press
	h.Restart()
	if r := anna.Sends(throw); r.Refused || r.Board != 1 {
		t.Errorf("reply %+v", r)
	}
	h.Restart()
	ben.Presses("Throw")
	if table := ben.Table(); table.State != store.Over {
		t.Errorf("the table is %s", table.State)
	}
	h.Sound()
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
