package bot_test

import (
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store"
)

// leave tells the bot that people have left the chat, or were shown out of it.
func (h *house) leave(people ...*person) {
	h.t.Helper()
	ev := chat.Event{Chat: "test:1"}
	for _, p := range people {
		ev.Left = append(ev.Left, p.event().User)
	}
	h.bot.Handle(h.t.Context(), ev)
}

// Whoever leaves the chat gives up the seat: in a lobby it is free at once for whoever comes.
func TestWhoeverLeavesTheChatFreesTheSeat(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	people := h.gather("/shutbox 10", "Anna", "Ben")
	table := people[0].table().ID
	h.leave(people[1])
	if seats := people[0].table().Seats; len(seats) != 1 || seats[0].Name != "Anna" {
		t.Errorf("the seats are %+v", seats)
	}
	if text := show(people[0].board()); strings.Contains(text, "Ben") {
		t.Errorf("the board says\n%s", text)
	}
	h.leave(people[0])
	clara := h.person("Clara")
	clara.presses("Sit down")
	if now := clara.table(); now.ID != table || len(now.Seats) != 1 || now.Seats[0].Name != "Clara" {
		t.Errorf("whoever comes then sits at table %d: %+v", now.ID, now.Seats)
	}
	h.sound()
}

// In a match the house plays for whoever has left the chat, at once, and nobody waits; who comes back plays on.
func TestTheHousePlaysForWhoeverLeavesTheChat(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	people := h.gather("/shutbox 10", "Anna", "Ben")
	anna, ben := people[0], people[1]
	anna.presses("▶ Start")
	h.leave(anna)
	now := ben.table()
	if now.Seats[0].Absence != store.Gone {
		t.Errorf("the seat of whoever has left is %q", now.Seats[0].Absence)
	}
	if text := show(ben.board()); !strings.Contains(text, "Ben") || strings.Contains(text, "Anna is to throw") {
		t.Errorf("somebody waits for who has left:\n%s", text)
	}
	told(t, anna.presses("I'm back"), "You are back.")
	h.sound()
}
