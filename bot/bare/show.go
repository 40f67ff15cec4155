package bare

// Messages as text, and checks of messages and replies.

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/bot/fakes"
)

// logbook is a log that tests can read while it is written.
type logbook struct {
	fakes.Journal
	GoOn chan struct{} // writers wait until this is closed; nil: they do not wait
}

func (l *logbook) Write(p []byte) (int, error) {
	if l.GoOn != nil {
		defer func() { <-l.GoOn }()
	}
	return l.Journal.Write(p)
}

// Proper fails the test if a message lacks a sentence or has buttons that a platform would not accept.
func Proper(t testing.TB, m chat.Message) {
	t.Helper()
	text := Show(m) + m.Guide + "\n" + m.Small
	if m.Head == "" || strings.Contains(text, "bot.") || strings.Contains(text, "no value") {
		t.Errorf("not all of it is said:\n%s", text)
	}
	seen := map[string]bool{}
	for _, b := range slices.Concat(m.Buttons...) {
		n := utf8.RuneCountInString(b.Label)
		if n == 0 || n > chat.MaxButton || len(b.Press) > 64 || seen[b.Press] {
			t.Errorf("button %q carries %q", b.Label, b.Press)
		}
		seen[b.Press] = true
	}
}

// Show returns a message as text, with buttons in brackets.
func Show(m chat.Message) string {
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(append([]string{m.Head}, m.Told...), "\n"))
	for _, row := range m.Tiles {
		var shown []string
		for _, tile := range row.Tiles {
			if tile.Open {
				shown = append(shown, fmt.Sprint(tile.Number))
			} else {
				shown = append(shown, "_")
			}
		}
		for _, d := range row.Dice {
			shown = append(shown, fmt.Sprintf("[%d]", d.Face))
		}
		fmt.Fprintln(&b, strings.Join(shown, " "))
	}
	for _, p := range m.People {
		fmt.Fprintln(&b, strings.TrimSpace(p.PlacedName()+" "+p.Text))
	}
	for _, e := range m.Exact {
		fmt.Fprintln(&b, e)
	}
	for _, line := range m.Lines {
		fmt.Fprintln(&b, line)
	}
	for _, row := range m.Buttons {
		for _, button := range row {
			fmt.Fprintf(&b, "[%s]", button.Label)
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

// Told fails the test unless the reply's toast is this text.
func Told(t testing.TB, r chat.Reply, toast string) {
	t.Helper()
	if r.Toast != toast {
		t.Errorf("told %q, want %q", r.Toast, toast)
	}
}

// Refused fails the test unless the reply refuses with this toast.
func Refused(t testing.TB, r chat.Reply, toast string) {
	t.Helper()
	Told(t, r, toast)
	if !r.Refused {
		t.Errorf("%q is no refusal", r.Toast)
	}
}

type testWriter struct{ testing.TB }

func (w testWriter) Write(b []byte) (int, error) {
	w.Logf("%s", bytes.TrimSpace(b))
	return len(b), nil
}
