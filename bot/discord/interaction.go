package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// Interactions, their conversion to events, and ids.

// interaction is a command, a button press or a completion (a person typing an option). It has only the fields that the
// bot needs, so that new fields from Discord cannot break it; the library's type panics over unknown components.
type interaction struct {
	ID            string                      `json:"id"`
	ApplicationID string                      `json:"application_id"`
	Type          discordgo.InteractionType   `json:"type"`
	Token         string                      `json:"token"`
	GuildID       string                      `json:"guild_id"`
	ChannelID     string                      `json:"channel_id"`
	Locale        string                      `json:"locale"`
	GuildLocale   string                      `json:"guild_locale"`
	Guild         struct{ Features []string } `json:"guild"`
	Permissions   string                      `json:"app_permissions"` // the bot's, in the channel
	// Context is the kind of place: 0 a server, 1 the chat with the bot, or inGroup.
	Context int `json:"context"`
	// Owners are those who have installed the bot, by type: "0" is the server, "1" a person. A press has the owners of
	// its message.
	Owners  map[string]string `json:"authorizing_integration_owners"`
	Channel channel           `json:"channel"`
	Member  *member           `json:"member"`
	User    *person           `json:"user"`
	Message *sent             `json:"message"`
	Raw     json.RawMessage   `json:"data"`

	data  data
	at    time.Time // when it arrived
	guest bool      // the bot is no member of its place
}

// channel is the channel or thread in which an interaction was made.
type channel struct {
	Type   discordgo.ChannelType `json:"type"`
	Newest string                `json:"last_message_id"`
}

// member is a person as a member of a server.
type member struct {
	User        *person `json:"user"`
	Nick        string  `json:"nick"`
	Permissions string  `json:"permissions"`
}

// person is a user of Discord: a person, or the bot itself.
type person struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name"`
}

// data holds the fields of an interaction that depend on its type.
type data struct {
	Name     string                           `json:"name"`
	Type     discordgo.ApplicationCommandType `json:"type"`      // the type of a command
	Target   string                           `json:"target_id"` // the person or message whose menu was used
	CustomID string                           `json:"custom_id"`
	Values   []string                         `json:"values"`  // chosen in a select list
	Options  []option                         `json:"options"` // of the command, or of its subcommand
	Row      string                           `json:"-"`       // the chosen subcommand, "" for none
	// Resolved describes the users that the options mention, by id.
	Resolved struct {
		Users   map[string]person `json:"users"`
		Members map[string]member `json:"members"`
	} `json:"resolved"`
}

// option is a command's option with its value, or a subcommand with its own options.
type option struct {
	Name    string                                 `json:"name"`
	Type    discordgo.ApplicationCommandOptionType `json:"type"`
	Value   json.RawMessage                        `json:"value"`
	Focused bool                                   `json:"focused"`
	Options []option                               `json:"options"` // a subcommand's
}

// readInteraction parses raw and sets the time of arrival. It returns false if the bot cannot answer the interaction.
func readInteraction(raw []byte) (interaction, bool) {
	var i interaction
	if !isReadable(json.Unmarshal(raw, &i)) || !isSnowflake(i.ID) || !isSnowflake(i.ApplicationID) ||
		!isSnowflake(i.ChannelID) {
		return interaction{}, false
	}
	// Requests contain the token in their path, where it must need no escaping.
	if strings.Trim(i.Token, ".") == "" || url.PathEscape(i.Token) != i.Token ||
		i.GuildID != "" && !isSnowflake(i.GuildID) {
		return interaction{}, false
	}
	if !isReadable(json.Unmarshal(i.Raw, &i.data)) {
		i.data = data{} // an interaction of an unknown kind is answered, too
	}
	if o := i.data.Options; len(o) == 1 && o[0].Type == discordgo.ApplicationCommandOptionSubCommand {
		i.data.Row, i.data.Options = o[0].Name, o[0].Options
	}
	if i.Message != nil && !isSnowflake(i.Message.ID) {
		i.Message = nil
	}
	i.at = time.Now()
	_, member := i.Owners["0"]
	i.guest = i.Context == inGroup || i.GuildID != "" && len(i.Owners) > 0 && !member
	return i, true
}

