package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/store"
)

// TestWhyDatesGamesAsTheHistoryDoes plays and pays by clocks far from Greenwich,
// before and after the zone has changed.
func TestWhyDatesGamesAsTheHistoryDoes(t *testing.T) {
	for _, test := range []struct{ zone, at, evening string }{
		{"America/Los_Angeles", "2026-11-21T20:30:00-08:00", "2026-11-21"}, // the 22nd in Greenwich
		{"Asia/Tokyo", "2026-11-22T07:00:00+09:00", "2026-11-22"},          // the 21st in Greenwich
		{"Asia/Tokyo", "2026-11-22T02:00:00+09:00", "2026-11-21"},          // the night of the 21st
	} {
		h := newHouse(t)
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.admin = true
		said(t, anna.writes("/settings zone="+test.zone))
		now, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}
		h.wait(now.Sub(h.time()))
		for h.stands("chips")["player:test:Anna"] == 0 {
			anna.plays("/coin 10", ben)
		}
		anna.writes("/settle paid 1 Ben")
		anna.writes("/settle got 1 Ben")
		ben.writes("/settle confirm 1")
		game := fmt.Sprintf("%s · table %d", asWritten(test.evening), anna.table().ID)
		why := show(*anna.writes("/settle why").Private)
		if !strings.Contains(why, game) {
			t.Errorf("%v: played on another day\n%s", test, why)
		}
		if !strings.Contains(why, asWritten(test.evening)+" · paid ") {
			t.Errorf("%v: paid on another day\n%s", test, why)
		}
		wantLines(t, show(*anna.writes("/history").Private),
			fmt.Sprintf("#%d · %s", anna.table().ID, asWritten(test.evening)))
		said(t, anna.writes("/settings zone=Pacific/Kiritimati"))
		if why := show(*anna.writes("/settle why").Private); !strings.Contains(why, game) ||
			!strings.Contains(why, asWritten(test.evening)+" · paid ") {
			t.Errorf("%v: where the zone changes, the game was played, or paid for, on another day\n%s", test, why)
		}
		h.sound()
	}
}

// Payments of before evenings were kept stay where they were, too, when the zone
// changes.
func TestPastPaymentsStayInTheirEveningsWhereTheZoneChanges(t *testing.T) {
	h := newHouse(t)
	anna := h.person("Anna")
	anna.admin = true
	said(t, anna.writes("/settings zone=America/Los_Angeles"))
	now, err := time.Parse(time.RFC3339, "2026-11-21T20:30:00-08:00")
	if err != nil {
		t.Fatal(err)
	}
	h.wait(now.Sub(h.time()))
	booked(h, store.Payment{Payer: "player:test:Anna", Payee: "player:test:Ben", Amount: 15, Teller: "test:Anna"})
	for _, zone := range []string{"America/Los_Angeles", "Pacific/Kiritimati", "Europe/Berlin"} {
		said(t, anna.writes("/settings zone="+zone))
		if why := show(*anna.writes("/settle why").Private); !strings.Contains(why, "21 November · paid ") {
			t.Errorf("in %s it was paid on another day\n%s", zone, why)
		}
	}
	h.sound()
}

// From each page about a balance, and from the payments, one press leads back to the settle-up, whoever
// has opened it.
func TestWhyLeadsBackToThePayments(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	owing(h, "chips", map[string]int64{"Anna": -9, "Ben": 9})
	settle := anna.writes("/settle")
	for _, path := range [][]string{{"Why?"}, {"Why?", "Why Ben?"}, {"Payments"}} {
		page := settle
		for _, label := range path {
			page = anna.sends(pressOn(t, page, label))
		}
		for _, p := range []*person{anna, ben} {
			if got, want := turned(t, p.sends(pressOn(t, page, "Back"))), show(*settle.Private); got != want {
				t.Errorf("%v leads back to\n%s", path, got)
			}
		}
	}
	if got, want := said(t, ben.writes("/settle plan")), show(*settle.Private); got != want {
		t.Errorf("typed, it is\n%s", got)
	}
	clara := h.person("Clara")
	if got, want := turned(t, clara.sends(pressOn(t, clara.writes("/settle why"), "Back"))),
		show(*settle.Private); got != want {
		t.Errorf("who has no books is led back to\n%s", got)
	}
}

func TestWhyAfterATieSaysThatNothingWasWon(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.plays("/coin 10", ben)
	for h.stands("chips")["player:test:Anna"] != 0 { // until a first game is tied
		h = newHouse(t)
		anna, ben = h.person("Anna"), h.person("Ben")
		anna.plays("/coin 10", ben)
	}
	if got := said(t, ben.writes("/settle why Anna")); !strings.HasPrefix(got,
		"Anna stands at zero. Chips: nothing was won or lost.") {
		t.Error(got)
	}
}
