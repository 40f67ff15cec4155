package table_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store"
)

func TestVoteToEnd(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben, clara, dora := h.Person("Anna"), h.Person("Ben"), h.Person("Clara"), h.Person("Dora")
	anna.Writes("/shutbox 10")
	for _, p := range []*bare.Person{ben, clara, dora} {
		p.Presses("Sit down")
	}
	anna.Sends("1:1:0:!house fewest") // it has no vote
	anna.Presses("▶ Start")
	bare.Told(t, ben.Writes("/abandon"), "")
	bare.Want(t, anna.Board(), `
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
	bare.Refused(t, h.Person("Eve").Presses("End it (1 of 3)"), "You are watching this game. Join the next one.")
	bare.Told(t, clara.Presses("Play on"), "You play on. To end it: 1 of 3 votes.")
	bare.Told(t, clara.Presses("End it (1 of 3)"), "To end it: 2 of 3 votes.")
	bare.Told(t, clara.Presses("End it (2 of 3)"), "To end it: 2 of 3 votes.") // one has one vote
	bare.Told(t, clara.Writes("/abandon"), "")
	h.Restart()
	votesComeAndGo(t, h, anna, ben)
	old := clara.Button("End it (1 of 4)").Press // all who are there, now that dice have fallen
	clara.Presses("Play on")
	if m := anna.Board(); strings.Contains(bare.Show(m), "votes") || strings.Contains(bare.Show(m), "Ended now") {
		t.Errorf("a vote without votes:\n%s", bare.Show(m))
	}
	bare.Told(t, dora.Sends(old), "To end it: 1 of 4 votes.") // begins another
	ben.Presses("End it (1 of 4)")
	bare.Told(t, clara.Presses("End it (2 of 4)"), "To end it: 3 of 4 votes.")
	h.Balance("pool:1", 50)
	bare.Told(t, anna.Presses("End it (3 of 4)"), "The table is closed, all stakes are back.")
	bare.Want(t, anna.Board(), `
The table was ended before its time. Everybody has their 10 chips again.
Anna 45 open · +10 back
Ben +10 back
Clara +10 back
Dora +10 back
House +10 back
[↻ Rematch][Dice ✓]`)
	bare.Refused(t, clara.Sends(old), "This table was closed. ↻ Rematch opens the next.")
	h.Balance("pool:1", 0)
	h.Sound()
	anna.Presses("↻ Rematch")
	if m := anna.Board(); strings.Contains(bare.Show(m), "votes") {
		t.Errorf("votes in the rematch:\n%s", bare.Show(m))
	}
}

// Others playing on changes nothing; whoever plays on oneself takes the vote back.
func votesComeAndGo(t *testing.T, h *bare.House, anna, ben *bare.Person) {
	t.Helper()
	anna.Presses("🎲 Throw")
	if m := anna.Board(); !strings.Contains(m.Head, "Ben and Clara, 2 of 4 votes.") {
		t.Errorf("after a throw: %s", m.Head)
	}
	bare.Told(t, ben.Presses("Play on"), "You would play on.")
	h.Restart()
}

func TestWhoeverPlaysOnTakesTheVoteBack(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Locale, ben.Locale, clara.Locale = "de", "de", "de"
	anna.Writes("/coin 10")
	ben.Presses("Mitspielen")
	clara.Presses("Mitspielen")
	anna.Presses("▶ Los")
	anna.Presses("Werfen")
	bare.Told(t, ben.Writes("/abandon"), "")
	if m := anna.Board(); !strings.HasPrefix(m.Said(), "Schluss machen? Dafür: Ben, 1 von 3 Stimmen. ") {
		t.Errorf("it says %s", m.Head)
	}
	anna.Presses("Beenden (1 von 3)") // the opener's vote is a vote, too
	if table := anna.Table(); table.State != store.Playing {
		t.Errorf("Clara's stake was taken from her: the table is %s", table.State)
	}
	clara.Presses("Beenden (2 von 3)")
	if table := anna.Table(); table.State != store.Abandoned {
		t.Errorf("the table is %s", table.State)
	}
	anna.Presses("↻ Revanche")
	ben.Presses("Mitspielen")
	clara.Presses("Mitspielen")
	anna.Presses("▶ Los")
	bare.Told(t, clara.Writes("/abandon"), "")
	for _, p := range []*bare.Person{anna, ben} {
		p.Presses("Werfen")
	}
	clara.Presses("Werfen") // the last throw: the game is over, and no vote is left
	h.Sound()
}

// The refund of a box is said before and afterwards.
func TestVoteSaysWhatTheBoxGets(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Writes("/coin 5")
	ben.Presses("Sit down")
	clara.Presses("Sit down")
	anna.Presses("▶ Start")
	for range 20 { // until two share what three have paid
		h.PlayOn("coin", anna, ben, clara)
		stays := anna.Table().BoxOut > 0
		anna.Presses("↻ Rematch")
		ben.Presses("Sit down")
		clara.Presses("Sit down")
		anna.Presses("▶ Start")
		if stays {
			break
		}
	}
	ben.Writes("/abandon")
	m := bare.Show(anna.Board())
	anna.Writes("/abandon")
	anna.Presses("Yes, end it")
	if after := bare.Show(anna.Board()); !strings.Contains(m, "The box gets its 1 chip back.") ||
		!strings.Contains(after, "The box has its 1 chip again.") {
		t.Errorf("before:\n%s\nafter:\n%s", m, after)
	}
	h.Sound()
}

// In a lobby nothing is at stake, but it is closed by the same rights.
func TestVoteInALobby(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Writes("/coin 10")
	ben.Presses("Sit down")
	clara.Presses("Sit down")
	bare.Told(t, ben.Writes("/abandon"), "")
	if yes, no := clara.Button("End it (1 of 2)"), clara.Button("Play on"); yes.For != "test:Anna" ||
		no.For != "test:Ben" {
		t.Errorf("at one screen they are pressed by %s and %s", yes.For, no.For)
	}
	ben.Presses("Get up") // and his vote goes with him
	if m := anna.Board(); strings.Contains(bare.Show(m), "votes") {
		t.Errorf("the vote of somebody who is gone:\n%s", bare.Show(m))
	}
	bare.Told(t, clara.Writes("/abandon"), "")
	anna.Presses("▶ Start")
	if m := anna.Board(); strings.Contains(bare.Show(m), "votes") {
		t.Errorf("a vote from the lobby:\n%s", bare.Show(m))
	}
	h.Sound()
}

// The platform is asked who is an admin whenever that changes something, outside
// transactions; only a no is believed, for a moment.
func TestWhoIsAnAdminIsAskedWhenItWeighs(t *testing.T) {
	h := bare.New(t)
	mod := h.Person("Mod")
	asked := 0
	asks := func(admin bool) chat.Reply {
		ev := mod.Event()
		ev.Command, ev.Text = "unit", "coffees"
		ev.Admin = func(ctx context.Context) bool {
			asked++
			if err := h.Store.UpdateOf(ctx, store.OfAll, func(*store.Tx) error { return nil }); err != nil {
				t.Errorf("asked inside a transaction: %v", err)
			}
			return admin
		}
		return h.Bot.Handle(context.Background(), ev)
	}
	const no = "Only admins of this chat can change that. Ask one of them."
	bare.Refused(t, asks(false), no)
	h.Wait(3*time.Second - time.Millisecond)
	bare.Refused(t, asks(true), no) // for a moment it is believed
	h.Wait(time.Millisecond)
	bare.Told(t, asks(true), "From now on you play for coffees here.")
	bare.Refused(t, asks(false), no) // who was dismissed changes nothing any more
	h.Wait(3 * time.Second)
	bare.Told(t, asks(true), "From now on you play for coffees here.")
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
	bare.Refused(t, h.Person("Eve").Writes("/language de"), no)
	if r := h.Person("Eve").Writes("/unit"); r.Refused {
		t.Errorf("to look at the unit: %s", r.Toast)
	}
}

// Of several at one browser any may be the same person: they have one vote, where most decide. Where all are at one
// browser no other person is there to lose by that. For a stake each of them has to agree.
func TestOneBrowserHasOneVote(t *testing.T) {
	begun := func(command string, names ...string) (*bare.House, []*bare.Person) {
		h := bare.New(t)
		h.Same = true
		people := h.Gather(command, names...)
		people[0].Presses("▶ Start")
		people[0].Presses("Throw")
		bare.Told(t, people[0].Writes("/abandon"), "")
		return h, people
	}
	h, people := begun("/coin 0", "Anna", "Ada", "Abel", "Ben", "Clara", "Dora", "Eve")
	anna, ada, ben, clara := people[0], people[1], people[3], people[4]
	bare.Told(t, ada.Presses("End it (1 of 3)"), "One browser has one vote. To end it: 1 of 3.")
	bare.Told(t, ada.Presses("End it (1 of 3)"), "To end it: 1 of 3 votes.") // theirs stands already
	if m := clara.Board(); !strings.HasPrefix(m.Said(), "To end this table: Anna and Ada, 1 of 3 votes. ") {
		t.Errorf("the board says %s", m.Head)
	}
	bare.Told(t, anna.Presses("Play on"), "You would play on.")
	bare.Told(t, ben.Presses("End it (1 of 3)"), "To end it: 2 of 3 votes.")
	bare.Told(t, clara.Presses("End it (2 of 3)"), "The table is closed.")
	h.Sound()

	_, people = begun("/coin 0", "Anna", "Ada", "Abel")
	bare.Told(t, people[1].Presses("End it (1 of 2)"), "The table is closed.")

	h, people = begun("/coin 10", "Anna", "Ada", "Ben")
	bare.Told(t, people[2].Presses("End it (1 of 3)"), "To end it: 2 of 3 votes.")
	bare.Told(t, people[1].Presses("End it (2 of 3)"), "The table is closed, all stakes are back.")
	h.Sound()

	h = bare.New(t)
	people = h.Gather("/coin 0", "Anna", "Ben", "Clara") // nothing can be lost
	people[0].Presses("▶ Start")
	people[0].Presses("Throw")
	people[0].Writes("/abandon")
	bare.Told(t, people[1].Presses("End it (1 of 2)"), "The table is closed.")
}

// Once dice have fallen and something can be lost, all who are there end a table, one alone too; where nothing can be
// lost it takes more than half of all.
func TestAllWhoAreThereEndATable(t *testing.T) {
	bare.Beside(t)
	for line, alone := range map[string]bool{"/shutbox 10 match=rounds:9": true, "/shutbox 0 match=rounds:9": false} {
		t.Run(line, func(t *testing.T) {
			h := bare.New(t, shutbox.Game{})
			people := h.Gather(line, "Anna", "Ben", "Clara")
			people[0].Presses("▶ Start")
			people[0].Presses("🎲 Throw")
			people[0].Writes("/abandon")
			h.Leave(people[2])
			if text := bare.Show(people[1].Board()); !strings.Contains(text,
				"Anna, 1 of 2 votes.") { // of three or of two
				t.Errorf("the board says\n%s", text)
			}
			people[0].Presses("Play on")
			h.Leave(people[1])
			people[0].Writes("/abandon")
			if text := bare.Show(people[0].Board()); strings.Contains(text, "[Yes, end it]") != alone {
				t.Errorf("the board says\n%s", text)
			}
			if alone {
				bare.Told(t, people[0].Presses("Yes, end it"), "The table is closed, all stakes are back.")
			}
			h.Sound()
		})
	}
}

// Whoever waits for their second self is kept waiting by nobody else.
func TestNobodyIsKeptWaitingByTheirSecondSelf(t *testing.T) {
	h := bare.New(t)
	h.Same = true
	people := h.Gather("/coin 10", "Anna", "Ada", "Ben", "Clara")
	anna, ada, ben := people[0], people[1], people[2]
	anna.Presses("▶ Start")
	for anna.Table().Turn == 0 {
		anna.Presses("Throw")
	}
	h.Tamper(`UPDATE tables SET patience = 0, due = 0`)
	h.Wait(25 * time.Hour)
	bare.Told(t, anna.Sends("1:1:1:!end"), "To end it: 1 of 4 votes.") // it waits for Ada
	bare.Told(t, ada.Presses("Play on"), "You play on. To end it: 1 of 4 votes.")
	anna.Presses("Play on")
	ben.Writes("/abandon")
	ben.Presses("Yes, end it")
	if text := bare.Show(ben.Board()); !strings.Contains(text, "The table had waited too long for Ada.") {
		t.Errorf("the board says\n%s", text)
	}
	h.Sound()
}
