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

// TestPlatform runs the tests that all platforms share. Each adapter that a test makes is a replica of the same bot.
func TestPlatform(t *testing.T) {
	platformtest.Run(t, func(t *testing.T) platformtest.Venue {
		var leases platformtest.Leases
		clock := fakes.NewClock(true) // no wait for the budget
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
					Leases: leases.Join(), Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
			},
			Write: func(command, text string) { group.Say(anna, strings.TrimSpace("/"+command+" "+text)) },
			Press: func(label string) {
				_, err := group.Press(anna, newest(label).ID, label)
				check(t, err)
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

// TestMessageAsAPlace runs the tests of a place that is one message: that of a guest.
func TestMessageAsAPlace(t *testing.T) {
	platformtest.RunMessage(t, func(t *testing.T) platformtest.Venue {
		clock := fakes.NewClock(true)
		server := telegramtest.Start(t, telegramtest.Options{Now: clock.Now, Guest: true})
		there := server.Foreign(-7)
		at := there.Invite("Who plays?", "Join", "1:0:0:/coin")
		return platformtest.Venue{
			Place: chat.Place(inlinePrefix + at),
			New: func() chat.Platform {
				return New(Options{Token: server.Token(), URL: server.URL(), Clock: clock,
					Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
			},
			Press: func(label string) {
				_, err := there.Press(anna, at, label)
				check(t, err)
			},
			Shows: func(text string) bool { return strings.Contains(there.Messages()[0].Text, text) },
		}
	})
}
