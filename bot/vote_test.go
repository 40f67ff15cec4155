package bot_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store"
)

func TestVoteToEnd(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben, clara, dora := h.person("Anna"), h.person("Ben"), h.person("Clara"), h.person("Dora")
	anna.writes("/shutbox 10")
	for _, p := range []*person{ben, clara, dora} {
		p.presses("Sit down")
	}
	anna.sends("1:1:0:!house fewest") // it has no vote
	anna.presses("▶ Start")
	told(t, ben.writes("/abandon"), "")
	want(t, anna.board(), `
To end this table: Ben, 1 of 3 votes.
Anna starts.
1 2 3 4 5 6 7 8 9
Anna 45 open
Ben
Clara
Dora
House
Ended now, everybody gets 10 chips back.
[🎲 Throw]
[End it (1 of 3)][Play on]`)
	refused(t, h.person("Eve").presses("End it (1 of 3)"), "You are watching this game. Join the next one.")
	told(t, clara.presses("Play on"), "You play on. To end it: 1 of 3 votes.")
	told(t, clara.presses("End it (1 of 3)"), "To end it: 2 of 3 votes.")
	told(t, clara.presses("End it (2 of 3)"), "To end it: 2 of 3 votes.") // one has one vote
	told(t, clara.writes("/abandon"), "")
	h.restart()
	votesComeAndGo(t, h, anna, ben)
	old := clara.button("End it (1 of 4)").Press // all who are there, now that dice have fallen
	clara.presses("Play on")
	if m := anna.board(); strings.Contains(show(m), "votes") || strings.Contains(show(m), "Ended now") {
		t.Errorf("a vote without votes:\n%s", show(m))
	}
	told(t, dora.sends(old), "To end it: 1 of 4 votes.") // begins another
	ben.presses("End it (1 of 4)")
	told(t, clara.presses("End it (2 of 4)"), "To end it: 3 of 4 votes.")
	h.balance("pool:1", 50)
	told(t, anna.presses("End it (3 of 4)"), "The table is closed, all stakes are back.")
	want(t, anna.board(), `
The table was ended before its time. Everybody has their 10 chips again.
Anna 45 open · +10 back
Ben +10 back
Clara +10 back
Dora +10 back
House +10 back
[↻ Rematch][Dice ✓]`)
	refused(t, clara.sends(old), "This table was closed. ↻ Rematch opens the next.")
	h.balance("pool:1", 0)
	h.sound()
	anna.presses("↻ Rematch")
	if m := anna.board(); strings.Contains(show(m), "votes") {
		t.Errorf("votes in the rematch:\n%s", show(m))
	}
}

// Others playing on changes nothing; whoever plays on oneself takes the vote back.
func votesComeAndGo(t *testing.T, h *house, anna, ben *person) {
	t.Helper()
	anna.presses("🎲 Throw")
	if m := anna.board(); !strings.Contains(m.Head, "Ben and Clara, 2 of 4 votes.") {
		t.Errorf("after a throw: %s", m.Head)
	}
	told(t, ben.presses("Play on"), "You would play on.")
	h.restart()
}

func TestWhoeverPlaysOnTakesTheVoteBack(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.locale, ben.locale, clara.locale = "de", "de", "de"
	anna.writes("/coin 10")
	ben.presses("Mitspielen")
	clara.presses("Mitspielen")
	anna.presses("▶ Los")
	anna.presses("Werfen")
	told(t, ben.writes("/abandon"), "")
	if m := anna.board(); !strings.HasPrefix(m.Said(), "Schluss machen? Dafür: Ben, 1 von 3 Stimmen. ") {
		t.Errorf("it says %s", m.Head)
	}
	anna.presses("Beenden (1 von 3)") // the opener's vote is a vote, too
	if table := anna.table(); table.State != store.Playing {
		t.Errorf("Clara's stake was taken from her: the table is %s", table.State)
	}
	clara.presses("Beenden (2 von 3)")
	if table := anna.table(); table.State != store.Abandoned {
		t.Errorf("the table is %s", table.State)
	}
	anna.presses("↻ Revanche")
	ben.presses("Mitspielen")
	clara.presses("Mitspielen")
	anna.presses("▶ Los")
	told(t, clara.writes("/abandon"), "")
	for _, p := range []*person{anna, ben} {
		p.presses("Werfen")
	}
	clara.presses("Werfen") // the last throw: the game is over, and no vote is left
	h.sound()
}

