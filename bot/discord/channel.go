package discord

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/games"
)

// Channels and threads: what the bot may do there, and opening a thread.

// permission is a permission and its name in Discord's client.
type permission struct {
	bit  uint64
	name games.Line
}

// Permissions for boards in a channel, in a thread, and for opening a thread.
var (
	toView   = permission{discordgo.PermissionViewChannel, games.Say("bot.discord.view", nil)}
	toSend   = permission{discordgo.PermissionSendMessages, games.Say("bot.discord.send", nil)}
	toThread = permission{discordgo.PermissionSendMessagesInThreads, games.Say("bot.discord.send-in-threads", nil)}
	toOpen   = permission{discordgo.PermissionCreatePublicThreads, games.Say("bot.discord.open-threads", nil)}

	inChannels = []permission{toView, toSend}
	inThreads  = []permission{toView, toThread}
	forThreads = []permission{toView, toThread, toOpen}
	inGuilds   = []permission{toView, toSend, toThread}
)

// The types of threads, and of channels that can hold threads with the type of the thread.
var (
	threads = []discordgo.ChannelType{10, 11, 12}
	opens   = map[discordgo.ChannelType]discordgo.ChannelType{0: 11, 5: 10}
)

// lacking returns the needed permissions that are missing in may.
func lacking(may uint64, needed []permission) (l chat.MissingPermissions) {
	if may&discordgo.PermissionAdministrator != 0 {
		return l
	}
	for _, p := range needed {
		if may&p.bit == 0 {
			l.Permissions = append(l.Permissions, p.name)
		}
	}
	if !l.None() {
		l.Where = games.Say("bot.discord.where", nil)
	}
	return l
}

// maxThread is the most characters of a thread's name, threadLife the minutes without a message after which a thread
// is archived: as long as the longest turn.
const (
	maxThread  = 100
	threadLife = 3 * 24 * 60
)

// threadBody asks for a thread without a first message.
type threadBody struct {
	Name string                `json:"name"`
	Type discordgo.ChannelType `json:"type"`
	Life int                   `json:"auto_archive_duration"`
}

// openThread opens a thread in the channel and adds the person to it.
func (c *conversation) openThread(ctx context.Context, name string) (chat.Place, error) {
	if may, err := strconv.ParseUint(c.in.Permissions, 10, 64); err == nil {
		if missing := lacking(may, forThreads); !missing.None() {
			return "", missing
		}
	}
	name = strings.TrimSpace(clip(clean(name), maxThread))
	var made sent
	at := discordgo.EndpointChannelThreads(c.in.ChannelID)
	err := c.rest.call(ctx, true, http.MethodPost, at, threadBody{name, opens[c.in.Channel.Type], threadLife}, &made)
	refused, ok := refusalOf(err)
	switch {
	case ok && (refused.Code == discordgo.ErrCodeMissingAccess ||
		refused.Code == discordgo.ErrCodeMissingPermissions):
		return "", lacking(0, []permission{toOpen})
	case ok && refused.Code == discordgo.ErrCodeMaximumNumberOfActiveThreadsReached:
		return "", games.Refuse("bot.thread.too-many", nil)
	case err != nil:
		return "", err
	}
	p, _ := c.in.who()
	if snowflake(p.ID) {
		err := c.rest.call(ctx, true, http.MethodPut, discordgo.EndpointThreadMember(made.ID, p.ID), nil, nil)
		if err != nil {
			c.log.Debug("add thread members failed", "error", err)
		}
	}
	return placeID(c.in.GuildID, made.ID), nil
}

// pointing returns a toast with a link to its place, if any.
func pointing(r chat.Reply) body {
	b := toast(r.Toast)
	if channel, err := parsePlace(r.At); err == nil {
		b.Content += " <#" + channel + ">"
	}
	return b
}
