package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/gametest/either"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
)

// If answers are private, pages can be shown to all, and all are told what an admin
// changes for them, once; elsewhere all read the answer anyway.
func TestPrivatePagesAreShownToAll(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en").Admin(), s.Person("Ben", "de")
		s.Debtor(anna, ben)
		_, whispers := s.Place.(*Channel)
		public := func(text string) (n int) {
			for _, m := range s.Messages(-1) {
				n += strings.Count(m.Text, text)
			}
			return n
		}
		for _, asked := range []struct{ line, head string }{
			{"/stats", "Chips won and lost"}, {"/leaderboard", "Pools in chips"},
			{"/settle", "brings everybody to zero"}, {"/settle why", "· table "},
		} {
			page := anna.Asks(asked.line)
			shows := false
			for _, b := range page.Buttons {
				shows = shows || b.Label == "Show it to all"
			}
			if shows != whispers {
				s.Errorf("%s has the buttons %v", asked.line, page.Buttons)
			}
			if s.Says(page.Text, asked.head); !shows {
				continue
			}
			anna.PressesOn(page, "Show it to all")
			s.Until("all see it", func() bool { return public(asked.head) == 1 })
			for _, m := range s.Messages(-1) {
				if strings.Contains(m.Text, asked.head) && len(m.Buttons) > 0 {
					s.Errorf("all can press %v", m.Buttons)
				}
			}
		}
		anna.Writes("/settings quiet=22-8")
		anna.Writes("/language language=de")
		anna.Writes("/unit name=Kekse")
		if !whispers {
			return
		}
		for _, want := range []string{"22", "Deutsch", "Kekse"} {
			s.Until("all are told of "+want, func() bool { return public(want) > 0 })
		}
		s.Settled()
		for _, want := range []string{"22", "Deutsch", "Kekse"} {
			if n := public(want); n != 1 {
				s.Errorf("%d messages tell all of %s", n, want)
			}
		}
	})
}

// On every platform a lobby with one waiting player makes room for the game that they ask for, also before its
// board stands: the board goes, and the new one is the last.
func TestALobbyMakesRoomOnEveryPlatform(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		first, second := s.Write(anna.who, "/shutbox"), s.Write(anna.who, "/wuerfelpoker")
		s.Told(first)
		s.Told(second)
		anna.Writes("/shutbox")
		anna.Writes("/wuerfelpoker")
		s.Until("the new lobby stands alone", func() bool {
			stands := slices.DeleteFunc(s.Messages(-1), func(m Message) bool {
				return !strings.Contains(m.Text, "Anna opens") && !strings.Contains(m.Text, "closed")
			})
			return len(stands) == 1 && strings.Contains(stands[0].Text, "Anna opens a table: Würfelpoker")
		})
		ben.Presses("Sit down")
		s.Until("Ben sits", func() bool { return strings.Contains(s.Board().Text, "Ben") })
	})
}

// curious are the commands of a curious player after a game.
var curious = []string{
	"/privacy", "/forget", "/notify", "/notify off", "/notify on", "/settings", "/settings quiet=22-8", "/rules golf",
	"/rules", "/help", "/help shutbox", "/help settings", "/hint", "/luck fox", "/stats", "/stats Ben",
	"/leaderboard", "/leaderboard week", "/history", "/settle", "/settle why", "/skill", "/review", "/fair", "/doctor",
	"/news", "/language", "/language en", "/unit", "/unit coffees", "/house", "/season", "/mydata", "/handover",
	"/settle paid 5 Ben", "/weather@KnobelBot",
}

// TestAnEveningOfCommandsLeavesLittle has thirty-six commands follow a game in a group on Telegram. What concerns one
// person is replaced by that person's next answer, so that few messages are left beside what concerns all, and each
// command is answered.
func TestAnEveningOfCommandsLeavesLittle(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		g := s.Place.(*Group)
		anna, ben := s.Person("Anna", "en").Admin(), s.Person("Ben", "en")
		anna.Writes("/shutbox stake=5")
		ben.Presses("Sit down")
		anna.Presses(":!start")
		boards, liked := len(g.Chat.Messages()), 0
		for _, line := range curious {
			command := g.SayIn(g.Thread, (*g.People)[anna.who], line)
			s.Until("an answer to "+line, func() bool {
				m, _ := g.Message(command)
				return m.Reaction != "" || slices.ContainsFunc(g.Chat.Messages(), func(m telegramtest.Message) bool {
					return m.ReplyTo == command
				})
			})
			if m, _ := g.Message(command); m.Reaction != "" {
				liked++
			}
			time.Sleep(10 * time.Second)
		}
		if left := len(g.Chat.Messages()) - boards; left > 9 || liked < 5 {
			t.Errorf("%d commands have left %d messages: %v; %d receipts are reactions", len(curious), left,
				g.Chat.Messages(), liked)
		}
	})
}

// many are more games than have a button each.
func many() []games.Game {
	return []games.Game{shutbox.Game{}, coin.Game{}, wuerfelpoker.New(), zehntausend.New(), either.Loser(),
		either.Lids()}
}

// Discord lists a command of each game, Telegram /play and no game; each game is played by its own command, too.
func TestManyGames(t *testing.T) {
	Setting{Games: many()}.Everywhere(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
		if s.Server != nil {
			s.Until("there is a menu", func() bool { return s.Menu("de") != "" })
			s.Says(s.Menu("de"), `"play"`, `"help"`)
			for _, g := range many() {
				if lists := strings.Contains(s.Menu("de"), `"`+g.Name()+`"`); lists != (s.Name() == "Discord") {
					t.Errorf("%s stands in the menu: %v", g.Name(), lists)
				}
			}
		}
		s.Says(anna.Writes("/play game=liids"), "Did you mean “lids”?")
		if c, ok := s.Place.(*Channel); ok {
			game := discordtest.Option{Name: "game", Value: "wuerfelpoker"}
			s.Says(fmt.Sprint(c.Completes(ben, "play", "options", "reih", game)), "Reihenfolge: ", "order=free")
		}
		page := anna.Asks("/play")
		s.Says(page.Text, "What do you want to play?", "Boxes: Shut the Box")
		anna.Writes("/lids stake=7")
		ben.Presses(":!join")
		s.Shows("Ben")
		if table := s.Table(1); table.Game != "lids" || table.Stake != 7 {
			t.Errorf("%s for %d", table.Game, table.Stake)
		}
	})
}

// An evening that begins with the question which game it is to be.
func TestTheEveningOfManyGames(t *testing.T) {
	inBothLanguages(t, "play", Setting{Luck: "play", Games: many()}, func(s *Stage, language string) *reader {
		anna, ben := s.Person("Anna", language), s.Person("Ben", language)
		time.Sleep(2 * time.Minute)
		r := reads(s, anna, ben)
		r.writes(anna, "/play game=shutbocks")
		r.writes(anna, "/play")
		r.presses(anna, ":/play others")
		r.presses(anna, ":/coin")
		r.presses(ben, ":!join")
		r.presses(anna, ":!start")
		r.presses(anna, ":throw")
		r.presses(ben, ":throw")
		time.Sleep(time.Minute)
		r.writes(ben, "/play game=shutbox stake=5 options=golf")
		time.Sleep(2 * time.Minute)
		return r
	})
}