// The refund of a box is said before and afterwards.
func TestVoteSaysWhatTheBoxGets(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.writes("/coin 5")
	ben.presses("Sit down")
	clara.presses("Sit down")
	anna.presses("▶ Start")
	for range 20 { // until two share what three have paid
		h.playOn("coin", anna, ben, clara)
		stays := anna.table().BoxOut > 0
		anna.presses("↻ Rematch")
		ben.presses("Sit down")
		clara.presses("Sit down")
		anna.presses("▶ Start")
		if stays {
			break
		}
	}
	ben.writes("/abandon")
	m := show(anna.board())
	anna.writes("/abandon")
	anna.presses("Yes, end it")
	if after := show(anna.board()); !strings.Contains(m, "The box gets its 1 chip back.") ||
		!strings.Contains(after, "The box has its 1 chip again.") {
		t.Errorf("before:\n%s\nafter:\n%s", m, after)
	}
	h.sound()
}

// In a lobby nothing is at stake, but it is closed by the same rights.
func TestVoteInALobby(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.writes("/coin 10")
	ben.presses("Sit down")
	clara.presses("Sit down")
	told(t, ben.writes("/abandon"), "")
	if yes, no := clara.button("End it (1 of 2)"), clara.button("Play on"); yes.For != "test:Anna" ||
		no.For != "test:Ben" {
		t.Errorf("at one screen they are pressed by %s and %s", yes.For, no.For)
	}
	ben.presses("Get up") // and his vote goes with him
	if m := anna.board(); strings.Contains(show(m), "votes") {
		t.Errorf("the vote of somebody who is gone:\n%s", show(m))
	}
	told(t, clara.writes("/abandon"), "")
	anna.presses("▶ Start")
	if m := anna.board(); strings.Contains(show(m), "votes") {
		t.Errorf("a vote from the lobby:\n%s", show(m))
	}
	h.sound()
}

// The platform is asked who is an admin whenever that changes something, outside
// transactions; only a no is believed, for a moment.
func TestWhoIsAnAdminIsAskedWhenItWeighs(t *testing.T) {
	h := newHouse(t)
	mod := h.person("Mod")
	asked := 0
	asks := func(admin bool) chat.Reply {
		ev := mod.event()
		ev.Command, ev.Text = "unit", "coffees"
		ev.Admin = func(ctx context.Context) bool {
			asked++
			if err := h.store.UpdateOf(ctx, store.OfAll, func(*store.Tx) error { return nil }); err != nil {
				t.Errorf("asked inside a transaction: %v", err)
			}
			return admin
		}
		return h.bot.Handle(context.Background(), ev)
	}
	const no = "Only admins of this chat can change that. Ask one of them."
	refused(t, asks(false), no)
	h.wait(3*time.Second - time.Millisecond)
	refused(t, asks(true), no) // for a moment it is believed
	h.wait(time.Millisecond)
	told(t, asks(true), "From now on you play for coffees here.")
	refused(t, asks(false), no) // who was dismissed changes nothing any more
	h.wait(3 * time.Second)
	told(t, asks(true), "From now on you play for coffees here.")
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
	refused(t, h.person("Eve").writes("/language de"), no)
	if r := h.person("Eve").writes("/unit"); r.Refused {
		t.Errorf("to look at the unit: %s", r.Toast)
	}
}

