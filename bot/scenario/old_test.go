package scenario

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
)

// Evenings on platforms of before: a Telegram with Bot API 7.0, and a Discord that takes neither emoji of an
// application nor commands in several languages. Unknown features fall back, and no player is left without
// an answer.

// before are the platforms of before, with the status by which Discord refuses emoji.
func before(status int) Setting {
	return Setting{Emoji: true, Before: func(n *Net) {
		n.Telegram.API, n.Discord.English, n.NoEmoji = "7.0", true, status
	}}
}

func TestAnEveningOnPlatformsOfBefore(t *testing.T) {
	for _, status := range []int{http.StatusForbidden, http.StatusNotFound} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			for _, platform := range []string{"Discord", "Telegram"} {
				if platform == "Telegram" && status != http.StatusNotFound {
					continue // it is Discord that refuses emoji
				}
				if platform == "Discord" && status == http.StatusNotFound && !needs.IsLong() {
					continue
				}
				t.Run(platform, func(t *testing.T) { before(status).On(t, platform, eveningOfBefore) })
			}
		})
	}
}

// eveningOfBefore is an evening of both games: what people look up, what they win and lose, and how they settle.
func eveningOfBefore(s *Stage) {
	anna, ben := s.Person("Anna", "en").Admin(), s.Person("Ben", "en")
	for line, says := range map[string]string{
		"/help": "Sit down", "/help about=shutbox": "/shutbox", "/rules": "Shut the Box",
		"/privacy": "What I keep of you", "/settings": "Settings of this chat.",
		"/leaderboard": "nothing has been played", "/settle": "Nobody owes anybody",
	} {
		s.Says(ben.Asks(line).Text, says)
	}

	s.Sit("/wuerfelpoker point=2", anna, ben)
	for range 15 {
		anna.rounds(2)
		ben.rounds(1)
	}
	s.Says(s.Offers(":!rematch").Text, "Anna", "Ben", "Total")
	s.Sit("/shutbox stake=5 tiles=6-9 one-die=never", anna, ben)
	s.Says(s.Play(anna, ben).Text, "Dice seal")

	s.Says(anna.Asks("/leaderboard").Text, "Anna", "Ben")
	s.Says(ben.Asks("/fair").Text, "proves")
	books := anna.Asks("/settle")
	payer, payee := anna, ben
	if strings.Contains(books.Text, "Ben → Anna") {
		payer, payee = ben, anna
	}
	payer.PressesOn(payer.Asks("/settle"), payer.Name+" → "+payee.Name)
	payee.Presses("✓ " + payer.Name)
	payer.Reads("paid and confirmed.")
	s.Says(anna.Asks("/settle").Text, "Nobody owes anybody anything.")

	switch place := s.Place.(type) {
	case *Group:
		keptByBefore(s, place)
	case *Channel:
		if len(place.Server.Emoji()) > 0 || strings.Contains(string(place.Server.Commands()), "_localizations") {
			s.Errorf("Discord has taken %d emoji, and commands in several languages", len(place.Server.Emoji()))
		}
	}
}

// keptByBefore looks at what a group on a Telegram of before has been sent: each thing that it does not know was tried
// once, or as often as something else had to be left out first.
func keptByBefore(s *Stage, g *Group) {
	s.Helper()
	tables, unread := 0, 0
	for _, c := range g.Server.Calls() {
		switch {
		case c.Params["rich_message"] != "":
			tables++
		case strings.Contains(c.Error, "can't parse entities"):
			unread++
		case c.Status == http.StatusBadRequest && !strings.Contains(c.Error, "message"):
			s.Errorf("%s is refused: %s", c.Method, c.Error)
		}
	}
	if tables != 1 || unread == 0 || unread > 4 {
		s.Errorf("%d tables were tried, %d texts could not be read", tables, unread)
	}
	for _, line := range []string{"rejected tables", "rejected newer markup"} {
		if n := strings.Count(s.Journal.String(), line); n == 0 || n > 2 {
			s.Errorf("the log says %d times that it %s", n, line)
		}
	}
	for _, m := range g.Chat.Messages() {
		if m.Rich || strings.Contains(m.HTML, "tg-time") || strings.Contains(m.HTML, "expandable") {
			s.Errorf("it shows what it does not know:\n%s", m.HTML)
		}
	}
	s.Passes("what one alone has read is gone", func() bool {
		for _, m := range g.Chat.Messages() {
			if strings.Contains(m.Text, "Settings of this chat.") {
				return false
			}
		}
		return true
	})
}
