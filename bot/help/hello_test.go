package help_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

// hello returns the greeting of a person who speaks to the bot, or of a group that it was added to.
func hello(p *bare.Person, own bool) chat.Message {
	p.T.Helper()
	ev := p.Event()
	ev.Command, ev.Own = "hello", own
	if own {
		ev.Invite = "https://dice.example/invite"
	}
	r := p.Bot.Handle(context.Background(), ev)
	if r.Private == nil || r.Public == own {
		p.T.Fatalf("%+v", r)
	}
	bare.Proper(p.T, *r.Private)
	return *r.Private
}

// A group is greeted with a button for each game, which opens a table; a person alone reads how it goes, with a way to
// bring others.
func TestHello(t *testing.T) {
	_, anna := bare.WithRealGames(t)
	for lang, want := range map[string]string{"en": "Press a game: a table opens", "de": "Drückt auf ein Spiel"} {
		anna.Locale = lang
		m := hello(anna, false)
		if !strings.Contains(bare.Show(m), want) || len(m.Buttons) != 2 || len(m.Buttons[0]) != 3 {
			t.Errorf("greets in %s with\n%s", lang, bare.Show(m))
		}
		m = hello(anna, true)
		last := m.Buttons[len(m.Buttons)-1]
		if len(last) != 1 || last[0].Link != "https://dice.example/invite" || last[0].Press != "" {
			t.Errorf("alone one reads in %s\n%s", lang, bare.Show(m))
		}
		if bare.LinesOf(m) > bare.ScreenLines {
			t.Errorf("that takes %d lines\n%s", bare.LinesOf(m), bare.Show(m))
		}
	}
}

// What the bot says of itself fits into a profile, and names all games.
func TestTheProfileFits(t *testing.T) {
	h, _ := bare.WithRealGames(t)
	for _, l := range h.Bot.Languages() {
		for text, most := range map[string]int{l.Short: 120, l.Long: 512} {
			if n := utf8.RuneCountInString(text); n > most || n == 0 || !strings.Contains(text, "Shut the Box") {
				t.Errorf("%d characters in %s: %q", n, l.Code, text)
			}
		}
	}
}
