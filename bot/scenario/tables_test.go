package scenario

import (
	"strings"
	"testing"
)

// Tables are drawn as such where a group wants that, in the same words below the names of columns, and else stand in
// lines.
func TestTablesAreDrawnWhereAGroupWantsThat(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		anna, ben := s.Person("Anna", "en").Admin(), s.Person("Ben", "en")
		g := s.Place.(*Group)
		s.Sit("/shutbox stake=5", anna, ben)
		s.Play(anna, ben)
		rich := func(m Message) bool {
			chat := g.Chat
			if m.Alone {
				chat = g.Own(anna.who)
			}
			stands, _ := chat.Message(numberOf(strings.TrimPrefix(m.ID, own)))
			return stands.Rich
		}
		words := func(m Message) string {
			plain := strings.NewReplacer(" · ", " ", "\n", " ").Replace(m.Text)
			return strings.Join(strings.Fields(plain), " ")
		}
		unnamed := strings.NewReplacer("Place Player Pools Games ", "", "Player Balance ", "", "Pays To Amount ", "",
			"No. Day Game Results ", "")
		for _, line := range []string{"/leaderboard", "/settle", "/history"} {
			anna.Asks("/settings tables=plain")
			plain := anna.Asks(line)
			if !strings.Contains(anna.Asks("/settings").Text, "Tables: plain") {
				t.Error("the setting is not listed")
			}
			anna.Asks("/settings tables=rich")
			drawn := anna.Asks(line)
			if rich(plain) || !rich(drawn) {
				t.Errorf("%s is rich: %v before, %v after", line, rich(plain), rich(drawn))
			}
			said := words(plain)
			if line == "/history" {
				said = strings.NewReplacer("Shut the Box:", "Shut the Box").Replace(said)
			}
			if named := words(drawn); named == unnamed.Replace(named) || said != unnamed.Replace(named) {
				t.Errorf("%s says in lines\n%s\nand in tables\n%s", line, plain.Text, drawn.Text)
			}
		}
		if m := anna.Asks("/rules"); rich(m) {
			t.Error("a text is sent as a table")
		}

		s.Sit("/wuerfelpoker", anna, ben)
		s.Says(anna.Presses("Sheet"), "The sheet is in our own chat.")
		if m := anna.Last(); !rich(m) || !strings.Contains(m.Text, "Small straight · ·") {
			t.Errorf("the sheet is\n%s", m.Text)
		}
		if m := s.Board(); rich(m) {
			t.Errorf("a board is rich:\n%s", m.Text)
		}
	})
}

// Elsewhere there is no such setting.
func TestTablesAreNoSettingElsewhere(t *testing.T) {
	InChats(t, func(s *Stage) {
		if s.Name() == "Telegram" {
			return
		}
		anna := s.Person("Anna", "en").Admin()
		if answer := anna.Asks("/settings"); strings.Contains(answer.Text, "Tables") {
			t.Errorf("it is listed:\n%s", answer.Text)
		}
	})
}
