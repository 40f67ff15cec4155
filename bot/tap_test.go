package bot_test

import (
	"strings"
	"testing"
	"time"

	"knobel/games/shutbox"
	"knobel/store"
)

const quick = "That was quick: press again if you mean it."

// TestADoubleTapPlaysNothing: what stands where Throw stood is not closed by the second tap.
func TestADoubleTapPlaysNothing(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox 10")
	ben.presses("Sit down")
	h.wait(time.Minute)
	anna.presses("▶ Start")
	h.wait(time.Minute)
	anna.taps(anna.button("🎲 Throw").Press)
	set := func() string { return anna.board().Buttons[0][0].Press }
	thrown := anna.table()
	for _, after := range []time.Duration{150 * time.Millisecond, 400 * time.Millisecond} {
		h.wait(after)
		refused(t, anna.taps(set()), quick)
	}
	if now := anna.table(); now.Turn != thrown.Turn || now.Version != thrown.Version || len(h.moves(1)) != 1 {
		t.Errorf("the board has changed: %+v", now)
	}
	h.restart()
	refused(t, anna.taps(set()), quick)
	h.wait(50 * time.Millisecond) // 600 ms since what changed the board, and none since the last try
	if r := anna.taps(set()); r.Refused || anna.table().Turn != thrown.Turn+1 {
		t.Errorf("pressed again she is told %q", r.Toast)
	}
	h.sound()
}

// TestWhoElsePressesIsNoDoubleTap: the first press after somebody else's counts at once.
func TestWhoElsePressesIsNoDoubleTap(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin 10")
	ben.taps(ben.button("Sit down").Press)
	if r := anna.taps(anna.button("▶ Start").Press); r.Refused {
		t.Fatal(r.Toast)
	}
	refused(t, anna.taps(anna.button("Throw").Press), quick)
	h.wait(600 * time.Millisecond)
	anna.taps(anna.button("Throw").Press)
	if r := ben.taps(ben.button("Throw").Press); r.Refused {
		t.Fatal(r.Toast)
	}
	refused(t, ben.taps(ben.button("↻ Rematch").Press), quick)
	if r := anna.taps(anna.button("↻ Rematch").Press); r.Refused || anna.table().State != store.Lobby {
		t.Errorf("Anna is told %q", r.Toast)
	}
	h.sound()
}

// TestOneDeviceIsOneHand: two people at one browser have one finger.
func TestOneDeviceIsOneHand(t *testing.T) {
	h := newHouse(t)
	h.same = true
	h.restart()
	anna, anton := h.person("Anna"), h.person("Anton")
	anna.writes("/coin 10")
	anton.presses("Sit down")
	h.wait(time.Minute)
	anna.presses("▶ Start")
	h.wait(time.Minute)
	anna.taps(anna.button("Throw").Press)
	refused(t, anton.taps(anton.button("Throw").Press), quick)
	h.wait(time.Second)
	if r := anton.taps(anton.button("Throw").Press); r.Refused {
		t.Error(r.Toast)
	}
}

// TestPicksMenusAndUndoAlwaysCount, one behind the other; the row that stands where a menu opened does not.
func TestPicksMenusAndUndoAlwaysCount(t *testing.T) {
	people := pokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna := people[0]
	anna.presses("▶ Start")
	anna.presses("Throw")
	anna.wait(time.Minute)
	for i := range 3 {
		if r := anna.taps(anna.board().Dice[i].Press); r.Refused {
			t.Fatal(r.Toast)
		}
	}
	if r := anna.taps(anna.button("Throw 2 dice").Press); r.Refused {
		t.Fatalf("a throw behind a pick: %q", r.Toast)
	}
	if r := anna.taps(anna.button("Write…").Press); r.Refused {
		t.Fatal(r.Toast)
	}
	row := anna.board().Buttons[0][0]
	refused(t, anna.taps(row.Press), quick)
	anna.wait(leisure)
	if r := anna.taps(row.Press); r.Refused {
		t.Fatal(r.Toast)
	}
	told(t, anna.taps(anna.button("↶ Undo").Press), "Taken back.")
	anna.locale = "de"
	if r := anna.taps(anna.button("Write…").Press); r.Refused {
		t.Fatal(r.Toast)
	}
	r := anna.taps(row.Press)
	if !strings.Contains(r.Toast, "weiter") { // a stale button is told as such, however soon
		t.Errorf("she is told %q", r.Toast)
	}
	refused(t, anna.taps(anna.board().Buttons[0][0].Press),
		"Das ging schnell: Drück noch einmal, wenn du es so meinst.")
	anna.sound()
}
