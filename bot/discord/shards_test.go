package discord

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// TestSessionsBeginInTurn checks that shards whose sessions cannot be resumed begin others in turn, not as soon as
// the library knows.
func TestSessionsBeginInTurn(t *testing.T) {
	t.Parallel()
	times := unhurried
	times.start = time.Hour
	s := rehearse(t, discordtest.Options{Shards: 2, AtOnce: 2}, &script{
		handle: says(chat.Reply{Toast: "Noted."}), times: times, shards: AutoShards,
	})
	s.server.ForgetSessions()
	s.server.Drop()
	if !s.log.WaitFor(s.ctx, "beginning another", 2) {
		t.Fatal(s.log)
	}
	if n := len(s.server.Starts()); n != 2 {
		t.Errorf("%d sessions began", n)
	}
}

// TestManyChannelsAtOnce draws more boards at once than Discord takes of a bot in a second, each in a channel with
// room for it, by one bot or several replicas, in a bubble, so that a slow machine makes no difference.
func TestManyChannelsAtOnce(t *testing.T) {
	for _, replicas := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			const channels = 200
			wire := fakes.NewWire("discord:80")
			server := discordtest.Start(t, discordtest.Options{Listener: wire, Whole: 50})
			server.Advance(time.Until(time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC))) // no ids before 2015
			var leases platformtest.Leases
			var all []*Discord
			for range replicas {
				o := Options{Token: server.Token(), URL: server.URL(), Dial: wire.Dial}
				if replicas > 1 {
					o.Leases = leases.Join()
				}
				all = append(all, New(o))
			}
			guild := server.Guild("The Dice")
			began := time.Now()
			var writing sync.WaitGroup
			for i := range channels {
				d, place := all[i%replicas], placeID(guild.ID, guild.Channel(fmt.Sprint("table ", i)).ID)
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
				t.Errorf("%d replicas: %d boards, and %d requests too many", replicas, writes, often)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("%d replicas take %v", replicas, took)
			}
			server.Close()
			for _, d := range all {
				d.rest.http.CloseIdleConnections()
			}
			time.Sleep(time.Minute) // fake time: connections take their time to end
		})
	}
}

func TestNumbersOfShards(t *testing.T) {
	fakes.Cases(t, "shards.txt", func(text string) string {
		n, err := ParseShards(text)
		if err != nil {
			return "invalid"
		}
		return fmt.Sprint(n)
	})
}
