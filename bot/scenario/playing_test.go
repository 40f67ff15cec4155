package scenario

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/gametest/either"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
)

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
			s.Says(c.Completes(ben, "play", "options", "reih", game), "Reihenfolge: ", "order=free")
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
