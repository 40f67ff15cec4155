package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/games"
)

// The bot's permissions in servers, channels and threads; opening threads.

// Consult returns findings about the bot's permissions in group, a server, and in places, channels of that server. They
// depend on the bot's roles and on exceptions for single channels. For the chat "" they are for the operator.
func (d *Discord) Consult(ctx context.Context, group chat.Chat, places []chat.Place) ([]chat.Finding, error) {
	if group == "" {
		return d.examine(ctx), nil
	}
	if d.urlErr != nil {
		return nil, d.urlErr
	}
	guild, ok := strings.CutPrefix(string(group), name+":")
	if !ok || !isSnowflake(guild) {
		return []chat.Finding{{Line: games.Say("bot.stands.alone", nil)}}, nil
	}
	bot, err := d.requestMember(ctx, guild)
	if isUnknown(err) {
		return []chat.Finding{{Line: games.Say("bot.stands.gone", nil), Wrong: true}}, nil
	}
	if err != nil {
		return nil, err
	}
	granted, err := bot.permissionsIn(&discordgo.Channel{ID: guild}) // by its roles, in the whole server
	if err != nil {
		return nil, err
	}
	var all []chat.Finding
	if missing := missingPermissions(granted, inGuilds); len(missing.Permissions) > 0 {
		all = append(all, chat.Finding{Wrong: true, Line: games.Say("bot.stands.lacks", games.Args{
			"Permissions": missing.Permissions, "Where": games.Say("bot.discord.where-roles", nil),
		})})
	}
	for _, place := range places {
		found, err := d.consultAt(ctx, bot, place)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if !slices.ContainsFunc(all, func(f chat.Finding) bool { return f.Wrong }) {
		all = append(all, chat.Finding{Line: games.Say("bot.stands.well", nil)})
	}
	if granted&(discordgo.PermissionCreatePublicThreads|discordgo.PermissionAdministrator) == 0 {
		all = append(all, chat.Finding{Line: games.Say("bot.stands.no-threads",
			games.Args{"Permissions": games.List{toOpen.name}})})
	}
	if granted&(discordgo.PermissionCreateEvents|discordgo.PermissionAdministrator) == 0 {
		all = append(all, chat.Finding{Line: games.Say("bot.stands.evening.events",
			games.Args{"Permissions": games.List{games.Say("bot.discord.create-events", nil)}})})
	}
	return all, nil
}

// consultAt returns a finding if bot lacks permissions in the channel or thread of place, or cannot see it; else nil.
func (d *Discord) consultAt(ctx context.Context, bot botMember, place chat.Place) ([]chat.Finding, error) {
	id, err := parsePlace(place)
	if err != nil {
		return nil, nil // a table without a channel, which waits to be moved
	}
	c, err := d.channel(ctx, id)
	needed := inChannels
	if err == nil && c.IsThread() {
		needed = inThreads
		var above *discordgo.Channel
		above, err = d.channel(ctx, c.ParentID)
		c.PermissionOverwrites = above.PermissionOverwrites
	}
	if isUnknown(err) {
		return []chat.Finding{{Wrong: true, Line: games.Say("bot.stands.no-place", nil)}}, nil
	}
	if err != nil {
		return nil, err
	}
	granted, err := bot.permissionsIn(c)
	missing := missingPermissions(granted, needed)
	if err != nil || len(missing.Permissions) == 0 {
		return nil, err
	}
	return []chat.Finding{{Wrong: true, Line: games.Say("bot.stands.lacks-at", games.Args{
		"Place": "#" + clip(clean(c.Name), maxThread), "Permissions": missing.Permissions, "Where": missing.Where,
	})}}, nil
}

// channel requests the description of a channel or thread from Discord, by its id.
func (d *Discord) channel(ctx context.Context, id string) (*discordgo.Channel, error) {
	c := &discordgo.Channel{}
	return c, d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointChannel(id), nil, c)
}

// guild requests the description of a server from Discord, by its id.
func (d *Discord) guild(ctx context.Context, id string) (*discordgo.Guild, error) {
	g := &discordgo.Guild{}
	return g, d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointGuild(id), nil, g)
}