// isReadable reports whether a value is usable after json.Unmarshal has returned err: nil, or a field had a wrong type.
func isReadable(err error) bool {
	_, wrong := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || wrong
}

// author returns the person who made the interaction, with their name in the server, or else their name on Discord.
func (i interaction) author() (p person, displayName string) {
	if i.Member != nil && i.Member.User != nil {
		p, displayName = *i.Member.User, i.Member.Nick
	} else if i.User != nil {
		p = *i.User
	}
	return p, cmp.Or(displayName, p.GlobalName, p.Username)
}

// isAdmin reports whether the author may change the chat's settings: in a server its admins, in direct messages anyone.
func (i interaction) isAdmin(context.Context) bool {
	if i.GuildID == "" {
		return true
	}
	if i.Member == nil {
		return false
	}
	granted, err := strconv.ParseUint(i.Member.Permissions, 10, 64)
	return err == nil && granted&(discordgo.PermissionAdministrator|discordgo.PermissionManageGuild) != 0
}

// event returns the interaction as an event for the core.
func (i interaction) event() chat.Event {
	p, displayName := i.author()
	own := i.GuildID == "" && i.Context != inGroup
	ev := chat.Event{
		ID: name + ":" + i.ID, Chat: chatID(i.GuildID, i.ChannelID), Place: placeID(i.GuildID, i.ChannelID),
		Name: displayName, Locale: i.Locale, Functions: chat.Functions{Admin: i.isAdmin},
		Traits: chat.Traits{Carries: true, Menus: true, Own: own, Whispers: !own, Guest: i.guest, Perishable: i.guest,
			Equals: i.Context == inGroup},
	}
	if p.ID != "" {
		ev.User = userID(p.ID)
	}
	if own {
		ev.Invite = inviteLink + i.ApplicationID
	}
	// A server's locale is en-US unless an admin chose another, which only community servers can. "und": none is known.
	if i.GuildID != "" {
		ev.Shared = "und"
		if slices.Contains(i.Guild.Features, "COMMUNITY") || i.GuildLocale != "en-US" {
			ev.Shared = cmp.Or(i.GuildLocale, "und")
		}
	}
	if granted, err := strconv.ParseUint(i.Permissions, 10, 64); err == nil && i.GuildID != "" && !i.guest {
		needed := inChannels
		if slices.Contains(threads, i.Channel.Type) {
			needed = inThreads
		}
		ev.Missing = missingPermissions(granted, needed)
	}
	if i.Message != nil {
		ev.On = refID(i.ChannelID, i.Message.ID)
	}
	if i.Type != discordgo.InteractionApplicationCommand {
		ev.Press = i.data.CustomID
		if len(i.data.Values) > 0 { // a list is identified by the chosen value
			ev.Press = i.data.Values[0]
		}
		if ev.Press == "" {
			ev.Press = "?" // an unknown kind of interaction
		}
		return ev
	}
	ev.Command = i.data.Name
	ev.Options = map[string]string{}
	ev.Mentions = map[string]chat.Mention{}
	ev.Row = i.data.Row
	for _, o := range i.data.Options {
		text := o.text()
		if o.Type == discordgo.ApplicationCommandOptionUser {
			text = "<@" + text + ">"
		}
		ev.Options[o.Name] = i.addMentions(&ev, text)
	}
	return ev
}

// inviteLink and an application's id are the address at which an admin adds the bot to a server. It needs no scopes and
// permissions: Discord adds those that the operator has set. With forAccount behind it, a person adds the bot to their
// account.
const (
	inviteLink = "https://discord.com/oauth2/authorize?client_id="
	forAccount = "&integration_type=1&scope=applications.commands"
)

// addMentions returns text and adds the people mentioned in it to ev.Mentions. If text mentions the bot itself, the
// result is "house", which names the computer player.
func (i interaction) addMentions(ev *chat.Event, text string) string {
	if text == "<@"+i.ApplicationID+">" {
		return "house" // the English word works in all languages
	}
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		p := i.data.Resolved.Users[m[1]]
		ev.Mentions[m[0]] = chat.Mention{
			User: userID(m[1]), Name: cmp.Or(i.data.Resolved.Members[m[1]].Nick, p.GlobalName, p.Username),
		}
	}
	return text
}

