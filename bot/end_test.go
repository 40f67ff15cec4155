package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

func TestRematch(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.writes("/coin 2")
	ben.presses("Sit down")
	clara.presses("Sit down")
	anna.presses("+ House")
	h.agree(ben, clara)
	anna.presses("▶ Start")
	anna.presses("Throw")
	ben.presses("Throw")
	clara.presses("Throw")
	rematch := anna.button("↻ Rematch").Press
	refused(t, h.person("Dora").sends(rematch), "You have no seat at this table. Sit down at the next.")

	r := ben.sends(rematch)
	if r.Board != 2 || !r.Fresh {
		t.Errorf("reply %+v", r)
	}
	if m := h.boardOf(1); strings.Contains(show(m), "Rematch") {
		t.Errorf("the old board offers another rematch\n%s", show(m))
	}
	told(t, anna.sends(rematch), "You are in again.") // the same table
	refused(t, anna.sends(rematch), "You sit here already. “Get up” gives the seat back.")
	confirmed := 0
	for _, s := range anna.table().Seats {
		if s.Confirmed {
			confirmed++
		}
	}
	if table := anna.table(); table.ID != 2 || confirmed != 3 || table.Stake != 2 {
		t.Errorf("table %d for %d with %d of %d confirmed", table.ID, table.Stake, confirmed, len(table.Seats))
	}
	refused(t, clara.presses("▶ Start"), "Ben decides that. In 5 minutes you may, too.")
	told(t, ben.presses("▶ Start"), "")
	if table := ben.table(); len(table.Seats) != 3 {
		t.Errorf("%d seats, Clara's should be free", len(table.Seats))
	}
	refused(t, clara.sends(rematch), "The game has begun. Sit down when the next one opens.")
	h.sound()
}

func TestEndBeforeTheEnd(t *testing.T) {
	h := newHouse(t)
	anna, ben, mod := h.person("Anna"), h.person("Ben"), h.person("Mod")
	mod.admin = true
	anna.writes("/coin 10")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	h.balance("player:test:Ben", -10)
	const who = "Ask Anna, an admin or those seated to end it."
	refused(t, h.person("Dora").writes("/abandon"), who)
	if r := mod.writes("/abandon"); r.Board != 1 || !r.Fresh {
		t.Errorf("reply %+v", r)
	}
	want(t, anna.board(), `
End this table?
Anna is to throw.
Anna
Ben
Ended now, everybody gets 10 chips back.
[Throw]
[Yes, end it][No, go on]`)
	stale := anna.button("Yes, end it").Press
	refused(t, ben.sends(stale), who) // it is no vote
	anna.presses("Throw")             // the question is gone, and she is one of two
	refused(t, anna.sends(stale), "Ask an admin or those seated to end it.")

	// It waits for Ben: for that he cannot end it alone, however long.
	h.wait(time.Hour)
	told(t, ben.sends("1:1:1:!end"), "To end it: 1 of 2 votes.")
	told(t, ben.presses("Play on"), "You would play on.")
	mod.writes("/abandon")
	mod.presses("No, go on")
	mod.writes("/abandon")
	told(t, mod.presses("Yes, end it"), "The table is closed, all stakes are back.")
	want(t, anna.board(), `
The table was ended before its time. Everybody has their 10 chips again.
Anna 1 · +10 back
Ben +10 back
[↻ Rematch][Dice ✓]`)
	h.balance("player:test:Anna", 0)
	h.balance("player:test:Ben", 0)
	h.balance("pool:1", 0)
	refused(t, anna.writes("/abandon"), "This table was closed. ↻ Rematch opens the next.")
	refused(t, anna.sends("1:1:1:throw"), "This table was closed. ↻ Rematch opens the next.")
	anna.presses("↻ Rematch")
	if table := anna.table(); table.ID != 2 || table.State != store.Lobby {
		t.Errorf("table %d is %s", table.ID, table.State)
	}
	h.sound()
}

// Whoever has been kept waiting for an hour, or longer than a turn may take,
// ends the table alone.
func TestKeptWaiting(t *testing.T) {
	h := newHouse(t)
	for i, c := range []struct{ patience, waits time.Duration }{
		{10 * time.Minute, time.Hour}, {72 * time.Hour, 72 * time.Hour}, {0, 24 * time.Hour},
	} {
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.place = chat.Place(fmt.Sprint("test:1/", i))
		ben.place = anna.place
		anna.writes("/coin 10")
		ben.presses("Sit down")
		anna.presses("▶ Start")
		h.tamper(fmt.Sprintf(`UPDATE tables SET patience = %d, due = 0`, c.patience.Milliseconds()))
		h.wait(c.waits - time.Minute)
		told(t, ben.sends(fmt.Sprintf("1:%d:0:!end", i+1)), "To end it: 1 of 2 votes.")
		ben.presses("Play on")
		h.wait(time.Minute)
		ben.writes("/abandon")
		ben.presses("Yes, end it")
		if text := show(ben.board()); !strings.Contains(text, "The table had waited too long for Anna.") {
			t.Errorf("the board says\n%s", text)
		}
		if table := ben.table(); table.State != store.Abandoned {
			t.Errorf("after %s of a turn of %s, the table is %s", c.waits, c.patience, table.State)
		}
	}
	h.sound()
}

