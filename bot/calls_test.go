package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
)

const (
	callsAnna  = "Anna, it is your turn: Coin."
	callsBen   = "Ben, it is your turn: Coin."
	callsClara = "Clara, it is your turn: Coin."
)

func TestWhoIsToMoveIsCalledOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara")
		h.later(44 * time.Second)
		s.wantCalls(t, 0)
		h.later(time.Second)
		s.wantCalls(t, 1, callsAnna)
		h.later(time.Hour)
		s.wantCalls(t, 1, callsAnna)

		people[0].sends("1:1:0:throw") // she comes: the call goes, and Ben has not pressed for long
		s.drawn(people[0])
		s.wantCalls(t, 1)
		h.later(45 * time.Second)
		s.wantCalls(t, 2, callsBen)

		people[1].sends("1:1:1:throw")
		people[2].sends("1:1:2:throw") // at once: nobody calls Clara
		s.wantCalls(t, 2)
		h.later(time.Hour)
		s.wantCalls(t, 2)
		h.sound()
	})
}

// Those who have pressed a moment ago are not called, but when they stay away.
func TestWhoHasJustPressedIsNotCalled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t, wuerfelpoker.New())
		s := newSquare()
		people := h.begin(s, "/wuerfelpoker", "Anna", "Ben")
		anna, ben := people[0], people[1]
		anna.sends("1:1:0:throw")
		s.drawn(anna)
		h.later(100 * time.Second)
		s.wantCalls(t, 0)
		anna.sends("1:1:1:!pick 0") // she thinks
		s.drawn(anna)
		h.later(100 * time.Second)
		s.wantCalls(t, 0)
		h.later(20 * time.Second)
		s.wantCalls(t, 1, "Anna, it is your turn: Würfelpoker.")

		anna.sends("1:1:1:write ones") // what she does in the rest of her turn calls her no more
		s.drawn(anna)
		s.wantCalls(t, 1)
		anna.sends("1:1:2:!undo")
		s.drawn(anna)
		h.later(100 * time.Second)
		s.wantCalls(t, 1)
		anna.sends("1:1:3:write ones")
		s.drawn(anna)
		h.later(45 * time.Second)
		s.wantCalls(t, 2, "Ben, it is your turn: Würfelpoker.")
		ben.sends("1:1:4:throw")
		ben.sends("1:1:5:write ones")
		s.drawn(anna)
		s.wantCalls(t, 2)
		h.later(3 * time.Minute)
		s.wantCalls(t, 3, "Anna, it is your turn: Würfelpoker.")
		anna.writes("/abandon")
		ben.sends("1:1:0:!vote yes")
		s.wantCalls(t, 3)
		h.sound()
	})
}

func TestNobodyIsCalledWhoDoesNotWantIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara")
		h.later(45 * time.Second)
		s.wantCalls(t, 1, callsAnna)
		off := s.calls["test:c1"].Off.Press
		told(t, people[0].writes("/notify off"), "You are not called any more. /notify on brings it back.")
		s.wantCalls(t, 1)
		want(t, *people[0].writes("/notify").Private, `
You are not called when it is your turn.
A call is one short message that mentions you: it comes when your turn has waited 45 seconds and you have not just pressed, and goes once you play. Your choice holds in all chats.
[Call me][Do not call me]`)
		told(t, people[0].writes("/notify an"), "You are called when it is your turn.")
		refused(t, people[0].writes("/notify of"), "“of” is not known. Take one of: on, off.")

		people[1].locale = "de"
		told(t, people[1].sends(off), "Du wirst nicht mehr erinnert. /notify on ändert das.")
		people[0].sends("1:1:0:throw")
		s.drawn(people[0])
		h.later(time.Hour)
		s.wantCalls(t, 1)
		people[1].sends("1:1:1:throw")
		s.drawn(people[0])
		people[2].admin = true
		if m := people[2].writes("/settings calls=off").Private; m == nil || !strings.Contains(show(*m), "Calls: off") {
			t.Errorf("the settings are %+v", m)
		}
		h.later(time.Hour)
		s.wantCalls(t, 1)
		if m := people[2].writes("/notify").Private; !strings.Contains(show(*m), "This chat calls nobody.") {
			t.Errorf("Clara reads\n%s", show(*m))
		}
		h.sound()
	})
}

