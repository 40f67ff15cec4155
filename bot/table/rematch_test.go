package table_test

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
)

// Two boards show the button, both are pressed at the same moment, again after a
// restart, and by somebody who only watched.
func TestRematchIsOneTableHoweverItIsPressed(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	h.CoinPlayed("/coin 2", anna, ben)
	rematch := anna.Button("↻ Rematch").Press
	bare.Refused(t, clara.Sends(rematch), "You have no seat at this table. Sit down at the next.")
	pairs := []*bare.Person{anna, ben, anna, ben}
	if n := bare.AtOnce(pairs, func(p *bare.Person) chat.Reply { return p.Sends(rematch) }); n != 2 {
		t.Errorf("%d of four presses counted", n)
	}
	h.Restart()
	bare.AtOnce(pairs, func(p *bare.Person) chat.Reply { return p.Sends(rematch) })
	bare.Told(t, clara.Sends(rematch), "You are in. /luck WORD adds your own luck to the dice.")
	table := anna.Table()
	if table.ID != 2 || len(table.Seats) != 3 || reservedAt(table) != 0 {
		t.Errorf("table %d with %v", table.ID, table.Seats)
	}

	// When that is over as well, the old button leads to the rematch of it.
	clara.Presses("Get up")
	h.Person(strings.TrimPrefix(table.Opener, "test:")).Presses("▶ Start")
	bare.Refused(t, anna.Sends(rematch), "The game has begun. Sit down when the next one opens.")
	h.PlayOn("rematch", anna, ben)
	bare.AtOnce(pairs, func(p *bare.Person) chat.Reply { return p.Sends(rematch) })
	if table := anna.Table(); table.ID != 3 || reservedAt(table) != 0 {
		t.Errorf("table %d with %v", table.ID, table.Seats)
	}
	h.Sound()
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
	h := bare.New(t, bare.Pile{})
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	h.CoinPlayed("/pile duel 0", anna, ben)
	anna.Presses("↻ Rematch")
	bare.Want(t, anna.Board(), `
Anna opens a table: Pile, for nothing but fun.
Anna
Ben reserved
“Sit down” keeps a reserved seat. Else it is free when the game starts, and for others after 5 minutes.
These rules need 2 players. “+ House” adds one.
[Sit down][Get up][Free reserved seats]
[⚙ Rules]`)
	bare.Refused(t, clara.Presses("Sit down"), "The last seats are reserved. Try again in 5 minutes.")
	h.Wait(4*time.Minute + time.Second)
	h.Restart()
	bare.Refused(t, clara.Presses("Sit down"), "The last seats are reserved. Try again in 1 minute.")
	h.Wait(time.Minute)
	bare.Told(t, clara.Presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
	bare.Refused(t, ben.Sends("1:1:0:!rematch"), "All seats are taken. One is free once somebody gets up.")
	anna.Presses("▶ Start")
	h.PlayOn("clara", anna, clara)
	h.Sound()
}

func TestReservedSeatsAreFreedByTheHost(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Locale = "de"
	h.CoinPlayed("/pile duel 0", ben, clara)
	ben.Presses("↻ Rematch")
	free := ben.Button("Free reserved seats")
	if free.For != "test:Ben" {
		t.Errorf("to free seats is for %q", free.For)
	}
	bare.Refused(t, clara.Sends(free.Press), "Ben decides that. In 5 minutes you may, too.")
	bare.Refused(t, anna.Presses("Sit down"), "Die letzten Plätze sind reserviert. Frag in 5 Minuten.")
	bare.Told(t, ben.Sends(free.Press), "The reserved seats are free.")
	bare.Refused(t, ben.Sends(free.Press), "No seat is reserved: whoever likes sits down.")
	bare.Told(t, anna.Presses("Sit down"), "Du bist dabei. /luck WORT gibt dein Glück zu den Würfeln.")
	if m := bare.Show(anna.Board()); strings.Contains(m, "reserved") || strings.Contains(m, "Free reserved seats") {
		t.Errorf("nothing is reserved:\n%s", m)
	}
	ben.Presses("▶ Start")
	if table := ben.Table(); len(table.Seats) != 2 || table.State != store.Playing {
		t.Errorf("%s with %v", table.State, table.Seats)
	}
}

// Who has another name since the game is called by it at the rematch, whoever opens that.
func TestARematchCallsPeopleAsTheyAreCalledNow(t *testing.T) {
	for _, who := range []string{"Anna", "Ben"} {
		h := bare.New(t)
		anna, ben := h.Person("Anna"), h.Person("Ben")
		h.CoinPlayed("/coin 2", anna, ben)
		h.Wait(bare.Leisure)
		ev := ben.Event()
		ev.Name, ev.Renamed = "Benedikt", true
		h.Bot.Handle(t.Context(), ev)
		if text := bare.Show(anna.Board()); !strings.Contains(text, "Ben ") || strings.Contains(text, "Benedikt") {
			t.Errorf("the game that is over shows\n%s", text)
		}
		ev = h.Person(who).Event()
		ev.Press = anna.Button("↻ Rematch").Press
		if who == "Ben" {
			ev.Name = "Benedikt"
		}
		h.Bot.Handle(t.Context(), ev)
		if text := bare.Show(anna.Board()); !strings.Contains(text, "Benedikt") {
			t.Errorf("the rematch that %s opens shows\n%s", who, text)
		}
		h.Sound()
	}
}
