package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// lobbyHere fails unless a reply tells of a lobby in this way, with buttons of these labels.
func lobbyHere(t testing.TB, r chat.Reply, head string, labels ...string) *chat.Message {
	t.Helper()
	if r.Private == nil || r.Private.Head != head || r.Fresh {
		t.Fatalf("the reply is %+v, private %+v, want %s", r, r.Private, head)
	}
	var have []string
	for _, b := range slices.Concat(r.Private.Buttons...) {
		have = append(have, b.Label)
	}
	if !slices.Equal(have, labels) {
		t.Errorf("%s: the buttons are %q, want %q", head, have, labels)
	}
	return r.Private
}

// Who waits alone in a lobby, house players or not, and asks for another game gets it: the lobby closes, and nothing
// else is said of it.
func TestALobbyInWhichOneWaitsAloneMakesRoom(t *testing.T) {
	for _, house := range []bool{false, true} {
		h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.writes("/shutbox")
		before := anna.button("▶ Start").Press
		if house {
			anna.presses("+ House")
			anna.presses("+ plays anything")
		}
		r := anna.writes("/wuerfelpoker")
		told(t, r, "")
		if r.Board != 2 || !r.Fresh || anna.table().Game != "wuerfelpoker" {
			t.Errorf("house %v: reply %+v, table %+v", house, r, anna.table())
		}
		old := show(h.boardOf(1))
		if !strings.HasPrefix(old, "Anna's table is closed; nothing had been") || strings.Contains(old, "Start") {
			t.Errorf("house %v: the lobby of before shows\n%s", house, old)
		}
		refused(t, anna.sends(before), "This table was closed. ↻ Rematch opens the next.")
		told(t, ben.presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
		h.sound()
	}
}

// It is of no account who opened the lobby in which one waits alone, and a refused wish leaves it as it is.
func TestALobbyMakesRoomForWhoeverWaitsThere(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox")
	ben.presses("Sit down")
	anna.presses("Get up")
	lobbyHere(t, anna.writes("/wuerfelpoker"), "Ben's table is open here.", "Sit down", "Close table")
	if r := ben.writes("/wuerfelpoker 7 nonsense"); !r.Refused || ben.table().ID != 1 {
		t.Errorf("a game that cannot be: %+v", r)
	}
	told(t, ben.writes("/wuerfelpoker"), "")
	if table := ben.table(); table.ID != 2 || table.Opener != "test:Ben" {
		t.Errorf("table %d of %s", table.ID, table.Opener)
	}
	h.sound()
}

// A lobby that all have left makes room for whatever anybody asks for, be it the same game.
func TestALobbyThatAllHaveLeftMakesRoom(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox 5")
	anna.presses("+ House")
	anna.presses("+ plays anything")
	anna.presses("Get up")
	for i, line := range []string{"/wuerfelpoker", "/shutbox 20", "/shutbox 30"} {
		told(t, ben.writes(line), "")
		if table := ben.table(); table.ID != int64(i+2) || table.Opener != "test:Ben" || len(table.Seats) != 1 {
			t.Errorf("%s opens %+v", line, table)
		}
		ben.presses("Get up")
	}
	if table := ben.table(); table.Stake != 30 {
		t.Errorf("the stake is %d", table.Stake)
	}
	anna.presses("Sit down")
	lobbyHere(t, ben.writes("/wuerfelpoker"), "Anna's table is open here.", "Sit down", "Close table")
	h.sound()
}

// The same game takes on what its host asks for, and keeps its house players.
func TestALobbyInWhichOneWaitsAloneTakesOnOtherRules(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	anna.writes("/shutbox 5")
	anna.presses("+ House")
	anna.presses("+ plays anything")
	told(t, anna.writes("/shutbox canoga 20"), "Changed.")
	if table := anna.table(); table.ID != 1 || table.Stake != 20 || len(table.Seats) != 2 {
		t.Errorf("table %d with %d seats for %d", table.ID, len(table.Seats), table.Stake)
	}
}

// Neither a lobby with others, nor one in which a seat is kept for others, nor a game makes room.
func TestNothingOfOthersMakesRoom(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	const end = "You sit at a table here already: it has to end first."
	stays := func(when string, id int64) {
		t.Helper()
		if at := anna.table(); at.ID != id || at.State != store.Lobby && at.State != store.Playing {
			t.Errorf("%s: table %d is %s", when, at.ID, at.State)
		}
	}
	anna.writes("/shutbox")
	lobbyHere(t, ben.writes("/wuerfelpoker"), "Anna's table is open here.", "Sit down")
	stays("opened by Anna", 1)
	ben.presses("Sit down")
	lobbyHere(t, anna.writes("/wuerfelpoker"), "Your table is open here.", "Get up", "Close table")
	lobbyHere(t, ben.writes("/wuerfelpoker"), "You sit at Anna's table here.", "Get up")
	stays("two sit", 1)
	anna.presses("▶ Start")
	refused(t, anna.writes("/wuerfelpoker"), end)
	refused(t, clara.writes("/wuerfelpoker"), "There is a table here already: it has to end first.")
	stays("in play", 1)
	anna.writes("/abandon")
	anna.presses("Yes, end it")
	anna.presses("↻ Rematch")
	lobbyHere(t, anna.writes("/wuerfelpoker"), "Your table is open here.", "Get up", "Close table")
	stays("Ben's seat is kept", 2)
	anna.presses("Free reserved seats")
	told(t, anna.writes("/wuerfelpoker"), "")
	stays("alone", 3)
	anna.presses("▶ Start") // alone: practice
	refused(t, anna.writes("/shutbox"), end)
	stays("a game alone", 3)
}

// A rematch is another game as well.
func TestALobbyInWhichOneWaitsAloneMakesRoomForARematch(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox")
	ben.presses("Sit down")
	rematch := strings.Replace(anna.button("Get up").Press, "!leave", "!rematch", 1)
	anna.presses("⚙ Rules")
	anna.presses("Close table")
	anna.presses("Yes, end it")
	anna.writes("/wuerfelpoker")
	lobbyHere(t, ben.sends(rematch), "Anna's table is open here.", "Sit down")
	told(t, anna.sends(rematch), "")
	if table := anna.table(); table.ID != 3 || table.Game != "shutbox" || len(table.Seats) != 2 {
		t.Errorf("table %d of %s with %d seats", table.ID, table.Game, len(table.Seats))
	}
	h.sound()
}

// A lobby is its opener's for five minutes after the last that they did there. Then everybody who sits may start,
// change and close it; what the opener does makes it theirs again.
func TestALobbyIsNotItsOpenersForLong(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.writes("/shutbox 10")
	for _, p := range []*person{ben, clara} {
		p.presses("Sit down")
	}
	h.wait(4 * time.Minute)
	refused(t, ben.presses("▶ Start"), "Anna decides that. In 1 minute you may, too.")
	anna.writes("/help")
	h.wait(5*time.Minute - time.Millisecond)
	refused(t, ben.writes("/shutbox 5"), "You sit here already. “Get up” gives the seat back.")
	anna.sends("1:1:0:!unhouse") // it is refused, and shows that she is there
	h.wait(5 * time.Minute)
	h.restart()
	if text := show(ben.board()); !strings.Contains(text, "Anna is not here. Anyone who sits may start.") {
		t.Errorf("the board says\n%s", text)
	}
	told(t, ben.writes("/shutbox 5"), "Changed.")
	ben.presses("⚙ Rules")
	ben.presses("Close table")
	told(t, anna.sends("1:1:0:!keep"), "The table stays.")
	refused(t, ben.presses("Yes, end it"), "Ask Anna, an admin or those seated to end it.")
	refused(t, h.person("Dora").writes("/abandon"), "Ask Anna, an admin or those seated to end it.")
	h.wait(5 * time.Minute)
	clara.presses("Yes, end it")
	if text := show(h.boardOf(1)); !strings.HasPrefix(text, "Anna's table is closed; nothing had been played.") {
		t.Errorf("the board says\n%s", text)
	}
	ben.writes("/shutbox")
	clara.presses("Sit down")
	h.wait(5 * time.Minute)
	clara.presses("▶ Start")
	if table := clara.table(); table.ID != 2 || table.State != store.Playing {
		t.Errorf("table %d is %s", table.ID, table.State)
	}
	h.sound()
}

// A lobby in which nobody who sits has pressed a button for a quarter of an hour gives way to whoever asks for a table;
// until then they read how long that takes, and how else to play.
func TestALobbyGivesWay(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben, clara, dora := h.person("Anna"), h.person("Ben"), h.person("Clara"), h.person("Dora")
	dora.threads = true
	anna.writes("/shutbox 10")
	h.wait(2 * time.Minute)
	ben.presses("Sit down")
	h.wait(3*time.Minute - time.Second)
	m := lobbyHere(t, dora.writes("/wuerfelpoker 20"), "Anna's table is open here.", "Sit down", "Own thread")
	want(t, *m, `
Anna's table is open here.
Anna opens a table: Shut the Box for 10 chips.
Pool 20 chips
If nobody presses a button there, it gives way in 13 minutes.
[Sit down][Own thread]`)
	if press := m.Buttons[0][1].Press; press != "1:0:0:/wuerfelpoker point=20 thread" {
		t.Errorf("the thread is opened by %s", press)
	}
	told(t, clara.sends(m.Buttons[0][0].Press), "You are in. /luck WORD adds your own luck to the dice.")
	h.wait(14 * time.Minute)
	anna.writes("/help") // no button
	dora.writes("/help")
	h.wait(time.Minute - time.Millisecond)
	lobbyHere(t, ben.writes("/wuerfelpoker"), "You sit at Anna's table here.", "Get up")
	h.wait(time.Millisecond)
	h.restart()
	told(t, ben.writes("/shutbox 5"), "")
	if table := ben.table(); table.ID != 2 || table.Opener != "test:Ben" || table.Stake != 5 {
		t.Errorf("table %d of %s for %d", table.ID, table.Opener, table.Stake)
	}
	want(t, h.boardOf(1), "Anna's table was given up; nothing had been played.")
	h.sound()
}
