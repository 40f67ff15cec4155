package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// waitUntilAway waits until the bot has stored that it cannot reach the place of a table.
func (s *Stage) waitUntilAway(table int64) {
	s.Helper()
	time.Sleep(time.Second)
	s.Until("the place is known to be away", func() bool { return s.Table(table).Board.Away })
}

// waitForRefusal waits until Telegram has refused a request with this text.
func (g *Group) waitForRefusal(s *Stage, text string) {
	s.Helper()
	s.Until(text, func() bool {
		calls := g.Server.Calls()
		return slices.ContainsFunc(calls, func(c telegramtest.Call) bool { return strings.Contains(c.Error, text) })
	})
}

// TestTheBoardIsDeleted checks that a deleted board is posted again.
func TestTheBoardIsDeleted(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.startGame()
		m, b, _ := s.Turn("")
		s.Remove(m.ID)
		anna.Sends(m, b.Data)
		if next, _, _ := s.Turn(b.Data); next.ID == m.ID {
			s.Error("the board is to be a new message")
		}
		s.Play(anna, ben)
	})
}

// If the bot is removed, its tables stay as they are until the next command after its return.
func TestTheBotIsRemovedAndComesBack(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.startGame()
		_, b, _ := s.Turn("")
		s.LockOut(true)
		if g, ok := s.Place.(*Group); ok {
			s.Until("it is known", func() bool { return g.Server.Pending() == 0 })
		} else {
			s.waitUntilAway(1)
		}
		s.LockOut(false)
		ben.Writes("/table")
		s.Shows("Anna")
		if _, again, _ := s.Turn(""); again.Data != b.Data {
			s.Errorf("the game is at %q, and was at %q", again.Data, b.Data)
		}
		s.Play(anna, ben)
	})
}

// TestThePlaceIsDeleted checks that seated people can move a game elsewhere after its channel or topic was deleted,
// whether the platform reports that or not, even with two simultaneous presses, and play it to the end.
func TestThePlaceIsDeleted(t *testing.T) {
	for _, running := range []bool{true, false} {
		t.Run(fmt.Sprint(running), func(t *testing.T) {
			Each(t, func(s *Stage) {
				there, here := s.Aside(), s.In(s.Elsewhere())
				anna, ben := there.startGame()
				there.Turn("")
				if !running {
					s.Stop()
				}
				there.Vanish()
				if !running {
					s.Restart()
					here.Store, here.Bot, here.Adapter = s.Store, s.Bot, s.Adapter
				}
				time.Sleep(time.Minute)
				anna, ben = anna.At(here), ben.At(here)
				here.Says(here.Person("Clara", "en").Writes("/table"), "no game here")
				offer := ben.Asks("/table")
				here.Says(offer.Text, "Tisch 1, Münze: Anna · Ben")
				ben.checkPrivate(offer)
				b, ok := offer.Button("Tisch 1 herholen")
				if !ok || len(offer.Buttons) != 1 {
					s.Fatalf("offered %v", offer.Buttons)
				}
				second := ben.who
				if s.Name() == "Telegram" { // where all see the offer
					second = anna.who
				}
				one, two := here.Press(ben.who, offer.ID, b.Data), here.Press(second, offer.ID, b.Data)
				here.Told(one)
				here.Told(two)
				here.Offers(":throw")
				here.Play(anna, ben)
			})
		})
	}
}

// A table in its own thread: opened below the channel, linked in the answer, played there, unarchived for the next
// board.
func TestATableInAThreadOfItsOwn(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		c := s.Place.(*Channel)
		anna, ben := s.Person("Anna", "de"), s.Person("Ben", "en")
		told := anna.Writes("/coin stake=5 thread=true")
		threads := c.Threads()
		if len(threads) != 1 || threads[0].Name != "Münze · Anna" ||
			!slices.Equal(threads[0].Added(), []string{(*c.People)[0].ID}) {
			t.Fatalf("%d threads: %+v", len(threads), threads)
		}
		s.Says(told, "Dein Tisch hat jetzt einen eigenen Thread. <#"+threads[0].ID+">")
		if n := len(s.Messages(-1)); n != 0 {
			s.Errorf("%d messages in the channel itself", n)
		}
		there := s.In(c.At(threads[0]))
		ben.At(there).Presses(":!join")
		threads[0].Archive(false)
		anna.At(there).Presses(":!start") // in the archived thread
		there.Shows("Anna")
		there.Play(anna.At(there), ben.At(there))
		for says, in := range map[string]*discordtest.Channel{
			"Das ist schon ein Thread": threads[0], "Hier gibt es keine Threads": c.Guild.Voice("talk"),
			"wir zwei brauchen keinen": c.Server.Direct(),
		} {
			s.Says(anna.At(s.In(c.At(in))).Writes("/coin thread=true"), says)
		}
	})
}

