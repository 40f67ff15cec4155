package discord

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/games"
)

// Threads for tables.

// maxThread is the most characters of a thread's name, threadLife the minutes without a message after which a thread
// is archived: as long as the longest turn.
const (
	maxThread  = 100
	threadLife = 3 * 24 * 60
)

// threadBody asks for a thread without a first message.
type threadBody struct {
	Name string `json:"name"`
	Type int    `json:"type"`
	Life int    `json:"auto_archive_duration"`
}

// opener returns how to open a thread in the event's channel, or why that cannot be done.
func (c *conversation) opener() (open func(context.Context, string) (chat.Place, error), why games.Line) {
	kind := c.in.Channel.Type
	switch _, can := opens[kind]; {
	case c.in.GuildID == "":
		return nil, games.Say("bot.thread.alone", nil)
	case slices.Contains(threads, kind):
		return nil, games.Say("bot.thread.inside", nil)
	case !can:
		return nil, games.Say("bot.thread.nowhere", nil)
	}
	return c.openThread, why
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
	case ok && (refused.Code == codeMissingAccess || refused.Code == codeMissingPermissions):
		return "", lacking(0, []permission{toOpen})
	case ok && refused.Code == codeManyThreads:
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
