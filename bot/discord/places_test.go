package discord

import (
	"slices"
	"testing"

	"knobel/bot/discord/discordtest"
)

// A thread below a channel is deleted, and a server that is only away for a
// while loses nothing.
func TestWhatTheGatewayTellsOfPlaces(t *testing.T) {
	t.Parallel()
	core := &script{}
	s := rehearse(t, discordtest.Options{}, core)
	thread := s.hall.Thread("dice")
	s.server.Emit("GUILD_DELETE", map[string]any{"id": s.guild.ID, "unavailable": true})
	s.server.Emit("CHANNEL_DELETE", "nonsense")
	thread.Delete()
	s.hall.Delete()
	s.guild.Remove()
	want := []string{
		"discord:" + s.guild.ID + " discord:" + s.guild.ID + ":" + thread.ID,
		"discord:" + s.guild.ID + " discord:" + s.guild.ID + ":" + s.hall.ID,
		"discord:" + s.guild.ID + " ",
	}
	s.answer(s.server.Direct().Slash(s.anna, "language")) // behind them
	s.until("all three are told", func() bool {
		core.mu.Lock()
		defer core.mu.Unlock()
		slices.Sort(core.lost)
		slices.Sort(want)
		return slices.Equal(core.lost, want)
	})
}

// What a channel says overrules the roles, of everybody first, then of the bot's
// roles together, then of the bot itself.
func TestWhatChannelsOverrule(t *testing.T) {
	const send, view = "2048", "1024"
	s := standing{guild: "1", me: "9", held: []string{"5", "6"},
		roles: map[string]uint64{"1": viewChannel, "5": sendMessages}}
	for _, c := range []struct {
		name       string
		overwrites []overwrite
		want       uint64
	}{
		{"nothing", nil, viewChannel | sendMessages},
		{"everybody is denied", []overwrite{{ID: "1", Deny: view, Allow: "0"}}, sendMessages},
		{"a role is allowed again", []overwrite{{ID: "5", Allow: view}, {ID: "1", Deny: view}},
			viewChannel | sendMessages},
		{"one role denies, another allows", []overwrite{{ID: "5", Deny: send}, {ID: "6", Allow: send}},
			viewChannel | sendMessages},
		{"a role of others", []overwrite{{ID: "7", Deny: send}}, viewChannel | sendMessages},
		{"the bot itself is denied", []overwrite{{ID: "9", Deny: send}, {ID: "6", Allow: send}}, viewChannel},
		{"no numbers", []overwrite{{ID: "9", Deny: "all"}}, viewChannel | sendMessages},
	} {
		if got := s.in(channelBody{Overwrites: c.overwrites}); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	s.roles["6"] = administrator
	if missing := lacking(s.in(channelBody{Overwrites: []overwrite{{ID: "9", Deny: send}}}),
		inChannels); !missing.None() {
		t.Errorf("an administrator lacks %v", missing.Permissions)
	}
	s.roles["6"], s.owner = 0, true
	if missing := lacking(s.everywhere(), inGuilds); !missing.None() {
		t.Errorf("an owner lacks %v", missing.Permissions)
	}
}