// setMenuCommand sets the command of ev, its subcommand, and the person or message in whose menu it was chosen. Discord
// contains only the English label of the menu entry, so it looks for a command in commands with that label.
func (i interaction) setMenuCommand(ev *chat.Event, commands []chat.Command) {
	if !isSnowflake(i.data.Target) {
		return
	}
	for _, c := range commands {
		for n, row := range append([]chat.Command{c}, c.Rows...) {
			label := row.OnPerson[english]
			if i.data.Type == discordgo.MessageApplicationCommand {
				label = row.OnBoard[english]
			}
			if label == "" || clip(clean(label), maxName) != i.data.Name {
				continue
			}
			ev.Command = c.Name
			if n > 0 {
				ev.Row = row.Name
			}
			if i.data.Type == discordgo.MessageApplicationCommand {
				ev.On = refID(i.ChannelID, i.data.Target)
				return
			}
			for _, o := range row.Options {
				if o.Type == chat.TypePerson {
					ev.Options[o.Name] = i.addMentions(ev, "<@"+i.data.Target+">")
					return
				}
			}
			return
		}
	}
}

// mention matches the mention of a person in a text.
var mention = regexp.MustCompile(`<@!?([0-9]{1,20})>`)

// text returns the option's value as a text: a number or true as a person would type it.
func (o option) text() string {
	var s string
	if json.Unmarshal(o.Value, &s) == nil {
		return s
	}
	return string(bytes.TrimSpace(o.Value))
}

// name is the prefix of all ids of Discord.
const name = "discord"

// noServer replaces the server in ids of direct messages, which belong to no server.
const noServer = "@"

// chatID returns the chat of the server with the id guild, or if guild is "", the chat of direct messages in channel.
func chatID(guild, channel string) chat.Chat {
	if guild == "" {
		return chat.Chat(name + ":" + noServer + channel)
	}
	return chat.Chat(name + ":" + guild)
}

// placeID returns the place of a channel or thread in the server with the id guild. guild is "" for direct messages.
func placeID(guild, channel string) chat.Place {
	if guild == "" {
		guild = noServer
	}
	return chat.Place(name + ":" + guild + ":" + channel)
}

// parsePlace returns the Discord id of the channel or thread p, or an error if p is not on Discord.
func parsePlace(p chat.Place) (channel string, err error) {
	part := strings.Split(string(p), ":")
	if len(part) != 3 || part[0] != name || !isSnowflake(part[2]) {
		return "", errors.New("not a Discord channel")
	}
	return part[2], nil
}

// userID returns the chat.User of the person with this Discord id.
func userID(id string) chat.User { return chat.User(name + ":" + id) }

// refID returns the chat.Ref of the message with this Discord id in channel.
func refID(channel, message string) chat.Ref { return chat.Ref(channel + "/" + message) }

// parseRef returns the Discord ids of r's channel and message, or an error if r is not on Discord.
func parseRef(r chat.Ref) (channel, message string, err error) {
	channel, message, ok := strings.Cut(string(r), "/")
	if !ok || !isSnowflake(channel) || !isSnowflake(message) {
		return "", "", errors.New("not a Discord message")
	}
	return channel, message, nil
}

// isSnowflake reports whether s is a valid Discord id: a decimal number, which is safe in the path of a request.
func isSnowflake(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && n >= 0 && s == strconv.FormatInt(n, 10)
}

// maxEditAge is how old a message may be to be edited. Discord limits edits after an hour, so older ones are replaced.
const maxEditAge = 55 * time.Minute

// clock holds how many nanoseconds Discord's clock is ahead of the machine's. New interactions show that by their ids.
// With a wrong clock all boards would look too old for edits.
type clock struct{ ahead atomic.Int64 }

// age returns how long ago the message with this id was posted, both times by Discord's clock.
func (c *clock) age(message string) time.Duration {
	posted, _ := discordgo.SnowflakeTimestamp(message) // the zero time for an invalid id: very old
	return time.Since(posted.Add(-time.Duration(c.ahead.Load())))
}
