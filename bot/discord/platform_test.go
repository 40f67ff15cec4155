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
					Leases: join(), Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
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
