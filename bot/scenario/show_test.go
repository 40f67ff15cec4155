package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path/filepath"
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
	"knobel/store"
	"knobel/store/storetest"
)

// Where answers are private, pages can be shown to all people, and all read once about an admin's changes for them.
// Elsewhere all people read the answer anyway.
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
			{"/settle", "settles everything"}, {"/settle why", "· table "},
		} {
			page := anna.Asks(asked.line)
			shows := false
			for _, b := range page.Buttons {
				shows = shows || b.Label == "Show everyone"
			}
			if shows != whispers {
				s.Errorf("%s has the buttons %v", asked.line, page.Buttons)
			}
			if s.Says(page.Text, asked.head); !shows {
				continue
			}
			anna.PressesOn(page, "Show everyone")
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

// On every platform, a lobby with one player is replaced by the game that they ask for, also before its board is
// posted. Its board is deleted, and the new board is the last message.
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
				return !strings.Contains(m.Text, "Anna invites") && !strings.Contains(m.Text, "closed")
			})
			return len(stands) == 1 && strings.Contains(stands[0].Text, "Anna invites you to Würfelpoker")
		})
		ben.Presses("Join")
		s.Until("Ben sits", func() bool { return strings.Contains(s.Board().Text, "Ben") })
	})
}

// afterGameCommands are commands that a curious player sends after a game.
var afterGameCommands = []string{
	"/privacy", "/forget", "/notify", "/notify off", "/notify on", "/settings", "/settings quiet=22-8", "/rules golf",
	"/rules", "/help", "/help shutbox", "/help settings", "/hint", "/luck fox", "/stats", "/stats Ben",
	"/leaderboard", "/leaderboard week", "/history", "/settle", "/settle why", "/skill", "/review", "/fair", "/doctor",
	"/news", "/language", "/language en", "/unit", "/unit coffees", "/house", "/season", "/mydata", "/handover",
	"/settle paid 5 Ben", "/weather@KnobelBot",
}

// TestAnEveningOfCommandsLeavesLittle sends 36 commands after a game in a Telegram group. A person's next answer
// replaces their last private one, so that few messages remain besides those for all, and each command is answered.
func TestAnEveningOfCommandsLeavesLittle(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		g := s.Place.(*Group)
		anna, ben := s.Person("Anna", "en").Admin(), s.Person("Ben", "en")
		anna.Writes("/shutbox stake=5")
		ben.Presses("Join")
		anna.Presses(":!start")
		boards, liked := len(g.Chat.Messages()), 0
		for _, line := range afterGameCommands {
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
			t.Errorf("%d commands have left %d messages: %v; %d receipts are reactions", len(afterGameCommands), left,
				g.Chat.Messages(), liked)
		}
	})
}

// manyGames returns more games than have a button each.
func manyGames() []games.Game {
	return []games.Game{shutbox.Game{}, coin.Game{}, wuerfelpoker.New(), zehntausend.New(), either.Loser(),
		either.Lids()}
}

