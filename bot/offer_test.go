package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
)

// An offered seat is one message beside the board, which goes with the press, the turn or the minute that ends the
// offer, whatever could be written there and whenever the bot is started again.
func TestAnOfferIsOneMessageForAMinute(t *testing.T) {
	const offers = "Anna would hand the seat over: as it stands, with the stake of 10 chips."
	const asks = offers + "\nDora would take Anna's seat, once one of those seated agrees: Ben and Clara."
	for name, c := range map[string]struct {
		do       func(h *house, s *square, anna, ben, dora *person)
		made     int
		standing []string
	}{
		"withdrawn":       {func(_ *house, _ *square, anna, _, _ *person) { anna.presses("Keep my seat") }, 1, nil},
		"offered no more": {func(_ *house, _ *square, anna, _, _ *person) { anna.writes("/handover") }, 1, nil},
		"asked for": {func(_ *house, _ *square, _, _, dora *person) { dora.presses("Take Anna’s seat") }, 2,
			[]string{asks}},
		"handed over": {func(h *house, _ *square, _, ben, dora *person) {
			dora.presses("Take Anna’s seat")
			h.later(time.Second)
			ben.presses("Dora may sit there")
		}, 2, nil},
		"another turn": {func(_ *house, _ *square, anna, _, _ *person) { anna.presses("Throw") }, 1, nil},
		"the end": {func(_ *house, _ *square, anna, ben, _ *person) {
			anna.admin = true
			h, _ := anna.house, anna.writes("/abandon")
			for _, name := range []string{"Ben", "Clara"} {
				h.person(name).sends("1:1:0:!vote yes")
			}
		}, 1, nil},
		"almost a minute": {func(h *house, _ *square, _, _, _ *person) { h.later(59 * time.Second) }, 1,
			[]string{offers}},
		"a minute": {func(h *house, _ *square, _, _, _ *person) { h.later(time.Minute) }, 1, nil},
		"a minute after it was asked for": {func(h *house, _ *square, _, _, dora *person) {
			h.later(30 * time.Second)
			dora.presses("Take Anna’s seat")
			h.later(time.Minute)
		}, 2, nil},
		"a minute, and a restart": {func(h *house, s *square, _, _, _ *person) {
			s.stop()
			h.restartBot()
			s.stop = h.onStage(s)
			h.later(time.Minute)
		}, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				h := newHouse(t)
				h.regulars("Dora")
				s := newSquare()
				people := h.begin(s, "/coin 10", "Anna", "Ben", "Clara")
				anna, dora := people[0], h.person("Dora")
				anna.writes("/notify off")
				drawn := anna.table().Version
				told(t, anna.writes("/handover"), "Offered for a minute, or until the turn is over.")
				s.wantCalls(t, 1, offers)
				if now := anna.table(); now.Version != drawn || now.Repost {
					t.Errorf("the board is drawn again: %d, and was %d", now.Version, drawn)
				}
				c.do(h, s, anna, people[1], dora)
				s.wantCalls(t, c.made, c.standing...)
				if seat := anna.table().Seats[0]; seat.Offered != (c.standing != nil) {
					t.Errorf("the seat is %+v", seat)
				}
				h.sound()
			})
		})
	}
}

// A page shows of an offer only what its people may press, and nothing once it has ended.
func TestAPageShowsWhatItsPeopleMayDoOfAnOffer(t *testing.T) {
	h := newHouse(t)
	h.regulars("Dora")
	people := h.gather("/coin 10", "Anna", "Ben")
	anna, dora := people[0], h.person("Dora")
	anna.presses("▶ Start")
	sees := func(unseated bool, names ...string) (labels string) {
		t.Helper()
		by := chat.Viewer{Unseated: unseated, Offers: true}
		for _, name := range names {
			by.People = append(by.People, chat.User("test:"+name))
		}
		m, err := h.bot.View(t.Context(), anna.table().ID, by)
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
	anna.writes("/handover")
	want("offered", "Anna", sees(false, "Anna"), "[Keep my seat]")
	want("offered", "Ben", sees(false, "Ben"), "")
	want("offered", "Dora", sees(true), "[Take Anna’s seat]")
	want("offered", "Anna's other self", sees(true, "Anna"), "[Keep my seat]")
	dora.presses("Take Anna’s seat")
	want("asked", "Anna", sees(false, "Anna"), "[Keep my seat]")
	want("asked", "Ben", sees(false, "Ben"), "[Dora may sit there]")
	want("asked", "Dora", sees(true, "Dora"), "[Not me after all]")
	want("asked", "Emil", sees(true), "")
	anna.presses("Keep my seat")
	want("withdrawn", "Dora", sees(true), "")
}

// Where people type, the offer and its buttons answer the command.
func TestATypedOfferIsTheAnswer(t *testing.T) {
	h := newHouse(t)
	anna := h.gather("/coin 10", "Anna", "Ben")[0]
	anna.presses("▶ Start")
	ev := anna.event()
	ev.Typed, ev.Command = true, "handover"
	if m := h.bot.Handle(t.Context(), ev).Private; m == nil || !strings.Contains(show(*m), "[Keep my seat]") {
		t.Errorf("Anna reads %+v", m)
	}
}

// What cannot be shown where nobody can be called ends all the same.
func TestAnOfferEndsThatCouldNotBeShown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h, s, people := begun(t, "/coin 10", "Anna", "Ben")
		s.mu.Lock()
		s.fault = chat.ErrAway
		s.mu.Unlock()
		people[0].writes("/handover")
		h.later(59 * time.Second)
		if !people[0].table().Seats[0].Offered {
			t.Error("the seat is offered no more")
		}
		h.later(time.Second)
		if people[0].table().Seats[0].Offered {
			t.Error("the seat is still offered")
		}
		h.sound()
	})
}