// Without the permission, or with too many open threads, no thread is opened and the person reads why.
func TestThreadsThatCannotBeOpened(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		c, anna := s.Place.(*Channel), s.Person("Anna", "en")
		c.Server.Fail(discordtest.Fault{On: "POST /channels", Status: 403, Code: 50013})
		s.Says(anna.Writes("/shutbox thread=true"),
			"I need more permissions to open a thread here: Create Public Threads.")
		c.Server.Fail(discordtest.Fault{On: "POST /channels", Status: 400, Code: 160006})
		s.Says(anna.Writes("/shutbox thread=true"), "Too many threads are open on this server.")
		c.Deny(discordtest.OpenThreads | discordtest.SendInThreads)
		s.Says(anna.Writes("/shutbox thread=true"), "Send Messages in Threads and "+
			"Create Public Threads. To change that: Edit Channel → Permissions")
		if n := len(c.Server.Requests("POST /channels")); n != 2 || len(c.Threads()) > 0 {
			s.Errorf("%d requests for threads, %d threads", n, len(c.Threads()))
		}
	})
}

// Telegram has no threads: a person who asks for one reads what to do instead.
func TestNoThreadsButTopics(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		g, anna, ben := s.Place.(*Group), s.Person("Anna", "de"), s.Person("Ben", "en")
		simple := s.In(g.At(g.Server.Group("Friends")))
		simple.Says(ben.At(simple).Writes("/shutbox thread=true"),
			"An admin can turn on topics in the group's settings")
		for _, place := range []Place{g, s.Elsewhere()} {
			s.Says(anna.At(s.In(place)).Writes("/coin stake=10 thread=ja"),
				"Öffne ein Thema und schreib den Befehl dort")
		}
		alone := s.In(g.At(g.Own(ben.who)))
		s.Says(ben.At(alone).Writes("/coin thread=true"), "the two of us don't need one")
	})
}

// In a locked thread the person reads why nothing can be written there, and the table can move elsewhere.
func TestALockedThread(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		c, anna := s.Place.(*Channel), s.Person("Anna", "en")
		thread := c.Thread("dice")
		anna.At(s.In(c.At(thread))).Writes("/coin")
		thread.Archive(true)
		s.Says(anna.Writes("/table"), "Table 1")
		s.waitUntilAway(1)
		s.Says(anna.Writes("/table"), "Table 1, Coin: Anna")
		anna.Presses(":/bring 1")
		s.Shows("Anna invites you to ")
	})
}

// A closed topic keeps its table. People who press read the missing permission. The board is drawn when the topic is
// open again.
func TestTheTopicIsClosed(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		there := s.Aside()
		g := there.Place.(*Group)
		anna, ben := there.startGame()
		m, b, _ := there.Turn("")
		g.CloseTopic(g.Thread, true)
		anna.Sends(m, b.Data)
		g.waitForRefusal(s, "TOPIC_CLOSED")
		s.waitUntilAway(1)
		anna.Sends(m, "1:1:1:!show sheet")
		s.Says(ben.Sends(m, strings.Replace(b.Data, ":0:", ":1:", 1)), "Hier fehlt: Themen verwalten.")
		g.CloseTopic(g.Thread, false)
		ben.Writes("/table")
		there.Offers(":!rematch")
	})
}

