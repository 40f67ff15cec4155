package discordtest

import (
	"slices"
	"strings"
)

// What a test does to the bot's connections and its emoji.

// Open sets the gateway's reactions to the bot's next connections.
func (s *Server) Open(openings ...Opening) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.openings = append(s.gateway.openings, openings...)
}

// Connections returns how often the bot has connected to the gateway, started a session and resumed one.
func (s *Server) Connections() (opened, identified, resumed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gateway.opened, s.gateway.identifies, s.gateway.resumes
}

// Sockets returns the number of open connections.
func (s *Server) Sockets() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.gateway.conns)
}

// Listening reports whether all shards of the bot are connected and receive events.
func (s *Server) Listening() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for shard := range max(s.gateway.shards, 1) {
		if live := s.gateway.present(shard); live == nil || live.conn == nil && live.tell == nil {
			return false
		}
	}
	return true
}

// Drop cuts the bot's connection; its session can be resumed.
func (s *Server) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, known := range s.gateway.sessions {
		known.conn = nil
	}
	s.gateway.dropAll()
	s.Tell()
}

// CloseWith closes the bot's connection with a code.
func (s *Server) CloseWith(code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.gateway.conns {
		go c.closeWith(code)
	}
	if live := s.gateway.present(0); live != nil {
		live.conn = nil
	}
	s.Tell()
}

// AskReconnect asks the bot to reconnect.
func (s *Server) AskReconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if live := s.gateway.present(0); live != nil && live.conn != nil {
		live.conn.send(frame{Op: opReconnect})
		live.conn = nil
	}
	s.Tell()
}

// IgnoreBeats leaves heartbeats unanswered while it is on, as a dead connection does.
func (s *Server) IgnoreBeats(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.ignoresBeats = on
}

// Invalidate ends the session, on its connection and for resumes. The bot may be told that it could resume.
func (s *Server) Invalidate(resumable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.gateway.present(0)
	if live == nil {
		return
	}
	delete(s.gateway.sessions, live.id)
	if live.conn != nil {
		live.conn.send(frame{Op: opInvalid, Data: resumable})
	}
	s.Tell()
}

// ForgetSessions makes the next resume fail.
func (s *Server) ForgetSessions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.sessions = map[string]*session{}
}

// Emoji returns the application's emoji in the order of their uploads.
func (s *Server) Emoji() []Emoji {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.emoji)
}

// AddEmoji uploads one as the operator, and returns its id.
func (s *Server) AddEmoji(name string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id = s.snowflake()
	s.emoji = append(s.emoji, Emoji{ID: id, Name: name})
	return id
}

// RemoveEmoji deletes those whose names begin so, as the operator.
func (s *Server) RemoveEmoji(begin string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emoji = slices.DeleteFunc(s.emoji, func(e Emoji) bool { return strings.HasPrefix(e.Name, begin) })
	s.Tell()
}
