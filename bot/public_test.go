package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/chat"
)

// TestPublicNewsAreInTheChatsLanguage has people with English clients do whatever
// can be done by commands and by the buttons of their answers, in a German chat.
func TestPublicNewsAreInTheChatsLanguage(t *testing.T) {
	h := newHouse(t, pile{}, tally{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.admin, ben.admin = true, true
	anna.writes("/language de")
	owing(h, "chips", map[string]int64{"Anna": -40, "Ben": 35, "house": 5})
	heard := map[string]bool{}
	var listen func(p *person, did string, r chat.Reply, deep int)
	listen = func(p *person, did string, r chat.Reply, deep int) {
		if r.Private == nil {
			return
		}
		if r.Public {
			heard[did] = true
			if r.Private.Lang != "de" {
				t.Errorf("%s: all read in %s\n%s", did, r.Private.Lang, show(*r.Private))
			}
		} else if r.Private.Lang != "en" {
			t.Errorf("%s: %s reads alone in %s", did, p.name, r.Private.Lang)
		}
		for _, row := range r.Private.Buttons {
			for _, b := range row {
				for _, p := range []*person{anna, ben} {
					if deep > 0 {
						listen(p, did+" > "+b.Label, p.sends(b.Press), deep-1)
					}
				}
			}
		}
	}
	lines := []string{
		"/settle paid 2 Ben", "/settle got 3 Ben", "/settle paid 4 Haus", "/settle withdraw 2", "/settle back 1",
		"/settle payments", "/season Winter",
		"/house keep x", "/coin 10",
	}
	for _, c := range h.bot.Commands() {
		if c.Name != "forget" {
			lines = append(lines, "/"+c.Name)
		}
	}
	for _, line := range lines {
		listen(anna, line, anna.writes(line), 2)
	}
	if len(heard) < 6 {
		t.Errorf("only %s is news", fmt.Sprint(heard))
	}
}

// TestWhatAGroupReads asks in a group where all read the answers: what concerns all stays, and nobody is "you" there.
func TestWhatAGroupReads(t *testing.T) {
	h := newHouse(t, pile{}, tally{})
	anna := h.person("Anna")
	h.game("/pile big 5", []string{"Anna", "Ben"}, "Anna take 8+1", "Ben take 7+2", "Anna take 6+4",
		"Ben take 5+3")
	asks := func(command, text, press string) chat.Reply {
		ev := anna.event()
		ev.Command, ev.Text, ev.Press = command, text, press
		ev.Aloud, ev.Fades = press == "", true
		return h.bot.Handle(t.Context(), ev)
	}
	for _, c := range []struct {
		command, text string
		fades         bool
	}{
		{"leaderboard", "", false}, {"stats", "", false}, {"settle", "", false}, {"settle", "why", false},
		{"season", "", false}, {"review", "", true}, // which is a refusal
		{"leaderboard", "rank=nonsense", true}, {"leaderboard", "me=hide", true}, {"leaderboard", "me=show", true},
		{"help", "", true}, {"settings", "", true}, {"rules", "", true},
	} {
		r := asks(c.command, c.text, "")
		if r.Fades != c.fades {
			t.Errorf("/%s %s fades: %v, answered %+v", c.command, c.text, r.Fades, r)
		}
		if r.Private != nil && strings.Contains(show(*r.Private), "← you") {
			t.Errorf("/%s says to all\n%s", c.command, show(*r.Private))
		}
	}
	list := asks("leaderboard", "", "")
	turned := asks("", "", pressOn(t, list, "All time"))
	if turned.Fades || strings.Contains(show(*turned.Private), "← you") {
		t.Errorf("the page that is turned fades: %v, and says\n%s", turned.Fades, show(*turned.Private))
	}
	ev := anna.event()
	ev.Command, ev.Whispers = "leaderboard", true
	shows := pressOn(t, h.bot.Handle(t.Context(), ev), "Show it to all")
	ev = anna.event()
	ev.Press, ev.Whispers = shows, true
	if r := h.bot.Handle(t.Context(), ev); !r.Public || strings.Contains(show(*r.Private), "← you") {
		t.Errorf("shown to all is %+v", r)
	}
}

// TestBoardsAreInTheLanguageOfMost has people of two languages sit down, start and play again.
func TestBoardsAreInTheLanguageOfMost(t *testing.T) {
	h := newHouse(t, tally{})
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	ben.locale, clara.locale = "de", "de"
	speaks := func(when, want string) {
		t.Helper()
		if got := anna.board().Lang; got != want {
			t.Errorf("%s the board is %q, want %q", when, got, want)
		}
	}
	anna.writes("/tally")
	speaks("opened by Anna", "en")
	ben.sends(fmt.Sprintf("1:%d:0:!join", anna.table().ID))
	speaks("with one of each language", "en")
	clara.sends(fmt.Sprintf("1:%d:0:!join", anna.table().ID))
	speaks("with two Germans", "de")
	anna.sends(fmt.Sprintf("1:%d:0:!start", anna.table().ID))
	for turn, p := range []*person{anna, ben, clara} {
		p.sends(fmt.Sprintf("1:%d:%d:say %d", anna.table().ID, turn, turn))
	}
	clara.locale = "en"
	clara.writes("/help")
	speaks("after one of them has changed theirs", "de")
	anna.sends(fmt.Sprintf("1:%d:0:!rematch", anna.table().ID))
	speaks("in Anna's rematch", "de")
	anna.shared = "en-US"
	anna.writes("/help")
	speaks("in an English server", "en")
	anna.shared = "und"
	anna.writes("/help")
	speaks("where the server has none any more", "de")
	anna.admin = true
	anna.writes("/language en")
	speaks("as agreed", "en")
}
