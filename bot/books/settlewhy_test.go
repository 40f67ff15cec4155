package books_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
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
		h := bare.New(t)
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Admin = true
		bare.Said(t, anna.Writes("/settings zone="+test.zone))
		now, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}
		h.Wait(now.Sub(h.Time()))
		for h.Stands("chips")["player:test:Anna"] == 0 {
			anna.Plays("/coin 10", ben)
		}
		anna.Writes("/settle paid 1 Ben")
		anna.Writes("/settle got 1 Ben")
		ben.Writes("/settle confirm 1")
		game := fmt.Sprintf("%s · table %d", bare.AsWritten(test.evening), anna.Table().ID)
		why := bare.Show(*anna.Writes("/settle why").Private)
		if !strings.Contains(why, game) {
			t.Errorf("%v: played on another day\n%s", test, why)
		}
		if !strings.Contains(why, bare.AsWritten(test.evening)+" · paid ") {
			t.Errorf("%v: paid on another day\n%s", test, why)
		}
		bare.WantLines(t, bare.Show(*anna.Writes("/history").Private),
			fmt.Sprintf("#%d · %s", anna.Table().ID, bare.AsWritten(test.evening)))
		bare.Said(t, anna.Writes("/settings zone=Pacific/Kiritimati"))
		if why := bare.Show(*anna.Writes("/settle why").Private); !strings.Contains(why, game) ||
			!strings.Contains(why, bare.AsWritten(test.evening)+" · paid ") {
			t.Errorf("%v: where the zone changes, the game was played, or paid for, on another day\n%s", test, why)
		}
		h.Sound()
	}
}

// Payments of before evenings were kept stay where they were, too, when the zone
// changes.
func TestPastPaymentsStayInTheirEveningsWhereTheZoneChanges(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	bare.Said(t, anna.Writes("/settings zone=America/Los_Angeles"))
	now, err := time.Parse(time.RFC3339, "2026-11-21T20:30:00-08:00")
	if err != nil {
		t.Fatal(err)
	}
	h.Wait(now.Sub(h.Time()))
	bare.Booked(h, store.Payment{Payer: "player:test:Anna", Payee: "player:test:Ben", Amount: 15, Teller: "test:Anna"})
	for _, zone := range []string{"America/Los_Angeles", "Pacific/Kiritimati", "Europe/Berlin"} {
		bare.Said(t, anna.Writes("/settings zone="+zone))
		if why := bare.Show(*anna.Writes("/settle why").Private); !strings.Contains(why, "21 November · paid ") {
			t.Errorf("in %s it was paid on another day\n%s", zone, why)
		}
	}
	h.Sound()
}

// From each page about a balance, and from the payments, one press leads back to the settle-up, whoever
// has opened it.
func TestWhyLeadsBackToThePayments(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	bare.Owing(h, "chips", map[string]int64{"Anna": -9, "Ben": 9})
	settle := anna.Writes("/settle")
	for _, path := range [][]string{{"Why?"}, {"Why?", "Why Ben?"}, {"Payments"}} {
		page := settle
		for _, label := range path {
			page = anna.Sends(bare.PressOn(t, page, label))
		}
		for _, p := range []*bare.Person{anna, ben} {
			if got, want := bare.Turned(t, p.Sends(bare.PressOn(t, page, "Back"))),
				bare.Show(*settle.Private); got != want {
				t.Errorf("%v leads back to\n%s", path, got)
			}
		}
	}
	if got, want := bare.Said(t, ben.Writes("/settle plan")), bare.Show(*settle.Private); got != want {
		t.Errorf("typed, it is\n%s", got)
	}
	clara := h.Person("Clara")
	if got, want := bare.Turned(t, clara.Sends(bare.PressOn(t, clara.Writes("/settle why"), "Back"))),
		bare.Show(*settle.Private); got != want {
		t.Errorf("who has no books is led back to\n%s", got)
	}
}

func TestWhyAfterATieSaysThatNothingWasWon(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Plays("/coin 10", ben)
	for h.Stands("chips")["player:test:Anna"] != 0 { // until a first game is tied
		h = bare.New(t)
		anna, ben = h.Person("Anna"), h.Person("Ben")
		anna.Plays("/coin 10", ben)
	}
	if got := bare.Said(t, ben.Writes("/settle why Anna")); !strings.HasPrefix(got,
		"Anna stands at zero. Chips: nothing was won or lost.") {
		t.Error(got)
	}
}
