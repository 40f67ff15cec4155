package table_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/store"
)

// Whoever leaves the chat gives up the seat: in a lobby it is free at once for whoever comes.
func TestWhoeverLeavesTheChatFreesTheSeat(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox 10", "Anna", "Ben")
	table := people[0].Table().ID
	h.Leave(people[1])
	if seats := people[0].Table().Seats; len(seats) != 1 || seats[0].Name != "Anna" {
		t.Errorf("the seats are %+v", seats)
	}
	if text := bare.Show(people[0].Board()); strings.Contains(text, "Ben") {
		t.Errorf("the board says\n%s", text)
	}
	h.Leave(people[0])
	clara := h.Person("Clara")
	clara.Presses("Sit down")
	if now := clara.Table(); now.ID != table || len(now.Seats) != 1 || now.Seats[0].Name != "Clara" {
		t.Errorf("whoever comes then sits at table %d: %+v", now.ID, now.Seats)
	}
	h.Sound()
}

// In a match the house plays for whoever has left the chat, at once, and nobody waits; who comes back plays on.
func TestTheHousePlaysForWhoeverLeavesTheChat(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox 10", "Anna", "Ben")
	anna, ben := people[0], people[1]
	anna.Presses("▶ Start")
	h.Leave(anna)
	now := ben.Table()
	if now.Seats[0].Absence != store.Gone {
		t.Errorf("the seat of whoever has left is %q", now.Seats[0].Absence)
	}
	if text := bare.Show(ben.Board()); !strings.Contains(text, "Ben") || strings.Contains(text, "Anna is to throw") {
		t.Errorf("somebody waits for who has left:\n%s", text)
	}
	bare.Told(t, anna.Presses("I'm back"), "You are back.")
	h.Sound()
}
