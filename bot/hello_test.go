package bot_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/chat"
)

// hello is how a platform says that somebody has spoken to the bot, or brought it along.
func (p *person) hello(own bool) chat.Message {
	p.t.Helper()
	ev := p.event()
	ev.Command, ev.Own = "hello", own
	if own {
		ev.Invite = "https://dice.example/invite"
	}
	r := p.bot.Handle(context.Background(), ev)
	if r.Private == nil || r.Public == own {
		p.t.Fatalf("%+v", r)
	}
	proper(p.t, *r.Private)
	return *r.Private
}

// A group is greeted with a button for each game, which opens a table; a person alone reads how it goes, with a way to
// bring others.
func TestHello(t *testing.T) {
	_, anna := withRealGames(t)
	for lang, want := range map[string]string{"en": "Press a game: a table opens", "de": "Drückt auf ein Spiel"} {
		anna.locale = lang
		m := anna.hello(false)
		if !strings.Contains(show(m), want) || len(m.Buttons) != 2 || len(m.Buttons[0]) != 3 {
			t.Errorf("greets in %s with\n%s", lang, show(m))
		}
		m = anna.hello(true)
		last := m.Buttons[len(m.Buttons)-1]
		if len(last) != 1 || last[0].Link != "https://dice.example/invite" || last[0].Press != "" {
			t.Errorf("alone one reads in %s\n%s", lang, show(m))
		}
		if linesOf(m) > screenLines {
			t.Errorf("that takes %d lines\n%s", linesOf(m), show(m))
		}
	}
	if r := anna.sends(anna.hello(false).Buttons[0][1].Press); r.Board == 0 {
		t.Errorf("the button of a game answers %+v", r)
	}
	anna.locale = "en"
	anna.sends(anna.buttonWith("!start").Press)
	m := anna.hello(false) // as where the bot was thrown out meanwhile
	want(t, m, `
I throw the dice for you all: fair, and never forgetful.
A game goes on here.
[To the table][Help]`)
	if r := anna.sends(m.Buttons[0][0].Press); r.Board != 1 || !r.Fresh {
		t.Errorf("to the table: %+v", r)
	}
}

// Where no other can come, nobody is asked to sit down; whoever has got up may sit down again.
func TestALobbyAlone(t *testing.T) {
	h, anna := withRealGames(t)
	anna.chat, anna.place = "test:own", "test:own/1"
	ev := anna.event()
	ev.Own, ev.Command = true, "shutbox"
	if r := h.bot.Handle(context.Background(), ev); r.Refused || r.Board == 0 {
		t.Fatalf("%+v", r)
	}
	labels := func() (all []string) {
		for _, row := range anna.board().Buttons {
			for _, b := range row {
				all = append(all, b.Label)
			}
		}
		return all
	}
	if got := labels(); slices.Contains(got, "Sit down") || !slices.Contains(got, "▶ Start") {
		t.Errorf("the lobby offers %q", got)
	}
	if guide := anna.board().Guide; strings.Contains(guide, "Others") || guide == "" {
		t.Errorf("she is told %q", guide)
	}
	anna.presses("Get up")
	if got := labels(); !slices.Contains(got, "Sit down") {
		t.Errorf("the empty lobby offers %q", got)
	}
}

// What the bot says of itself fits into a profile, and names all games.
func TestTheProfileFits(t *testing.T) {
	h, _ := withRealGames(t)
	for _, l := range h.bot.Languages() {
		for text, most := range map[string]int{l.Short: 120, l.Long: 512} {
			if n := utf8.RuneCountInString(text); n > most || n == 0 || !strings.Contains(text, "Shut the Box") {
				t.Errorf("%d characters in %s: %q", n, l.Code, text)
			}
		}
	}
}
