package table_test

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/store"
)

const quick = "That was quick: press again if you mean it."

// TestADoubleTapPlaysNothing: what stands where Throw stood is not closed by the second tap.
func TestADoubleTapPlaysNothing(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 10")
	ben.Presses("Sit down")
	h.Wait(time.Minute)
	anna.Presses("▶ Start")
	h.Wait(time.Minute)
	anna.Taps(anna.Button("🎲 Throw").Press)
	set := func() string { return anna.Board().Buttons[0][0].Press }
	thrown := anna.Table()
	for _, after := range []time.Duration{150 * time.Millisecond, 400 * time.Millisecond} {
		h.Wait(after)
		bare.Refused(t, anna.Taps(set()), quick)
	}
	if now := anna.Table(); now.Turn != thrown.Turn || now.Version != thrown.Version || len(h.Moves(1)) != 1 {
		t.Errorf("the board has changed: %+v", now)
	}
	h.Restart()
	bare.Refused(t, anna.Taps(set()), quick)
	h.Wait(50 * time.Millisecond) // 600 ms since what changed the board, and none since the last try
	if r := anna.Taps(set()); r.Refused || anna.Table().Turn != thrown.Turn+1 {
		t.Errorf("pressed again she is told %q", r.Toast)
	}
	h.Sound()
}

// TestWhoElsePressesIsNoDoubleTap: the first press after somebody else's counts at once.
func TestWhoElsePressesIsNoDoubleTap(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/coin 10")
	ben.Taps(ben.Button("Sit down").Press)
	if r := anna.Taps(anna.Button("▶ Start").Press); r.Refused {
		t.Fatal(r.Toast)
	}
	bare.Refused(t, anna.Taps(anna.Button("Throw").Press), quick)
	h.Wait(600 * time.Millisecond)
	anna.Taps(anna.Button("Throw").Press)
	if r := ben.Taps(ben.Button("Throw").Press); r.Refused {
		t.Fatal(r.Toast)
	}
	bare.Refused(t, ben.Taps(ben.Button("↻ Rematch").Press), quick)
	if r := anna.Taps(anna.Button("↻ Rematch").Press); r.Refused || anna.Table().State != store.Lobby {
		t.Errorf("Anna is told %q", r.Toast)
	}
	h.Sound()
}

// TestOneDeviceIsOneHand: two people at one browser have one finger.
func TestOneDeviceIsOneHand(t *testing.T) {
	h := bare.New(t)
	h.Same = true
	h.Restart()
	anna, anton := h.Person("Anna"), h.Person("Anton")
	anna.Writes("/coin 10")
	anton.Presses("Sit down")
	h.Wait(time.Minute)
	anna.Presses("▶ Start")
	h.Wait(time.Minute)
	anna.Taps(anna.Button("Throw").Press)
	bare.Refused(t, anton.Taps(anton.Button("Throw").Press), quick)
	h.Wait(time.Second)
	if r := anton.Taps(anton.Button("Throw").Press); r.Refused {
		t.Error(r.Toast)
	}
}

// TestPicksMenusAndUndoAlwaysCount, one behind the other; the row that stands where a menu opened does not.
func TestPicksMenusAndUndoAlwaysCount(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna := people[0]
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	anna.Wait(time.Minute)
	for i := range 3 {
		if r := anna.Taps(anna.Board().Dice[i].Press); r.Refused {
			t.Fatal(r.Toast)
		}
	}
	if r := anna.Taps(anna.Button("Throw 2 dice").Press); r.Refused {
		t.Fatalf("a throw behind a pick: %q", r.Toast)
	}
	if r := anna.Taps(anna.Button("Write…").Press); r.Refused {
		t.Fatal(r.Toast)
	}
	row := anna.Board().Buttons[0][0]
	bare.Refused(t, anna.Taps(row.Press), quick)
	anna.Wait(bare.Leisure)
	if r := anna.Taps(row.Press); r.Refused {
		t.Fatal(r.Toast)
	}
	bare.Told(t, anna.Taps(anna.Button("↶ Undo").Press), "Taken back.")
	anna.Locale = "de"
	if r := anna.Taps(anna.Button("Write…").Press); r.Refused {
		t.Fatal(r.Toast)
	}
	r := anna.Taps(row.Press)
	if !strings.Contains(r.Toast, "weiter") { // a stale button is told as such, however soon
		t.Errorf("she is told %q", r.Toast)
	}
	bare.Refused(t, anna.Taps(anna.Board().Buttons[0][0].Press),
		"Das ging schnell: Drück noch einmal, wenn du es so meinst.")
	anna.Sound()
}
