package discord

import (
	"slices"
	"testing"

	"knobel/bot/discord/discordtest"
)

// Whoever asks for a board where the bot may not write gets it all the same,
// and reads alone which permission is missing.
func TestMissingPermissionsAreNamed(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "de")
	ask := func(c *discordtest.Channel, p *discordtest.Person) {
		t.Helper()
		if a := s.answer(c.Slash(p, "shutbox")); a.Type != 4 || a.Message.Private() || len(a.Message.Buttons()) == 0 {
			t.Errorf("answer %d: %q", a.Type, a.Message.Text())
		}
	}
	ask(s.hall, anna) // nothing is missing yet
	s.hall.Deny(discordtest.SendMessages)
	ask(s.hall, anna)
	thread := s.guild.Channel("aside").Thread("late")
	thread.Deny(discordtest.SendMessages) // which does not count in a thread
	ask(thread, ben)
	thread.Deny(discordtest.SendInThreads | discordtest.ViewChannel)
	ask(thread, ben)
	s.stop() // what stands behind the answers is there, too
	for _, c := range []struct {
		by   *discordtest.Person
		in   *discordtest.Channel
		want string
	}{
		{anna, s.hall, "I may not do all that a table needs here. Missing: Send Messages. To grant it: Edit Channel → Permissions, or Server Settings → Roles."},
		{ben, thread, "Ich darf hier nicht alles, was ein Tisch braucht. Es fehlt: Kanäle ansehen und Nachrichten in Threads senden. " +
			"Zu geben unter: Kanal bearbeiten → Berechtigungen oder Servereinstellungen → Rollen."},
	} {
		if alone := c.in.Private(c.by); len(alone) != 1 || alone[0].Text() != c.want {
			t.Errorf("%s reads %d messages alone: %+v", c.by.Name, len(alone), alone)
		}
	}
}

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
