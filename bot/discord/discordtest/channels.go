package discordtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Messages of a channel through the API.

// oldAge is the age from which a message takes only oldEdits more edits.
const (
	oldAge   = time.Hour
	oldEdits = 3
)

// nonceLife is how long a post with the same nonce gets the earlier message, even if that was deleted.
const nonceLife = 5 * time.Minute

// openChannel returns the channel of a call. If it is gone or the bot lacks a permission in needs, it refuses the call
// and returns nil. The caller holds the lock.
func (s *Server) openChannel(w http.ResponseWriter, c call, needs int64) *Channel {
	channel := s.channels[c.parts[1]]
	switch {
	case channel == nil || channel.gone:
		refuse(w, http.StatusNotFound, 10003, "Unknown Channel")
		return nil
	case channel.isForeign():
		s.Violate(c.what(), "the bot is no member there")
		refuse(w, http.StatusForbidden, 50001, "Missing Access")
		return nil
	case channel.allowed()&ViewChannel == 0:
		refuse(w, http.StatusForbidden, 50001, "Missing Access")
		return nil
	case channel.allowed()&needs != needs:
		refuse(w, http.StatusForbidden, 50013, "Missing Permissions")
		return nil
	}
	return channel
}

func (s *Server) getChannel(w http.ResponseWriter, c call) {
	if channel := s.openChannel(w, c, 0); channel != nil {
		answer(w, http.StatusOK, channel.json())
	}
}

// getMessages lists the messages after a given one, or the last ones, newest first, if the bot may read them.
func (s *Server) getMessages(w http.ResponseWriter, c call) {
	channel := s.openChannel(w, c, 0)
	if channel == nil || !s.withinPace(w, "list "+channel.ID) {
		return
	}
	asked := url.Values(c.query)
	limit, err := strconv.Atoi(asked.Get("limit"))
	if err != nil {
		limit = 50
	}
	after, err := strconv.ParseUint(asked.Get("after"), 10, 64)
	all := []any{}
	for _, m := range channel.messages {
		id, _ := strconv.ParseUint(m.id, 10, 64)
		if m.private == nil && id > after && channel.allowed()&ReadHistory != 0 {
			all = append(all, m.json())
		}
	}
	if len(all) > limit && err == nil {
		all = all[:limit]
	}
	all = all[max(len(all)-limit, 0):]
	slices.Reverse(all)
	answer(w, http.StatusOK, all)
}

func (s *Server) postMessage(w http.ResponseWriter, c call) {
	needs := SendMessages
	if channel := s.channels[c.parts[1]]; channel != nil && channel.parent != nil {
		needs = SendInThreads
	}
	channel := s.openChannel(w, c, needs)
	if channel == nil || !s.withinPace(w, "post "+channel.ID) {
		return
	}
	if channel.locked {
		refuse(w, http.StatusForbidden, 160005, "Thread is locked")
		return
	}
	b, err := readBody(c.body, c.files)
	if err != nil {
		s.bad(w, c, err.Error())
		return
	}
	nonce := ""
	if b.Nonce != nil {
		nonce = fmt.Sprint(b.Nonce)
	}
	if m := channel.nonces[nonce]; b.EnforceNonce && nonce != "" && m != nil && s.age(m.id) < nonceLife {
		answer(w, http.StatusOK, m.json())
		return
	}
	if why := b.check(nil); why != "" {
		s.bad(w, c, why)
		return
	}
	channel.archived = false // a new message revives the thread
	if b.Answers != nil {
		switch found := channel.find(b.Answers.Message); {
		case channel.allowed()&ReadHistory == 0:
			refuse(w, http.StatusForbidden, 160002, "Cannot reply without permission to read message history")
			return
		case found == nil && (b.Answers.Must == nil || *b.Answers.Must):
			refuse(w, http.StatusBadRequest, 50035, "Unknown message")
			return
		case found == nil:
			b.Answers = nil
		}
	}
	m := s.newMessage(channel, b, nil)
	if b.Answers != nil {
		m.answers = b.Answers.Message
	}
	m.called = b.Mentions.Users
	m.nonce = nonce
	channel.nonces[nonce] = m
	answer(w, http.StatusOK, m.json())
	s.Tell()
}

