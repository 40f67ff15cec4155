package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/board"
	"knobel/bot/discord/discordtest"
	"knobel/bot/discord/emoji"
	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/bot/scenario"
	"knobel/games"
	"knobel/store"
)

// kinds maps games to variants with different kinds of boards (one or two rows of tiles, 24 tiles, a large die, kept
// dice), and each variant to the first part of the name of an emoji on its Discord boards.
var kinds = map[string]map[string]string{
	"shutbox": {"": "tile_9", " variant=three-hundred": "tile_24", " variant=canoga": "tile_9",
		" variant=d20": "large_die_"},
	"wuerfelpoker": {"": "die_"},
	"zehntausend":  {"": "die_"},
}

// Two people play each game on Discord and on Telegram with random legal moves, by the buttons of the board. The fake
// servers refuse requests beyond their limits. Short runs play one game of each family.
func TestEachGameIsPlayedOnThePlatforms(t *testing.T) {
	t.Parallel()
	families := map[string]bool{}
	for _, g := range allGames() {
		family := cmp.Or(games.FamilyOf(g), g.Name())
		variants := kinds[g.Name()]
		if variants == nil {
			variants = map[string]string{"": ""}
		}
		for variant, picture := range variants {
			t.Run(g.Name()+variant, func(t *testing.T) {
				if families[family] || variant != "" && picture != "tile_24" {
					needs.Long(t)
				}
				scenario.Setting{Games: allGames(), Emoji: true}.Each(t, func(s *scenario.Stage) {
					playOnStage(s, g, variant, picture)
				})
			})
		}
		families[family] = true
	}
}

// playOnStage plays some moves and looks for the emoji picture on Discord's boards.
func playOnStage(s *scenario.Stage, g games.Game, variant, picture string) {
	s.Helper()
	there, drawn := s.Place.(*scenario.Channel)
	if drawn = drawn && picture != ""; drawn {
		s.Passes("all emoji are there", func() bool { return len(there.Server.Emoji()) == len(emoji.All()) })
		time.Sleep(time.Minute) // fake time: the bot gets the reply to the last upload
	}
	people := []*scenario.Person{s.Person("Anna", "en"), s.Person("Ben", "en")}
	s.Sit("/"+g.Name()+variant, people[0], people[1])
	random, seen := rand.New(rand.NewPCG(1, 2)), regexp.MustCompile(`<:`+picture+`\w*:[0-9]+>`)
	found := false
	for range 24 {
		if s.Table(1).State == store.Playing {
			playRandomMove(s, g, random, people)
		}
		if drawn {
			s.Settled()
			found = found || seen.MatchString(s.Board().Text)
		}
	}
	if turn := s.Table(1).Turn; turn < 2 {
		s.Errorf("%d moves have been played", turn)
	}
	if drawn && (!found || !strings.Contains(s.Board().Text, "<:seat_red_square_k")) {
		s.Errorf("no %s on the boards: %s", picture, s.Board().Text)
	}
}

// playRandomMove plays a random legal move of the mover, and waits until it is stored.
func playRandomMove(s *scenario.Stage, g games.Game, random *rand.Rand, people []*scenario.Person) {
	s.Helper()
	t := s.Table(1)
	m, err := g.Load(t.Rules, t.Match)
	if err != nil {
		s.Fatal(err)
	}
	seat := m.Turn()[0]
	who := people[slices.IndexFunc(people, func(p *scenario.Person) bool { return p.ID() == t.Seats[seat].Player })]
	legal := m.Moves(seat)
	move := legal[random.IntN(len(legal))]
	view, i := m.View(), -1
	if p := view.Pick; p != nil {
		i = slices.IndexFunc(p.Choices, func(choice games.Choice) bool { return choice.Move == move })
		if i >= 0 {
			pickItems(who, t.Turn, p, p.Choices[i])
		} else if p.Rest.Key != "" {
			who.Presses(":!show write")
		}
		if i >= 0 && p.Choices[i].Label.Key == "" || i >= 0 && p.Refusal.Key != "" {
			move = "!play"
		}
	}
	if i < 0 {
		openPageOf(who, view, move, t.Place)
	}
	who.Presses(fmt.Sprintf(":%d:%s", t.Turn, move))
	s.Until("the move is stored", func() bool {
		now := s.Table(1)
		return now.Turn > t.Turn || now.State != store.Playing
	})
}

// openPageOf opens the board page that has the button of move, unless it is the first. place is the table's Place.
func openPageOf(person *scenario.Person, view games.View, move games.Move, place string) {
	person.Helper()
	for _, b := range slices.Concat(view.Buttons...) {
		switch {
		case b.Move != move:
		case view.Apart.Key != "" && b.Style == games.Danger:
			person.Presses(":!show " + board.PageStrike)
		case board.Crowded(view, strings.HasPrefix(place, "telegram")):
			person.Presses(":!show " + board.WritePage(b.Group))
		}
	}
}

// pickItems changes the picked items of a board to those of choice.
func pickItems(person *scenario.Person, turn int64, p *games.Pick, choice games.Choice) {
	person.Helper()
	for _, wanted := range []bool{false, true} { // first deselect, then select
		for item := range p.Items {
			has := slices.Contains(p.Picked, item)
			if slices.Contains(choice.Items, item) == wanted && has != wanted {
				person.Presses(fmt.Sprintf(":%d:!pick %d", turn, item))
			}
		}
	}
}

// With nothing but a token, the program serves a platform from an empty folder and stores everything in one file there.
func TestFromNothing(t *testing.T) {
	t.Parallel()
	patient := discordtest.Options{Pace: -1, Within: fakes.Patience, Repeats: true}
	channel := scenario.OnDiscord(t, scenario.Net{Discord: patient})
	group := scenario.OnTelegram(t, scenario.Net{})
	folder := t.TempDir()
	program := launchIn(t, folder, "knobel", []string{
		"KNOBEL_DISCORD_TOKEN=" + channel.Server.Token(), "KNOBEL_DISCORD_API_URL=" + channel.Server.URL(),
		"KNOBEL_TELEGRAM_TOKEN=" + group.Server.Token(), "KNOBEL_TELEGRAM_API_URL=" + group.Server.URL(),
	})
	for _, place := range []scenario.Place{channel, group} {
		s := scenario.At(t, place)
		s.Until("the bot listens", func() bool { return s.Listening() && s.Menu("de") != "" })
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		anna.Writes("/shutbox stake=5")
		ben.Presses(":!join")
		s.Shows("Ben")
	}
	program.leave()
	if _, err := os.Stat(filepath.Join(folder, "knobel.db")); err != nil {
		t.Errorf("what it keeps is not in its folder: %v", err)
	}
}