// Discord lists a command for each game, Telegram /play and no game. Each game can also be opened by its own command.
func TestManyGames(t *testing.T) {
	Setting{Games: manyGames()}.Everywhere(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
		if s.Server != nil {
			s.Until("there is a menu", func() bool { return s.Menu("de") != "" })
			s.Says(s.Menu("de"), `"play"`, `"help"`)
			for _, g := range manyGames() {
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
		s.Says(page.Text, "What do you want to play?", "Tile games: Shut the Box")
		anna.Writes("/lids stake=7")
		ben.Presses(":!join")
		s.Shows("Ben")
		if table := s.Table(1); table.Game != "lids" || table.Stake != 7 {
			t.Errorf("%s for %d", table.Game, table.Stake)
		}
	})
}

// An evening that begins with the choice of a game.
func TestTheEveningOfManyGames(t *testing.T) {
	inBothLanguages(t, "play", Setting{Luck: "play", Games: manyGames()}, func(s *Stage, language string) *reader {
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

// findTexts returns those of texts that are in the content of the database files.
func (s *Stage) findTexts(files []string, texts ...string) (found []string) {
	s.Helper()
	for _, file := range files {
		content := storetest.Content(s, file)
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				found = append(found, fmt.Sprintf("%s in %s", text, filepath.Base(file)))
			}
		}
	}
	return found
}

// One person plays with others and one alone. No file shows who they are, they get their data as a file, and after
// /forget nothing of them is stored.
func TestPrivacy(t *testing.T) {
	Each(t, func(s *Stage) {
		wilhelmine, bartholo := s.Person("Wilhelmine Zwetschge", "en"), s.Person("Bartholomäus", "de")
		s.Sit("/shutbox stake=5", wilhelmine, bartholo)
		texts := []string{"Wilhelmine", "Zwetschge", "Bartholom"}
		var alone *Stage
		switch place := s.Place.(type) {
		case *Channel:
			alone = s.In(place.At(place.Server.Direct()))
			texts = append(texts, place.Guild.ID, place.Channel.ID, alone.Place.(*Channel).Channel.ID)
		case *Group:
			alone = s.In(place.At(place.Own(wilhelmine.who)))
			texts = append(texts, fmt.Sprint(place.Chat.ID()))
		}
		for _, p := range []*Person{wilhelmine, bartholo} {
			_, id, _ := strings.Cut(p.ID(), ":")
			texts = append(texts, id)
		}
		wilhelmine.At(alone).Writes("/coin")
		if found := s.findTexts(storetest.Copies(s, s.Store), texts...); len(found) > 0 {
			s.Errorf("found %v", found)
		}

		privacy := bartholo.Asks("/privacy")
		if g, ok := s.Place.(*Group); ok { // without a private chat: refused in the group and, for a press, in a window
			g.Own(bartholo.who).Close()
			want := "Das ist nur für dich: Schreib mir /mydata in unserem privaten Chat."
			s.Says(bartholo.Writes("/mydata"), want+" https://t.me/KnobelBot?start=mydata")
			told := bartholo.PressesOn(privacy, ":/mydata")
			if s.Says(told, want); !g.Window(told) {
				s.Errorf("%q goes by unread", told)
			}
			g.Own(bartholo.who).Reopen()
			own := s.In(g.At(g.Own(bartholo.who)))
			bartholo.At(own).Writes("/start mydata")
			if m := bartholo.Reads("Hier ist alles"); !json.Valid(m.File) ||
				!strings.Contains(string(m.File), "Bartholomäus") {
				s.Errorf("the file is\n%s", m.File)
			}
			wilhelmine.Writes("/mydata")
			wilhelmine.Reads("It's on its way to our private chat.")
		} else {
			s.Says(privacy.Text, "Namen, Kennungen, Startwerte und Glückswörter sind in meiner Datenbank "+
				"verschlüsselt.")
			wilhelmine.Writes("/mydata")
		}
		m := wilhelmine.Reads("Here is everything I store about you.")
		s.Says(string(m.File), wilhelmine.ID(), "Wilhelmine Zwetschge", `"stakes"`)
		if g, ok := s.Place.(*Group); ok {
			s.Says(string(m.File), fmt.Sprint("telegram:", g.Chat.ID()))
		}
		if !m.Alone || !json.Valid(m.File) || strings.Contains(string(m.File), bartholo.ID()) {
			s.Errorf("a file for all: %v, with\n%s", !m.Alone, m.File)
		}
		for _, said := range s.Messages(-1) {
			if said.File != nil {
				s.Error("everybody sees a file")
			}
		}

		page := wilhelmine.Asks("/forget")
		own := fnv.New32a()
		own.Write([]byte(wilhelmine.ID()))
		yes := fmt.Sprintf("/forget yes %08x", own.Sum32())
		button, ok := page.Button(":" + yes)
		if !ok {
			s.Fatalf("no button carries %s on\n%s\n%v", yes, page.Text, page.Buttons)
		}
		if !page.Alone {
			s.Says(bartholo.Sends(page, button.Data), "Der Knopf ist nicht für dich. Schreib selbst /forget.")
		}
		s.Says(wilhelmine.Sends(page, button.Data), "You are forgotten. Your name here is now gone 1. Take care.")
		s.Shows("gone 1")
		if told := bartholo.Writes("/settle"); strings.Contains(told, "Wilhelmine") {
			s.Errorf("the books say %q", told)
		}
		time.Sleep(time.Minute)
		s.Stop()
		check(s, s.Store.Close())
		if _, err := store.Rekey(context.Background(), s.File(), storetest.Key(s.T), nil); err != nil {
			s.Fatal(err)
		}
		files := []string{s.File()}
		if found := s.findTexts(files, "Wilhelmine", "Zwetschge", wilhelmine.ID()); len(found) > 0 {
			s.Errorf("forgotten, and found %v", found)
		}
		if found := s.findTexts(files, "Bartholom", bartholo.ID()); len(found) < 2 {
			s.Errorf("of whoever stays is found %v", found)
		}
		s.set.Plain = true // the file is no longer sealed; close checks it
		s.open()
	})
}
