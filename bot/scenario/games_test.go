package scenario

import (
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
)

func TestWholeGames(t *testing.T) {
	for name, c := range map[string]struct {
		command, language string
		people            int
		last              string
		long              bool
	}{
		"in English":             {"/shutbox stake=5 match=rounds:2", "en", 3, "Dice seal", false},
		"in German":              {"/shutbox stake=10 one-die=never", "de", 2, "Würfelsiegel", true},
		"two rows of a duel":     {"/shutbox variant=canoga", "en", 2, "Dice seal", true},
		"more sets than buttons": {"/shutbox variant=three-hundred stake=3", "de", 2, "Würfelsiegel", true},
		"ten people":             {"/coin stake=7", "fr", 10, "", true},
	} {
		if c.long && !needs.IsLong() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			Everywhere(t, func(s *Stage) {
				var people []*Person
				for _, name := range strings.Fields("Anna Ben Clara Dora Emil Fritz Gerda Hans Ida Jo")[:c.people] {
					people = append(people, s.Person(name, c.language))
				}
				s.Sit(c.command, people[0], people[1:]...)
				last := s.Play(people...)
				for _, p := range people {
					s.Says(last.Text, p.Name)
				}
				if n := len(s.Messages(-1)); !strings.Contains(last.Text, c.last) || n != 1 {
					t.Errorf("%d messages, the last:\n%s", n, last.Text)
				}
				people[1].Presses(":!rematch")
				s.Offers(":!leave")
			})
		})
	}
}
