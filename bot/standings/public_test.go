package standings_test

import (
	"fmt"
	"slices"
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
		for _, b := range slices.Concat(r.Private.Buttons...) {
			for _, p := range []*bare.Person{anna, ben} {
				if deep > 0 {
					listen(p, did+" > "+b.Label, p.Sends(b.Press), deep-1)
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
