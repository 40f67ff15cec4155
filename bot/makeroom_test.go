package bot_test

import (
	"strings"
	"testing"

	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

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
		if !strings.HasPrefix(old, "The table was closed") || strings.Contains(old, "Start") {
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
	refused(t, anna.writes("/wuerfelpoker"), "There is a table here already: sit down at it.")
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
	refused(t, ben.writes("/wuerfelpoker"), "There is a table here already: sit down at it.")
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
	refused(t, ben.writes("/wuerfelpoker"), "There is a table here already: sit down at it.")
	stays("opened by Anna", 1)
	ben.presses("Sit down")
	refused(t, anna.writes("/wuerfelpoker"), end)
	stays("two sit", 1)
	anna.presses("▶ Start")
	refused(t, anna.writes("/wuerfelpoker"), end)
	refused(t, clara.writes("/wuerfelpoker"), "There is a table here already: it has to end first.")
	stays("in play", 1)
	anna.writes("/abandon")
	anna.presses("Yes, end it")
	anna.presses("↻ Rematch")
	refused(t, anna.writes("/wuerfelpoker"), end)
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
	refused(t, ben.sends(rematch), "There is a table here already: sit down at it.")
	told(t, anna.sends(rematch), "")
	if table := anna.table(); table.ID != 3 || table.Game != "shutbox" || len(table.Seats) != 2 {
		t.Errorf("table %d of %s with %d seats", table.ID, table.Game, len(table.Seats))
	}
	h.sound()
}
