package call_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
)

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
