package discord

import (
	"slices"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/standin"
)

// Whoever watches cannot press; a choice is taken back by whoever made it; who
// watched joins the rematch.
func TestUndoAndWatchers(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	s.stop()
	s.house = standin.NewClock(false) // a choice taken back has the time of its turn begin anew
	s.start()
	anna, ben, clara := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "de"), s.server.Person("Clara", "en-US")
	s.sit(anna, "shutbox", []discordtest.Option{{Name: "tiles", Value: "2-12"}, {Name: "one-die", Value: "never"}}, ben)
	if a := s.carries(clara, ":throw 2"); !private(a, "You are watching this game.") {
		t.Errorf("who watches is told %q", a.Message.Text())
	}
	thrown := s.carries(anna, ":throw 2").Message.Text()
	b, _ := next(s.board())
	s.answer(s.hall.Press(anna, s.board().ID, b.CustomID))
	if a := s.carries(ben, ":!undo"); !private(a, "Anna") {
		t.Errorf("Ben takes Anna's choice back: %q", a.Message.Text())
	}
	thrown = strings.Join(slices.DeleteFunc(strings.Split(thrown, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "*Each button") // what is said at a first choice is not said again
	}), "\n")
	if a := s.carries(anna, ":!undo"); a.Type != 7 || a.Message.Text() != thrown {
		t.Errorf("taken back, it is %d: %q, and was %q", a.Type, a.Message.Text(), thrown)
	}
	s.answer(s.hall.Slash(anna, "abandon"))
	s.carries(ben, ":!vote yes")
	s.carries(anna, ":!rematch")
	if a := s.carries(clara, ":!join"); a.Type != 7 || !strings.Contains(a.Message.Text(), "Clara") {
		t.Errorf("who watched joins: %d: %q", a.Type, a.Message.Text())
	}
	if a := s.carries(anna, ":!free"); a.Type != 7 || strings.Contains(a.Message.Text(), "reserved") {
		t.Errorf("reserved seats are freed: %d: %q", a.Type, a.Message.Text())
	}
	s.sound()
}

// House rules are kept by whoever may manage the server, and completed while
// somebody types.
func TestHouseRules(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, mod := s.server.Person("Anna", "en-US"), s.server.Person("Mod", "de")
	mod.Permissions |= discordtest.ManageGuild
	s.answer(s.hall.Slash(anna, "shutbox", discordtest.Option{Name: "tiles", Value: "10"}))
	if a := s.answer(s.hall.Slash(anna, "house", with("what", "save Friday")...)); !private(a, "Only admins") {
		t.Errorf("Anna keeps house rules: %q", a.Message.Text())
	}
	if a := s.answer(s.hall.Slash(mod, "house", with("what", "merken Friday **night**")...)); !private(a, "Ein Name ist ein Wort") {
		t.Errorf("a name with stars: %q", a.Message.Text())
	}
	if a := s.answer(s.hall.Slash(mod, "house", with("what", "merken Friday night")...)); !private(a, "Gemerkt: Friday-night (") {
		t.Errorf("house rules are not kept: %q", a.Message.Text())
	}
	completed := s.answer(s.hall.Complete(anna, "shutbox", "house", "fri"))
	if len(completed.Choices) != 1 || completed.Choices[0].Name != "Friday-night" {
		t.Errorf("completed as %v", completed.Choices)
	}
	there := s.in(s.guild.Channel("other"))
	a := there.answer(there.hall.Slash(anna, "shutbox", with("house", "Friday-night")...))
	if a.Type != 4 || !strings.Contains(a.Message.Text(), "· Friday-night (") {
		t.Errorf("a table by house rules is %d: %q", a.Type, a.Message.Text())
	}
	a = there.answer(there.hall.Slash(anna, "house"))
	if !private(a, "Friday-night") || len(a.Message.Buttons()) != 1 {
		t.Errorf("the list is %q with %d buttons", a.Message.Text(), len(a.Message.Buttons()))
	}
	s.sound()
}
