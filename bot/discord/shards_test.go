package discord

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// TestShards has five connections share the servers, of which two may begin at
// once.
func TestShards(t *testing.T) {
	t.Parallel()
	times := unhurried
	times.start = 100 * time.Millisecond
	s := rehearse(t, discordtest.Options{Shards: 5, AtOnce: 2}, &script{
		handle: says(chat.Reply{Toast: "Noted."}), times: times, shards: AutoShards,
	})
	s.until("all are connected", func() bool {
		return len(s.server.Starts()) == 5 && s.server.Listening() && s.stage.discord.Link().Up
	})
	began := map[int]bool{}
	for _, b := range s.server.Starts() {
		if b.Shards != 5 || began[b.Shard] {
			t.Errorf("%+v", b)
		}
		began[b.Shard] = true
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

// TestTurnsOfShards has five shards begin, of which two may at once.
func TestTurnsOfShards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, first := newShards(5, 2, usual.start), time.Now()
		var began [5]time.Time
		var waiting sync.WaitGroup
		for shard := range began {
			waiting.Go(func() {
				if err := f.wait(t.Context(), shard); err != nil {
					t.Error(err)
				}
				began[shard] = time.Now()
			})
		}
		waiting.Wait()
		for _, pair := range [][2]int{{0, 2}, {2, 4}, {0, 4}, {1, 3}} {
			if apart := began[pair[0]].Sub(began[pair[1]]).Abs(); apart < usual.start-time.Millisecond {
				t.Errorf("the shards %d and %d began %v apart", pair[0], pair[1], apart)
			}
		}
		if took := time.Since(first); took > 2*usual.start+time.Millisecond {
			t.Errorf("the last began after %v", took)
		}
	})
}

// TestSessionsBeginInTurn: where sessions cannot be resumed, others begin when it
// is their shards' turn, and not as soon as the library hears of it.
func TestSessionsBeginInTurn(t *testing.T) {
	t.Parallel()
	times := unhurried
	times.start = time.Hour
	s := rehearse(t, discordtest.Options{Shards: 2, AtOnce: 2}, &script{
		handle: says(chat.Reply{Toast: "Noted."}), times: times, shards: AutoShards,
	})
	s.server.ForgetSessions()
	s.server.Drop()
	if !s.log.waitFor(s.ctx, "beginning another", 2) {
		t.Fatal(s.log)
	}
	if n := len(s.server.Starts()); n != 2 {
		t.Errorf("%d sessions began", n)
	}
}

// TestASessionWaitsForItsTurn: nothing is dialled before that.
func TestASessionWaitsForItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dialled atomic.Int32
		d := New(Options{Token: "MTE5.secret.token", URL: "http://discord", Log: slog.New(slog.DiscardHandler),
			Dial: func(context.Context, string, string) (net.Conn, error) {
				dialled.Add(1)
				return nil, net.ErrClosed
			}})
		ctx, stop := context.WithCancel(t.Context())
		f := newShards(2, 1, usual.start)
		if err := f.wait(ctx, 0); err != nil { // whose turn it is now
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			d.stay(&run{ctx: ctx, work: ctx, core: &script{}}, f, 1)
		}()
		time.Sleep(usual.start - time.Second)
		if dialled.Load() != 0 {
			t.Error("it begins before its turn")
		}
		time.Sleep(2 * time.Second)
		if dialled.Load() == 0 {
			t.Error("it does not begin")
		}
		stop()
		<-ended
	})
}

// TestManyChannelsAtOnce draws more boards at once than Discord takes of a bot in
// a second, each in a channel that has room for it. It lives in a bubble: how many
// come in a second does not turn on the machine.
func TestManyChannelsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const channels = 200
		wire := fakes.NewWire("discord:80")
		server := discordtest.Start(t, discordtest.Options{Listener: wire, Whole: 50})
		server.Advance(time.Until(time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC))) // its ids know no time before 2015
		d := New(Options{Token: server.Token(), URL: server.URL(), Dial: wire.Dial})
		guild := server.Guild("The Dice")
		began := time.Now()
		var writing sync.WaitGroup
		for i := range channels {
			place := placeID(guild.ID, guild.Channel(fmt.Sprint("table ", i)).ID)
			writing.Go(func() {
				err := d.Ready(t.Context(), place, chat.ToMove)
				if err == nil {
					_, err = d.Post(t.Context(), place, boardOf("A board."))
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		writing.Wait()
		if writes, often := server.Writes(); writes != channels || often != 0 {
			t.Errorf("%d boards, and %d requests too many", writes, often)
		}
		if took := time.Since(began); took > 7*time.Second {
			t.Errorf("they took %v", took)
		}
		server.Close()
		d.rest.http.CloseIdleConnections()
		time.Sleep(time.Minute) // in the bubble: connections take their time to end
	})
}

func TestNumbersOfShards(t *testing.T) {
	for text, want := range map[string]int{"": 1, "1": 1, "auto": AutoShards, "16": 16, "0": 0, "-1": 0, "1001": 0,
		"many": 0} {
		if n, err := ParseShards(text); n != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
}
