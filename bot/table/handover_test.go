package table_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store"
)

// TestASeatIsHandedOver: the stake goes with it, and the dice stay as they were
// going to fall.
func TestASeatIsHandedOver(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Regulars("Dora", "Emil")
	people := h.Gather("/shutbox 10", "Anna", "Ben")
	anna, ben, dora := people[0], people[1], h.Person("Dora")
	bare.Refused(t, anna.Writes("/handover"), "The game has not begun: get up, and the seat is free.")
	anna.Presses("▶ Start")
	bare.Refused(t, dora.Writes("/handover"), "You are watching this game. Join the next one.")
	bare.Refused(t, dora.Sends("1:1:0:!take 0"), "Not offered. Whoever sits there can say /handover.")
	bare.Told(t, anna.Writes("/handover"), "Offered for a minute, or until the turn is over.")
	if text := bare.Show(ben.Offers()); !strings.Contains(text,
		"Anna would hand the seat over: as it stands, with the stake of 10 chips.") {
		t.Errorf("the board says\n%s", text)
	}
	bare.Refused(t, ben.Presses("Take Anna’s seat"), "You have a seat here. /handover offers it to others.")
	bare.Refused(t, ben.Presses("Keep my seat"), "Not offered. Whoever sits there can say /handover.")
	bare.Told(t, anna.Presses("Keep my seat"), "You keep your seat.")
	anna.Writes("/handover")
	entropy := anna.Table().Seats[0].Entropy
	take := dora.Button("Take Anna’s seat").Press
	h.Wait(5 * time.Minute)
	bare.Told(t, dora.Sends(take), "Asked: the seat is yours once one of the others agrees.")
	bare.Told(t, dora.Sends(take), "Withdrawn: you no longer ask for the seat.")
	bare.Refused(t, ben.Sends("1:1:0:!hand 0 0"), "The table has moved on. Look at the newest board.")
	bare.Told(t, dora.Presses("Take Anna’s seat"), "Asked: the seat is yours once one of the others agrees.")
	bare.Told(t, dora.Presses("Not me after all"), "Withdrawn: you no longer ask for the seat.")
	bare.Told(t, dora.Presses("Take Anna’s seat"), "Asked: the seat is yours once one of the others agrees.")
	bare.Refused(t, h.Person("Emil").Sends(take), "Somebody has asked for that seat already. Wait a moment.")
	if text := bare.Show(ben.Offers()); !strings.Contains(text,
		"Dora would take Anna's seat, once one of those seated agrees: Ben.") {
		t.Errorf("the board says\n%s", text)
	}
	h.Restart()
	hand := ben.Button("Dora may sit there").Press
	bare.Refused(t, anna.Sends(hand), "One of the others has to agree to that. Just ask.")
	bare.Refused(t, dora.Sends(hand), "You are watching this game. Join the next one.")
	anna.Presses("Keep my seat")
	bare.Refused(t, ben.Sends(hand), "The table has moved on. Look at the newest board.")
	anna.Writes("/handover")
	dora.Presses("Take Anna’s seat")
	bare.Told(t, ben.Sends(hand), "Agreed: the seat has changed hands.")
	bare.Refused(t, h.Person("Emil").Sends(take), "Not offered. Whoever sits there can say /handover.")
	table := anna.Table()
	if s := table.Seats[0]; s.Player != "test:Dora" || s.Entropy != entropy || s.Offered {
		t.Errorf("the seat is %+v", s)
	}
	if want := h.Time().Add(10 * time.Minute).UnixMilli(); table.Due != want {
		t.Errorf("Dora has until %d, want %d", table.Due, want)
	}
	bare.Refused(t, anna.Presses("🎲 Throw"), "You are watching this game. Join the next one.")
	for anna.Table().State == store.Playing {
		p := []*bare.Person{dora, ben}[anna.Board().Accent]
		p.Sends(p.Board().Buttons[0][0].Press)
	}
	c := &bare.Clocked{House: h, People: people}
	c.Verified()
	if err := h.Store.View(t.Context(), func(tx *store.Tx) error {
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
	h := bare.New(t, shutbox.Game{})
	h.Regulars("Ben", "Dora")
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 10")
	ben.Presses("Sit down")
	seal := ben.Table().Commitment
	ben.Presses("Get up")
	ben.Presses("Sit down")
	if ben.Table().Commitment != seal {
		t.Error("the table has another seal")
	}
	anna.Presses("▶ Start")
	before := ben.Table()
	ben.Sends("1:1:0:!leave")
	ben.Writes("/handover")
	h.Person("Dora").Presses("Take Ben’s seat")
	anna.Presses("Dora may sit there")
	h.Person("Dora").Writes("/handover")
	ben.Presses("Take Dora’s seat")
	anna.Presses("Ben may sit there")
	after := ben.Table()
	if before.Seats[1] != after.Seats[1] || before.Thrown != after.Thrown || after.Commitment != seal {
		t.Errorf("Ben's seat was %+v and is %+v", before.Seats[1], after.Seats[1])
	}
}

func TestIdleTables(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t, shutbox.Game{})
		people := h.Gather("/shutbox 10 turn=none", "Anna", "Ben")
		anna, ben := people[0], people[1]
		anna.Presses("▶ Start")
		s := bare.NewStage()
		c := &bare.Clocked{House: h, Stage: s, People: people}
		h.OnStage(s)
		hours := func(what string, met func(store.Table) bool) store.Table {
			return c.Awaits(what, func(t store.Table) bool {
				if !met(t) {
					h.Wait(time.Hour)
				}
				return met(t)
			})
		}
		began := h.Time()
		hours("an announcement", func(t store.Table) bool { return t.Warned > 0 })
		if after := h.Time().Sub(began); after < 7*24*time.Hour {
			t.Errorf("announced after %v", after)
		}
		if closes := anna.Board().Deadline; closes == nil ||
			!regexp.MustCompile(`^Nobody has touched this table for 7 days\. It is closed on \d+ November at \d\d:\d\d`).
				MatchString(closes.String()) {
			t.Errorf("the board says %+v", closes)
		}
		bare.Refused(t, h.Person("Dora").Presses("Keep the table"), "You are watching this game. Join the next one.")
		bare.Told(t, ben.Presses("Keep the table"), "The table stays.")
		warned := hours("another announcement", func(t store.Table) bool { return t.Warned > 0 }).Warned
		over := hours("the end", func(t store.Table) bool { return t.State == store.Abandoned })
		if over.Changed-warned < (24 * time.Hour).Milliseconds() {
			t.Errorf("closed %d ms after it was announced", over.Changed-warned)
		}
		c.Verified()
	})
}

