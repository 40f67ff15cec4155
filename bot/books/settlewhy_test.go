package books_test

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/store"
)

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
