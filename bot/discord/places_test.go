package discord

import (
	"errors"
	"slices"
	"testing"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/games"
)

// TestWhatTheGatewayTellsOfPlaces checks that a deleted thread counts as lost, and an unavailable server does not.
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
	s.answer(s.server.Direct().Slash(s.anna, "language")) // sent after the events above
	s.until("all three are told", func() bool {
		core.mu.Lock()
		defer core.mu.Unlock()
		slices.Sort(core.lost)
		slices.Sort(want)
		return slices.Equal(core.lost, want)
	})
}

// TestWhatChannelsOverrule checks that a channel's overwrites apply after the roles: first those for all members, then
// those for the bot's roles together, then those for the bot itself.
func TestWhatChannelsOverrule(t *testing.T) {
	type overwrites []*discordgo.PermissionOverwrite
	const (
		member       = discordgo.PermissionOverwriteTypeMember
		viewChannel  = discordgo.PermissionViewChannel
		sendMessages = discordgo.PermissionSendMessages
	)
	guild := &discordgo.Guild{ID: "1", Roles: []*discordgo.Role{{ID: "1", Permissions: viewChannel},
		{ID: "5", Permissions: sendMessages}, {ID: "6"}, {ID: "7"}}}
	s := botMember{State: discordgo.NewState(), guild: "1", me: "9"}
	me := &discordgo.Member{GuildID: "1", User: &discordgo.User{ID: "9"}, Roles: []string{"5", "6"}}
	check(t, errors.Join(s.GuildAdd(guild), s.MemberAdd(me)))
	in := func(o overwrites) uint64 {
		may, err := s.permissionsIn(&discordgo.Channel{ID: "3", PermissionOverwrites: append(overwrites{}, o...)})
		if err != nil {
			t.Error(err)
		}
		return may
	}
	for _, c := range []struct {
		name string
		overwrites
		want uint64
	}{
		{"nothing", nil, viewChannel | sendMessages},
		{"everybody is denied", overwrites{{ID: "1", Deny: viewChannel}}, sendMessages},
		{"a role is allowed again", overwrites{{ID: "5", Allow: viewChannel}, {ID: "1", Deny: viewChannel}},
			viewChannel | sendMessages},
		{"one role denies, another allows", overwrites{{ID: "5", Deny: sendMessages}, {ID: "6", Allow: sendMessages}},
			viewChannel | sendMessages},
		{"a role of others", overwrites{{ID: "7", Deny: sendMessages}}, viewChannel | sendMessages},
		{"the bot itself is denied", overwrites{{ID: "9", Type: member, Deny: sendMessages},
			{ID: "6", Allow: sendMessages}}, viewChannel},
	} {
		if got := in(c.overwrites); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	denied := overwrites{{ID: "9", Type: member, Deny: sendMessages}}
	guild.Roles[2].Permissions = discordgo.PermissionAdministrator
	if missing := missingPermissions(in(denied), inChannels); len(missing.Permissions) > 0 {
		t.Errorf("an administrator lacks %v", missing.Permissions)
	}
	guild.Roles[2].Permissions, guild.OwnerID = 0, "9"
	if missing := missingPermissions(in(nil), inGuilds); len(missing.Permissions) > 0 {
		t.Errorf("an owner lacks %v", missing.Permissions)
	}
}

// TestABoardIsFoundByItsButtons checks that a board whose message was not stored is found among a channel's last
// messages by its buttons or list. Nothing else is found: no message of another table, none with commands only, none
// above the known board, and none where the bot may not read.
func TestABoardIsFoundByItsButtons(t *testing.T) {
	s := pressing(t, discordtest.Options{Pace: -1})
	post := func(head string, presses ...string) chat.Ref {
		t.Helper()
		m := chat.Message{Head: head, Accent: -1}
		for _, carries := range presses {
			m.Buttons = append(m.Buttons, []chat.Button{{Label: carries, Press: carries, Style: games.Plain}})
		}
		ref, err := s.discord.Post(s.ctx, s.place(), m)
		check(t, err)
		return ref
	}
	ofSeven := isOf(chat.Message{Table: 7})
	finds := func(below, want chat.Ref) {
		t.Helper()
		if found, err := s.discord.findMessage(s.ctx, s.hall.ID, below, ofSeven); err != nil || found != want {
			t.Errorf("below %q it finds %q, %v, want %q", below, found, err, want)
		}
	}
	finds("", "")
	first := post("The first.", "1:7:3:12", "1:7:3:/rules")
	finds("", first)
	finds(first, "")
	post("A call.", "1:7:3:/notify")
	post("Another table.", "1:77:3:12", "?")
	s.hall.Say(s.anna, "1:7:3:12")
	finds(first, "")
	second := post("The next.", "1:7:0:!rematch")
	for range 20 {
		s.hall.Say(s.anna, "What a game!")
	}
	finds("", second)
	finds(first, second)
	finds(second, "")
	list, err := s.discord.Post(s.ctx, s.place(), chat.Message{Head: "A list.", Accent: -1, Choices: []chat.Choice{
		{Said: "Tiles", Values: []chat.Button{{Label: "2", Press: "1:7:3:2"}}}}})
	check(t, err)
	finds(second, list)

	s.hall.Deny(discordtest.ReadHistory)
	finds(first, "")
	s.hall.Deny(discordtest.ViewChannel)
	finds(first, "")
}
