package discord

import (
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
)

func TestWholeGames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, command string
		options       []discordtest.Option
		locale        string
		people        int
		last          string
	}{
		{"in English", "shutbox", []discordtest.Option{{Name: "stake", Value: 5}}, "en-US", 3, "Dice seal"},
		{"in German", "shutbox", []discordtest.Option{{Name: "stake", Value: 10}, {Name: "one-die", Value: "never"}}, "de", 2, "Würfelsiegel"},
		{"two rows of a duel", "shutbox", with("variant", "canoga"), "en-GB", 2, "Dice seal"},
		{"more sets than buttons", "shutbox", with("variant", "three-hundred"), "de", 2, "Würfelsiegel"},
		{"ten people", "coin", with("stake", 7), "fr", 10, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t, discordtest.Options{Pace: -1})
			var people []*discordtest.Person
			for _, name := range []string{"Anna", "Ben", "Clara", "Dora", "Emil", "Fritz", "Gerda", "Hans", "Ida", "Jo"}[:c.people] {
				people = append(people, s.server.Person(name, c.locale))
			}
			s.sit(people[0], c.command, c.options, people[1:]...)
			last := s.play(people...)
			for _, p := range people {
				if !strings.Contains(last.Text(), p.Name) {
					t.Errorf("%s is not on the last board:\n%s", p.Name, last.Text())
				}
			}
			if !strings.Contains(last.Text(), c.last) || len(s.hall.Messages()) != 1 {
				t.Errorf("%d messages, the last:\n%s", len(s.hall.Messages()), last.Text())
			}
			s.stop()
			s.sound()
		})
	}
}

// Every page of the lobby, and every variant's first board, shows all its
// buttons.
func TestEveryPageOfTheLobby(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna := s.server.Person("Anna", "de")
	s.answer(s.hall.Slash(anna, "shutbox"))
	for range 2 {
		s.carries(anna, ":!page houses")
		s.carries(anna, ":!house fewest")
	}
	s.carries(anna, ":!page rules")
	rules := s.board()
	for _, b := range rules.Buttons() {
		if !strings.Contains(b.CustomID, ":!page rules/") && !strings.HasSuffix(b.CustomID, "variants") {
			continue
		}
		s.answer(s.hall.Press(anna, rules.ID, b.CustomID))
		m := s.board()
		if n := len(m.Buttons()); n < 3 {
			t.Errorf("%s has %d buttons", b.Label, n)
		}
		for _, b := range m.Buttons() {
			if !strings.Contains(b.CustomID, ":!set ") {
				continue
			}
			if a := s.answer(s.hall.Press(anna, m.ID, b.CustomID)); a.Type != 7 && !a.Message.Private() {
				t.Errorf("%s answers %d", b.Label, a.Type)
			}
			s.answer(s.hall.Press(anna, m.ID, m.Buttons()[0].CustomID))
		}
		s.answer(s.hall.Press(anna, m.ID, rules.Buttons()[len(rules.Buttons())-1].CustomID))
	}
	s.sound()
}

// A bot that goes down in the middle goes on with the old buttons.
func TestRestartInTheMiddle(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "de"), s.server.Person("Ben", "en-US")
	s.sit(anna, "coin", with("stake", 10), ben)
	for _, p := range []*discordtest.Person{anna, ben} {
		m, b, _ := s.turn("")
		s.stop()
		s.start()
		if a := s.answer(s.hall.Press(p, m.ID, b.CustomID)); a.Type != 7 {
			t.Errorf("after the restart: %d: %q", a.Type, a.Message.Text())
		}
	}
	if _, _, over := s.turn(""); !over {
		t.Error("two throws end a game of two")
	}
	if n := s.server.Registered(); n != 1 {
		t.Errorf("the commands were written %d times", n)
	}
	s.sound()
}

// A press whose answer is lost with the process is carried out, and its board
// is drawn after the restart.
func TestBoardLagsBehindARestart(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "de"), s.server.Person("Ben", "en-US")
	s.sit(anna, "coin", with("stake", 10), ben)
	m, b, _ := s.turn("")
	s.server.Fail(
		discordtest.Fault{On: "POST /interactions", Status: 404, Code: 10062},
		discordtest.Fault{On: "PATCH /channels", Status: 500}, discordtest.Fault{On: "PATCH /channels", Status: 500},
		discordtest.Fault{On: "PATCH /channels", Status: 500}, discordtest.Fault{On: "PATCH /channels", Status: 500},
	)
	s.hall.Press(anna, m.ID, b.CustomID)
	s.until("the edit fails", func() bool { return len(s.server.Requests("PATCH /channels")) > 0 })
	s.stop()
	s.server.Forgive()
	s.start()
	if _, next, _ := s.turn(b.CustomID); next.CustomID == "" {
		t.Error("no board")
	}
	s.play(anna, ben)
	s.sound()
}

