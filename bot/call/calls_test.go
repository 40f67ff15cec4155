package call_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
)

func TestWhoIsToMoveIsCalledOnce(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben", "Clara")
		h.Later(44 * time.Second)
		s.WantCalls(t, 0)
		h.Later(time.Second)
		s.WantCalls(t, 1, bare.CallsAnna)
		h.Later(time.Hour)
		s.WantCalls(t, 1, bare.CallsAnna)

		people[0].Sends("1:1:0:throw") // she comes: the call goes, and Ben has not pressed for long
		s.Drawn(people[0])
		s.WantCalls(t, 1)
		h.Later(45 * time.Second)
		s.WantCalls(t, 2, bare.CallsBen)

		people[1].Sends("1:1:1:throw")
		people[2].Sends("1:1:2:throw") // at once: nobody calls Clara
		s.WantCalls(t, 2)
		h.Later(time.Hour)
		s.WantCalls(t, 2)
		h.Sound()
	})
}

// Those who have pressed a moment ago are not called, but when they stay away.
func TestWhoHasJustPressedIsNotCalled(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t, wuerfelpoker.New())
		s := bare.NewSquare()
		people := h.Begin(s, "/wuerfelpoker", "Anna", "Ben")
		anna, ben := people[0], people[1]
		anna.Sends("1:1:0:throw")
		s.Drawn(anna)
		h.Later(100 * time.Second)
		s.WantCalls(t, 0)
		anna.Sends("1:1:1:!pick 0") // she thinks
		s.Drawn(anna)
		h.Later(100 * time.Second)
		s.WantCalls(t, 0)
		h.Later(20 * time.Second)
		s.WantCalls(t, 1, "Anna, it is your turn: Würfelpoker.")

		anna.Sends("1:1:1:write ones") // what she does in the rest of her turn calls her no more
		s.Drawn(anna)
		s.WantCalls(t, 1)
		anna.Sends("1:1:2:!undo")
		s.Drawn(anna)
		h.Later(100 * time.Second)
		s.WantCalls(t, 1)
		anna.Sends("1:1:3:write ones")
		s.Drawn(anna)
		h.Later(45 * time.Second)
		s.WantCalls(t, 2, "Ben, it is your turn: Würfelpoker.")
		ben.Sends("1:1:4:throw")
		ben.Sends("1:1:5:write ones")
		s.Drawn(anna)
		s.WantCalls(t, 2)
		h.Later(3 * time.Minute)
		s.WantCalls(t, 3, "Anna, it is your turn: Würfelpoker.")
		anna.Writes("/abandon")
		ben.Sends("1:1:0:!vote yes")
		s.WantCalls(t, 3)
		h.Sound()
	})
}

func TestNobodyIsCalledWhoDoesNotWantIt(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben", "Clara")
		h.Later(45 * time.Second)
		s.WantCalls(t, 1, bare.CallsAnna)
		off := s.Calls["test:c1"].Off.Press
		bare.Told(t, people[0].Writes("/notify off"), "You are not called any more. /notify on brings it back.")
		s.WantCalls(t, 1)
		bare.Want(t, *people[0].Writes("/notify").Private, `
You are not called when it is your turn.
A call is one short message that mentions you: it comes when your turn has waited 45 seconds and you have not just pressed, and goes once you play. Your choice holds in all chats.
[Call me][Do not call me]`)
		bare.Told(t, people[0].Writes("/notify an"), "You are called when it is your turn.")
		bare.Refused(t, people[0].Writes("/notify of"), "“of” is not known. Take one of: on, off.")

		people[1].Locale = "de"
		bare.Told(t, people[1].Sends(off), "Du wirst nicht mehr erinnert. /notify on ändert das.")
		people[0].Sends("1:1:0:throw")
		s.Drawn(people[0])
		h.Later(time.Hour)
		s.WantCalls(t, 1)
		people[1].Sends("1:1:1:throw")
		s.Drawn(people[0])
		people[2].Admin = true
		if m := people[2].Writes("/settings calls=off").Private; m == nil || !strings.Contains(bare.Show(*m),
			"Calls: off") {
			t.Errorf("the settings are %+v", m)
		}
		h.Later(time.Hour)
		s.WantCalls(t, 1)
		if m := people[2].Writes("/notify").Private; !strings.Contains(bare.Show(*m), "This chat calls nobody.") {
			t.Errorf("Clara reads\n%s", bare.Show(*m))
		}
		h.Sound()
	})
}

