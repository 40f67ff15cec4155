package terminal

import (
	"testing"

	"knobel/bot/chat"
	"knobel/games"
)

// unthrown returns a board of dice and rows before a throw; the last row can be undone.
func unthrown() chat.Message {
	m := lying()
	m.Pick = nil
	for i := range m.Sheet.Rows {
		m.Sheet.Rows[i].Cells[0].Press = ""
	}
	m.Buttons = [][]chat.Button{{{Label: "Throw", Press: "1:7:3:throw", Style: games.Primary},
		{Label: "↶ Undo", Press: "1:7:3:!undo"}}}
	return m
}

// A row named before a throw is refused with the advice to throw; undo is typed by its word.
func TestWhatIsTypedBeforeAThrow(t *testing.T) {
	for line, want := range map[string]string{
		"strike poker": "terminal.throw-first", "write threes": "terminal.throw-first",
		"poker streichen": "terminal.throw-first", "pair": "terminal.throw-first", "write": "terminal.throw-first",
		"strike": "terminal.throw-first", "throw": "throw", "1": "throw", "2": "!undo", "undo": "!undo",
		"Undo":   "!undo",
		"↶ Undo": "!undo", "zurück": "!undo", "rückgängig": "!undo", "foo": "terminal.no-button",
	} {
		e, refusal := english(t).meant(unthrown(), line)
		if got := what(e, refusal); got != want {
			t.Errorf("%q means %q, not %q", line, got, want)
		}
	}
	if e, refusal := english(t).meant(lying(2, 5), "undo"); what(e, refusal) != "terminal.wrong" {
		t.Errorf("where nothing can be taken back, undo means %q", what(e, refusal))
	}
}
