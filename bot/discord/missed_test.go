package discord

import (
	"context"
	"sync/atomic"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
)

// After an answer that Discord has not taken in time, nothing can follow.
func TestNothingIsSaidBehindNoAnswer(t *testing.T) {
	t.Parallel()
	page := chat.Message{Head: "A page.", Accent: -1, Buttons: [][]chat.Button{{{Label: "Next", Press: "1:0:0:/next"}}}}
	s := rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{Private: &page}), times: brisk})
	first := s.answer(s.hall.Slash(s.anna, "stats"))
	s.server.Fail(discordtest.Fault{On: "POST /interactions", Status: 429, RetryAfter: 60})
	s.hall.Press(s.anna, first.Message.ID, "1:0:0:/next")
	if !s.log.WaitFor(s.ctx, "answer rejected", 1) {
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

// An interaction that is repeated during its slow answer gets no silent answer: the board would count as drawn.
func TestToldAgainWhileItIsAnswered(t *testing.T) {
	t.Parallel()
	var times atomic.Int32
	once := func(context.Context, chat.Event) chat.Reply {
		if times.Add(1) > 1 {
			return chat.Reply{} // it was carried out before
		}
		return chat.Reply{Board: 1}
	}
	s := rehearse(t, discordtest.Options{}, &script{handle: once, times: stubborn})
	m := s.posted()
	s.server.Fail(discordtest.Fault{On: "POST /interactions", Hang: true})
	s.change("Changed.")
	i := s.pressOn(m)
	s.until("the answer is under way", func() bool { return len(s.server.Requests("POST /interactions")) == 1 })
	i.Redeliver()
	s.answer(i)
	s.stop()
	s.shows("Changed.", 1)
}