// Two press for a rematch at once: one new table, both sit there.
func TestRematchByTwoAtOnce(t *testing.T) {
	t.Parallel()
	s, anna, ben := begun(t)
	s.play(anna, ben)
	m := s.board()
	b, _ := next(m)
	one, two := s.hall.Press(anna, m.ID, b.CustomID), s.hall.Press(ben, m.ID, b.CustomID)
	s.answer(one)
	s.answer(two)
	s.until("both sit at the new table", func() bool {
		last, _ := s.hall.Last()
		return last.ID != m.ID && strings.Count(last.Text(), "Anna") > 0 && !strings.Contains(last.Text(), "reserved")
	})
	if n := len(s.hall.Messages()); n != 2 {
		t.Errorf("%d messages", n)
	}
	if a := s.carries(anna, ":!start"); a.Type != 7 { // it is the other's table
		s.carries(ben, ":!start")
	}
	s.play(anna, ben)
	s.sound()
}

func TestAbandonWithRefund(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "en-US")
	s.sit(anna, "shutbox", with("stake", 10), ben)
	if a := s.answer(s.hall.Slash(s.server.Person("Clara", "en-US"), "abandon")); !private(a, "most of those seated") {
		t.Errorf("Clara, who only watches, may end Anna's table: %q", a.Message.Text())
	}
	if a := s.answer(s.hall.Slash(anna, "abandon")); a.Type != 4 || a.Message.Private() {
		t.Errorf("the question is %d: %q", a.Type, a.Message.Text())
	}
	if a := s.carries(ben, ":!end yes"); !a.Message.Private() {
		t.Errorf("Ben ends Anna's table: %q", a.Message.Text())
	}
	if a := s.carries(anna, ":!end yes"); a.Type != 7 || !strings.Contains(a.Message.Text(), "10 chips again") {
		t.Errorf("the end is %d: %q", a.Type, a.Message.Text())
	}
	s.sound()
}

// Whoever is no opener begins a vote; most of those seated end the table.
func TestVoteToEnd(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "de")
	s.sit(anna, "shutbox", with("stake", 10), ben)
	if a := s.answer(s.hall.Slash(ben, "abandon")); a.Type != 4 || !strings.Contains(a.Message.Text(), "To end this table: Ben, 1 of 2 votes.") {
		t.Errorf("the vote is %d: %q", a.Type, a.Message.Text())
	}
	if a := s.press(s.server.Person("Clara", "de"), "End it (1 of 2)"); !private(a, "schaust hier zu") {
		t.Errorf("Clara, who only watches, has a vote: %q", a.Message.Text())
	}
	if a := s.press(anna, "End it (1 of 2)"); a.Type != 7 || !strings.Contains(a.Message.Text(), "10 chips again") {
		t.Errorf("the end is %d: %q", a.Type, a.Message.Text())
	}
	s.sound()
}

// Tables in two channels and a thread do not know each other.
func TestTablesBesideEachOther(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	var tables sync.WaitGroup
	for i, channel := range []*discordtest.Channel{s.hall, s.guild.Channel("other"), s.hall.Thread("late"), s.server.Guild("Else").Channel("table")} {
		anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "de")
		tables.Go(func() {
			there := s.in(channel)
			there.sit(anna, "coin", with("stake", i), ben)
			there.play(anna, ben)
			if n := len(channel.Messages()); n != 1 {
				t.Errorf("%d messages", n)
			}
		})
	}
	tables.Wait()
	s.sound()
}

// The table's board comes to the bottom and the old one goes.
func TestTableCommand(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "en-US")
	if a := s.answer(s.hall.Slash(ben, "table")); !private(a, "no table here") {
		t.Errorf("without a table: %q", a.Message.Text())
	}
	s.answer(s.hall.Slash(anna, "shutbox"))
	first := s.board()
	if a := s.answer(s.hall.Slash(ben, "table")); a.Type != 4 || a.Message.ID == first.ID {
		t.Errorf("the board is %d", a.Type)
	}
	s.until("the old board is gone", func() bool { return len(s.hall.Messages()) == 1 })
	if a := s.answer(s.hall.Slash(ben, "shutbox")); a.Type != 4 || !strings.Contains(a.Message.Text(), "Anna opens") {
		t.Errorf("a second table: %q", a.Message.Text())
	}
	s.until("the old board is gone", func() bool { return len(s.hall.Messages()) == 1 })
	if a := s.press(ben, "Sit down"); a.Type != 7 {
		t.Errorf("the board at the bottom answers %d", a.Type)
	}
}

