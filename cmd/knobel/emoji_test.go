package main

// Boards of all games with Discord's emoji.

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"knobel/bot/discord/emoji"
	"knobel/bot/fakes/needs"
	"knobel/bot/scenario"
	"knobel/games"
	"knobel/store"
)

// Boards of all kinds are drawn with emoji on a Discord that refuses what is beyond its limits: two
// rows of tiles, twenty-four of them, a large die, dice that are kept.
func TestBoardsWithEmoji(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ command, picture string }{
		{"/shutbox variant=three-hundred", "tile_24"}, {"/wuerfelpoker", "die_"}, {"/shutbox", "tile_9"},
		{"/shutbox variant=canoga", "tile_9"}, {"/shutbox variant=d20", "large_die_"}, {"/zehntausend", "die_"},
	} {
		t.Run(c.command[1:], func(t *testing.T) {
			if i >= 2 {
				needs.Long(t)
			}
			t.Parallel()
			scenario.Setting{Games: played(), Emoji: true}.On(t, "Discord", func(s *scenario.Stage) {
				server := s.Place.(*scenario.Channel).Server
				s.Passes("all emoji are there", func() bool { return len(server.Emoji()) == len(emoji.All()) })
				time.Sleep(time.Minute) // in the bubble: the bot has heard of the last one, too
				game := c.command[1:]
				if space := strings.IndexByte(game, ' '); space > 0 {
					game = game[:space]
				}
				playsWith(s, game, c.command, c.picture)
			})
		})
	}
}

// playsWith plays some moves and looks for a picture on the boards.
func playsWith(s *scenario.Stage, game, command, picture string) {
	s.Helper()
	var g games.Game
	for _, one := range played() {
		if one.Name() == game {
			g = one
		}
	}
	people := []*scenario.Person{s.Person("Anna", "en"), s.Person("Ben", "de")}
	s.Sit(command, people[0], people[1])
	random, seen := rand.New(rand.NewPCG(1, 2)), regexp.MustCompile(`<:`+picture+`\w*:[0-9]+>`)
	found := false
	for range 12 {
		if s.Table(1).State != store.Playing {
			break
		}
		plays(s, g, random, people)
		s.Settled()
		found = found || seen.MatchString(s.Board().Text)
	}
	if !found || !strings.Contains(s.Board().Text, "<:seat_red_square_k") {
		s.Errorf("no %s on the boards: %s", picture, s.Board().Text)
	}
}
