package bot_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store"
)

// regulars have done something in the chat before.
func (h *house) regulars(names ...string) {
	for _, name := range names {
		h.person(name).writes("/privacy")
	}
	h.wait(time.Second)
}

// TestASeatIsHandedOver: the stake goes with it, and the dice stay as they were
// going to fall.
func TestASeatIsHandedOver(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	h.regulars("Dora", "Emil")
	people := h.gather("/shutbox 10", "Anna", "Ben")
	anna, ben, dora := people[0], people[1], h.person("Dora")
	refused(t, anna.writes("/handover"), "The game has not begun: get up, and the seat is free.")
	anna.presses("▶ Start")
	refused(t, dora.writes("/handover"), "You are watching this game. Join the next one.")
	refused(t, dora.sends("1:1:0:!take 0"), "Not offered. Whoever sits there can say /handover.")
	told(t, anna.writes("/handover"), "Offered for a minute, or until the turn is over.")
	if text := show(ben.offers()); !strings.Contains(text,
		"Anna would hand the seat over: as it stands, with the stake of 10 chips.") {
		t.Errorf("the board says\n%s", text)
	}
	refused(t, ben.presses("Take Anna’s seat"), "You have a seat here. /handover offers it to others.")
	refused(t, ben.presses("Keep my seat"), "Not offered. Whoever sits there can say /handover.")
	told(t, anna.presses("Keep my seat"), "You keep your seat.")
	anna.writes("/handover")
	entropy := anna.table().Seats[0].Entropy
	take := dora.button("Take Anna’s seat").Press
	h.wait(5 * time.Minute)
	told(t, dora.sends(take), "Asked: the seat is yours once one of the others agrees.")
	told(t, dora.sends(take), "Withdrawn: you no longer ask for the seat.")
	refused(t, ben.sends("1:1:0:!hand 0 0"), "The table has moved on. Look at the newest board.")
	told(t, dora.presses("Take Anna’s seat"), "Asked: the seat is yours once one of the others agrees.")
	told(t, dora.presses("Not me after all"), "Withdrawn: you no longer ask for the seat.")
	told(t, dora.presses("Take Anna’s seat"), "Asked: the seat is yours once one of the others agrees.")
	refused(t, h.person("Emil").sends(take), "Somebody has asked for that seat already. Wait a moment.")
	if text := show(ben.offers()); !strings.Contains(text,
		"Dora would take Anna's seat, once one of those seated agrees: Ben.") {
		t.Errorf("the board says\n%s", text)
	}
	h.restart()
	hand := ben.button("Dora may sit there").Press
	refused(t, anna.sends(hand), "One of the others has to agree to that. Just ask.")
	refused(t, dora.sends(hand), "You are watching this game. Join the next one.")
	anna.presses("Keep my seat")
	refused(t, ben.sends(hand), "The table has moved on. Look at the newest board.")
	anna.writes("/handover")
	dora.presses("Take Anna’s seat")
	told(t, ben.sends(hand), "Agreed: the seat has changed hands.")
	refused(t, h.person("Emil").sends(take), "Not offered. Whoever sits there can say /handover.")
	table := anna.table()
	if s := table.Seats[0]; s.Player != "test:Dora" || s.Entropy != entropy || s.Offered {
		t.Errorf("the seat is %+v", s)
	}
	if want := h.time().Add(10 * time.Minute).UnixMilli(); table.Due != want {
		t.Errorf("Dora has until %d, want %d", table.Due, want)
	}
	refused(t, anna.presses("🎲 Throw"), "You are watching this game. Join the next one.")
	for anna.table().State == store.Playing {
		p := []*person{dora, ben}[anna.board().Accent]
		p.sends(p.board().Buttons[0][0].Press)
	}
	c := &clocked{house: h, people: people}
	c.verified()
	if err := h.store.View(t.Context(), func(tx *store.Tx) error {
		left, err := tx.Balance("test:1", "chips", "player:test:Anna")
		if err != nil || left != 0 {
			t.Errorf("Anna's books stand at %d, %v", left, err)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// TestComingBackGivesNothingNew: who gets up in the lobby and sits down again has
// other luck of their own, but the seed is drawn and sealed before that, and
// secret, so that nobody knows which luck is better. At the table there is no
// getting up: a seat that is handed over and back has the luck that it had.
func TestComingBackGivesNothingNew(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	h.regulars("Ben", "Dora")
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox 10")
	ben.presses("Sit down")
	seal := ben.table().Commitment
	ben.presses("Get up")
	ben.presses("Sit down")
	if ben.table().Commitment != seal {
		t.Error("the table has another seal")
	}
	anna.presses("▶ Start")
	before := ben.table()
	ben.sends("1:1:0:!leave")
	ben.writes("/handover")
	h.person("Dora").presses("Take Ben’s seat")
	anna.presses("Dora may sit there")
	h.person("Dora").writes("/handover")
	ben.presses("Take Dora’s seat")
	anna.presses("Ben may sit there")
	after := ben.table()
	if before.Seats[1] != after.Seats[1] || before.Thrown != after.Thrown || after.Commitment != seal {
		t.Errorf("Ben's seat was %+v and is %+v", before.Seats[1], after.Seats[1])
	}
}

func TestIdleTables(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t, shutbox.Game{})
		people := h.gather("/shutbox 10 turn=none", "Anna", "Ben")
		anna, ben := people[0], people[1]
		anna.presses("▶ Start")
		s := newStage()
		c := &clocked{house: h, stage: s, people: people}
		h.onStage(s)
		hours := func(what string, met func(store.Table) bool) store.Table {
			return c.awaits(what, func(t store.Table) bool {
				if !met(t) {
					h.wait(time.Hour)
				}
				return met(t)
			})
		}
		began := h.time()
		hours("an announcement", func(t store.Table) bool { return t.Warned > 0 })
		if after := h.time().Sub(began); after < 7*24*time.Hour {
			t.Errorf("announced after %v", after)
		}
		if closes := anna.board().Deadline; closes == nil ||
			!regexp.MustCompile(`^Nobody has touched this table for 7 days\. It is closed on \d+ November at \d\d:\d\d`).
				MatchString(closes.String()) {
			t.Errorf("the board says %+v", closes)
		}
		refused(t, h.person("Dora").presses("Keep the table"), "You are watching this game. Join the next one.")
		told(t, ben.presses("Keep the table"), "The table stays.")
		warned := hours("another announcement", func(t store.Table) bool { return t.Warned > 0 }).Warned
		over := hours("the end", func(t store.Table) bool { return t.State == store.Abandoned })
		if over.Changed-warned < (24 * time.Hour).Milliseconds() {
			t.Errorf("closed %d ms after it was announced", over.Changed-warned)
		}
		c.verified()
	})
}

// TestNobodyIsHurried who keeps nobody waiting: alone, or with the house alone.
func TestNobodyIsHurried(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	anna.writes("/shutbox")
	anna.presses("▶ Start")
	if table := anna.table(); table.Due != 0 || anna.board().Deadline != nil {
		t.Errorf("practice is due at %d", table.Due)
	}
	anna.place = "test:1/2"
	anna.writes("/shutbox turn=5m")
	anna.sends("1:2:0:!house fewest")
	anna.presses("▶ Start")
	if table := anna.table(); table.Due == 0 {
		t.Error("what was wished does not hold")
	}
}

// TestQuietHoursStopTheClock, and changing them keeps what a turn has left.
func TestQuietHoursStopTheClock(t *testing.T) {
	h := newHouse(t, shutbox.Game{}) // it is 22:13
	anna := h.gather("/shutbox 10", "Anna", "Ben")[0]
	anna.admin = true
	anna.presses("▶ Start")
	h.wait(7 * time.Minute)
	anna.writes("/settings quiet=22-8")
	const until = "Anna plays, or the house on 15 November at 08:03."
	if m := anna.board(); m.Deadline == nil || m.Deadline.String() != until {
		t.Errorf("the board says %v", m.Deadline)
	}
	anna.writes("/settings quiet=none")
	if m := anna.board(); m.Deadline.String() != "Anna plays, or the house at 22:23." {
		t.Errorf("the board says %v", m.Deadline)
	}
}

// Nobody hands a seat to themselves at the same browser, and with nobody else there
// it changes hands at once, as it does where nothing can be lost.
func TestNobodyHandsALossToTheirSecondSelf(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	people := h.gather("/shutbox 10", "Anna", "Ben")
	anna := people[0]
	anna.presses("▶ Start")
	anna.writes("/handover")
	h.same = true
	refused(t, h.person("Ada").presses("Take Anna’s seat"), "Not to somebody at the same browser. Others may take it.")
	h.balance("player:test:Ada", 0)
	h.balance("player:test:Anna", -10)
	h.sound()

	h = newHouse(t, shutbox.Game{})
	people = h.gather("/shutbox 0", "Anna", "Ben")
	people[0].presses("▶ Start")
	people[0].writes("/handover")
	told(t, h.person("Dora").presses("Take Anna’s seat"), "The seat is yours.")

	h = newHouse(t)
	h.regulars("Dora")
	anna = h.person("Anna")
	anna.admin = true
	anna.writes("/settings alone=counts")
	anna.writes("/coin 10")
	anna.presses("+ House")
	anna.presses("▶ Start")
	anna.writes("/handover")
	told(t, h.person("Dora").presses("Take Anna’s seat"), "The seat is yours, and its stake: 10 chips.")
	h.sound()
}

// Who would take a seat and is forgotten meanwhile does not get it.
func TestWhoeverIsForgottenTakesNoSeat(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	h.regulars("Dora")
	people := h.gather("/shutbox 10", "Anna", "Ben")
	dora := h.person("Dora")
	people[0].presses("▶ Start")
	people[0].writes("/handover")
	dora.presses("Take Anna’s seat")
	hand := people[1].button("Dora may sit there").Press
	dora.forgets()
	refused(t, people[1].sends(hand), "The table has moved on. Look at the newest board.")
	if s := people[0].table().Seats[0]; s.Taker != "" {
		t.Errorf("the seat is asked for by %s", s.Taker)
	}
	if text := show(people[1].offers()); strings.Contains(text, "Dora") ||
		!strings.Contains(text, "[Take Anna’s seat]") {
		t.Errorf("the board says\n%s", text)
	}
	h.sound()
}

// What somebody has asked for falls away once they leave the chat or are forgotten,
// and the offer says so.
func TestWhoeverLeavesAsksForNoSeat(t *testing.T) {
	for how, leaves := range map[string]func(*house, *person){
		"the chat": func(h *house, dora *person) {
			h.bot.Handle(t.Context(), chat.Event{Chat: "test:1", Left: []chat.User{"test:Dora"}})
		},
		"for good": func(_ *house, dora *person) { dora.forgets() },
	} {
		t.Run(how, func(t *testing.T) {
			h := newHouse(t, shutbox.Game{})
			h.regulars("Dora")
			people := h.gather("/shutbox 10", "Anna", "Ben")
			dora := h.person("Dora")
			people[0].presses("▶ Start")
			people[0].writes("/handover")
			dora.presses("Take Anna’s seat")
			leaves(h, dora)
			if text := show(people[1].offers()); !strings.Contains(text, "[Take Anna’s seat]") {
				t.Errorf("the offer says\n%s", text)
			}
			if seat := people[0].table().Seats[0]; seat.Taker != "" || !seat.Offered {
				t.Errorf("the seat is %+v", seat)
			}
		})
	}
}

// Who asks for two seats and gets one asks for the other no more.
func TestOfTwoSeatsOfferedSomebodyGetsOne(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	h.regulars("Dora", "Emil")
	people := h.gather("/shutbox 10", "Anna", "Ben", "Clara")
	anna, ben, clara, dora := people[0], people[1], people[2], h.person("Dora")
	anna.presses("▶ Start")
	anna.writes("/handover")
	ben.writes("/handover")
	dora.presses("Take Ben’s seat")
	dora.sends("1:1:0:!take 0")
	ben.writes("/handover") // Ben keeps his seat,
	ben.writes("/handover") // and offers it again
	dora.sends("1:1:0:!take 1")
	told(t, clara.presses("Dora may sit there"), "Agreed: the seat has changed hands.")
	if seats := clara.table().Seats; seats[0].Player != "test:Dora" || seats[1].Taker != "" {
		t.Errorf("the seats are %+v", seats)
	}
	told(t, h.person("Emil").presses("Take Ben’s seat"), "Asked: the seat is yours once one of the others agrees.")
	h.sound()
}

// Whoever sits at the same browser as who gives a seat, or as who takes it, may be
// the same person, and does not agree to that. With nobody else seated it changes
// hands at once.
func TestNobodyAgreesToWhatTheirSecondSelfWould(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	h.same = true
	h.regulars("Dora")
	people := h.gather("/shutbox 10", "Anna", "Ada", "Dieter", "Ben")
	anna, ada, dieter, ben, dora := people[0], people[1], people[2], people[3], h.person("Dora")
	anna.presses("▶ Start")
	anna.writes("/handover")
	dora.presses("Take Anna’s seat")
	if text := show(ben.offers()); !strings.Contains(text, "once one of those seated agrees: Ben.") {
		t.Errorf("the board says\n%s", text)
	}
	hand := ben.button("Dora may sit there")
	if hand.For != "test:Ben" {
		t.Errorf("at one screen it is pressed by %s", hand.For)
	}
	refused(t, ada.sends(hand.Press), "Somebody at another browser agrees to that. Ask them.")
	refused(t, dieter.sends(hand.Press), "Somebody at another browser agrees to that. Ask them.")
	h.balance("player:test:Anna", -10)
	ben.forgets()
	told(t, dora.presses("Take Anna’s seat"), "The seat is yours, and its stake: 10 chips.")
	h.sound()

	h = newHouse(t, shutbox.Game{})
	h.same = true
	h.regulars("Dora")
	people = h.gather("/shutbox 10", "Anna", "Ada")
	people[0].presses("▶ Start")
	people[0].writes("/handover")
	told(t, h.person("Dora").presses("Take Anna’s seat"), "The seat is yours, and its stake: 10 chips.")
	h.sound()
}

// Who was not known in the chat before the table was opened takes a seat with a stake only once an admin agrees who
// does not sit, beside one who sits; where all are equal, everybody who sits and is there.
func TestASeatGoesToAStranger(t *testing.T) {
	offered := func(h *house, line string, names ...string) (people []*person, dora *person) {
		people, dora = h.gather(line, names...), h.person("Dora")
		people[0].presses("▶ Start")
		h.wait(time.Second)
		dora.writes("/privacy") // too late to be known
		people[0].writes("/handover")
		return people, dora
	}
	const asked = "Asked: you are new here, so an admin has to agree, too."
	const handed = "Agreed: the seat has changed hands."

	h := newHouse(t, shutbox.Game{})
	people, dora := offered(h, "/shutbox 10", "Anna", "Ben")
	ben, mod := people[1], h.person("Mod")
	told(t, dora.presses("Take Anna’s seat"), asked)
	if text := show(ben.offers()); !strings.Contains(text, "Dora is new here and would take Anna's seat, "+
		"once an admin who does not sit agrees, and one of these: Ben.") {
		t.Errorf("the board says\n%s", text)
	}
	hand := ben.button("Dora may sit there").Press
	ben.admin, dora.admin = true, true
	refused(t, mod.sends(hand), "You do not sit here. An admin or a player agrees to that.")
	refused(t, dora.sends(hand), "Somebody at another browser agrees to that. Ask them.")
	told(t, ben.sends(hand), "Agreed. The offer says who has to agree as well.")
	told(t, ben.sends(hand), "Agreed. The offer says who has to agree as well.") // one who sits is no admin here
	if text := show(ben.offers()); !strings.Contains(text, "seat, once an admin who does not sit agrees.") {
		t.Errorf("the board says\n%s", text)
	}
	h.balance("player:test:Anna", -10)
	told(t, dora.sends("1:1:0:!take 0"), "Withdrawn: you no longer ask for the seat.")
	told(t, dora.sends("1:1:0:!take 0"), asked)
	mod.admin = true
	h.restart()
	told(t, mod.sends(hand), "Agreed. The offer says who has to agree as well.")
	told(t, ben.sends(hand), handed)
	h.balance("player:test:Anna", 0)
	h.balance("player:test:Dora", -10)
	h.sound()

	// With nobody else seated only the admin is asked.
	h = newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	dora, mod = h.person("Dora"), h.person("Mod")
	mod.admin = true
	mod.writes("/settings alone=counts")
	mod.admin = false
	anna.writes("/shutbox 10")
	anna.sends("1:1:0:!house fewest")
	anna.presses("▶ Start")
	h.wait(time.Second)
	anna.writes("/handover")
	told(t, dora.presses("Take Anna’s seat"), asked)
	refused(t, anna.presses("Dora may sit there"), "One of the others has to agree to that. Just ask.")
	mod.admin = true
	told(t, mod.presses("Dora may sit there"), handed)
	h.sound()

	// In a room without a host all who are there agree.
	h = newHouse(t, shutbox.Game{})
	people, dora = offered(h, "/shutbox 10", "Anna", "Ben", "Clara", "Emil")
	ben, clara := people[1], people[2]
	dora.equals = true
	told(t, dora.presses("Take Anna’s seat"), "Asked: you are new here, so all the others have to agree.")
	h.leave(people[3])
	told(t, ben.presses("Dora may sit there"), "Agreed. The offer says who has to agree as well.")
	if text := show(ben.offers()); !strings.Contains(text, "seat, once all of them agree: Clara.") {
		t.Errorf("the board says\n%s", text)
	}
	refused(t, h.person("Mod").presses("Dora may sit there"), "You are watching this game. Join the next one.")
	told(t, clara.presses("Dora may sit there"), handed)
	h.sound()
}