// Whoever toggles dice, turns the board or takes back what they write keeps the
// others waiting all the same: only what the match has made of it counts.
func TestWhoeverOnlyTogglesKeepsTheOthersWaiting(t *testing.T) {
	beside(t)
	for what, busy := range map[string]func(anna *person){
		"picks": func(anna *person) { anna.sends("1:1:1:!pick 0") },
		"turns": func(anna *person) {
			anna.sends("1:1:1:!show write")
			anna.sends("1:1:1:!show")
		},
		"keeps": func(anna *person) { anna.sends("1:1:1:!keep") },
		"takes back": func(anna *person) {
			for _, press := range []string{"!pick 0", "write fives", "!undo"} {
				anna.sends(fmt.Sprintf("1:1:%d:%s", anna.table().Turn, press))
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			people := pokerTable(t, "/wuerfelpoker point=1", "Anna", "Ben")
			anna, ben := people[0], people[1]
			anna.presses("▶ Start")
			anna.wait(10 * time.Minute) // before the first throw
			anna.presses("Throw")
			anna.tamper(`UPDATE tables SET due = 0`) // no clock is to be minded
			for range 6 {
				anna.restart()
				told(t, ben.sends(fmt.Sprintf("1:1:%d:!end", ben.table().Turn)), "To end it: 1 of 2 votes.")
				ben.presses("Play on")
				anna.wait(10 * time.Minute)
				busy(anna)
			}
			ben.writes("/abandon")
			ben.presses("Yes, end it")
			if text := show(ben.board()); !strings.Contains(text, "The table had waited too long for Anna.") {
				t.Errorf("the board says\n%s", text)
			}
			anna.sound()
		})
	}
}

func TestOneTableInAPlace(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin")
	lobbyHere(t, ben.writes("/coin 99"), "Anna's table is open here.", "Sit down")
	if strings.Contains(show(ben.board()), "Close table") {
		t.Error("Ben, who may not end it, is offered to")
	}
	anna.writes("/coin")
	told(t, anna.presses("Close table"), "")
	if m := anna.board(); m.Said() != "Close this table?" {
		t.Errorf("the board asks %q", m.Said())
	}
	anna.presses("Yes, end it")
	elsewhere := h.person("Anna")
	elsewhere.place = "test:1/2"
	elsewhere.writes("/coin")
	if id := elsewhere.table().ID; id != 2 {
		t.Errorf("table %d", id)
	}
	refused(t, ben.sends("1:2:0:!join"), "That table is not here any more. /help opens another.")
	r := ben.writes("/coin")
	if r.Board != 3 {
		t.Errorf("after the end of the first, table %d", r.Board)
	}
}

func TestTheSameEventTwiceDoesNothing(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	ev := anna.event()
	ev.Command, ev.Text = "coin", ""
	h.bot.Handle(context.Background(), ev)
	if r := h.bot.Handle(context.Background(), ev); r != (chat.Reply{}) {
		t.Errorf("the second time %+v", r)
	}
	join := ben.event()
	join.Press = "1:1:0:!start"
	refused(t, h.bot.Handle(context.Background(), join), "Sit down first: “Sit down” is on the board.")
	ben.presses("Sit down")
	anna.presses("Get up")
	h.restart()
	// Ben could start now, but this press was answered long ago.
	if r := h.bot.Handle(context.Background(), join); r != (chat.Reply{}) {
		t.Errorf("a refused press comes again: %+v", r)
	}
	if state := ben.table().State; state != store.Lobby {
		t.Errorf("the table is %s", state)
	}
}

func TestOldButtonsWorkAfterARestart(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin")
	sit := anna.button("Sit down").Press
	h.restart()
	ben.sends(sit)
	start := anna.button("▶ Start").Press
	h.restart()
	anna.sends(start)
	throw := anna.button("Throw").Press
	h.restart()
	if r := anna.sends(throw); r.Refused || r.Board != 1 {
		t.Errorf("reply %+v", r)
	}
	h.restart()
	ben.presses("Throw")
	if table := ben.table(); table.State != store.Over {
		t.Errorf("the table is %s", table.State)
	}
	h.sound()
}

func TestWhichBoardAReplyIsAbout(t *testing.T) {
	h := newHouse(t)
	anna := h.person("Anna")
	anna.admin = true
	anna.writes("/coin")
	if r := anna.writes("/language en"); r.Board != 0 {
		t.Errorf("a command that shows no board: %+v", r)
	}
	if r := anna.sends("1:1:0:/language de"); r.Board != 0 {
		t.Errorf("a button of a private answer: %+v", r)
	}
	if r := anna.sends("1:1:0:!stake more"); r.Board != 1 || r.Fresh {
		t.Errorf("a button of the board: %+v", r)
	}
}