// TestTheBotMayNotWrite checks that where the bot may not write, a person who sends a command reads the reason in their
// private chat with the bot, and a person who presses a button reads it above the board.
func TestTheBotMayNotWrite(t *testing.T) {
	for name, quiet := range map[string]func(*telegramtest.Chat, bool){
		"the bot alone": (*telegramtest.Chat).Restrict, "nobody may": (*telegramtest.Chat).Quiet,
	} {
		t.Run(name, func(t *testing.T) {
			On(t, "Telegram", func(s *Stage) {
				g, ben, anna := s.Place.(*Group), s.Person("Ben", "en"), s.Person("Anna", "de")
				s.Sit("/coin stake=10", ben, anna)
				m, b, _ := s.Turn("")
				s.Settled() // an edit that comes through late would say that the bot may write
				quiet(g.Chat, true)
				told := anna.Writes("/rules")
				s.Says(told, "Auf /rules kann ich dort, wo du es geschrieben hast, nicht antworten.",
					"Mir fehlen dort Rechte: Nachrichten senden. Zu ändern unter: Gruppe bearbeiten → Berechtigungen, "+
						"oder mach mich zum Administrator.")
				s.Says(ben.Sends(m, b.Data), "I can't update the board. Missing here: Send Messages.")
				g.Say(telegramtest.Person{ID: 13, First: "Clara"}, "/shutbox") // has no private chat with the bot
				g.waitForRefusal(s, "chat not found")
				quiet(g.Chat, false)
				anna.Writes("/table")
				s.Until("the board is below", func() bool { return numberOf(s.Board().ID) > numberOf(m.ID) })
				m, b, _ = s.Turn(b.Data)
				if told := anna.Sends(m, b.Data); strings.Contains(told, "fehlt") {
					s.Errorf("told %q", told)
				}
				if n := len(g.Own(anna.who).Messages()); n != 1 {
					s.Errorf("%d messages in her own chat", n)
				}
			})
		})
	}
}

// announcements are the ways in which a bot learns that a group has become a supergroup.
var announcements = []telegramtest.Announcement{telegramtest.OldFirst, telegramtest.NewFirst, telegramtest.Silently}

// A group that becomes a supergroup keeps its table, however the bot learns of that.
func TestGroupBecomesSupergroup(t *testing.T) {
	for _, how := range announcements {
		t.Run(fmt.Sprint(how), func(t *testing.T) {
			On(t, "Telegram", func(s *Stage) {
				g := s.Place.(*Group)
				old := s.In(g.At(g.Server.Group("Friends")))
				anna, ben := old.startGame()
				m, b, _ := old.Turn("")
				there := s.In(g.At(old.Place.(*Group).Upgrade(how)))
				if how == telegramtest.Silently { // the bot learns of the change by its next edit
					anna.Sends(m, b.Data)
				}
				s.Says(there.Play(anna.At(there), ben.At(there)).Text, "Anna", "Ben")
			})
		})
	}
}

// A table that was opened in the supergroup before the bot knew of the change waits to be moved; the table of the group
// stays. If sending an answer reveals the new id, the answer is sent there.
func TestGroupBecomesSupergroupWhileATableOpens(t *testing.T) {
	for _, how := range announcements {
		t.Run(fmt.Sprint(how), func(t *testing.T) {
			On(t, "Telegram", func(s *Stage) {
				g := s.Place.(*Group)
				old := s.In(g.At(g.Server.Group("Friends")))
				clara := old.Person("Clara", "en").Admin()
				old.Says(clara.Writes("/unit name=coffees"), "👍")
				anna, ben := old.startGame()
				m, b, _ := old.Turn("")
				s.Settled()
				was := old.Place.(*Group)
				there := s.In(g.At(was.Upgrade(telegramtest.Silently)))
				// Until it learns of the change, the bot sees a new chat in the supergroup. The test deletes its board.
				there.Says(clara.At(there).Writes("/coin stake=5"), "Clara invites you to Coin")
				s.Settled()
				if how == telegramtest.Silently {
					anna.Sends(m, b.Data)
				} else {
					was.Announce(there.Place.(*Group).Chat, how)
				}
				s.waitUntilAway(2)
				stale, join := anna.At(there).Finds(":!join")
				s.Says(clara.At(there).Sends(stale, join.Data),
					"That table's place is gone. Type /table to move it here.")
				there.Remove(stale.ID)                             // else Play could take it for the board
				board := there.Play(anna.At(there), ben.At(there)) // the table with a running game has stayed
				s.Says(board.Text, "coffees")
				s.Says(clara.At(there).Writes("/table"), "Table 2, Coin: Clara")
				clara.At(there).Presses(":/bring 2")
				clara.At(there).Reads("Clara invites you to Coin.")
			})
		})
	}
	On(t, "Telegram", func(s *Stage) {
		g := s.Place.(*Group)
		old := s.In(g.At(g.Server.Group("Friends")))
		ben := s.Person("Ben", "en")
		there := s.In(g.At(old.Place.(*Group).Upgrade(telegramtest.Silently)))
		old.Place.(*Group).Say((*g.People)[0], "/rules shutbox")
		ben.At(there).Reads("Shut the Box")
	})
}