// newMessage adds the message b to a channel. Only the person private sees it, nil: everyone. The caller holds s.mu.
func (s *Server) newMessage(channel *Channel, b body, private *Person) *message {
	m := &message{id: s.snowflake(), channel: channel, posted: s.now(), private: private}
	s.write(m, b)
	if private != nil {
		m.flags |= flagEphemeral
	}
	channel.messages = append(channel.messages, m)
	return m
}

// write sets those fields of m that the request b has. The caller holds the lock.
func (s *Server) write(m *message, b body) {
	if b.Content != nil {
		m.content = *b.Content
	}
	if b.Components != nil {
		m.components, m.tree = b.Components, b.tree
	}
	m.attached = nil
	for _, a := range b.attached {
		if a.ID == "" {
			a.ID = s.snowflake()
		}
		m.attached = append(m.attached, a)
	}
	m.flags |= b.flags() & (flagEphemeral | flagV2 | flagSilent)
}

// change edits m, or refuses an edit that breaks a rule and returns false. The caller holds the lock.
func (s *Server) change(w http.ResponseWriter, c call, m *message, raw json.RawMessage) bool {
	b, err := readBody(raw, c.files)
	if err != nil {
		s.bad(w, c, err.Error())
		return false
	}
	why := b.check(m)
	if b.flags()&flagEphemeral != 0 && m.private == nil {
		why = "a message cannot become private later"
	}
	if why != "" {
		s.bad(w, c, why)
		return false
	}
	s.write(m, b)
	m.edits++
	m.waiting = false
	return true
}

// editable returns the message that a call of this route changes, or refuses the call (nil). The caller holds s.mu.
func (s *Server) editable(w http.ResponseWriter, c call, route string) *message {
	channel := s.openChannel(w, c, 0)
	if channel == nil || !s.withinPace(w, route+channel.ID) || channel.refuseArchived(w) {
		return nil
	}
	m := channel.find(c.parts[3])
	if m == nil || m.private != nil {
		refuse(w, http.StatusNotFound, 10008, "Unknown Message")
		return nil
	}
	return m
}

func (s *Server) patchMessage(w http.ResponseWriter, c call) {
	m := s.editable(w, c, "edit ")
	if m == nil {
		return
	}
	if s.age(m.id) > oldAge {
		m.oldEdits++
		if m.oldEdits > oldEdits {
			refuse(w, http.StatusTooManyRequests, 30046,
				"Maximum number of edits to messages older than 1 hour reached. Try again later")
			return
		}
	}
	if s.change(w, c, m, c.body) {
		answer(w, http.StatusOK, m.json())
		s.Tell()
	}
}

func (s *Server) deleteMessage(w http.ResponseWriter, c call) {
	if m := s.editable(w, c, "delete "); m != nil {
		m.channel.messages = slices.DeleteFunc(m.channel.messages, func(other *message) bool { return other == m })
		w.WriteHeader(http.StatusNoContent)
		s.Tell()
	}
}

// Threads of a channel, and their members.

// Types of threads in a text channel and in an announcement channel.
const (
	publicThread       = 11
	announcementThread = 10
)

// Threads returns the threads of a channel that were not deleted, oldest first.
func (c *Channel) Threads() []*Channel {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	var all []*Channel
	for _, t := range c.s.channels {
		if t.parent == c && !t.gone {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b *Channel) int { return int(a.s.age(b.ID) - a.s.age(a.ID)) })
	return all
}

// Voice returns a voice channel, which has a chat without threads.
func (g *Guild) Voice(name string) *Channel {
	c := g.Channel(name)
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	c.kind = 2
	return c
}

