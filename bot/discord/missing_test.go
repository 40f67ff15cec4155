package discord

import (
	"slices"
	"testing"
)

func TestMissing(t *testing.T) {
	for _, c := range []struct {
		name, guild, may string
		kind             int
		want             []string
	}{
		{"nothing", "1", "274877910016", 0, nil},
		{"an administrator", "1", "8", 0, nil},
		{"all", "1", "0", 0, []string{"bot.discord.view", "bot.discord.send"}},
		{"all in a thread", "1", "0", 12, []string{"bot.discord.view", "bot.discord.send-in-threads"}},
		{"alone with somebody", "", "0", 1, nil},
		{"not told", "1", "", 0, nil},
		{"no number", "1", "-1", 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := interaction{GuildID: c.guild, Permissions: c.may, Channel: &channel{Type: c.kind}}
			var got []string
			for _, p := range i.missing().Permissions {
				got = append(got, p.Key)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("missing %q, want %q", got, c.want)
			}
		})
	}
}