// Of several at one browser any may be the same person: they have one vote, where most decide. Where all are at one
// browser no other person is there to lose by that. For a stake each of them has to agree.
func TestOneBrowserHasOneVote(t *testing.T) {
	begun := func(command string, names ...string) (*house, []*person) {
		h := newHouse(t)
		h.same = true
		people := h.gather(command, names...)
		people[0].presses("▶ Start")
		people[0].presses("Throw")
		told(t, people[0].writes("/abandon"), "")
		return h, people
	}
	h, people := begun("/coin 0", "Anna", "Ada", "Abel", "Ben", "Clara", "Dora", "Eve")
	anna, ada, ben, clara := people[0], people[1], people[3], people[4]
	told(t, ada.presses("End it (1 of 3)"), "One browser has one vote. To end it: 1 of 3.")
	told(t, ada.presses("End it (1 of 3)"), "To end it: 1 of 3 votes.") // theirs stands already
	if m := clara.board(); !strings.HasPrefix(m.Said(), "To end this table: Anna and Ada, 1 of 3 votes. ") {
		t.Errorf("the board says %s", m.Head)
	}
	told(t, anna.presses("Play on"), "You would play on.")
	told(t, ben.presses("End it (1 of 3)"), "To end it: 2 of 3 votes.")
	told(t, clara.presses("End it (2 of 3)"), "The table is closed.")
	h.sound()

	_, people = begun("/coin 0", "Anna", "Ada", "Abel")
	told(t, people[1].presses("End it (1 of 2)"), "The table is closed.")

	h, people = begun("/coin 10", "Anna", "Ada", "Ben")
	told(t, people[2].presses("End it (1 of 3)"), "To end it: 2 of 3 votes.")
	told(t, people[1].presses("End it (2 of 3)"), "The table is closed, all stakes are back.")
	h.sound()

	h = newHouse(t)
	people = h.gather("/coin 0", "Anna", "Ben", "Clara") // nothing can be lost
	people[0].presses("▶ Start")
	people[0].presses("Throw")
	people[0].writes("/abandon")
	told(t, people[1].presses("End it (1 of 2)"), "The table is closed.")
}

// Once dice have fallen and something can be lost, all who are there end a table, one alone too; where nothing can be
// lost it takes more than half of all.
func TestAllWhoAreThereEndATable(t *testing.T) {
	beside(t)
	for line, alone := range map[string]bool{"/shutbox 10 match=rounds:9": true, "/shutbox 0 match=rounds:9": false} {
		t.Run(line, func(t *testing.T) {
			h := newHouse(t, shutbox.Game{})
			people := h.gather(line, "Anna", "Ben", "Clara")
			people[0].presses("▶ Start")
			people[0].presses("🎲 Throw")
			people[0].writes("/abandon")
			h.leave(people[2])
			if text := show(people[1].board()); !strings.Contains(text, "Anna, 1 of 2 votes.") { // of three or of two
				t.Errorf("the board says\n%s", text)
			}
			people[0].presses("Play on")
			h.leave(people[1])
			people[0].writes("/abandon")
			if text := show(people[0].board()); strings.Contains(text, "[Yes, end it]") != alone {
				t.Errorf("the board says\n%s", text)
			}
			if alone {
				told(t, people[0].presses("Yes, end it"), "The table is closed, all stakes are back.")
			}
			h.sound()
		})
	}
}

// Whoever waits for their second self is kept waiting by nobody else.
func TestNobodyIsKeptWaitingByTheirSecondSelf(t *testing.T) {
	h := newHouse(t)
	h.same = true
	people := h.gather("/coin 10", "Anna", "Ada", "Ben", "Clara")
	anna, ada, ben := people[0], people[1], people[2]
	anna.presses("▶ Start")
	for anna.table().Turn == 0 {
		anna.presses("Throw")
	}
	h.tamper(`UPDATE tables SET patience = 0, due = 0`)
	h.wait(25 * time.Hour)
	told(t, anna.sends("1:1:1:!end"), "To end it: 1 of 4 votes.") // it waits for Ada
	told(t, ada.presses("Play on"), "You play on. To end it: 1 of 4 votes.")
	anna.presses("Play on")
	ben.writes("/abandon")
	ben.presses("Yes, end it")
	if text := show(ben.board()); !strings.Contains(text, "The table had waited too long for Ada.") {
		t.Errorf("the board says\n%s", text)
	}
	h.sound()
}
