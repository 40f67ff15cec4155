package call_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

// An offered seat is one message beside the board, which goes with the press, the turn or the minute that ends the
// offer, whatever could be written there and whenever the bot is started again.
func TestAnOfferIsOneMessageForAMinute(t *testing.T) {
	const offers = "Anna would hand the seat over: as it stands, with the stake of 10 chips."
	const asks = offers + "\nDora would take Anna's seat, once one of those seated agrees: Ben and Clara."
	for name, c := range map[string]struct {
		do       func(h *bare.House, s *bare.Square, anna, ben, dora *bare.Person)
		made     int
		standing []string
	}{
		"withdrawn": {func(_ *bare.House, _ *bare.Square, anna, _,
			_ *bare.Person) {
			anna.Presses("Keep my seat")
		}, 1, nil},
		"offered no more": {func(_ *bare.House, _ *bare.Square, anna, _, _ *bare.Person) { anna.Writes("/handover") },
			1, nil},
		"asked for": {func(_ *bare.House, _ *bare.Square, _, _,
			dora *bare.Person) {
			dora.Presses("Take Anna’s seat")
		}, 2,
			[]string{asks}},
		"handed over": {func(h *bare.House, _ *bare.Square, _, ben, dora *bare.Person) {
			dora.Presses("Take Anna’s seat")
			h.Later(time.Second)
			ben.Presses("Dora may sit there")
		}, 2, nil},
		"another turn": {func(_ *bare.House, _ *bare.Square, anna, _, _ *bare.Person) { anna.Presses("Throw") }, 1,
			nil},
		"the end": {func(_ *bare.House, _ *bare.Square, anna, ben, _ *bare.Person) {
			anna.Admin = true
			h, _ := anna.House, anna.Writes("/abandon")
			for _, name := range []string{"Ben", "Clara"} {
				h.Person(name).Sends("1:1:0:!vote yes")
			}
		}, 1, nil},
		"almost a minute": {func(h *bare.House, _ *bare.Square, _, _, _ *bare.Person) { h.Later(59 * time.Second) }, 1,
			[]string{offers}},
		"a minute": {func(h *bare.House, _ *bare.Square, _, _, _ *bare.Person) { h.Later(time.Minute) }, 1, nil},
		"a minute after it was asked for": {func(h *bare.House, _ *bare.Square, _, _, dora *bare.Person) {
			h.Later(30 * time.Second)
			dora.Presses("Take Anna’s seat")
			h.Later(time.Minute)
		}, 2, nil},
		"a minute, and a restart": {func(h *bare.House, s *bare.Square, _, _, _ *bare.Person) {
			s.Stop()
			h.RestartBot()
			s.Stop = h.OnStage(s)
			h.Later(time.Minute)
		}, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			bare.Bubble(t, func(t *testing.T) {
				h := bare.New(t)
				h.Regulars("Dora")
				s := bare.NewSquare()
				people := h.Begin(s, "/coin 10", "Anna", "Ben", "Clara")
				anna, dora := people[0], h.Person("Dora")
				anna.Writes("/notify off")
				drawn := anna.Table().Version
				bare.Told(t, anna.Writes("/handover"), "Offered for a minute, or until the turn is over.")
				s.WantCalls(t, 1, offers)
				if now := anna.Table(); now.Version != drawn || now.Repost {
					t.Errorf("the board is drawn again: %d, and was %d", now.Version, drawn)
				}
				c.do(h, s, anna, people[1], dora)
				s.WantCalls(t, c.made, c.standing...)
				if seat := anna.Table().Seats[0]; seat.Offered != (c.standing != nil) {
					t.Errorf("the seat is %+v", seat)
				}
				h.Sound()
			})
		})
	}
}

// A page shows of an offer only what its people may press, and nothing once it has ended.
func TestAPageShowsWhatItsPeopleMayDoOfAnOffer(t *testing.T) {
	h := bare.New(t)
	h.Regulars("Dora")
	people := h.Gather("/coin 10", "Anna", "Ben")
	anna, dora := people[0], h.Person("Dora")
	anna.Presses("▶ Start")
	sees := func(unseated bool, names ...string) (labels string) {
		t.Helper()
		by := chat.Viewer{Unseated: unseated, Offers: true}
		for _, name := range names {
			by.People = append(by.People, chat.User("test:"+name))
		}
		m, err := h.Bot.View(t.Context(), anna.Table().ID, by)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range slices.Concat(m.Buttons...) {
			labels += "[" + b.Label + "]"
		}
		return labels
	}
	want := func(step, of, seen, wanted string) {
		t.Helper()
		if seen != wanted {
			t.Errorf("%s: %s may press %s, want %s", step, of, seen, wanted)
		}
	}
	anna.Writes("/handover")
	want("offered", "Anna", sees(false, "Anna"), "[Keep my seat]")
	want("offered", "Ben", sees(false, "Ben"), "")
	want("offered", "Dora", sees(true), "[Take Anna’s seat]")
	want("offered", "Anna's other self", sees(true, "Anna"), "[Keep my seat]")
	dora.Presses("Take Anna’s seat")
	want("asked", "Anna", sees(false, "Anna"), "[Keep my seat]")
	want("asked", "Ben", sees(false, "Ben"), "[Dora may sit there]")
	want("asked", "Dora", sees(true, "Dora"), "[Not me after all]")
	want("asked", "Emil", sees(true), "")
	anna.Presses("Keep my seat")
	want("withdrawn", "Dora", sees(true), "")
}

// Where people type, the offer and its buttons answer the command.
func TestATypedOfferIsTheAnswer(t *testing.T) {
	h := bare.New(t)
	anna := h.Gather("/coin 10", "Anna", "Ben")[0]
	anna.Presses("▶ Start")
	ev := anna.Event()
	ev.Typed, ev.Command = true, "handover"
	if m := h.Bot.Handle(t.Context(), ev).Private; m == nil || !strings.Contains(bare.Show(*m), "[Keep my seat]") {
		t.Errorf("Anna reads %+v", m)
	}
}

// What cannot be shown where nobody can be called ends all the same.
func TestAnOfferEndsThatCouldNotBeShown(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben")
		s.Mu.Lock()
		s.Fault = chat.ErrAway
		s.Mu.Unlock()
		people[0].Writes("/handover")
		h.Later(59 * time.Second)
		if !people[0].Table().Seats[0].Offered {
			t.Error("the seat is offered no more")
		}
		h.Later(time.Second)
		if people[0].Table().Seats[0].Offered {
			t.Error("the seat is still offered")
		}
		h.Sound()
	})
}
