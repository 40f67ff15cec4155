package discord

import (
	"regexp"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

// Statistics, pictures and games of before: every button that can be reached is
// pressed, by people with names of all kinds, in both languages, and draws over
// the one answer; every page is one that Discord takes.
func TestStatisticsAndGamesOfBefore(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	var people []*discordtest.Person
	for i, word := range append(hostile(), strings.Repeat("\\*", 16), strings.Repeat("🎲", 16), "שלום") {
		people = append(people, s.server.Person(strings.ToValidUTF8(word, "?"), []string{"en-US", "de"}[i%2]))
	}
	people = people[len(people)-6:]
	for range 2 {
		s.sit(people[0], "coin", with("stake", 7), people[1:]...)
		s.play(people...)
	}
	for _, p := range people[:2] {
		first := s.answer(s.hall.Slash(p, "stats"))
		if first.Type != 4 || !first.Message.Private() {
			t.Fatalf("answers %d: %q", first.Type, first.Message.Text())
		}
		before := len(s.hall.Private(p))
		pictures := s.walk(p, first.Message.ID, 60)
		if len(pictures) < 2 {
			t.Errorf("%s saw the pictures %v", p.Name, pictures)
		}
		for name, alt := range pictures {
			if len([]rune(alt)) < 40 || len([]rune(alt)) > 1024 {
				t.Errorf("%s is said as %q", name, alt)
			}
		}
		if n := len(s.hall.Private(p)); n != before {
			t.Errorf("%d answers more for %s", n-before, p.Name)
		}
	}
	offered := s.answer(s.hall.Complete(people[0], "stats", "player", ""))
	if len(offered.Choices) != len(people) {
		t.Errorf("offers %v", offered.Choices)
	}
	if a := s.answer(s.hall.Slash(people[0], "history", with("game", "#2 last")...)); !private(a, "chips") && !private(a, "Chips") {
		t.Errorf("the end of a game is %q", a.Message.Text())
	}
	s.sound()
}

// walk presses so many buttons that can be reached from a page, each once, and
// returns the pictures that it has seen, with their words.
func (s *stage) walk(p *discordtest.Person, page string, presses int) map[string]string {
	s.Helper()
	seen, pictures := map[string]bool{}, map[string]string{}
	var queue []string
	look := func() {
		for _, m := range s.hall.Private(p) {
			if m.ID != page {
				continue
			}
			if strings.Contains(m.Text(), "bot.") {
				s.Errorf("not all is said: %q", m.Text())
			}
			for _, a := range m.Attachments {
				pictures[a.Name] = a.Description
			}
			for _, b := range m.Buttons() {
				// One step through a game is like the others.
				if once := regexp.MustCompile(`history \d+ [<>]?\d+`).ReplaceAllString(b.CustomID, "step"); !seen[once] && !strings.Contains(once, "/lb") {
					seen[once] = true
					queue = append(queue, b.CustomID)
				}
			}
		}
	}
	look()
	for ; len(queue) > 0 && presses > 0; presses-- {
		if a, turned := s.turned(s.hall.Press(p, page, queue[0])); !turned {
			s.Errorf("%s answers %d: %q", queue[0], a.Type, a.Message.Text())
		}
		queue = queue[1:]
		look()
	}
	return pictures
}
