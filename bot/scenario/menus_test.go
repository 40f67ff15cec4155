package scenario

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/gametest/owing"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// listed is the menu that the chat has of its own, in a language.
func (s *Stage) listed(language string) string {
	if g, ok := s.Place.(*Group); ok {
		if language == "en" {
			language = ""
		}
		return g.Server.Commands(fmt.Sprint("chat ", g.Chat.ID()), language)
	}
	return strings.TrimPrefix(string(s.Place.(*Channel).Guild.Commands()), "[]")
}

// lists reports whether a menu has commands.
func lists(menu string, names ...string) bool {
	for _, name := range names {
		if !strings.Contains(menu, `"name":"`+name+`"`) && !strings.Contains(menu, `"command":"`+name+`"`) {
			return false
		}
	}
	return true
}

// told is how often the platform was told of the chat's own menu.
func (s *Stage) told() (n int) {
	if c, ok := s.Place.(*Channel); ok {
		return c.Guild.Registered()
	}
	for _, c := range s.Place.(*Group).Server.Calls() {
		if (c.Method == "setMyCommands" || c.Method == "deleteMyCommands") &&
			strings.Contains(c.Params["scope"], "chat_id") {
			n++
		}
	}
	return n
}

// menuOf is what is stored of the menu of the chat.
func (s *Stage) menuOf() (m store.Menu) {
	chat := fmt.Sprint("telegram:", 0)
	switch p := s.Place.(type) {
	case *Group:
		chat = fmt.Sprint("telegram:", p.Chat.ID())
	case *Channel:
		chat = "discord:" + p.Guild.ID
	}
	s.Reads(func(tx *store.Tx) (err error) {
		m, err = tx.Menu(chat)
		return err
	})
	return m
}

// A chat has the games in its menu that its admins name, beside the first. Its platform is told on change alone.
func TestGamesInTheMenu(t *testing.T) {
	Setting{Games: many()}.Each(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en").Admin(), s.Person("Ben", "de")
		s.Says(anna.Writes("/settings games=zehntausend,liids"), "There is no game “liids”. Did you mean “lids”?")
		s.Says(ben.Writes("/settings games=lids"), "Einstellungen ändern nur Admins")
		anna.Writes("/settings games=lids,zehntausend,coin")
		s.Until("the games are listed", func() bool { return s.menuOf().Due == 0 && s.told() > 0 })
		for _, language := range []string{"en", "de"} {
			all := s.listed(language)
			if !lists(all, "lids", "zehntausend") || lists(all, "loser") {
				t.Errorf("in %s there is %s", language, all)
			}
			if whole := s.Name() == "Telegram"; lists(all, "coin") != whole || lists(all, "play") != whole {
				t.Errorf("the first games stand in the chat's own menu: %s", all)
			}
		}
		if lists(s.Menu("de"), "lids") {
			t.Error("all chats have it")
		}
		told := s.told()
		s.Says(anna.Asks("/settings").Text, "Games in the menu: Coin, Zehntausend and Lids")
		anna.Writes("/settings games=lids,zehntausend,coin")
		s.Until("it was looked at", func() bool { return s.menuOf().Due == 0 })
		s.Restart()
		time.Sleep(time.Minute)
		if s.told() != told {
			t.Errorf("told %d times, the last %d of nothing new", s.told(), s.told()-told)
		}
		page := anna.Asks("/settings games=?")
		anna.PressesOn(page, ":/settings games=-zehntausend")
		s.Until("a game is gone", func() bool {
			return lists(s.listed("en"), "lids") && !lists(s.listed("en"), "zehntausend")
		})
		anna.Writes("/settings games=none")
		s.Until("the menu is that of all", func() bool { return s.listed("en") == "" && s.listed("de") == "" })
		time.Sleep(25 * time.Hour)
		if m := s.menuOf(); m != (store.Menu{Chat: m.Chat}) {
			t.Errorf("there is still %+v", m)
		}
	})
}