// Where a turn may take a minute, half of it is left to whoever is called.
func TestCallsComeInTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h, s, people := begun(t, "/coin 10 turn=1m", "Anna", "Ben")
		anna := people[0]
		h.later(29 * time.Second)
		s.wantCalls(t, 0)
		h.later(time.Second)
		s.wantCalls(t, 1, callsAnna)
		h.later(29 * time.Second)
		s.wantCalls(t, 1, callsAnna)
		h.later(time.Second)
		if anna.table().Turn != 1 {
			t.Error("the house has not played for her")
		}
		s.wantCalls(t, 1)
		h.sound()
	})
}

// A table that only waits reminds by a call of its own.
func TestReminderIsACall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h, s, people := begun(t, "/coin 10 turn=10m absent=wait", "Anna", "Ben")
		anna := people[0]
		h.later(time.Minute)
		s.wantCalls(t, 1, callsAnna)
		h.later(6 * time.Minute)
		h.later(3*time.Minute - time.Second)
		s.wantCalls(t, 1, callsAnna)
		h.later(time.Second)
		h.later(5 * time.Second) // it may have had to wait for the board
		s.wantCalls(t, 2, "Anna, the others are waiting for you: Coin.")
		anna.sends("1:1:0:throw")
		s.drawn(anna)
		s.wantCalls(t, 2)
		h.sound()
	})
}

// The night is for sleeping: who is to move then is called in the morning.
func TestNobodyIsCalledInQuietHours(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara") // at 22:13 by the clock of the chat
		people[0].admin = true
		people[0].writes("/settings quiet=22-7")
		h.later(time.Hour)
		h.later(7*time.Hour + 46*time.Minute)
		s.wantCalls(t, 0)
		h.later(time.Minute)
		s.wantCalls(t, 1, callsAnna)
	})
}

// Nobody is called in a game alone, or with the house alone.
func TestNobodyIsCalledToPractice(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t)
		s := newSquare()
		h.onStage(s)
		anna := h.person("Anna")
		anna.writes("/coin 10")
		anna.sends("1:1:0:!house random")
		anna.sends("1:1:0:!start")
		s.drawn(anna)
		h.later(time.Hour)
		s.wantCalls(t, 0)
	})
}

// What stands in a chat is taken away after a restart, and nothing is sent
// twice; what was about to be sent when the process died is not sent again.
func TestCallsSurviveARestart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara")
		h.later(45 * time.Second)
		s.wantCalls(t, 1, callsAnna)
		for range 2 {
			s.stop()
			h.restart()
			s.stop = h.onStage(s)
			h.later(time.Hour)
		}
		s.wantCalls(t, 1, callsAnna)
		people[0].sends("1:1:0:throw")
		s.drawn(people[0])
		s.wantCalls(t, 1)

		s.mu.Lock()
		s.fault = fmt.Errorf("%w: cut off", chat.ErrUnsure)
		s.mu.Unlock()
		h.later(45 * time.Second)
		h.later(time.Hour)
		s.wantCalls(t, 1)
		people[1].sends("1:1:1:throw")
		s.drawn(people[0])
		h.later(45 * time.Second)
		s.wantCalls(t, 2, callsClara)
		h.sound()
	})
}

// A call that the platform puts off is sent later, unless its turn has passed.
func TestCallsArePutOff(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara")
		s.mu.Lock()
		s.fault = chat.Later{After: 30 * time.Second}
		s.mu.Unlock()
		h.later(45 * time.Second)
		if !slices.Contains(s.done, "call failed ") {
			t.Errorf("nobody was called: %q", s.done)
		}
		h.later(29 * time.Second)
		s.wantCalls(t, 0)
		h.later(time.Second)
		s.wantCalls(t, 1, callsAnna)

		people[0].sends("1:1:0:throw")
		h.sound()
	})
}

// A call that waits for the budget until its turn has passed is not sent.
func TestCallsThatBecameStaleAreNotSent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t)
		s := newSquare()
		s.waits = make(chan struct{})
		people := h.begin(s, "/coin 10", "Anna", "Ben")
		anna, ben := people[0], people[1]
		waits := func() {
			h.later(45 * time.Second)
			<-s.waits
		}
		waits()
		anna.sends("1:1:0:throw")
		s.drawn(anna)
		waits() // it is Ben's: Anna's has ended
		told(t, ben.writes("/notify off"), "You are not called any more. /notify on brings it back.")
		s.stop()
		if s.wantCalls(t, 0); len(s.said) > 0 {
			t.Errorf("said %q", s.said)
		}
		h.sound()
	})
}