// Where a turn may take a minute, half of it is left to whoever is called.
func TestCallsComeInTime(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10 turn=1m", "Anna", "Ben")
		anna := people[0]
		h.Later(29 * time.Second)
		s.WantCalls(t, 0)
		h.Later(time.Second)
		s.WantCalls(t, 1, bare.CallsAnna)
		h.Later(29 * time.Second)
		s.WantCalls(t, 1, bare.CallsAnna)
		h.Later(time.Second)
		if anna.Table().Turn != 1 {
			t.Error("the house has not played for her")
		}
		s.WantCalls(t, 1)
		h.Sound()
	})
}

// A table that only waits reminds by a call of its own.
func TestReminderIsACall(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10 turn=10m absent=wait", "Anna", "Ben")
		anna := people[0]
		h.Later(time.Minute)
		s.WantCalls(t, 1, bare.CallsAnna)
		h.Later(6 * time.Minute)
		h.Later(3*time.Minute - time.Second)
		s.WantCalls(t, 1, bare.CallsAnna)
		h.Later(time.Second)
		h.Later(5 * time.Second) // it may have had to wait for the board
		s.WantCalls(t, 2, "Anna, the others are waiting for you: Coin.")
		anna.Sends("1:1:0:throw")
		s.Drawn(anna)
		s.WantCalls(t, 2)
		h.Sound()
	})
}

// The night is for sleeping: who is to move then is called in the morning.
func TestNobodyIsCalledInQuietHours(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben", "Clara") // at 22:13 by the clock of the chat
		people[0].Admin = true
		people[0].Writes("/settings quiet=22-7")
		h.Later(time.Hour)
		h.Later(7*time.Hour + 46*time.Minute)
		s.WantCalls(t, 0)
		h.Later(time.Minute)
		s.WantCalls(t, 1, bare.CallsAnna)
	})
}

// Nobody is called in a game alone, or with the house alone.
func TestNobodyIsCalledToPractice(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		s := bare.NewSquare()
		h.OnStage(s)
		anna := h.Person("Anna")
		anna.Writes("/coin 10")
		anna.Sends("1:1:0:!house random")
		anna.Sends("1:1:0:!start")
		s.Drawn(anna)
		h.Later(time.Hour)
		s.WantCalls(t, 0)
	})
}

// What stands in a chat is taken away after a restart, and nothing is sent
// twice; what was about to be sent when the process died is not sent again.
func TestCallsSurviveARestart(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben", "Clara")
		h.Later(45 * time.Second)
		s.WantCalls(t, 1, bare.CallsAnna)
		for range 2 {
			s.Stop()
			h.Restart()
			s.Stop = h.OnStage(s)
			h.Later(time.Hour)
		}
		s.WantCalls(t, 1, bare.CallsAnna)
		people[0].Sends("1:1:0:throw")
		s.Drawn(people[0])
		s.WantCalls(t, 1)

		s.Mu.Lock()
		s.Fault = fmt.Errorf("%w: cut off", chat.ErrUnsure)
		s.Mu.Unlock()
		h.Later(45 * time.Second)
		h.Later(time.Hour)
		s.WantCalls(t, 1)
		people[1].Sends("1:1:1:throw")
		s.Drawn(people[0])
		h.Later(45 * time.Second)
		s.WantCalls(t, 2, bare.CallsClara)
		h.Sound()
	})
}

// A call that the platform puts off is sent later, unless its turn has passed.
func TestCallsArePutOff(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben", "Clara")
		s.Mu.Lock()
		s.Fault = chat.Later{After: 30 * time.Second}
		s.Mu.Unlock()
		h.Later(45 * time.Second)
		if !slices.Contains(s.Done, "call failed ") {
			t.Errorf("nobody was called: %q", s.Done)
		}
		h.Later(29 * time.Second)
		s.WantCalls(t, 0)
		h.Later(time.Second)
		s.WantCalls(t, 1, bare.CallsAnna)

		people[0].Sends("1:1:0:throw")
		h.Sound()
	})
}

// A call that waits for the budget until its turn has passed is not sent.
func TestCallsThatBecameStaleAreNotSent(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		s := bare.NewSquare()
		s.Waits = make(chan struct{})
		people := h.Begin(s, "/coin 10", "Anna", "Ben")
		anna, ben := people[0], people[1]
		waits := func() {
			h.Later(45 * time.Second)
			<-s.Waits
		}
		waits()
		anna.Sends("1:1:0:throw")
		s.Drawn(anna)
		waits() // it is Ben's: Anna's has ended
		bare.Told(t, ben.Writes("/notify off"), "You are not called any more. /notify on brings it back.")
		s.Stop()
		if s.WantCalls(t, 0); len(s.Said) > 0 {
			t.Errorf("said %q", s.Said)
		}
		h.Sound()
	})
}