// OtherAdmin reports whether the owner of group, a server, is a person other than user. It does not look for other
// admins: not every bot may list the members of a server.
func (d *Discord) OtherAdmin(ctx context.Context, group chat.Chat, user chat.User) (bool, error) {
	id, ok := strings.CutPrefix(string(group), name+":")
	if !ok || !isSnowflake(id) || d.urlErr != nil {
		return false, d.urlErr
	}
	g, err := d.guild(ctx, id)
	return err == nil && userID(g.OwnerID) != user, err
}

// botMember is the bot as a member of a server, in the form from which the library computes permissions.
type botMember struct {
	*discordgo.State
	guild, me string // the ids of the server and the bot
}

// requestMember requests from Discord the permissions of the bot in the server with the id guild.
func (d *Discord) requestMember(ctx context.Context, guild string) (botMember, error) {
	s, me, m := botMember{State: discordgo.NewState(), guild: guild}, &discordgo.User{}, &discordgo.Member{}
	if err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointUser("@me"), nil, me); err != nil {
		return s, err
	}
	s.me = me.ID
	g, err := d.guild(ctx, guild)
	if err != nil {
		return s, err
	}
	err = d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointGuildMember(guild, me.ID), nil, m)
	g.ID, m.GuildID, m.User = guild, guild, me
	return s, errors.Join(err, s.GuildAdd(g), s.MemberAdd(m))
}

// permissionsIn returns the bits of the bot's permissions in channel c of the server. It adds c to the channels in s.
func (s botMember) permissionsIn(c *discordgo.Channel) (uint64, error) {
	c.GuildID = s.guild
	if err := s.ChannelAdd(c); err != nil {
		return 0, err
	}
	granted, err := s.UserChannelPermissions(s.me, c.ID)
	return uint64(granted), err
}

// isUnknown reports whether err is a refusal because an object does not exist or the bot may not see it.
func isUnknown(err error) bool {
	refused, ok := refusalOf(err)
	return ok && refused.Code != 0 && (refused.Status == http.StatusForbidden || refused.Status == http.StatusNotFound)
}

// examine returns findings for the operator: whether Discord can be reached, accepts the token, lets the bot connect,
// and permits the bot to write in each of its servers.
func (d *Discord) examine(ctx context.Context) []chat.Finding {
	if d.urlErr != nil {
		return []chat.Finding{problem("%v", d.urlErr)}
	}
	var me person
	err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointUser("@me"), nil, &me)
	if refused, ok := refusalOf(err); ok && refused.Status == http.StatusUnauthorized {
		return []chat.Finding{problem("unknown token: copy the current one from the Developer Portal")}
	}
	if err != nil {
		return []chat.Finding{problem("unreachable: %v", err)}
	}
	all := []chat.Finding{{Text: "connected as " + me.Username}}
	var g discordgo.GatewayBotResponse
	err = d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointGatewayBot, nil, &g)
	switch starts := g.SessionStartLimit; {
	case err != nil:
		all = append(all, problem("read gateway address failed: %v", err))
	case starts.Total > 0 && starts.Remaining == 0:
		all = append(all, problem("no connections left for today"))
	default:
		all = append(all, chat.Finding{Text: fmt.Sprintf("%d of %d connections left for today", starts.Remaining,
			starts.Total)})
	}
	all = append(all, chat.Finding{Text: d.describeEmoji(ctx)})
	var a application
	err = d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &a)
	switch {
	case err != nil:
		all = append(all, problem("read application failed: %v", err))
	case a.forAccounts():
		all = append(all, chat.Finding{Text: "user install is on"})
	default:
		all = append(all, chat.Finding{Text: "user install is off: nobody can play where the bot is no member " +
			"(Developer Portal, Installation, User Install)"})
	}
	if err == nil {
		all = append(all, d.examineActivity(ctx, a)...)
	}
	// Only servers that withhold a permission from the bot get a finding. Single channels may withhold more.
	var list []struct{ Name, Permissions string }
	if err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointUserGuilds("@me"), nil, &list); err != nil {
		return append(all, problem("list servers failed: %v", err))
	}
	if len(list) == 0 {
		return append(all, problem("the bot is in no server: open its install link and pick one"))
	}
	for _, g := range list {
		granted, err := strconv.ParseUint(g.Permissions, 10, 64)
		if err != nil {
			continue
		}
		if missing := missingPermissions(granted, inGuilds); len(missing.Permissions) > 0 {
			all = append(all, chat.Finding{Wrong: true, Line: games.Say("bot.stands.server-lacks", games.Args{
				"Server": clip(clean(g.Name), maxThread), "Permissions": missing.Permissions,
				"Where": games.Say("bot.discord.where-roles", nil),
			})})
		}
	}
	return append(all, chat.Finding{Text: fmt.Sprintf("servers: %d", len(list))})
}

