package discordtest

import (
	"encoding/json"
	"net/http"
	"slices"
)

// Places where the bot is no member: servers that have not invited it, and conversations of people with each other. A
// person who has added the bot to their account uses its commands there; others press the buttons of its messages.

// inGroup is the context of interactions in conversations of people with each other.
const inGroup = 2

// maxFollowUps is the largest number of messages after the first answer in such a place.
const maxFollowUps = 5

// Install adds the bot to the account of p. Options.Accounts must be set.
func (s *Server) Install(p *Person) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.installed = true
}

// Foreign returns a new server that has not invited the bot.
func (s *Server) Foreign(name string) *Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Guild{s: s, ID: s.snowflake(), Name: name, foreign: true}
}

// Invite adds the bot to a server that Foreign has returned.
func (g *Guild) Invite() {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.foreign = false
	g.s.guilds = append(g.s.guilds, g)
	g.s.dispatch("GUILD_CREATE", g.json())
	g.s.Tell()
}

// Expel removes the bot from the server, with an event. Those who have added it to their account can use it there.
func (g *Guild) Expel() {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.foreign = true
	g.s.guilds = slices.DeleteFunc(g.s.guilds, func(known *Guild) bool { return known == g })
	g.s.dispatch("GUILD_DELETE", map[string]any{"id": g.ID})
	g.s.Tell()
}

// Group returns a new conversation of several people, which bots cannot join.
func (s *Server) Group() *Channel {
	c := s.channel("", nil, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	c.kind = 3
	return c
}

// Silence takes from p the right to write in the channel: others do not see answers to p there.
func (c *Channel) Silence(p *Person) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.silenced = append(c.silenced, p)
}

// isForeign reports whether the bot is no member of the channel's place. The caller holds the lock.
func (c *Channel) isForeign() bool {
	return c.guild == nil && c.kind == 3 || c.guild != nil && c.guild.foreign
}

// context returns the kind of the channel's place, as interactions have it.
func (c *Channel) context() int {
	switch {
	case c.guild != nil:
		return 0
	case c.kind == 3:
		return inGroup
	}
	return 1
}

// owners returns who has installed the bot, by type, if p uses it in the channel. The caller holds the lock.
func (c *Channel) owners(p *Person) map[string]any {
	all := map[string]any{}
	if p.installed {
		all["1"] = p.ID
	}
	switch {
	case c.isForeign():
	case c.guild != nil:
		all["0"] = c.guild.ID
	default:
		all["0"] = "0"
	}
	return all
}

// checkUsable records a violation if no client would offer the command to p in the channel. The caller holds the lock.
func (c *Channel) checkUsable(p *Person, command string) {
	if !c.isForeign() {
		return
	}
	var all []struct {
		Name     string `json:"name"`
		Installs []int  `json:"integration_types"`
		Contexts []int  `json:"contexts"`
	}
	_ = json.Unmarshal(c.s.commands, &all)
	for _, known := range all {
		if known.Name == command && p.installed && slices.Contains(known.Installs, 1) &&
			slices.Contains(known.Contexts, c.context()) {
			return
		}
	}
	c.s.Violate(p.Name+": /"+command, "no client offers it in that place")
}

// ExpireTokens makes Discord refuse the tokens of all interactions so far.
func (s *Server) ExpireTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.interactions {
		i.expired = true
	}
}

// isDead reports whether the interaction's token is no longer valid. Only the first call with a dead token is no
// violation. The caller holds the lock.
func (s *Server) isDead(c call, i *Interaction) bool {
	dead := i == nil || i.expired || s.now().Sub(i.sent) > tokenLife
	if dead && i != nil && i.channel.isForeign() {
		if i.refused++; i.refused > 1 {
			s.Violate(c.what(), "asks again with a token that was refused")
		}
	}
	return dead
}

// patchFurther edits a message that was sent after the first answer. The caller holds the lock.
func (s *Server) patchFurther(w http.ResponseWriter, c call) {
	i := s.byToken(w, c)
	if i == nil {
		return
	}
	n := slices.IndexFunc(i.further, func(m *message) bool { return m.id == c.parts[4] })
	if n < 0 || i.channel.find(c.parts[4]) == nil {
		refuse(w, http.StatusNotFound, 10008, "Unknown Message")
		return
	}
	if m := i.further[n]; s.change(w, c, m, c.body) {
		answer(w, http.StatusOK, m.json())
		s.Tell()
	}
}

// checkPlaces returns why the places of the command are invalid, or "". accounts: people can add the bot to their
// account.
func (c commandBody) checkPlaces(accounts bool) string {
	switch forAccounts := slices.Contains(c.Installs, 1); {
	case forAccounts && !accounts:
		return "integration type 1, but the application has no user install"
	case c.Type != entryPoint && slices.Contains(c.Contexts, inGroup) && !forAccounts:
		return "context 2 without integration type 1"
	}
	return ""
}
