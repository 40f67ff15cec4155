package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

const (
	callsAnna  = "Anna, it is your turn: Coin."
	callsBen   = "Ben, it is your turn: Coin."
	callsClara = "Clara, it is your turn: Coin."
)

func TestWhoIsToMoveIsCalledOnce(t *testing.T) {
	h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara")
	h.wait(44 * time.Second)
	h.lookedAt(s)
	s.wantCalls(t, 0)
	h.wait(time.Second)
	s.wantCalls(t, 1, callsAnna)
	h.wait(time.Hour)
	h.lookedAt(s)
	s.wantCalls(t, 1, callsAnna)

	people[0].sends("1:1:0:throw") // she comes: the call goes, and Ben has not pressed for long
	s.drawn(people[0])
	s.wantCalls(t, 1)
	h.wait(45 * time.Second)
	s.wantCalls(t, 2, callsBen)

	people[1].sends("1:1:1:throw")
	people[2].sends("1:1:2:throw") // at once: nobody calls Clara
	s.wantCalls(t, 2)
	h.wait(time.Hour)
	h.lookedAt(s)
	s.wantCalls(t, 2)
	h.sound()
}

// Those who have pressed a moment ago are not called, but when they stay away.
func TestWhoHasJustPressedIsNotCalled(t *testing.T) {
	h := newHouse(t, wuerfelpoker.Game{})
	s := newSquare(h)
	people := h.begin(s, "/wuerfelpoker", "Anna", "Ben")
	anna, ben := people[0], people[1]
	anna.sends("1:1:0:throw")
	s.drawn(anna)
	h.wait(100 * time.Second)
	h.lookedAt(s)
	s.wantCalls(t, 0)
	anna.sends("1:1:1:!pick 0") // she thinks
	s.drawn(anna)
	h.wait(100 * time.Second)
	h.lookedAt(s)
	s.wantCalls(t, 0)
	h.wait(20 * time.Second)
	s.wantCalls(t, 1, "Anna, it is your turn: Würfelpoker.")

	anna.sends("1:1:1:write ones") // what she does in the rest of her turn calls her no more
	s.drawn(anna)
	s.wantCalls(t, 1)
	anna.sends("1:1:2:!undo")
	s.drawn(anna)
	h.wait(100 * time.Second)
	h.lookedAt(s)
	s.wantCalls(t, 1)
	anna.sends("1:1:3:write ones")
	s.drawn(anna)
	h.wait(45 * time.Second)
	s.wantCalls(t, 2, "Ben, it is your turn: Würfelpoker.")
	ben.sends("1:1:4:throw")
	ben.sends("1:1:5:write ones")
	s.drawn(anna)
	s.wantCalls(t, 2)
	h.wait(3 * time.Minute)
	s.wantCalls(t, 3, "Anna, it is your turn: Würfelpoker.")
	anna.writes("/abandon")
	anna.sends(fmt.Sprintf("1:1:%d:!end yes", anna.table().Turn))
	s.wantCalls(t, 3)
	h.sound()
}

func TestNobodyIsCalledWhoDoesNotWantIt(t *testing.T) {
	h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara")
	h.wait(45 * time.Second)
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
	told(t, people[1].sends(off), "Du wirst nicht mehr gerufen. /notify on ändert das.")
	people[0].sends("1:1:0:throw")
	s.drawn(people[0])
	h.wait(time.Hour)
	h.lookedAt(s)
	s.wantCalls(t, 1)
	people[1].sends("1:1:1:throw")
	s.drawn(people[0])
	people[2].admin = true
	if m := people[2].writes("/settings calls=off").Private; m == nil || !strings.Contains(show(*m), "Calls: off") {
		t.Errorf("the settings are %+v", m)
	}
	h.wait(time.Hour)
	h.lookedAt(s)
	s.wantCalls(t, 1)
	if m := people[2].writes("/notify").Private; !strings.Contains(show(*m), "This chat calls nobody.") {
		t.Errorf("Clara reads\n%s", show(*m))
	}
	h.sound()
}

// Where a turn may take a minute, half of it is left to whoever is called.
func TestCallsComeInTime(t *testing.T) {
	h, s, people := begun(t, "/coin 10 turn=1m", "Anna", "Ben")
	anna := people[0]
	h.wait(29 * time.Second)
	h.lookedAt(s)
	s.wantCalls(t, 0)
	h.wait(time.Second)
	s.wantCalls(t, 1, callsAnna)
	s.until(t, "the house has played for her, and her call goes", func([]string) bool { // in steps: a long one would be a bot that was away
		h.wait(5 * time.Second)
		return anna.table().Turn == 1
	})
	s.wantCalls(t, 1)
	h.sound()
}

