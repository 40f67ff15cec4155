package discord

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

// A leaderboard of people with names of all kinds: every button of every menu
// is pressed, in both languages, and draws over the one answer.
func TestLeaderboards(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	words := append(hostile(), "Ben", "Ben", strings.Repeat("\\*", 16), strings.Repeat("W", 32))
	var people []*discordtest.Person
	for i, word := range words {
		people = append(people, s.server.Person(strings.ToValidUTF8(word, "?"), []string{"en-US", "de"}[i%2]))
	}
	for table := range 3 {
		seated := people[table*10 : min(table*10+10, len(people))]
		there := s.in(s.guild.Channel(fmt.Sprint("table ", table)))
		there.sit(seated[0], "coin", with("stake", 7), seated[1:]...)
		there.play(seated...)
	}
	for _, p := range []*discordtest.Person{people[0], people[11]} {
		first := s.answer(s.hall.Slash(p, "leaderboard", with("rank", "pool")...))
		if first.Type != 4 || !first.Message.Private() || !strings.Contains(first.Message.Text(), "1\\. ") {
			t.Fatalf("answers %d: %q", first.Type, first.Message.Text())
		}
		s.pressAll(p, first.Message)
		if n := len(s.hall.Private(p)); n != 3 {
			t.Errorf("%d answers for %s, not the leaderboard and two words about hiding", n, p.Name)
		}
	}
	for option, want := range map[string]string{"against": "Ben 2", "period": "month", "unit": "chips", "game": "coin", "rank": ""} {
		a := s.answer(s.hall.Complete(people[0], "leaderboard", option, ""))
		if option != "rank" && !strings.Contains(fmt.Sprint(a.Choices), want) {
			t.Errorf("%s offers %v", option, a.Choices)
		}
	}
	for _, name := range []string{"Ben 2", "\u2068שלום\u2069", "שלום", "# big > quote"} {
		if a := s.answer(s.hall.Slash(people[0], "leaderboard", with("against", name)...)); !strings.Contains(a.Message.Text(), "met") && !strings.Contains(a.Message.Text(), "games of") {
			t.Errorf("against %s: %q", name, a.Message.Text())
		}
	}
	for want, options := range map[string][]discordtest.Option{
		"against you":                    nil,
		"Nobody called “Zoe” plays here": with("against", "Zoe"),
		"Did you mean “month”":           with("period", "mont"),
		"Did you mean “difference”":      with("rank", "diference"),
		"Did you mean “coin”":            with("game", "coins"),
	} {
		if a := s.answer(s.hall.Slash(people[0], "leaderboard", options...)); options != nil && !private(a, want) {
			t.Errorf("%v answers %q", options, a.Message.Text())
		}
	}
	s.sound()
}

// pressAll presses buttons that can be reached from an answer, each once, the
// nearest first and those that hide somebody before all others.
func (s *stage) pressAll(p *discordtest.Person, m discordtest.Message) {
	s.Helper()
	seen := map[string]bool{}
	var queue []string
	add := func(m discordtest.Message) {
		for _, b := range m.Buttons() {
			once := b.CustomID
			if hides(once) {
				once = once[len(once)-2:]
			}
			if strings.Contains(once, ".+.") {
				once = "with the house" // the same buttons again
			}
			switch {
			case seen[once]:
			case hides(once):
				queue = slices.Insert(queue, 0, b.CustomID)
			default:
				queue = append(queue, b.CustomID)
			}
			seen[once] = true
		}
	}
	add(m)
	for n := 0; len(queue) > 0 && n < 70; n++ {
		a, turned := s.turned(s.hall.Press(p, m.ID, queue[0]))
		turned = turned && a.Message.ID == m.ID
		if hides(queue[0]) != (private(a, "leaderboards here") || private(a, "Rangliste")) || !hides(queue[0]) && !turned || strings.Contains(a.Message.Text(), "bot.") {
			s.Errorf("%s answers %d: %q", queue[0], a.Type, a.Message.Text())
		}
		queue = queue[1:]
		add(a.Message)
	}
}

// hides reports whether a press hides somebody or shows them again.
func hides(press string) bool {
	return strings.HasSuffix(press, ".h") || strings.HasSuffix(press, ".s")
}

// Who may start a season is asked whether they mean it, and all hear of it.
func TestSeasons(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "de")
	anna.Permissions = manageGuild
	if a := s.answer(s.hall.Slash(ben, "season", with("name", "Herbst")...)); !private(a, "Eine Saison beginnen nur Admins dieses Chats. Frag sie.") {
		t.Errorf("Ben may: %q", a.Message.Text())
	}
	a := s.answer(s.hall.Slash(anna, "season", with("name", "Frühling 🌷")...))
	if !private(a, "Start season Frühling 🌷 now?") {
		t.Fatalf("Anna is not asked: %q", a.Message.Text())
	}
	if a := s.answer(s.pressFirst(anna, a.Message)); a.Type != 4 || a.Message.Private() || !strings.Contains(a.Message.Text(), "Anna starts season Frühling 🌷") {
		t.Errorf("it does not start: %d %q", a.Type, a.Message.Text())
	}
	if a := s.answer(s.pressFirst(anna, a.Message)); !private(a, "Another season") {
		t.Errorf("it starts twice: %q", a.Message.Text())
	}
	if a := s.answer(s.hall.Complete(ben, "leaderboard", "period", "früh")); !strings.Contains(fmt.Sprint(a.Choices), "Frühling 🌷") {
		t.Errorf("offers %v", a.Choices)
	}
	s.sound()
}

// pressFirst presses the first button of an answer.
func (s *stage) pressFirst(p *discordtest.Person, m discordtest.Message) *discordtest.Interaction {
	return s.hall.Press(p, m.ID, m.Buttons()[0].CustomID)
}
