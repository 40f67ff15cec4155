package table_test

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// Who waits alone in a lobby, house players or not, and asks for another game gets it: the lobby closes, and nothing
// else is said of it.
func TestALobbyInWhichOneWaitsAloneMakesRoom(t *testing.T) {
	for _, house := range []bool{false, true} {
		h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Writes("/shutbox")
		before := anna.Button("▶ Start").Press
		if house {
			anna.Presses("+ House")
			anna.Presses("+ plays anything")
		}
		r := anna.Writes("/wuerfelpoker")
		bare.Told(t, r, "")
		if r.Board != 2 || !r.Fresh || anna.Table().Game != "wuerfelpoker" {
			t.Errorf("house %v: reply %+v, table %+v", house, r, anna.Table())
		}
		old := bare.Show(h.BoardOf(1))
		if !strings.HasPrefix(old, "Anna's table is closed; nothing had been") || strings.Contains(old, "Start") {
			t.Errorf("house %v: the lobby of before shows\n%s", house, old)
		}
		bare.Refused(t, anna.Sends(before), "This table was closed. ↻ Rematch opens the next.")
		bare.Told(t, ben.Presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
		h.Sound()
	}
}

// It is of no account who opened the lobby in which one waits alone, and a refused wish leaves it as it is.
func TestALobbyMakesRoomForWhoeverWaitsThere(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox")
	ben.Presses("Sit down")
	anna.Presses("Get up")
	bare.LobbyHere(t, anna.Writes("/wuerfelpoker"), "Ben's table is open here.", "Sit down", "Close table")
	if r := ben.Writes("/wuerfelpoker 7 nonsense"); !r.Refused || ben.Table().ID != 1 {
		t.Errorf("a game that cannot be: %+v", r)
	}
	bare.Told(t, ben.Writes("/wuerfelpoker"), "")
	if table := ben.Table(); table.ID != 2 || table.Opener != "test:Ben" {
		t.Errorf("table %d of %s", table.ID, table.Opener)
	}
	h.Sound()
}

// A lobby that all have left makes room for whatever anybody asks for, be it the same game.
func TestALobbyThatAllHaveLeftMakesRoom(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 5")
	anna.Presses("+ House")
	anna.Presses("+ plays anything")
	anna.Presses("Get up")
	for i, line := range []string{"/wuerfelpoker", "/shutbox 20", "/shutbox 30"} {
		bare.Told(t, ben.Writes(line), "")
		if table := ben.Table(); table.ID != int64(i+2) || table.Opener != "test:Ben" || len(table.Seats) != 1 {
			t.Errorf("%s opens %+v", line, table)
		}
		ben.Presses("Get up")
	}
	if table := ben.Table(); table.Stake != 30 {
		t.Errorf("the stake is %d", table.Stake)
	}
	anna.Presses("Sit down")
	bare.LobbyHere(t, ben.Writes("/wuerfelpoker"), "Anna's table is open here.", "Sit down", "Close table")
	h.Sound()
}

// The same game takes on what its host asks for, and keeps its house players.
func TestALobbyInWhichOneWaitsAloneTakesOnOtherRules(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox 5")
	anna.Presses("+ House")
	anna.Presses("+ plays anything")
	bare.Told(t, anna.Writes("/shutbox canoga 20"), "Changed.")
	if table := anna.Table(); table.ID != 1 || table.Stake != 20 || len(table.Seats) != 2 {
		t.Errorf("table %d with %d seats for %d", table.ID, len(table.Seats), table.Stake)
	}
}

// Neither a lobby with others, nor one in which a seat is kept for others, nor a game makes room.
func TestNothingOfOthersMakesRoom(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	const end = "You sit at a table here already: it has to end first."
	stays := func(when string, id int64) {
		t.Helper()
		if at := anna.Table(); at.ID != id || at.State != store.Lobby && at.State != store.Playing {
			t.Errorf("%s: table %d is %s", when, at.ID, at.State)
		}
	}
	anna.Writes("/shutbox")
	bare.LobbyHere(t, ben.Writes("/wuerfelpoker"), "Anna's table is open here.", "Sit down")
	stays("opened by Anna", 1)
	ben.Presses("Sit down")
	bare.LobbyHere(t, anna.Writes("/wuerfelpoker"), "Your table is open here.", "Get up", "Close table")
	bare.LobbyHere(t, ben.Writes("/wuerfelpoker"), "You sit at Anna's table here.", "Get up")
	stays("two sit", 1)
	anna.Presses("▶ Start")
	bare.Refused(t, anna.Writes("/wuerfelpoker"), end)
	bare.Refused(t, clara.Writes("/wuerfelpoker"), "There is a table here already: it has to end first.")
	stays("in play", 1)
	anna.Writes("/abandon")
	anna.Presses("Yes, end it")
	anna.Presses("↻ Rematch")
	bare.LobbyHere(t, anna.Writes("/wuerfelpoker"), "Your table is open here.", "Get up", "Close table")
	stays("Ben's seat is kept", 2)
	anna.Presses("Free reserved seats")
	bare.Told(t, anna.Writes("/wuerfelpoker"), "")
	stays("alone", 3)
	anna.Presses("▶ Start") // alone: practice
	bare.Refused(t, anna.Writes("/shutbox"), end)
	stays("a game alone", 3)
}

// A rematch is another game as well.
func TestALobbyInWhichOneWaitsAloneMakesRoomForARematch(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox")
	ben.Presses("Sit down")
	rematch := strings.Replace(anna.Button("Get up").Press, "!leave", "!rematch", 1)
	anna.Presses("⚙ Rules")
	anna.Presses("Close table")
	anna.Presses("Yes, end it")
	anna.Writes("/wuerfelpoker")
	bare.LobbyHere(t, ben.Sends(rematch), "Anna's table is open here.", "Sit down")
	bare.Told(t, anna.Sends(rematch), "")
	if table := anna.Table(); table.ID != 3 || table.Game != "shutbox" || len(table.Seats) != 2 {
		t.Errorf("table %d of %s with %d seats", table.ID, table.Game, len(table.Seats))
	}
	h.Sound()
}

// A lobby is its opener's for five minutes after the last that they did there. Then everybody who sits may start,
// change and close it; what the opener does makes it theirs again.
func TestALobbyIsNotItsOpenersForLong(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Writes("/shutbox 10")
	for _, p := range []*bare.Person{ben, clara} {
		p.Presses("Sit down")
	}
	h.Wait(4 * time.Minute)
	bare.Refused(t, ben.Presses("▶ Start"), "Anna decides that. In 1 minute you may, too.")
	anna.Writes("/help")
	h.Wait(5*time.Minute - time.Millisecond)
	bare.Refused(t, ben.Writes("/shutbox 5"), "You sit here already. “Get up” gives the seat back.")
	anna.Sends("1:1:0:!unhouse") // it is refused, and shows that she is there
	h.Wait(5 * time.Minute)
	h.Restart()
	if text := bare.Show(ben.Board()); !strings.Contains(text, "Anna is not here. Anyone who sits may start.") {
		t.Errorf("the board says\n%s", text)
	}
	bare.Told(t, ben.Writes("/shutbox 5"), "Changed.")
	ben.Presses("⚙ Rules")
	ben.Presses("Close table")
	bare.Told(t, anna.Sends("1:1:0:!keep"), "The table stays.")
	bare.Refused(t, ben.Presses("Yes, end it"), "Ask Anna, an admin or those seated to end it.")
	bare.Refused(t, h.Person("Dora").Writes("/abandon"), "Ask Anna, an admin or those seated to end it.")
	h.Wait(5 * time.Minute)
	clara.Presses("Yes, end it")
	if text := bare.Show(h.BoardOf(1)); !strings.HasPrefix(text, "Anna's table is closed; nothing had been played.") {
		t.Errorf("the board says\n%s", text)
	}
	ben.Writes("/shutbox")
	clara.Presses("Sit down")
	h.Wait(5 * time.Minute)
	clara.Presses("▶ Start")
	if table := clara.Table(); table.ID != 2 || table.State != store.Playing {
		t.Errorf("table %d is %s", table.ID, table.State)
	}
	h.Sound()
}

// A lobby in which nobody who sits has pressed a button for a quarter of an hour gives way to whoever asks for a table;
// until then they read how long that takes, and how else to play.
func TestALobbyGivesWay(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben, clara, dora := h.Person("Anna"), h.Person("Ben"), h.Person("Clara"), h.Person("Dora")
	dora.Threads = true
	anna.Writes("/shutbox 10")
	h.Wait(2 * time.Minute)
	ben.Presses("Sit down")
	h.Wait(3*time.Minute - time.Second)
	m := bare.LobbyHere(t, dora.Writes("/wuerfelpoker 20"), "Anna's table is open here.", "Sit down", "Own thread")
	bare.Want(t, *m, `
Anna's table is open here.
Anna opens a table: Shut the Box for 10 chips.
Pool 20 chips
If nobody presses a button there, it gives way in 13 minutes.
[Sit down][Own thread]`)
	if press := m.Buttons[0][1].Press; press != "1:0:0:/wuerfelpoker point=20 thread" {
		t.Errorf("the thread is opened by %s", press)
	}
	bare.Told(t, clara.Sends(m.Buttons[0][0].Press), "You are in. /luck WORD adds your own luck to the dice.")
	h.Wait(14 * time.Minute)
	anna.Writes("/help") // no button
	dora.Writes("/help")
	h.Wait(time.Minute - time.Millisecond)
	bare.LobbyHere(t, ben.Writes("/wuerfelpoker"), "You sit at Anna's table here.", "Get up")
	h.Wait(time.Millisecond)
	h.Restart()
	bare.Told(t, ben.Writes("/shutbox 5"), "")
	if table := ben.Table(); table.ID != 2 || table.Opener != "test:Ben" || table.Stake != 5 {
		t.Errorf("table %d of %s for %d", table.ID, table.Opener, table.Stake)
	}
	bare.Want(t, h.BoardOf(1), "Anna's table was given up; nothing had been played.")
	h.Sound()
}