// A table that only waits reminds by a call of its own.
func TestReminderIsACall(t *testing.T) {
	h, s, people := begun(t, "/coin 10 turn=10m absent=wait", "Anna", "Ben")
	anna := people[0]
	h.wait(time.Minute)
	s.wantCalls(t, 1, callsAnna)
	s.until(t, "she is reminded", func([]string) bool { // in steps: a long one would be a bot that was away
		h.wait(5 * time.Second)
		return slices.Equal(s.standing(), []string{"Anna, the others are waiting for you: Coin."})
	})
	s.wantCalls(t, 2, "Anna, the others are waiting for you: Coin.")
	anna.sends("1:1:0:throw")
	s.drawn(anna)
	s.wantCalls(t, 2)
	h.sound()
}

// The night is for sleeping: who is to move then is called in the morning.
func TestNobodyIsCalledInQuietHours(t *testing.T) {
	h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara") // at 22:13 by the clock of the chat
	people[0].admin = true
	people[0].writes("/settings quiet=22-7")
	h.wait(time.Hour)
	h.lookedAt(s)
	h.wait(7*time.Hour + 46*time.Minute)
	h.lookedAt(s)
	s.wantCalls(t, 0)
	h.wait(time.Minute)
	s.wantCalls(t, 1, callsAnna)
}

// Nobody is called in a game alone, or with the house alone.
func TestNobodyIsCalledToPractice(t *testing.T) {
	h := newHouse(t)
	s := newSquare(h)
	h.onStage(s)
	anna := h.person("Anna")
	anna.writes("/coin 10")
	anna.sends("1:1:0:!house random")
	anna.sends("1:1:0:!start")
	s.drawn(anna)
	h.wait(time.Hour)
	h.lookedAt(s)
	s.wantCalls(t, 0)
}

// What stands in a chat is taken away after a restart, and nothing is sent
// twice; what was about to be sent when the process died is not sent again.
func TestCallsSurviveARestart(t *testing.T) {
	h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara")
	h.wait(45 * time.Second)
	s.wantCalls(t, 1, callsAnna)
	for range 2 {
		s.stop()
		h.restart()
		s.stop = h.onStage(s)
		h.wait(time.Hour)
		h.lookedAt(s)
	}
	s.wantCalls(t, 1, callsAnna)
	people[0].sends("1:1:0:throw")
	s.drawn(people[0])
	s.wantCalls(t, 1)

	s.mu.Lock()
	s.fault = fmt.Errorf("%w: cut off", bot.ErrUnsure)
	s.mu.Unlock()
	h.wait(45 * time.Second)
	s.until(t, "a call whose fate nobody knows", func(done []string) bool { return slices.Contains(done, "call failed ") })
	h.wait(time.Hour)
	h.lookedAt(s)
	s.wantCalls(t, 1)
	people[1].sends("1:1:1:throw")
	s.drawn(people[0])
	h.wait(45 * time.Second)
	s.wantCalls(t, 2, callsClara)
	h.sound()
}

// A call that the platform puts off is sent later, unless its turn has passed.
func TestCallsArePutOff(t *testing.T) {
	h, s, people := begun(t, "/coin 10", "Anna", "Ben", "Clara")
	s.mu.Lock()
	s.fault = bot.Later{After: 30 * time.Second}
	s.mu.Unlock()
	h.wait(45 * time.Second)
	s.until(t, "a call that is refused", func(done []string) bool { return slices.Contains(done, "call failed ") })
	s.until(t, "it is put off", func([]string) bool {
		var next int64
		err := h.store.View(t.Context(), func(tx *store.Tx) (err error) {
			next, err = tx.NextCall(h.time().UnixMilli())
			return err
		})
		return err == nil && next > 0
	})
	h.wait(29 * time.Second)
	h.lookedAt(s)
	s.wantCalls(t, 0)
	h.wait(time.Second)
	s.wantCalls(t, 1, callsAnna)

	people[0].sends("1:1:0:throw")
	h.sound()
}

// A call that waits for the budget until its turn has passed is not sent.
func TestCallsThatBecameStaleAreNotSent(t *testing.T) {
	h := newHouse(t)
	s := newSquare(h)
	s.waits = make(chan struct{})
	people := h.begin(s, "/coin 10", "Anna", "Ben")
	anna, ben := people[0], people[1]
	waits := func() { // the loop may set its alarm behind the first step of the clock
		for h.wait(45 * time.Second); ; h.wait(time.Second) {
			select {
			case <-s.waits:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	waits()
	anna.sends("1:1:0:throw")
	s.drawn(anna)
	waits() // it is Ben's: Anna's has ended
	told(t, ben.writes("/notify off"), "You are not called any more. /notify on brings it back.")
	h.lookedAt(s)
	s.stop()
	if s.wantCalls(t, 0); len(s.said) > 0 {
		t.Errorf("said %q", s.said)
	}
	h.sound()
}
