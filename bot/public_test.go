package bot_test

import (
	"fmt"
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
