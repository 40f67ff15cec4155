package scenario

import (
	"slices"
	"testing"
	"time"

	"knobel/bot/telegram/telegramtest"
)

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