// TestNobodyIsHurried who keeps nobody waiting: alone, or with the house alone.
func TestNobodyIsHurried(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox")
	anna.Presses("▶ Start")
	if table := anna.Table(); table.Due != 0 || anna.Board().Deadline != nil {
		t.Errorf("practice is due at %d", table.Due)
	}
	anna.Place = "test:1/2"
	anna.Writes("/shutbox turn=5m")
	anna.Sends("1:2:0:!house fewest")
	anna.Presses("▶ Start")
	if table := anna.Table(); table.Due == 0 {
		t.Error("what was wished does not hold")
	}
}

// TestQuietHoursStopTheClock, and changing them keeps what a turn has left.
func TestQuietHoursStopTheClock(t *testing.T) {
	h := bare.New(t, shutbox.Game{}) // it is 22:13
	anna := h.Gather("/shutbox 10", "Anna", "Ben")[0]
	anna.Admin = true
	anna.Presses("▶ Start")
	h.Wait(7 * time.Minute)
	anna.Writes("/settings quiet=22-8")
	const until = "Anna plays, or the house on 15 November at 08:03."
	if m := anna.Board(); m.Deadline == nil || m.Deadline.String() != until {
		t.Errorf("the board says %v", m.Deadline)
	}
	anna.Writes("/settings quiet=none")
	if m := anna.Board(); m.Deadline.String() != "Anna plays, or the house at 22:23." {
		t.Errorf("the board says %v", m.Deadline)
	}
}

// Nobody hands a seat to themselves at the same browser, and with nobody else there
// it changes hands at once, as it does where nothing can be lost.
func TestNobodyHandsALossToTheirSecondSelf(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox 10", "Anna", "Ben")
	anna := people[0]
	anna.Presses("▶ Start")
	anna.Writes("/handover")
	h.Same = true
	bare.Refused(t, h.Person("Ada").Presses("Take Anna’s seat"),
		"Not to somebody at the same browser. Others may take it.")
	h.Balance("player:test:Ada", 0)
	h.Balance("player:test:Anna", -10)
	h.Sound()

	h = bare.New(t, shutbox.Game{})
	people = h.Gather("/shutbox 0", "Anna", "Ben")
	people[0].Presses("▶ Start")
	people[0].Writes("/handover")
	bare.Told(t, h.Person("Dora").Presses("Take Anna’s seat"), "The seat is yours.")

	h = bare.New(t)
	h.Regulars("Dora")
	anna = h.Person("Anna")
	anna.Admin = true
	anna.Writes("/settings alone=counts")
	anna.Writes("/coin 10")
	anna.Presses("+ House")
	anna.Presses("▶ Start")
	anna.Writes("/handover")
	bare.Told(t, h.Person("Dora").Presses("Take Anna’s seat"), "The seat is yours, and its stake: 10 chips.")
	h.Sound()
}

