package scenario

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/discord/discordtest"
)

// onVisit returns a stage in a place of Discord where the bot is a guest, with Anna, who has added the bot to her
// account, and Ben, who has not.
func (s *Stage) onVisit(at *discordtest.Channel) (here *Stage, anna, ben *Person) {
	c := s.Place.(*Channel)
	visited := c.At(at)
	visited.guest = true
	here = s.In(visited)
	anna, ben = here.Person("Anna", "en"), here.Person("Ben", "de")
	c.Server.Install((*c.People)[anna.who])
	return here, anna, ben
}

// TestAGuestOnDiscord plays a whole game, and its rematch with the computer, in places where the bot is no member. The
// board stays as it was while no one presses a button for longer than a token lasts, also over a restart.
func TestAGuestOnDiscord(t *testing.T) {
	for _, group := range []bool{false, true} {
		On(t, "Discord", func(s *Stage) {
			server := s.Place.(*Channel).Server
			at := server.Group()
			if !group {
				at = server.Foreign("Elsewhere").Channel("games")
			}
			here, anna, ben := s.onVisit(at)
			here.Sit("/coin stake=10", anna, ben)
			m, b, _ := here.Turn("")
			time.Sleep(time.Hour)
			s.Restart()
			here.Store, here.Bot, here.Adapter = s.Store, s.Bot, s.Adapter
			anna.Sends(m, b.Data)
			end := here.Play(anna, ben)
			if !strings.Contains(end.Text, "I'm not a member here") {
				here.Errorf("the end does not say that the bot is a guest: %s", end.Text)
			}
			if told := ben.Presses(":/leaderboard"); !strings.Contains(told, "Anna") || !strings.Contains(told, "Ben") {
				here.Errorf("the leaderboard: %s", told)
			}
			if told := ben.Presses(":/settle"); !strings.Contains(told, " +10 · ") {
				here.Errorf("the books: %s", told)
			}
			ben.Presses(":!rematch")
			anna.Presses(":!join")
			anna.Presses(":!house random")
			ben.Presses(":!start")
			here.Play(anna, ben)
			anna.Writes("/table")
			here.Offers(":!rematch")
			if ways := server.Requests("POST /channels"); len(ways) > 0 {
				here.Errorf("%s %s", ways[0].Method, ways[0].Path)
			}
		})
	}
}

// TestRefreshing checks that the board of a guest shows the computer's moves once someone presses Refresh.
func TestRefreshing(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		server := s.Place.(*Channel).Server
		here, anna, ben := s.onVisit(server.Group())
		anna.Writes("/coin stake=10")
		on, join := ben.Finds(":!join")
		time.Sleep(20 * time.Minute)
		anna.Writes("/language de")
		if m := here.Board(); m.Edits != on.Edits {
			here.Error("the board was edited by a dead token")
		}
		ben.Sends(on, join.Data)
		server.ExpireTokens()
		for _, language := range []string{"en", "de"} { // the server accepts no second request with a dead token
			anna.Writes("/language " + language)
		}
		ben.Presses(":!leave")
		if told := ben.Presses(":!refresh"); told != "" {
			here.Errorf("refreshing says %q", told)
		}
		if m := here.Board(); m.ID != on.ID || m.Edits <= on.Edits || strings.Contains(m.Text, "Ben") {
			here.Errorf("the board: %s", m.Text)
		}
	})
}

// TestTheGuestIsInvited checks that a server that invites the bot later has its books already.
func TestTheGuestIsInvited(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		guild := s.Place.(*Channel).Server.Foreign("Elsewhere")
		here, anna, ben := s.onVisit(guild.Channel("games"))
		here.Sit("/coin stake=10", anna, ben)
		here.Play(anna, ben)
		here.Says(anna.Writes("/evening day=friday time=20:00"), "where I'm a member: invite me")
		here.Says(anna.Writes("/season"), "No season yet")
		here.Says(anna.Writes("/recap"), "Ben")
		guild.Invite()
		if told := anna.Writes("/leaderboard"); !strings.Contains(told, "Ben") {
			here.Errorf("the leaderboard: %s", told)
		}
		here.Sit("/coin stake=10", ben, anna)
		if m := here.Play(anna, ben); strings.Contains(m.Text, "not a member") {
			here.Errorf("a member says: %s", m.Text)
		}
	})
}

