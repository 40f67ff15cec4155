package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

// On Discord the rules of a lobby are one private page of menus: what its host chooses there holds at once, the
// page shows it in place, and so does the board, which never turns.
func TestRulesAreMenusOnDiscord(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		c := s.Place.(*Channel)
		anna, ben := s.Person("Anna", "de"), s.Person("Ben", "en")
		anna.Writes("/shutbox stake=5")
		ben.Presses(":!join")
		lobby := s.Shows("Ben")
		s.Says(ben.Presses("Regeln"), "Shut the Box") // he reads them, and chooses nothing
		if _, chosen := ben.Last().Button(":!set variant=golf"); chosen {
			t.Error("somebody else is offered the host's choices")
		}
		page := func() discordtest.Message { return c.Private((*c.People)[anna.who])[0] }
		shown := func(said string) (all []string) { // what the menus show
			for _, menu := range page().Selects() {
				i := slices.IndexFunc(menu.Options, func(o discordtest.SelectOption) bool { return o.Default })
				if i < 0 {
					all = append(all, menu.Placeholder)
				} else {
					all = append(all, menu.Options[i].Label)
				}
			}
			return slices.DeleteFunc(all, func(label string) bool { return !strings.HasPrefix(label, said) })
		}
		anna.Presses("Regeln")
		first := page()
		for _, one := range []struct{ value, menu, board string }{
			{"set variant=golf", "Regeln: Golf", "Golf"}, {"stake 20", "Einsatz: 20 Chips", "20 Chips"},
			{"set turn=30m", "Ein Zug: 30 Minuten", "30 Minuten"},
			{"set absent=wait", "Danach: eine Erinnerung", "wartet"},
		} {
			if told := anna.Presses(":!" + one.value); told != "" {
				t.Errorf("%s is told %q", one.value, told)
			}
			s.Shows(one.board)
			if all := shown(one.menu); len(all) != 1 {
				t.Errorf("after %s the menus show %q", one.value, shown(""))
			}
			if now := page(); now.ID != first.ID || len(c.Private((*c.People)[anna.who])) != 1 {
				t.Errorf("the page is another message than before: %s", now.Text())
			}
		}
		before := page() // whose menu would go on showing what was refused
		anna.Sends(Message{ID: before.ID}, "1:1:0:!set absent=nobody")
		s.Says(anna.Reads("nobody").Text, "kann nicht")
		if len(shown("Danach: eine Erinnerung")) != 1 || page().Edits != before.Edits+1 {
			t.Errorf("after a refusal the page shows %q, with %d edits", shown(""), page().Edits)
		}
		for _, b := range s.Board().Buttons {
			if !slices.ContainsFunc(lobby.Buttons, func(old Button) bool { return old.Label == b.Label }) &&
				!strings.HasSuffix(b.Data, ":!agree") && !strings.HasSuffix(b.Data, ":!start") {
				t.Errorf("the board has got a button %q", b.Label)
			}
		}
		s.Says(ben.Sends(Message{ID: lobby.ID}, fmt.Sprint("1:1:", s.pressed(first), ":!stake 1")), "Anna")
		anna.Presses("Tisch schließen")
		s.Shows("schließen")
		if n := len(s.Messages(-1)); n != 1 {
			t.Errorf("the lobby is %d messages", n)
		}
	})
}

// pressed is the turn that the choices of a page carry.
func (s *Stage) pressed(m discordtest.Message) (turn string) {
	s.Helper()
	menus := m.Selects()
	if len(menus) == 0 {
		s.Fatalf("no menu on %s", m.Text())
	}
	return strings.Split(menus[0].Options[0].Value, ":")[2]
}
