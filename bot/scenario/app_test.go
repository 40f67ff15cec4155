package scenario

import (
	"net/http"
	"strings"
	"testing"
)

// opens lets p open the Mini App and follow the table there.
func (g *AppGroup) opens(p *Person, table int64) *App {
	p.Helper()
	a, status := g.Opens(p, table)
	if status != http.StatusOK {
		p.Fatalf("%s does not get in: %d", p.Name, status)
	}
	a.Follows()
	return a
}

// One table is played at once in the group, in the Mini App and by the app's link in a browser, across a restart. All
// see every state; a person who leaves the group is out.
func TestOneTableInTheGroupAndInTheApp(t *testing.T) {
	InApp(t, func(s *Stage, g *AppGroup) {
		anna, ben, clara := s.Person("Anna", "en"), s.Person("Ben", "en"), s.Person("Clara", "de")
		eve := s.Person("Eve", "en")
		anna.Writes("/coin 10")
		ben.Talk(ben.who, "Hello") // a person that the bot has not seen is not let in
		clara.Talk(clara.who, "Hallo")
		if _, status := g.Opens(eve, 1); status != http.StatusForbidden {
			t.Errorf("somebody from elsewhere is answered %d", status)
		}
		if _, status := g.Opens(ben, 999); status != http.StatusForbidden {
			t.Errorf("no table is answered %d", status)
		}
		lobby := s.Offers(":!join")
		if last := lobby.Buttons[len(lobby.Buttons)-1]; last.Label != "▶ Open the table" || last.Data != "" {
			t.Errorf("the last button is %+v", last)
		}
		app, link := g.opens(ben, 1), g.opens(clara, 1)
		app.Presses(":!join")
		link.Presses(":!join")
		s.Shows("Clara")
		anna.Presses(":!start")
		anna.Presses(":throw")
		app.Until("Ben's page shows his turn", func() bool { _, b := app.Button(":throw"); return b.Press != "" })

		s.Restart()
		app.Follows()
		link.Follows()
		app.Presses(":throw")
		link.Presses(":throw")
		s.Offers(":!rematch")
		for _, a := range []*App{app, link} {
			a.Until(a.Name+"'s page shows the end", func() bool { return a.Board().Message.Record == 1 })
		}
		if books := anna.Writes("/leaderboard"); !strings.Contains(books, "Ben") || !strings.Contains(books, "Clara") {
			t.Errorf("the leaderboard says %s", books)
		}
		g.Leave((*g.People)[clara.who], (*g.People)[clara.who])
		s.Passes("Clara is out", link.Ended)
		if said, status := link.Sends("command", map[string]any{"text": "/table"}); status != http.StatusForbidden ||
			said != "Dieser Tisch ist für die Leute aus seiner Gruppe." {
			t.Errorf("Clara is answered %d %s", status, said)
		}
		if _, status := app.Sends("command", map[string]any{"text": "/table"}); status != http.StatusOK {
			t.Errorf("Ben is answered %d", status)
		}
	})
}

// One table is played at once in the channel and in two pages of its activity, across a restart. All see every state; a
// person who leaves the activity is out, and others may not look.
func TestOneTableInTheChannelAndInTheActivity(t *testing.T) {
	InActivity(t, func(s *Stage, c *ActivityChannel) {
		anna, ben, clara := s.Person("Anna", "en"), s.Person("Ben", "en"), s.Person("Clara", "de")
		eve := s.Person("Eve", "de")
		anna.Writes("/coin 10")
		running := c.Launch(s, ben)
		if c.Launch(s, clara) != running {
			t.Error("each opens an activity of their own")
		}
		opens := func(p *Person) *App {
			a, status := c.Opens(p, running.ID)
			if status != http.StatusOK {
				t.Fatalf("%s does not get in: %d", p.Name, status)
			}
			a.Follows()
			return a
		}
		if _, status := c.Opens(eve, running.ID); status != http.StatusForbidden {
			t.Errorf("a person who is not in the activity is answered %d", status)
		}
		page, other := opens(ben), opens(clara)
		page.Presses(":!join")
		other.Presses(":!join")
		s.Shows("Clara")
		anna.Presses(":!start")
		anna.Presses(":throw")
		page.Until("Ben's page shows his turn", func() bool { _, b := page.Button(":throw"); return b.Press != "" })

		s.Restart()
		page.Follows()
		other.Follows()
		page.Presses(":throw")
		other.Presses(":throw")
		if _, opens := s.Offers(":!rematch").Button(":!app"); !opens {
			t.Error("the board of the end opens no activity")
		}
		for _, a := range []*App{page, other} {
			a.Until(a.Name+"'s page shows the end", func() bool { return a.Board().Message.Record == 1 })
		}
		running.Leave((*c.People)[clara.who])
		s.Passes("Clara is out", other.Ended)
		if said, status := other.Sends("command", map[string]any{"text": "/table"}); status != http.StatusForbidden ||
			said != "Komm erst im Kanal dazu." {
			t.Errorf("Clara is answered %d %s", status, said)
		}
	})
}

// A table is opened in an activity where the bot is no member: the page alone shows it, and the bot asks for nothing
// that is forbidden there.
func TestAnActivityWhereTheBotIsAGuest(t *testing.T) {
	InActivity(t, func(s *Stage, c *ActivityChannel) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		there := c.Server.Foreign("Elsewhere").Channel("games")
		running := there.Activity((*c.People)[anna.who], (*c.People)[ben.who])
		var apps []*App
		for _, p := range []*Person{anna, ben} {
			a, status := c.Opens(p, running.ID)
			if status != http.StatusOK {
				t.Fatalf("%s does not get in: %d", p.Name, status)
			}
			a.Follows()
			apps = append(apps, a)
		}
		apps[0].Sends("command", map[string]any{"text": "/coin 10"})
		apps[1].Presses(":!join")
		apps[0].Presses(":!start")
		apps[0].Presses(":throw")
		apps[1].Presses(":throw")
		for _, a := range apps {
			a.Until(a.Name+"'s page shows the end", func() bool { return a.Board().Message.Record == 1 })
		}
		if n := len(there.Messages()); n > 0 {
			t.Errorf("the channel has %d messages", n)
		}
	})
}

// Once a press has told which group it is, a link without a table leads to the table that was last played there. The
// menu of the private chat does not tell the group, and leads to the person's own chat.
func TestALinkLeadsToTheLastTable(t *testing.T) {
	InApp(t, func(s *Stage, g *AppGroup) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		leads := func(launch string, want int64) *App {
			s.Helper()
			a, status := g.Enters(ben, launch)
			if status != http.StatusOK || a.Table != want {
				s.Errorf("%d, it shows table %d instead of %d", status, a.Table, want)
			}
			return a
		}
		menu := func() string { return g.Server.Launch((*g.People)[ben.who], nil) }
		link := func() string { return g.Launch((*g.People)[ben.who], nil) }
		anna.Writes("/coin 10")
		leads(link(), 0) // no button has been pressed yet
		anna.Presses("+ Computer")
		leads(menu(), 0)
		app := leads(link(), 1)
		app.Follows()
		app.Presses(":!join")
		s.Shows("Ben")
		anna.Presses(":!start")
		s.Play(anna, ben)
		anna.Presses(":!rematch")
		s.Until("the page shows the rematch", func() bool { return app.Board().Message.Table == 2 })
		leads(link(), 2)
		leads(menu(), 0)
	})
}