// Archive archives a thread, as Discord does after a long silence. New messages do not reopen a locked one.
func (c *Channel) Archive(locked bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.archived, c.locked = true, locked
}

// Added returns the ids of the people that the bot has added to a thread.
func (c *Channel) Added() []string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return slices.Clone(c.added)
}

// refuseArchived refuses a change in an archived thread and reports that. The caller holds the lock.
func (c *Channel) refuseArchived(w http.ResponseWriter) bool {
	if c.archived {
		refuse(w, http.StatusBadRequest, 50083, "Thread is archived")
	}
	return c.archived
}

// postThread opens a thread. The caller holds the lock.
func (s *Server) postThread(w http.ResponseWriter, c call) {
	channel := s.openChannel(w, c, OpenThreads)
	if channel == nil {
		return
	}
	var b struct {
		Name string `json:"name"`
		Type int    `json:"type"`
		Life int    `json:"auto_archive_duration"`
	}
	if err := json.Unmarshal(c.body, &b); err != nil {
		s.bad(w, c, err.Error())
		return
	}
	want := publicThread
	if channel.kind == 5 {
		want = announcementThread
	}
	switch {
	case channel.guild == nil || channel.parent != nil || channel.kind != 0 && channel.kind != 5:
		s.bad(w, c, "no threads below that channel")
		return
	case b.Type != want:
		s.bad(w, c, "type "+strconv.Itoa(b.Type)+" is none of a thread there")
		return
	case b.Name == "" || utf8.RuneCountInString(b.Name) > 100:
		s.bad(w, c, "a thread's name has 1 to 100 characters")
		return
	case !slices.Contains([]int{60, 1440, 4320, 10080}, b.Life):
		s.bad(w, c, "no such life of a thread")
		return
	}
	thread := s.channelLocked(b.Name, channel.guild, channel)
	answer(w, http.StatusCreated, thread.json())
	s.dispatch("THREAD_CREATE", thread.json())
	s.Tell()
}

// putMember adds a user to a thread. The caller holds the lock.
func (s *Server) putMember(w http.ResponseWriter, c call) {
	thread := s.openChannel(w, c, SendInThreads)
	if thread == nil {
		return
	}
	if thread.parent == nil {
		s.bad(w, c, "that is no thread")
		return
	}
	thread.added = append(thread.added, c.parts[3])
	w.WriteHeader(http.StatusNoContent)
	s.Tell()
}

// guildOf returns the server of a call, or refuses the call if the bot is not in it. The caller holds s.mu.
func (s *Server) guildOf(w http.ResponseWriter, c call) *Guild {
	for _, g := range s.guilds {
		if g.ID == c.parts[1] && !g.gone {
			return g
		}
	}
	refuse(w, http.StatusNotFound, 10004, "Unknown Guild")
	return nil
}

func (s *Server) getGuild(w http.ResponseWriter, c call) {
	g := s.guildOf(w, c)
	if g == nil {
		return
	}
	told := g.json()
	told["owner_id"] = "1"
	told["roles"] = []any{
		map[string]any{"id": g.ID, "name": "@everyone", "permissions": strconv.FormatInt(everyday&^g.denied, 10)},
		map[string]any{"id": g.ID + "1", "name": "Knobel", "permissions": "0"},
	}
	answer(w, http.StatusOK, told)
}

// getMember describes the bot or a person in a server that has the bot: all people are in all servers.
func (s *Server) getMember(w http.ResponseWriter, c call) {
	g, p := s.guildOf(w, c), s.people[c.parts[3]]
	switch {
	case g == nil:
	case p != nil:
		answer(w, http.StatusOK, p.member())
	case c.parts[3] == applicationID:
		answer(w, http.StatusOK, map[string]any{"user": botUser(), "roles": []string{g.ID + "1"}})
	default:
		refuse(w, http.StatusNotFound, 10007, "Unknown Member")
	}
}
