package table_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

// commandsOf returns the commands that the buttons of a message carry.
func commandsOf(m chat.Message) (all []string) {
	for _, row := range m.Buttons {
		for _, b := range row {
			if i := strings.Index(b.Press, ":/"); i >= 0 {
				all = append(all, b.Press[i+1:])
			}
		}
	}
	return all
}

// Many games do not fill /help: there stand the first, and /play.
func TestManyGamesDoNotFillHelp(t *testing.T) {
	_, anna := bare.WithManyGames(t)
	for _, page := range []string{"/help", "/help playing", "/hello"} {
		all := strings.Join(commandsOf(anna.Asks(page)), " ")
		if !strings.Contains(all, "play") || strings.Contains(all, "lids") {
			t.Errorf("%s: %s", page, all)
		}
	}
	for _, lang := range []string{"en", "de"} {
		anna.Locale = lang
		if m := anna.Asks("/help"); bare.LinesOf(m) > bare.ScreenLines {
			t.Errorf("/help takes %d lines in %s:\n%s", bare.LinesOf(m), lang, bare.Show(m))
		}
	}
	if m := anna.Asks("/help lids"); !strings.HasPrefix(m.Head, "/lids – ") {
		t.Errorf("%s", bare.Show(m))
	}
}