func TestPrivateCommands(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "de")
	ben.Permissions |= discordtest.Administrator
	help := s.answer(s.hall.Slash(anna, "help"))
	for _, b := range help.Message.Buttons() {
		a := s.answer(s.hall.Press(anna, help.Message.ID, b.CustomID))
		if turned := a.Type == 7 && a.Message.Private() && len(a.Message.Buttons()) > 0; a.Type != 4 && !turned {
			t.Errorf("%s answers %d: %q", b.Label, a.Type, a.Message.Text())
		}
	}
	for _, c := range []struct {
		who     *discordtest.Person
		command string
		options []discordtest.Option
		says    string
	}{
		{anna, "fair", nil, "Seal,"},
		{anna, "luck", with("word", "<b>*_[x](y)@everyone"), "in the dice"},
		{anna, "rules", with("variant", "golf"), "golf"},
		{anna, "rules", with("variant", "gulf"), "“golf”"},
		{anna, "unit", nil, "chips"},
		{anna, "unit", with("name", "coffees"), "admins"},
		{anna, "language", with("language", "de"), "admins"},
		{ben, "unit", with("name", "Euro"), "Kaffee"},
		{ben, "unit", with("name", "€"), "Kaffee"},
		{ben, "unit", with("name", "Kaffees"), "Kaffees"},
		{ben, "language", with("language", "de"), "Deutsch"},
		{anna, "nothing", nil, "nothing"},
	} {
		a := s.answer(s.hall.Slash(c.who, c.command, c.options...))
		if !private(a, c.says) {
			t.Errorf("/%s %v answers %d: %q", c.command, c.options, a.Type, a.Message.Text())
		}
	}
	s.until("the board is German", func() bool {
		m, ok := s.hall.Last()
		return ok && strings.Contains(m.Text(), "Tisch")
	})
}

// The rules of every variant are told whole, in both languages.
func TestRulesOfEveryVariant(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	for _, c := range s.bot.Commands() {
		for _, o := range c.Options {
			if c.Name != "rules" || o.Name != "variant" {
				continue
			}
			for _, v := range o.Choices {
				for _, locale := range []string{"en-US", "de"} {
					p := s.server.Person("Anna", locale)
					a := s.answer(s.hall.Slash(p, "rules", with("variant", v.Value)...))
					if a.Type != 4 || !a.Message.Private() || strings.Contains(a.Message.Text(), "…") {
						t.Errorf("%s (%s): %q", v.Value, locale, a.Message.Text())
					}
				}
			}
		}
	}
}

// Hostile names and words at one table, played to its end.
func TestHostileEvening(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna := s.server.Person("Anna", "en-US")
	for _, word := range hostile() {
		name := strings.ToValidUTF8(word, "?")
		p := s.server.Person(name, "en-US")
		p.Permissions |= discordtest.Administrator
		s.answer(s.hall.Slash(p, "luck", with("word", name)...))
		s.answer(s.hall.Slash(p, "unit", with("name", name)...))
		s.answer(s.hall.Slash(p, "rules", with("variant", name)...))
		s.answer(s.hall.Complete(p, "shutbox", "tiles", name))
		s.answer(s.hall.Press(p, "1", name+"x"))
	}
	people := []*discordtest.Person{anna}
	s.answer(s.hall.Slash(anna, "coin"))
	for _, word := range hostile()[:9] {
		p := s.server.Person(strings.ToValidUTF8(word, "?"), "de")
		people = append(people, p)
		s.carries(p, ":!join")
	}
	s.carries(anna, ":!start")
	s.play(people...)
	s.answer(s.hall.Slash(anna, "fair"))
	s.sound()
}

// Everything of Discord fails in turn, and the game goes on.
func TestGameInBadWeather(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "en-US")
	s.sit(anna, "shutbox", with("stake", 5), ben)
	s.server.Fail(
		discordtest.Fault{On: "POST /interactions", Status: 500},
		discordtest.Fault{On: "POST /interactions", Cut: true, After: true},
		discordtest.Fault{On: "POST /interactions", Status: 502, HTML: true},
		discordtest.Fault{On: "POST /interactions", Status: 429, RetryAfter: 0.2},
	)
	s.play(anna, ben)
	s.sound()
}

// Somebody deletes the board, and the bot may not write any more; when it may
// again, the table is there.
func TestPlaceIsAwayAndComesBack(t *testing.T) {
	t.Parallel()
	s, anna, ben := begun(t)
	m, b, _ := s.turn("")
	s.hall.Remove(m.ID)
	s.hall.Deny(discordtest.SendMessages)
	if a := s.answer(s.hall.Press(anna, m.ID, b.CustomID)); !private(a, "Anna threw") {
		t.Errorf("answer %d: %q", a.Type, a.Message.Text())
	}
	s.logs("place is away")
	s.hall.Allow(discordtest.SendMessages)
	if a := s.answer(s.hall.Slash(ben, "table")); a.Type != 4 || a.Message.Private() {
		t.Errorf("the board is %d: %q", a.Type, a.Message.Text())
	}
	s.play(anna, ben)
	s.sound()
}

// A table that rested for long goes on with a new message.
func TestTableRestsForHours(t *testing.T) {
	t.Parallel()
	s, anna, ben := begun(t)
	m, b, _ := s.turn("")
	s.server.Advance(3 * time.Hour)
	if a := s.answer(s.hall.Press(anna, m.ID, b.CustomID)); a.Type != 4 || a.Message.Private() {
		t.Errorf("answer %d: %q", a.Type, a.Message.Text())
	}
	s.until("the board is another message", func() bool {
		all := s.hall.Messages()
		return len(all) == 1 && all[0].ID != m.ID
	})
	s.play(anna, ben)
	s.sound()
}
