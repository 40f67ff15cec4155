package bot_test

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// coinPlayed has a table played to its end, whatever is pressed.
func (h *house) coinPlayed(line string, people ...*person) {
	h.t.Helper()
	people[0].writes(line)
	for _, p := range people[1:] {
		p.presses("Sit down")
	}
	people[0].presses("▶ Start")
	h.playOn(line, people...)
}

// Two boards show the button, both are pressed at the same moment, again after a
// restart, and by somebody who only watched.
func TestRematchIsOneTableHoweverItIsPressed(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	h.coinPlayed("/coin 2", anna, ben)
	rematch := anna.button("↻ Rematch").Press
	refused(t, clara.sends(rematch), "You have no seat at this table. Sit down at the next.")
	pairs := []*person{anna, ben, anna, ben}
	if n := atOnce(pairs, func(p *person) chat.Reply { return p.sends(rematch) }); n != 2 {
		t.Errorf("%d of four presses counted", n)
	}
	h.restart()
	atOnce(pairs, func(p *person) chat.Reply { return p.sends(rematch) })
	told(t, clara.sends(rematch), "You are in. /luck WORD adds your own luck to the dice.")
	table := anna.table()
	if table.ID != 2 || len(table.Seats) != 3 || reservedAt(table) != 0 {
		t.Errorf("table %d with %v", table.ID, table.Seats)
	}

	// When that is over as well, the old button leads to the rematch of it.
	clara.presses("Get up")
	h.person(strings.TrimPrefix(table.Opener, "test:")).presses("▶ Start")
	refused(t, anna.sends(rematch), "The game has begun. Sit down when the next one opens.")
	h.playOn("rematch", anna, ben)
	atOnce(pairs, func(p *person) chat.Reply { return p.sends(rematch) })
	if table := anna.table(); table.ID != 3 || reservedAt(table) != 0 {
		t.Errorf("table %d with %v", table.ID, table.Seats)
	}
	h.sound()
}

func reservedAt(t store.Table) (n int) {
	for _, s := range t.Seats {
		if !s.Confirmed {
			n++
		}
	}
	return n
}

// A table full of seats that nobody takes again keeps newcomers for a while
// only.
func TestReservedSeatsLapse(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	h.coinPlayed("/pile duel 0", anna, ben)
	anna.presses("↻ Rematch")
	want(t, anna.board(), `
Anna opens a table: Pile, for nothing but fun.
Anna
Ben reserved
“Sit down” keeps a reserved seat. Else it is free when the game starts, and for others after 5 minutes.
These rules need 2 players. “+ House” adds one.
[Sit down][Get up][Free reserved seats]
[⚙ Rules]`)
	refused(t, clara.presses("Sit down"), "The last seats are reserved. Try again in 5 minutes.")
	h.wait(4*time.Minute + time.Second)
	h.restart()
	refused(t, clara.presses("Sit down"), "The last seats are reserved. Try again in 1 minute.")
	h.wait(time.Minute)
	told(t, clara.presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
	refused(t, ben.sends("1:1:0:!rematch"), "All seats are taken. One is free once somebody gets up.")
	anna.presses("▶ Start")
	h.playOn("clara", anna, clara)
	h.sound()
}

func TestReservedSeatsAreFreedByTheHost(t *testing.T) {
	h := newHouse(t, pile{})
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.locale = "de"
	h.coinPlayed("/pile duel 0", ben, clara)
	ben.presses("↻ Rematch")
	free := ben.button("Free reserved seats")
	if free.For != "test:Ben" {
		t.Errorf("to free seats is for %q", free.For)
	}
	refused(t, clara.sends(free.Press), "Ben decides that. In 5 minutes you may, too.")
	refused(t, anna.presses("Sit down"), "Die letzten Plätze sind reserviert. Frag in 5 Minuten.")
	told(t, ben.sends(free.Press), "The reserved seats are free.")
	refused(t, ben.sends(free.Press), "No seat is reserved: whoever likes sits down.")
	told(t, anna.presses("Sit down"), "Du bist dabei. /luck WORT gibt dein Glück zu den Würfeln.")
	if m := show(anna.board()); strings.Contains(m, "reserved") || strings.Contains(m, "Free reserved seats") {
		t.Errorf("nothing is reserved:\n%s", m)
	}
	ben.presses("▶ Start")
	if table := ben.table(); len(table.Seats) != 2 || table.State != store.Playing {
		t.Errorf("%s with %v", table.State, table.Seats)
	}
}

// Who has another name since the game is called by it at the rematch, whoever opens that.
func TestARematchCallsPeopleAsTheyAreCalledNow(t *testing.T) {
	for _, who := range []string{"Anna", "Ben"} {
		h := newHouse(t)
		anna, ben := h.person("Anna"), h.person("Ben")
		h.coinPlayed("/coin 2", anna, ben)
		h.wait(leisure)
		ev := ben.event()
		ev.Name, ev.Renamed = "Benedikt", true
		h.bot.Handle(t.Context(), ev)
		if text := show(anna.board()); !strings.Contains(text, "Ben ") || strings.Contains(text, "Benedikt") {
			t.Errorf("the game that is over shows\n%s", text)
		}
		ev = h.person(who).event()
		ev.Press = anna.button("↻ Rematch").Press
		if who == "Ben" {
			ev.Name = "Benedikt"
		}
		h.bot.Handle(t.Context(), ev)
		if text := show(anna.board()); !strings.Contains(text, "Benedikt") {
			t.Errorf("the rematch that %s opens shows\n%s", who, text)
		}
		h.sound()
	}
}