// TestNobodyWouldSeeTheTable checks that a person who may not write opens no table that others would not see.
func TestNobodyWouldSeeTheTable(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		c := s.Place.(*Channel)
		at := c.Server.Foreign("Elsewhere").Channel("games")
		here, anna, ben := s.onVisit(at)
		at.Silence((*c.People)[anna.who])
		if told := anna.Writes("/coin stake=10"); !strings.Contains(told, "You can't write here") {
			here.Errorf("Anna reads %q", told)
		}
		c.Server.Install((*c.People)[ben.who])
		here.Sit("/coin stake=10", ben)
		here.Play(ben)
	})
}

// expelled runs a story in a server that throws the bot out, with Anna, who has added the bot to her account, and Ben.
func expelled(t *testing.T, story func(s *Stage, anna, ben *Person, expel func())) {
	On(t, "Discord", func(s *Stage) {
		c := s.Place.(*Channel)
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
		c.Server.Install((*c.People)[anna.who])
		story(s, anna, ben, func() {
			s.Settled()
			c.Guild.Expel() // from now on, the server accepts no request about its channels
			c.guest = true
			synctest.Wait()
		})
	})
}

// TestThrownOut checks that tables of a server that has thrown the bot out go on where it is a guest: neither the ping
// nor the board of that time is touched, also when the computer takes over.
func TestThrownOut(t *testing.T) {
	expelled(t, func(s *Stage, anna, ben *Person, expel func()) {
		s.Sit("/coin stake=10", anna, ben)
		s.Called(anna, 1)
		expel()
		anna.Writes("/leaderboard")
		time.Sleep(3 * time.Hour)
		anna.Writes("/table")
		ben.Presses(":!rematch")
		anna.Presses(":!join")
		ben.Presses(":!start")
		s.Play(anna, ben)
		s.Place.(*Channel).Guild.Invite()
		s.Sit("/coin stake=10", ben, anna)
		if m := s.Play(anna, ben); strings.Contains(m.Text, "not a member") {
			s.Errorf("a member says: %s", m.Text)
		}
	})
}

// TestThrownOutOfALobby checks that the lobby of that time makes room for another, or is brought to another channel.
func TestThrownOutOfALobby(t *testing.T) {
	for _, brings := range []bool{false, true} {
		expelled(t, func(s *Stage, anna, ben *Person, expel func()) {
			anna.Writes("/coin stake=10")
			expel()
			if brings {
				s = s.Aside()
				anna, ben = anna.At(s), ben.At(s)
				anna.Writes("/table")
				anna.Presses("Bring table 1 here")
			} else {
				anna.Writes("/coin stake=20")
			}
			ben.Presses(":!join")
			anna.Presses(":!start")
			s.Play(anna, ben)
		})
	}
}

// TestABoardThatIsNotPosted checks that the board's token is kept if /table posts no other board that all can see.
func TestABoardThatIsNotPosted(t *testing.T) {
	for _, unseen := range []bool{false, true} {
		On(t, "Discord", func(s *Stage) {
			c := s.Place.(*Channel)
			at := c.Server.Group()
			here, anna, _ := s.onVisit(at)
			anna.Writes("/coin stake=10")
			m := here.Board()
			if unseen {
				at.Silence((*c.People)[anna.who])
				anna.Writes("/table")
			} else {
				c.Server.Fail(discordtest.Fault{On: "POST /interactions", Status: 404, Code: 10062})
				here.Write(anna.who, "/table")
				synctest.Wait()
				c.Server.Forgive()
			}
			anna.Writes("/language de")
			if here.Shows("Anna lädt"); here.Board().ID != m.ID {
				here.Errorf("there is another board: %s", here.Board().Text)
			}
		})
	}
}
