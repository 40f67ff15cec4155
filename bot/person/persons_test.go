package person_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store"
)

// TestTwoPlayersOfOnePerson checks that two players who belong to one person are one and the same: at a table, in
// votes, in the books, in their data, and when they are forgotten.
func TestTwoPlayersOfOnePerson(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben, clara, phone := h.Person("Anna"), h.Person("Ben"), h.Person("Clara"), h.Person("Phone")
	for _, p := range []*bare.Person{anna, phone, ben, clara} {
		p.Writes("/privacy")
	}
	h.Tamper(`DELETE FROM persons WHERE id = (SELECT id FROM players WHERE rowid = 2)`)
	h.Tamper(`UPDATE players SET person = (SELECT id FROM players WHERE rowid = 1) WHERE rowid = 2`)

	anna.Writes("/shutbox 5")
	clara.Presses("Join")
	bare.Told(t, phone.Presses("Join"), "You are already in. “Leave” gives up your seat.")
	ben.Presses("Join")
	if r := phone.Presses("▶ Start"); r.Refused {
		t.Errorf("the opener may not start: %s", r.Toast)
	}
	if seats := anna.Table().Seats; len(seats) != 3 || seats[0].Player != "test:Anna" {
		t.Fatalf("the seats are %+v", seats)
	}
	page, err := h.Bot.View(t.Context(), anna.Table().ID, chat.Viewer{People: []chat.User{"test:Phone"}})
	if err != nil || page.People[0].User != "test:Phone" || len(page.Buttons) == 0 || page.Ends == "" ||
		!slices.Contains(page.Concerns, "test:Phone") {
		t.Errorf("her own page is not hers: %v\n%s", err, bare.Show(page))
	}
	if r := phone.Presses("🎲 Roll"); !strings.HasPrefix(r.Toast, "You rolled ") {
		t.Errorf("the turn is Anna's: %s", r.Toast)
	}

	phone.Writes("/abandon")
	anna.Presses("End it (1 of 3)")
	phone.Presses("End it (1 of 3)")
	if head := ben.Board().Head; !strings.HasPrefix(head, "End the game? In favour: Anna, 1 of 3 votes.") {
		t.Errorf("two votes of one person: %s", head)
	}

	bare.Owing(h, "chips", map[string]int64{"Anna": -10, "Ben": 10})
	reported := bare.Said(t, phone.Writes("/settle paid 4 Ben"))
	if !strings.Contains(reported, "Anna → Ben 4 chips: waiting for Ben") {
		t.Errorf("her payment is reported as\n%s", reported)
	}
	plan := phone.Asks("/settle").Buttons[0][0]
	if want := []chat.User{"test:Phone", "test:Ben"}; !slices.Equal(plan.By, want) {
		t.Errorf("%q may be pressed by %v, not %v", plan.Label, plan.By, want)
	}
	bare.Told(t, anna.Writes("/settle confirm 1"), "Noted already. Ben still has to confirm it.")
	mention := ben.Event()
	mention.Command, mention.Text = "settle", "got 4 @phone"
	mention.Mentions = map[string]chat.Mention{"@phone": {User: "test:Phone", Name: "phone"}}
	if r := h.Bot.Handle(t.Context(), mention); r.Refused {
		t.Errorf("the other side does not confirm it: %s", r.Toast)
	}
	h.Balance("player:test:Anna", -11) // and the stake of the game
	h.Balance("player:test:Phone", 0)

	told := string(phone.Writes("/mydata").Private.File.Bytes)
	for _, want := range []string{`"id": "test:Anna"`, `"id": "test:Phone"`, `"teller": "test:Anna"`, `"kind": "stakes"`} {
		if !strings.Contains(told, want) {
			t.Errorf("%s is not told:\n%s", want, told)
		}
	}
	phone.Forgets()
	if all := databaseBytes(h); bytes.Contains(all, []byte("Phone")) || bytes.Contains(all, []byte("Anna")) {
		t.Error("a name is in the file")
	}
	if s := ben.Table().Seats[0]; !strings.HasPrefix(s.Player, "gone:") || s.Absence != store.Gone {
		t.Errorf("the seat is %+v", s)
	}
	h.Sound()
}
