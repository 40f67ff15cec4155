package standings_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

// TestPublicNewsAreInTheChatsLanguage has people with English clients do whatever
// can be done by commands and by the buttons of their answers, in a German chat.
func TestPublicNewsAreInTheChatsLanguage(t *testing.T) {
	h := bare.New(t, bare.Pile{}, bare.Tally{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin, ben.Admin = true, true
	anna.Writes("/language de")
	bare.Owing(h, "chips", map[string]int64{"Anna": -40, "Ben": 35, "house": 5})
	heard := map[string]bool{}
	var listen func(p *bare.Person, did string, r chat.Reply, deep int)
	listen = func(p *bare.Person, did string, r chat.Reply, deep int) {
		if r.Private == nil {
			return
		}
		if r.Public {
			heard[did] = true
			if r.Private.Lang != "de" {
				t.Errorf("%s: all read in %s\n%s", did, r.Private.Lang, bare.Show(*r.Private))
			}
		} else if r.Private.Lang != "en" {
			t.Errorf("%s: %s reads alone in %s", did, p.Name, r.Private.Lang)
		}
		for _, row := range r.Private.Buttons {
			for _, b := range row {
				for _, p := range []*bare.Person{anna, ben} {
					if deep > 0 {
						listen(p, did+" > "+b.Label, p.Sends(b.Press), deep-1)
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
	for _, c := range h.Bot.Commands() {
		if c.Name != "forget" {
			lines = append(lines, "/"+c.Name)
		}
	}
	for _, line := range lines {
		listen(anna, line, anna.Writes(line), 2)
	}
	if len(heard) < 6 {
		t.Errorf("only %s is news", fmt.Sprint(heard))
	}
}

// TestWhatAGroupReads asks in a group: what concerns all stays, and no person is "you" there.
func TestWhatAGroupReads(t *testing.T) {
	h := bare.New(t, bare.Pile{}, bare.Tally{})
	anna := h.Person("Anna")
	h.Game("/pile big 5", []string{"Anna", "Ben"}, "Anna take 8+1", "Ben take 7+2", "Anna take 6+4",
		"Ben take 5+3")
	asks := func(command, text, press string) chat.Reply {
		ev := anna.Event()
		ev.Command, ev.Text, ev.Press = command, text, press
		ev.Aloud = true
		return h.Bot.Handle(t.Context(), ev)
	}
	for _, c := range []struct {
		command, text string
		stays         bool
	}{
		{"leaderboard", "", true}, {"stats", "", true}, {"settle", "", true}, {"settle", "why", true},
		{"season", "", true}, {"review", "", false}, // which is a refusal
		{"leaderboard", "rank=nonsense", false}, {"leaderboard", "me=hide", false}, {"leaderboard", "me=show", false},
		{"help", "", false}, {"settings", "", false}, {"rules", "", false},
	} {
		r := asks(c.command, c.text, "")
		if stays := r.Public || r.Stays && r.Private != nil; stays != c.stays {
			t.Errorf("/%s %s stays: %v, answered %+v", c.command, c.text, stays, r)
		}
		if r.Private != nil && strings.Contains(bare.Show(*r.Private), "← you") {
			t.Errorf("/%s says to all\n%s", c.command, bare.Show(*r.Private))
		}
	}
	list := asks("leaderboard", "", "")
	turned := asks("", "", bare.PressOn(t, list, "All time"))
	if !turned.Stays || strings.Contains(bare.Show(*turned.Private), "← you") {
		t.Errorf("the page that is turned stays: %v, and says\n%s", turned.Stays, bare.Show(*turned.Private))
	}
	ev := anna.Event()
	ev.Command, ev.Whispers = "leaderboard", true
	shows := bare.PressOn(t, h.Bot.Handle(t.Context(), ev), "Show it to all")
	ev = anna.Event()
	ev.Press, ev.Whispers = shows, true
	if r := h.Bot.Handle(t.Context(), ev); !r.Public || strings.Contains(bare.Show(*r.Private), "← you") {
		t.Errorf("shown to all is %+v", r)
	}
}