// Who would take a seat and is forgotten meanwhile does not get it.
func TestWhoeverIsForgottenTakesNoSeat(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Regulars("Dora")
	people := h.Gather("/shutbox 10", "Anna", "Ben")
	dora := h.Person("Dora")
	people[0].Presses("▶ Start")
	people[0].Writes("/handover")
	dora.Presses("Take Anna’s seat")
	hand := people[1].Button("Dora may sit there").Press
	dora.Forgets()
	bare.Refused(t, people[1].Sends(hand), "The table has moved on. Look at the newest board.")
	if s := people[0].Table().Seats[0]; s.Taker != "" {
		t.Errorf("the seat is asked for by %s", s.Taker)
	}
	if text := bare.Show(people[1].Offers()); strings.Contains(text, "Dora") ||
		!strings.Contains(text, "[Take Anna’s seat]") {
		t.Errorf("the board says\n%s", text)
	}
	h.Sound()
}

// What somebody has asked for falls away once they leave the chat or are forgotten,
// and the offer says so.
func TestWhoeverLeavesAsksForNoSeat(t *testing.T) {
	for how, leaves := range map[string]func(*bare.House, *bare.Person){
		"the chat": func(h *bare.House, dora *bare.Person) {
			h.Bot.Handle(t.Context(), chat.Event{Chat: "test:1", Left: []chat.User{"test:Dora"}})
		},
		"for good": func(_ *bare.House, dora *bare.Person) { dora.Forgets() },
	} {
		t.Run(how, func(t *testing.T) {
			h := bare.New(t, shutbox.Game{})
			h.Regulars("Dora")
			people := h.Gather("/shutbox 10", "Anna", "Ben")
			dora := h.Person("Dora")
			people[0].Presses("▶ Start")
			people[0].Writes("/handover")
			dora.Presses("Take Anna’s seat")
			leaves(h, dora)
			if text := bare.Show(people[1].Offers()); !strings.Contains(text, "[Take Anna’s seat]") {
				t.Errorf("the offer says\n%s", text)
			}
			if seat := people[0].Table().Seats[0]; seat.Taker != "" || !seat.Offered {
				t.Errorf("the seat is %+v", seat)
			}
		})
	}
}

// Who asks for two seats and gets one asks for the other no more.
func TestOfTwoSeatsOfferedSomebodyGetsOne(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Regulars("Dora", "Emil")
	people := h.Gather("/shutbox 10", "Anna", "Ben", "Clara")
	anna, ben, clara, dora := people[0], people[1], people[2], h.Person("Dora")
	anna.Presses("▶ Start")
	anna.Writes("/handover")
	ben.Writes("/handover")
	dora.Presses("Take Ben’s seat")
	dora.Sends("1:1:0:!take 0")
	ben.Writes("/handover") // Ben keeps his seat,
	ben.Writes("/handover") // and offers it again
	dora.Sends("1:1:0:!take 1")
	bare.Told(t, clara.Presses("Dora may sit there"), "Agreed: the seat has changed hands.")
	if seats := clara.Table().Seats; seats[0].Player != "test:Dora" || seats[1].Taker != "" {
		t.Errorf("the seats are %+v", seats)
	}
	bare.Told(t, h.Person("Emil").Presses("Take Ben’s seat"), "Asked: the seat is yours once one of the others agrees.")
	h.Sound()
}

// Whoever sits at the same browser as who gives a seat, or as who takes it, may be
// the same person, and does not agree to that. With nobody else seated it changes
// hands at once.
func TestNobodyAgreesToWhatTheirSecondSelfWould(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Same = true
	h.Regulars("Dora")
	people := h.Gather("/shutbox 10", "Anna", "Ada", "Dieter", "Ben")
	anna, ada, dieter, ben, dora := people[0], people[1], people[2], people[3], h.Person("Dora")
	anna.Presses("▶ Start")
	anna.Writes("/handover")
	dora.Presses("Take Anna’s seat")
	if text := bare.Show(ben.Offers()); !strings.Contains(text, "once one of those seated agrees: Ben.") {
		t.Errorf("the board says\n%s", text)
	}
	hand := ben.Button("Dora may sit there")
	if hand.For != "test:Ben" {
		t.Errorf("at one screen it is pressed by %s", hand.For)
	}
	bare.Refused(t, ada.Sends(hand.Press), "Somebody at another browser agrees to that. Ask them.")
	bare.Refused(t, dieter.Sends(hand.Press), "Somebody at another browser agrees to that. Ask them.")
	h.Balance("player:test:Anna", -10)
	ben.Forgets()
	bare.Told(t, dora.Presses("Take Anna’s seat"), "The seat is yours, and its stake: 10 chips.")
	h.Sound()

	h = bare.New(t, shutbox.Game{})
	h.Same = true
	h.Regulars("Dora")
	people = h.Gather("/shutbox 10", "Anna", "Ada")
	people[0].Presses("▶ Start")
	people[0].Writes("/handover")
	bare.Told(t, h.Person("Dora").Presses("Take Anna’s seat"), "The seat is yours, and its stake: 10 chips.")
	h.Sound()
}

