package discord

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
)

// TestPlatform runs the tests that all platforms share. Each adapter that a test makes is a replica of the same bot.
func TestPlatform(t *testing.T) {
	platformtest.Run(t, func(t *testing.T) platformtest.Venue {
		var leases platformtest.Leases
		server := discordtest.Start(t, discordtest.Options{Within: time.Minute, Pace: -1})
		guild := server.Guild("The Dice")
		hall, anna := guild.Channel("table"), server.Person("Anna", "en-US")
		newest := func(label string) (message, press string) {
			for _, m := range slices.Backward(hall.Messages()) {
				if b, ok := m.Button(label); ok {
					return m.ID, b.CustomID
				}
			}
			t.Fatalf("no message has a button %q", label)
			return "", ""
		}
		return platformtest.Venue{
			Place: placeID(guild.ID, hall.ID),
			New: func() chat.Platform {
				d := New(Options{Token: server.Token(), URL: server.URL(), Letters: true,
					Leases: leases.Join(), Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
				d.times = unhurried
				return d
			},
			Write: func(command, text string) {
				if text == "" {
					hall.Slash(anna, command)
					return
				}
				hall.Slash(anna, command, discordtest.Option{Name: "variant", Value: text})
			},
			Press: func(label string) {
				message, press := newest(label)
				hall.Press(anna, message, press)
			},
			Shows: func(text string) bool {
				return slices.ContainsFunc(append(hall.Messages(), hall.Private(anna)...),
					func(m discordtest.Message) bool { return strings.Contains(m.Text(), text) })
			},
			Remove: func() {
				message, _ := newest("Throw")
				hall.Remove(message)
			},
		}
	})
}
