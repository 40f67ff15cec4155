package discordtest

import (
	"strconv"
)

// Person is a user of Discord.
type Person struct {
	ID     string
	Name   string
	Locale string
	// Permissions are the person's permission bits.
	Permissions int64
	// Nick is the person's name in servers; "": Name.
	Nick string

	installed bool // the person has added the bot to their account
}

// Discord's permission bits.
const (
	Administrator int64 = 1 << 3
	ManageGuild   int64 = 1 << 5
	ViewChannel   int64 = 1 << 10
	SendMessages  int64 = 1 << 11
	ReadHistory   int64 = 1 << 16
	OpenThreads   int64 = 1 << 35
	SendInThreads int64 = 1 << 38
	CreateEvents  int64 = 1 << 44
)

// everyday are the default permissions of people and of the bot.
const everyday = ViewChannel | SendMessages | ReadHistory | SendInThreads | OpenThreads | CreateEvents

// Guild is a Discord server.
type Guild struct {
	s    *Server
	ID   string
	Name string

	gone    bool
	foreign bool // it has not invited the bot
	denied  int64
	events  []*event // oldest first
}

// Channel is a channel of a guild, a thread, or a direct message.
type Channel struct {
	s      *Server
	ID     string
	Name   string
	guild  *Guild
	parent *Channel

	kind     int // Discord's channel type; 0: it follows from the other fields
	gone     bool
	archived bool
	locked   bool
	added    []string // ids of the people that the bot has added to the thread
	denied   int64
	silenced []*Person // those who may not write
	messages []*message
	nonces   map[string]*message
}

// Person returns a new user with a name and a client's locale, such as "de" or "en-US".
func (s *Server) Person(name, locale string) *Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &Person{ID: s.snowflake(), Name: name, Locale: locale, Permissions: everyday}
	s.people[p.ID] = p
	return p
}

// Guild returns a new server with the bot in it, after it has sent the bot the event GUILD_CREATE.
func (s *Server) Guild(name string) *Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &Guild{s: s, ID: s.snowflake(), Name: name}
	s.guilds = append(s.guilds, g)
	s.dispatch("GUILD_CREATE", g.json())
	return g
}

// Channel returns a new text channel.
func (g *Guild) Channel(name string) *Channel { return g.s.channel(name, g, nil) }

// Thread returns a new thread of the channel.
func (c *Channel) Thread(name string) *Channel { return c.s.channel(name, c.guild, c) }

// Direct returns a new direct message channel with the bot.
func (s *Server) Direct() *Channel { return s.channel("", nil, nil) }

// channel adds a channel to g (nil: a direct message) or a thread to parent.
func (s *Server) channel(name string, g *Guild, parent *Channel) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channelLocked(name, g, parent)
}

// channelLocked is channel for callers that hold the lock.
func (s *Server) channelLocked(name string, g *Guild, parent *Channel) *Channel {
	c := &Channel{s: s, ID: s.snowflake(), Name: name, guild: g, parent: parent, nonces: map[string]*message{}}
	s.channels[c.ID] = c
	return c
}

// Say posts text as the person p, without an event.
func (c *Channel) Say(p *Person, text string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.messages = append(c.messages, &message{id: c.s.snowflake(), channel: c, posted: c.s.now(), content: text, by: p})
	c.s.Tell()
}

// Deny revokes these permissions of the bot in the whole guild.
func (g *Guild) Deny(permissions int64) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.denied |= permissions
}

// Deny revokes permissions of the bot in this channel.
func (c *Channel) Deny(permissions int64) { c.setDenied(c.denied | permissions) }

// Allow undoes Deny for these permissions in this channel.
func (c *Channel) Allow(permissions int64) { c.setDenied(c.denied &^ permissions) }

// setDenied sets the permissions that the bot lacks in this channel.
func (c *Channel) setDenied(denied int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.denied = denied
}

// Delete deletes the channel and its threads, with an event for the channel.
func (c *Channel) Delete() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.gone = true
	for _, t := range c.s.channels {
		if t.parent == c {
			t.gone = true
		}
	}
	kind := "CHANNEL_DELETE"
	if c.parent != nil {
		kind = "THREAD_DELETE"
	}
	c.s.dispatch(kind, c.json())
	c.s.Tell()
}

// Remove removes the bot from the server, with an event.
func (g *Guild) Remove() { g.leave(true) }

// Return adds the bot to the server again, with the same channels.
func (g *Guild) Return() { g.leave(false) }

// leave removes the bot from the server if gone is true, otherwise adds it again, with an event.
func (g *Guild) leave(gone bool) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.gone = gone
	for _, c := range g.s.channels {
		if c.guild == g {
			c.gone = gone
		}
	}
	if gone {
		g.s.dispatch("GUILD_DELETE", map[string]any{"id": g.ID})
	} else {
		g.s.dispatch("GUILD_CREATE", g.json())
	}
	g.s.Tell()
}

// allowed returns the bot's permission bits in the channel. The caller holds the lock.
func (c *Channel) allowed() int64 {
	if c.guild != nil {
		return everyday &^ (c.denied | c.guild.denied)
	}
	return everyday &^ c.denied
}

func (c *Channel) json() map[string]any {
	out := map[string]any{"id": c.ID, "type": c.kind, "name": c.Name, "last_message_id": nil}
	for _, m := range c.messages {
		if m.private == nil {
			out["last_message_id"] = m.id
		}
	}
	switch {
	case c.guild == nil:
		out["type"] = max(c.kind, 1)
	case c.parent != nil:
		out["type"], out["parent_id"] = 11, c.parent.ID
	default:
		out["permission_overwrites"] = []any{map[string]any{
			"id": c.guild.ID, "type": 0, "allow": "0", "deny": strconv.FormatInt(c.denied, 10),
		}}
	}
	if c.guild != nil {
		out["guild_id"] = c.guild.ID
	}
	return out
}

func (g *Guild) json() map[string]any {
	return map[string]any{
		"id": g.ID, "name": g.Name, "channels": []any{}, "threads": []any{}, "roles": []any{}, "members": []any{},
		"emojis": []any{}, "member_count": 3, "large": false, "unavailable": false,
	}
}

func (p *Person) json() map[string]any {
	return map[string]any{
		"id": p.ID, "username": "user" + p.ID, "global_name": p.Name, "discriminator": "0", "avatar": nil,
		"public_flags": 0,
	}
}

func (p *Person) member() map[string]any { // the person as a guild member in JSON
	var nick any
	if p.Nick != "" {
		nick = p.Nick
	}
	return map[string]any{
		"user": p.json(), "nick": nick, "roles": []any{}, "joined_at": "2026-01-01T00:00:00.000000+00:00",
		"permissions": strconv.FormatInt(p.Permissions, 10), "deaf": false, "mute": false, "flags": 0, "pending": false,
	}
}

// botUser returns the bot as a user in JSON.
func botUser() map[string]any {
	return map[string]any{
		"id": applicationID, "username": "Knobel", "discriminator": "0001", "avatar": nil, "bot": true,
		"public_flags": 0,
	}
}
