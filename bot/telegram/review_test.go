package telegram

import (
	"strings"
	"testing"

	"knobel/bot/telegram/telegramtest"
)

// The review comes onto the finished board and stands behind a button; its
// costliest decision is a puzzle that runs to its reveal.
func TestReviewAndPuzzle(t *testing.T) {
	e := newEvening(t)
	e.sit("/wuerfelpoker", ben)
	e.play(ben)
	e.reads("Ben O'Neill: dice ")
	e.press(ben, ":/review")
	first := e.reads("Luck and decisions in game #1, ")
	e.answered(e.group.PressData(ben, first.ID, press(first, "Move by move")))
	e.reads(", luck ")
	e.answered(e.group.PressData(ben, first.ID, press(first, "As a line")))
	e.reads("Ben O'Neill began at ")

	e.group.SayIn(e.topic, ben, "/puzzle")
	m := e.reads("The puzzle, from game #1. ")
	found, tried, end := 0, 0, ""
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasSuffix(b.Data, " close") {
				end = b.Data
				continue
			}
			tried++
			if strings.HasPrefix(e.told(anna, m, b.Data), "Das ist es: ") {
				found++
			}
		}
	}
	if found < 1 || found == tried { // several can be equally good, but it is no puzzle where all are
		t.Errorf("%d of %d moves are the best", found, tried)
	}
	if told := e.told(anna, m, end); !strings.HasPrefix(told, "Die Antwort zeigt ") {
		t.Errorf("somebody else shows the answer: %q", told)
	}
	if told := e.told(ben, m, end); told != "The puzzle shows the answer now." {
		t.Errorf("the answer is asked for: %q", told)
	}
	if solved := e.reads("The puzzle from game #1 is solved: the best was to "); solved.ID != m.ID {
		t.Error("the answer stands in another message")
	}
}

// told is what somebody who presses is told alone.
func (e *evening) told(who telegramtest.Person, on telegramtest.Message, data string) string {
	e.t.Helper()
	return e.answer(e.group.PressData(who, on.ID, data)).Text
}