// A bot that begins with other games tells of the menus that have changed thereby.
func TestMenusOfAnotherEdition(t *testing.T) {
	Setting{Games: many()}.Each(t, func(s *Stage) {
		s.Person("Anna", "en").Admin().Writes("/settings games=lids,zehntausend")
		s.Until("the games are listed", func() bool { return lists(s.listed("de"), "lids", "zehntausend") })
		s.set.Games = []games.Game{zehntausend.New(), shutbox.Game{}, coin.Game{}, wuerfelpoker.New(), owing.Lids()}
		s.Restart()
		s.Until("one is among the first", func() bool {
			return lists(s.listed("de"), "lids") && (s.Name() == "Telegram" || !lists(s.listed("de"), "zehntausend"))
		})
		s.set.Games = s.set.Games[:4]
		s.Restart()
		s.Until("there is none to be added", func() bool { return s.listed("de") == "" && s.listed("en") == "" })
		s.set.Games = many()
		s.Restart()
		s.Until("they are there again", func() bool { return lists(s.listed("de"), "lids", "zehntausend") })
	})
}

// Who has the bot no more has no menu of its own, until it is set anew.
func TestMenuOfAChatThatIsLeft(t *testing.T) {
	Setting{Games: many()}.Each(t, func(s *Stage) {
		anna := s.Person("Anna", "en").Admin()
		anna.Writes("/settings games=lids")
		s.Until("it is listed", func() bool { return lists(s.listed("de"), "lids") })
		s.LockOut(true)
		s.Until("it is forgotten", func() bool { m := s.menuOf(); return m == store.Menu{Chat: m.Chat} })
		s.LockOut(false)
		anna.Writes("/settings")
		anna.Reads("Games in the menu: none")
		anna.Writes("/settings games=none") // the platform may have kept it
		s.Until("it is taken away", func() bool { return s.listed("en") == "" && s.listed("de") == "" })
		anna.Writes("/settings games=loser")
		s.Until("another is listed", func() bool { return lists(s.listed("en"), "loser") })
		if lists(s.listed("en"), "lids") {
			t.Error("the old one as well")
		}
	})
}

// A group that becomes a supergroup has its menu there, however the bot hears of it.
func TestMenuOfAGroupThatBecomesASupergroup(t *testing.T) {
	for _, how := range announcements {
		t.Run(fmt.Sprint(how), func(t *testing.T) {
			Setting{Games: many()}.On(t, "Telegram", func(s *Stage) {
				g := s.Place.(*Group)
				old := s.In(g.At(g.Server.Group("Friends")))
				anna := old.Person("Anna", "en").Admin()
				anna.Writes("/settings games=lids")
				old.Until("it is listed", func() bool { return lists(old.listed("de"), "lids") })
				was, is := old.Place, g.At(old.Place.(*Group).Upgrade(how))
				if how == telegramtest.Silently { // another edition's menu is told of, and comes upon it
					s.set.Games = s.set.Games[1:]
					s.Restart()
				}
				there := s.In(is)
				old = s.In(was)
				there.Until("it is listed there", func() bool {
					return lists(there.listed("en"), "lids") && there.menuOf().Due == 0
				})
				if m := there.menuOf(); m.Games != "lids" || m.Fault != "" || old.menuOf().Games != "" {
					t.Errorf("stored is %+v, of the group %+v", m, old.menuOf())
				}
			})
		})
	}
}

