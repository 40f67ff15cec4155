package telegram

import (
	"log/slog"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
)

func TestPlatform(t *testing.T) {
	platforms(t, func() func() chat.Leases { return func() chat.Leases { return nil } })
}

// What a platform promises holds for one of several replicas, too.
func TestPlatformAsAReplica(t *testing.T) {
	platforms(t, func() func() chat.Leases {
		var leases platformtest.Leases
		return func() chat.Leases { return leases.Join() }
	})
}

// platforms checks platforms that get their leases by what leases makes for each check.
func platforms(t *testing.T, leases func() (join func() chat.Leases)) {
	platformtest.Run(t, func(t *testing.T) platformtest.Venue {
		join := leases()
		clock := fakes.NewClock(true) // nobody waits for the budget
		server := telegramtest.Start(t, telegramtest.Options{Now: clock.Now})
		group := server.Group("The Dice")
		newest := func(label string) telegramtest.Message {
			m, ok := group.With(label)
			if !ok {
				t.Fatalf("no message has a button %q", label)
			}
			return m
		}
		return platformtest.Venue{
			Place: placeID(group.ID(), 0),
			New: func() chat.Platform {
				return New(Options{Token: server.Token(), URL: server.URL(), Clock: clock,
					Leases: join(), Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
			},
			Write: func(command, text string) { group.Say(anna, strings.TrimSpace("/"+command+" "+text)) },
			Press: func(label string) {
				_, err := group.Press(anna, newest(label).ID, label)
				if err != nil {
					t.Fatal(err)
				}
			},
			Shows: func(text string) bool {
				if _, ok := group.Find(text); ok {
					return true
				}
				_, ok := server.Private(anna).Find(text)
				return ok
			},
			Remove: func() { group.Delete(newest("Throw").ID) },
		}
	})
}