// Who was not known in the chat before the table was opened takes a seat with a stake only once an admin agrees who
// does not sit, beside one who sits; where all are equal, everybody who sits and is there.
func TestASeatGoesToAStranger(t *testing.T) {
	offered := func(h *bare.House, line string, names ...string) (people []*bare.Person, dora *bare.Person) {
		people, dora = h.Gather(line, names...), h.Person("Dora")
		people[0].Presses("▶ Start")
		h.Wait(time.Second)
		dora.Writes("/privacy") // too late to be known
		people[0].Writes("/handover")
		return people, dora
	}
	const asked = "Asked: you are new here, so an admin has to agree, too."
	const handed = "Agreed: the seat has changed hands."

	h := bare.New(t, shutbox.Game{})
	people, dora := offered(h, "/shutbox 10", "Anna", "Ben")
	ben, mod := people[1], h.Person("Mod")
	bare.Told(t, dora.Presses("Take Anna’s seat"), asked)
	if text := bare.Show(ben.Offers()); !strings.Contains(text, "Dora is new here and would take Anna's seat, "+
		"once an admin who does not sit agrees, and one of these: Ben.") {
		t.Errorf("the board says\n%s", text)
	}
	hand := ben.Button("Dora may sit there").Press
	ben.Admin, dora.Admin = true, true
	bare.Refused(t, mod.Sends(hand), "You do not sit here. An admin or a player agrees to that.")
	bare.Refused(t, dora.Sends(hand), "Somebody at another browser agrees to that. Ask them.")
	bare.Told(t, ben.Sends(hand), "Agreed. The offer says who has to agree as well.")
	bare.Told(t, ben.Sends(hand), "Agreed. The offer says who has to agree as well.") // one who sits is no admin here
	if text := bare.Show(ben.Offers()); !strings.Contains(text, "seat, once an admin who does not sit agrees.") {
		t.Errorf("the board says\n%s", text)
	}
	h.Balance("player:test:Anna", -10)
	bare.Told(t, dora.Sends("1:1:0:!take 0"), "Withdrawn: you no longer ask for the seat.")
	bare.Told(t, dora.Sends("1:1:0:!take 0"), asked)
	mod.Admin = true
	h.Restart()
	bare.Told(t, mod.Sends(hand), "Agreed. The offer says who has to agree as well.")
	bare.Told(t, ben.Sends(hand), handed)
	h.Balance("player:test:Anna", 0)
	h.Balance("player:test:Dora", -10)
	h.Sound()

	// With nobody else seated only the admin is asked.
	h = bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	dora, mod = h.Person("Dora"), h.Person("Mod")
	mod.Admin = true
	mod.Writes("/settings alone=counts")
	mod.Admin = false
	anna.Writes("/shutbox 10")
	anna.Sends("1:1:0:!house fewest")
	anna.Presses("▶ Start")
	h.Wait(time.Second)
	anna.Writes("/handover")
	bare.Told(t, dora.Presses("Take Anna’s seat"), asked)
	bare.Refused(t, anna.Presses("Dora may sit there"), "One of the others has to agree to that. Just ask.")
	mod.Admin = true
	bare.Told(t, mod.Presses("Dora may sit there"), handed)
	h.Sound()

	// In a room without a host all who are there agree.
	h = bare.New(t, shutbox.Game{})
	people, dora = offered(h, "/shutbox 10", "Anna", "Ben", "Clara", "Emil")
	ben, clara := people[1], people[2]
	dora.Equals = true
	bare.Told(t, dora.Presses("Take Anna’s seat"), "Asked: you are new here, so all the others have to agree.")
	h.Leave(people[3])
	bare.Told(t, ben.Presses("Dora may sit there"), "Agreed. The offer says who has to agree as well.")
	if text := bare.Show(ben.Offers()); !strings.Contains(text, "seat, once all of them agree: Clara.") {
		t.Errorf("the board says\n%s", text)
	}
	bare.Refused(t, h.Person("Mod").Presses("Dora may sit there"), "You are watching this game. Join the next one.")
	bare.Told(t, clara.Presses("Dora may sit there"), handed)
	h.Sound()
}
