package discordtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"
)

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

// Archive archives a thread, as happens after a long silence. New messages do not revive a locked one.
func (c *Channel) Archive(locked bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.archived, c.locked = true, locked
}

// Added returns the people that the bot has added to a thread.
func (c *Channel) Added() []string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return slices.Clone(c.added)
}

// shut refuses changes in an archived thread. The caller holds the lock.
func (c *Channel) shut(w http.ResponseWriter) bool {
	if c.archived {
		refuse(w, http.StatusBadRequest, 50083, "Thread is archived")
	}
	return c.archived
}

// postThread opens a thread. The caller holds the lock.
func (s *Server) postThread(w http.ResponseWriter, c call) {
	channel := s.open(w, c, OpenThreads)
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
	thread := s.open(w, c, SendInThreads)
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

// guildOf returns the server of a call if the bot is in it. The caller holds the lock.
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

func (s *Server) getMember(w http.ResponseWriter, c call) {
	if g := s.guildOf(w, c); g != nil {
		answer(w, http.StatusOK, map[string]any{"user": botUser(), "roles": []string{g.ID + "1"}})
	}
}
