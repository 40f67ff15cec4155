package discord

import (
	"testing"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/games"
)

// A board that nobody has noted is found among a channel's last messages by what its buttons carry, and nothing else
// is: no message of another table, none that only has commands, none that stands above the board that is known, and
// none where the bot may not read.
func TestABoardIsFoundByItsButtons(t *testing.T) {
	s := pressing(t, discordtest.Options{Pace: -1})
	post := func(head string, presses ...string) chat.Ref {
		t.Helper()
		m := chat.Message{Head: head, Accent: -1}
		for _, carries := range presses {
			m.Buttons = append(m.Buttons, []chat.Button{{Label: carries, Press: carries, Style: games.Plain}})
		}
		ref, err := s.stage.discord.Post(s.ctx, s.place(), m)
		if err != nil {
			t.Fatal(err)
		}
		return ref
	}
	finds := func(below, want chat.Ref) {
		t.Helper()
		if found, err := s.stage.discord.Posted(s.ctx, s.place(), 7, below); err != nil || found != want {
			t.Errorf("below %q it finds %q, %v, want %q", below, found, err, want)
		}
	}
	finds("", "")
	first := post("The first.", "1:7:3:12", "1:7:3:/rules")
	finds("", first)
	finds(first, "")
	post("A call.", "1:7:3:/notify")
	post("Another table.", "1:77:3:12", "?")
	s.hall.Say(s.anna, "1:7:3:12")
	finds(first, "")
	second := post("The next.", "1:7:0:!rematch")
	for range 20 {
		s.hall.Say(s.anna, "What a game!")
	}
	finds("", second)
	finds(first, second)
	finds(second, "")

	s.hall.Deny(discordtest.ReadHistory)
	finds(first, "")
	s.hall.Deny(discordtest.ViewChannel)
	finds(first, "")
}

// What is chosen from a list makes a board, too.
func TestABoardIsFoundByItsList(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	ref, err := s.stage.discord.Post(s.ctx, s.place(), chat.Message{Head: "A list.", Accent: -1, Choices: []chat.Choice{
		{Said: "Tiles", Values: []chat.Button{{Label: "2", Press: "1:7:3:2"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := s.stage.discord.Posted(s.ctx, s.place(), 7, ""); err != nil || found != ref {
		t.Errorf("it finds %q, %v, want %q", found, err, ref)
	}
}
