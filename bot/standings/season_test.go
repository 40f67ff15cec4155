package standings_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

func TestPressesAtOnceStartOneSeason(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	yes := bare.PressOn(t, anna.Writes("/season Winter"), "Yes, start it")
	eight := []*bare.Person{anna, anna, anna, anna, anna, anna, anna, anna}
	if n := bare.AtOnce(eight, func(p *bare.Person) chat.Reply { return p.Taps(yes) }); n != 1 {
		t.Errorf("eight presses at once start %d seasons", n)
	}
}
