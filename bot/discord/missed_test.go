package discord

import (
	"testing"

	"knobel/bot"
	"knobel/bot/discord/discordtest"
)

// Where Discord has taken no answer in time, nothing can stand behind it.
func TestNothingIsSaidBehindNoAnswer(t *testing.T) {
	t.Parallel()
	page := bot.Message{Head: "A page.", Accent: -1, Buttons: [][]bot.Button{{{Label: "Next", Press: "1:0:0:/next"}}}}
	s := rehearse(t, discordtest.Options{}, &script{handle: says(bot.Reply{Private: &page}), times: brisk})
	first := s.answer(s.hall.Slash(s.anna, "stats"))
	s.server.Fail(discordtest.Fault{On: "POST /interactions", Status: 429, RetryAfter: 60})
	s.hall.Press(s.anna, first.Message.ID, "1:0:0:/next")
	if !s.log.waitFor(s.ctx, "an answer was not taken", 1) {
		t.Fatal(s.log)
	}
	s.stop()
	if behind := s.server.Requests("POST /webhooks"); len(behind) > 0 {
		t.Errorf("behind an answer that was not given: %s", behind[0].Body)
	}
	if wrong := s.server.Forgive(); len(wrong) > 0 {
		t.Error(wrong)
	}
}
