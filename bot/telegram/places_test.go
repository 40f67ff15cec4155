package telegram

import (
	"fmt"
	"slices"
	"testing"

	"knobel/bot/chat"
)

// What Telegram says of the bot, as doctor tells it.
func TestConsult(t *testing.T) {
	s := open(t)
	group := s.server.Group("Friends")
	at := placeID(group.ID(), 0)
	consult := func(want ...string) {
		t.Helper()
		found, err := s.tele.Consult(t.Context(), chatID(group.ID()), []chat.Place{at})
		var keys []string
		for _, f := range found {
			keys = append(keys, fmt.Sprint(f.Line.Key, " ", f.Wrong))
		}
		if err != nil || !slices.Equal(keys, want) {
			t.Errorf("found %q, %v, want %q", keys, err, want)
		}
	}
	consult("bot.stands.well false", "bot.stands.privacy false")
	group.Quiet(true)
	consult("bot.stands.lacks-here true", "bot.stands.privacy false")
	group.Quiet(false)
	group.Restrict(true)
	consult("bot.stands.lacks-here true", "bot.stands.privacy false")
	group.Restrict(false)
	s.tele.mutes.learn(at, toTopic)
	consult("bot.stands.lacks-here true", "bot.stands.privacy false")
	group.Admin(anna)
	for besides, want := range map[int64]bool{anna.ID: false, ben.ID: true} {
		if got, err := s.tele.OtherAdmin(t.Context(), chatID(group.ID()), userID(besides)); err != nil || got != want {
			t.Errorf("another admin than %d: %v, %v", besides, got, err)
		}
	}
	group.Close()
	consult("bot.stands.gone true")
	if found, err := s.tele.Consult(t.Context(), chatID(-5), nil); err != nil ||
		found[0].Line.Key != "bot.stands.gone" {
		t.Errorf("of no chat: %v, %v", found, err)
	}
	if _, err := s.tele.Consult(t.Context(), "discord:1", nil); err == nil {
		t.Error("another platform's chat is consulted about")
	}
}
