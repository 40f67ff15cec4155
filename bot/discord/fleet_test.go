package discord

import (
	"fmt"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/discord/discordtest"
)

// TestShards has five connections share the servers, of which two may begin at
// once.
func TestShards(t *testing.T) {
	t.Parallel()
	times := unhurried
	times.start = 400 * time.Millisecond
	s := rehearse(t, discordtest.Options{Shards: 5, AtOnce: 2}, &script{
		handle: says(bot.Reply{Toast: "Noted."}), times: times, shards: AutoShards,
	})
	s.until("all are connected", func() bool { return len(s.server.Starts()) == 5 && s.server.Listening() && s.stage.discord.Link().Up })
	began := map[int]time.Time{}
	for _, b := range s.server.Starts() {
		if b.Shards != 5 || !began[b.Shard].IsZero() {
			t.Errorf("%+v", b)
		}
		began[b.Shard] = b.At
	}
	for _, pair := range [][2]int{{0, 2}, {2, 4}, {0, 4}, {1, 3}} {
		if apart := began[pair[0]].Sub(began[pair[1]]).Abs(); apart < times.start/2 {
			t.Errorf("the shards %d and %d began %v apart", pair[0], pair[1], apart)
		}
	}
	for i := range 5 {
		g := s.server.Guild(fmt.Sprint("Server ", i))
		if a := s.answer(g.Channel("table").Slash(s.anna, "help")); !private(a, "Noted.") {
			t.Errorf("answer %d: %q", a.Type, a.Message.Text())
		}
	}

	// One that is lost comes back, and the platform is away meanwhile.
	s.server.Drop()
	s.until("they resume", func() bool {
		_, _, resumed := s.server.Connections()
		return resumed == 5 && s.server.Listening() && s.stage.discord.Link().Up
	})
	if n := len(s.server.Starts()); n != 5 {
		t.Errorf("%d sessions began", n)
	}
}

func TestNumbersOfShards(t *testing.T) {
	for text, want := range map[string]int{"": 1, "1": 1, "auto": AutoShards, "16": 16, "0": 0, "-1": 0, "1001": 0, "many": 0} {
		if n, err := ParseShards(text); n != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
}