// problem returns a finding about something that the operator must repair. format and args make its text, as in fmt.
func problem(format string, args ...any) chat.Finding {
	return chat.Finding{Text: fmt.Sprintf(format, args...), Wrong: true}
}

// permission is a permission on Discord: its bit and its name in Discord's client.
type permission struct {
	bit  uint64
	name games.Line
}

// The permissions, and which are needed: inChannels for boards in a channel, inThreads for boards in a thread,
// forThreads to open a thread, inGuilds in a whole server.
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

var (
	// threads are the types of channels that are threads.
	threads = []discordgo.ChannelType{10, 11, 12}
	// threadTypes holds the types of channels in which threads can be opened, each with the type of such a thread.
	threadTypes = map[discordgo.ChannelType]discordgo.ChannelType{0: 11, 5: 10}
)

// missingPermissions returns the permissions in needed that are not among the bits granted, and where an admin grants
// them. It returns none for an administrator, who has all permissions.
func missingPermissions(granted uint64, needed []permission) (missing chat.MissingPermissions) {
	if granted&discordgo.PermissionAdministrator != 0 {
		return missing
	}
	for _, p := range needed {
		if granted&p.bit == 0 {
			missing.Permissions = append(missing.Permissions, p.name)
		}
	}
	if len(missing.Permissions) > 0 {
		missing.Where = games.Say("bot.discord.where", nil)
	}
	return missing
}

// maxThread is the largest number of characters in a thread's name.
const maxThread = 100

// openThread opens a thread with this name in the interaction's channel, adds the person who asked for it, and returns
// its place. If the bot lacks permissions, the error is a chat.MissingPermissions.
func (c *conversation) openThread(ctx context.Context, name string) (chat.Place, error) {
	if granted, err := strconv.ParseUint(c.in.Permissions, 10, 64); err == nil {
		if missing := missingPermissions(granted, forThreads); len(missing.Permissions) > 0 {
			return "", missing
		}
	}
	name = strings.TrimSpace(clip(clean(name), maxThread))
	var made sent
	request := map[string]any{"name": name, "type": threadTypes[c.in.Channel.Type],
		"auto_archive_duration": 3 * 24 * 60} // minutes without a message: as long as the longest turn
	err := c.rest.call(ctx, true, http.MethodPost, discordgo.EndpointChannelThreads(c.in.ChannelID), request, &made)
	refused, ok := refusalOf(err)
	switch {
	case ok && (refused.Code == discordgo.ErrCodeMissingAccess ||
		refused.Code == discordgo.ErrCodeMissingPermissions):
		return "", missingPermissions(0, []permission{toOpen})
	case ok && refused.Code == discordgo.ErrCodeMaximumNumberOfActiveThreadsReached:
		return "", games.Refuse("bot.thread.too-many", nil)
	case err != nil:
		return "", err
	}
	p, _ := c.in.author()
	if isSnowflake(p.ID) {
		err := c.rest.call(ctx, true, http.MethodPut, discordgo.EndpointThreadMember(made.ID, p.ID), nil, nil)
		if err != nil {
			c.log.Debug("add thread member failed", "error", err)
		}
	}
	return placeID(c.in.GuildID, made.ID), nil
}

// linkedToast returns the toast of reply as a private message. If reply.At is set, it adds a link to that place.
func linkedToast(reply chat.Reply) body {
	b := toast(reply.Toast)
	if channel, err := parsePlace(reply.At); err == nil {
		b.Content += " <#" + channel + ">"
	}
	return b
}