// Where a platform takes no more commands on a day, admins are told so, and it is told the next day.
func TestTooManyCommandsInADay(t *testing.T) {
	Setting{Games: many()}.On(t, "Discord", func(s *Stage) {
		guild, anna := s.Place.(*Channel).Guild, s.Person("Anna", "en").Admin()
		guild.Make(discordtest.MaxMade - 1)
		anna.Writes("/settings games=lids,loser")
		s.Until("it is put off", func() bool { return s.menuOf().Fault != "" })
		for _, page := range []string{"/doctor", "/settings"} {
			s.Says(anna.Asks(page).Text, "⚠ The games' commands come into this menu within a day")
		}
		if s.listed("en") != "" {
			t.Errorf("there is %s", s.listed("en"))
		}
		time.Sleep(26 * time.Hour)
		s.Until("it is listed", func() bool { return lists(s.listed("en"), "lids", "loser") })
		if m := s.menuOf(); m.Fault != "" || m.Made > 2 {
			t.Errorf("stored is %+v", m)
		}
	})
}

// A menu that is refused is told to the admins, and once more when it is set again.
func TestAMenuThatIsRefused(t *testing.T) {
	Setting{Games: many()}.On(t, "Discord", func(s *Stage) {
		guild, anna := s.Place.(*Channel).Guild, s.Person("Anna", "de").Admin()
		guild.Close(true)
		anna.Writes("/settings games=lids")
		s.Until("it is refused", func() bool { return s.menuOf().Fault != "" })
		s.Says(anna.Asks("/doctor").Text, "⚠ Die Befehle der Spiele kamen nicht ins Menü: Ich darf es nicht.")
		guild.Close(false)
		time.Sleep(24 * time.Hour)
		if s.told() > 0 {
			t.Error("it was tried again unasked")
		}
		anna.Writes("/settings games=lids")
		s.Until("it is listed", func() bool { return lists(s.listed("de"), "lids") })
		if text := anna.Asks("/doctor").Text; strings.Contains(text, "Menü") {
			t.Errorf("%s", text)
		}
	})
}

// Where no invitation would help, none is asked for.
func TestAMenuThatTelegramRefuses(t *testing.T) {
	Setting{Games: many()}.On(t, "Telegram", func(s *Stage) {
		anna := s.Person("Anna", "de").Admin()
		s.Until("all chats have their menu", func() bool {
			return s.Menu("de") != "" && s.Menu("") != ""
		})
		s.Place.(*Group).Server.Fail(telegramtest.Fault{Method: "setMyCommands", Code: 400, Text: "Bad Request: no"})
		anna.Writes("/settings games=lids")
		s.Until("it is refused", func() bool { return s.menuOf().Fault != "" })
		text := anna.Asks("/doctor").Text
		s.Says(text, "⚠ Die Befehle der Spiele kamen nicht ins Menü: Es wurde abgelehnt. /play öffnet jedes Spiel.")
		if strings.Contains(text, "Link") {
			t.Errorf("%s", text)
		}
	})
}

// What a bad hour of the platform leaves undone is done later.
func TestMenusInBadWeather(t *testing.T) {
	Setting{Games: many()}.On(t, "Discord", func(s *Stage) {
		server := s.Place.(*Channel).Server
		at := "PUT /applications"
		server.Fail(discordtest.Fault{On: at, Status: 502, HTML: true},
			discordtest.Fault{On: at, Status: 429, RetryAfter: 3}, discordtest.Fault{On: at, Cut: true})
		s.Person("Anna", "en").Admin().Writes("/settings games=lids")
		s.Until("it is listed", func() bool { return lists(s.listed("de"), "lids") })
		s.Until("it is stored", func() bool { m := s.menuOf(); return m.Games == "lids" && m.Due == 0 && m.Tries == 0 })
	})
}

// Where menus cannot be changed nobody reads of them.
func TestNoMenuOfItsOwn(t *testing.T) {
	Setting{Games: many()}.Everywhere(t, func(s *Stage) {
		if s.Server != nil && s.Name() != "web" {
			return
		}
		anna := s.Person("Anna", "en")
		if anna.Admin(); strings.Contains(anna.Asks("/settings").Text, "Games in the menu") {
			t.Error("a menu is spoken of")
		}
		s.Says(anna.Writes("/settings games=lids"), "The menu cannot be changed here. /play opens every game.")
	})
}