// Admins read the missing permissions in the chat and in the places of its tables. Others read who may ask.
func TestDoctor(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, mod := s.Person("Anna", "en"), s.Person("Mod", "de").Admin()
		aside := s.Aside()
		parent, inThread := aside.Place.(*Channel)
		if inThread {
			aside.Place = parent.At(parent.Thread("dice"))
		}
		anna.At(aside).Writes("/coin")
		s.Says(anna.Writes("/doctor"), "Only admins of this chat can see that. Just ask.")
		s.Says(mod.Writes("/doctor"), "So geht es mir in diesem Chat",
			"✓ Ich habe hier alle Rechte, die ich brauche.",
			"Hier ist 1 Tisch offen")
		switch place := s.Place.(type) {
		case *Channel:
			s.Says(mod.Writes("/doctor"), "von 60 (")
			parent.Deny(discordtest.SendInThreads)
			s.Says(mod.Writes("/doctor"), "⚠ In #dice fehlt: Nachrichten in Threads senden. "+
				"Zu ändern unter: Kanal bearbeiten → Berechtigungen")
			s.Mute(true)
			s.Says(mod.Writes("/doctor"), "⚠ In #table fehlt: Nachrichten senden.")
			place.Guild.Deny(discordtest.OpenThreads | discordtest.SendMessages)
			s.Says(mod.Writes("/doctor"), "⚠ Auf dem ganzen Server fehlt: Nachrichten senden. "+
				"Zu ändern unter: Servereinstellungen → Rollen.",
				"Ich kann keine Threads für Tische öffnen (es fehlt: Öffentliche Threads erstellen)")
			parent.Delete()
			s.Says(mod.Writes("/doctor"), "⚠ Der Ort eines Tisches ist weg oder für mich unsichtbar.")
			place.Server.Fail(discordtest.Fault{On: "GET /guilds", Status: 500})
			s.Says(mod.Writes("/doctor"), "Die Plattform sagt gerade nicht, was ich hier darf.")
			s.Says(anna.At(s.In(place.At(place.Server.Direct()))).Writes("/doctor"), "It's just the two of us here")
			if n := len(s.Messages(-1)); n > 0 {
				s.Errorf("everybody sees %d answers", n)
			}
		case *Group:
			s.Says(mod.Writes("/doctor"), "Privatsphäre-Modus", "von 20 (", "Bretter im Rückstand: 0.")
			place.Server.Fail(telegramtest.Fault{On: "getChat", Status: 500, Message: "Internal Server Error"})
			s.Says(mod.Writes("/doctor"), "Die Plattform sagt gerade nicht, was ich hier darf.")
			s.Says(anna.At(s.In(place.At(place.Own(anna.who)))).Writes("/doctor"), "It's just the two of us here")
		}
	})
}

// Anna misses her turn and is pinged in the place of her table. After a restart she turns pings off with the ping's
// button and gets none. Ben is pinged and plays.
func TestTheMoverIsCalled(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		there := s.Aside()
		anna, ben := there.Person("Anna", "en"), there.Person("Ben", "en")
		there.Sit("/shutbox match=rounds:2", anna, ben)
		board := there.Offers(":throw 2")
		there.Called(anna, 1)
		m := anna.Reads("it's your turn: Shut the Box.")
		if len(m.Calls) != 1 || m.Answers != board.ID {
			s.Errorf("the call is %+v", m)
		}
		s.Restart()
		there.Store, there.Bot, there.Adapter = s.Store, s.Bot, s.Adapter
		there.Says(anna.Sends(m, "1:1:0:/notify off"), "No more reminders for you. /notify ")
		there.Called(anna, 0)
		for last := ""; !strings.Contains(there.Board().Text, "Ben is next"); {
			m, b, _ := there.Turn(last)
			anna.Sends(m, b.Data)
			last = b.Data
			time.Sleep(10 * time.Second)
		}
		there.Called(ben, 1)
		there.Called(anna, 0)
		ben.Presses(":throw 2")
		there.Called(ben, 0)
	})
}

// A press counts as a move even if the bot is removed meanwhile.
func TestAPressWhileTheBotIsRemoved(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		anna, ben := s.startGame()
		m, b, _ := s.Turn("")
		s.LockOut(true)
		anna.Sends(m, b.Data)
		s.Place.(*Group).waitForRefusal(s, "Forbidden")
		s.LockOut(false)
		ben.Writes("/table")
		s.Turn(b.Data)
		s.Play(anna, ben)
	})
}
