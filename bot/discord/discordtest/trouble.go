package discordtest

import (
	"slices"
	"strings"
)

// What a test does to the bot behind its back: to its connections, and to its emoji.

// Open says what happens to the bot's next connections, one each.
func (s *Server) Open(openings ...Opening) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.openings = append(s.gateway.openings, openings...)
}

// Connections says how often the bot has connected to the gateway, and how
// often it has begun a session and resumed one.
func (s *Server) Connections() (opened, identified, resumed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gateway.opened, s.gateway.identifies, s.gateway.resumes
}

// Sockets says how many connections are open now.
func (s *Server) Sockets() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.gateway.conns)
}

// Listening reports whether the bot is connected, with all its shards, and hears
// events.
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
	s.tell()
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
	s.tell()
}

// AskReconnect asks the bot to connect anew.
func (s *Server) AskReconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if live := s.gateway.present(0); live != nil && live.conn != nil {
		live.conn.send(frame{Op: opReconnect})
		live.conn = nil
	}
	s.tell()
}

// IgnoreBeats leaves heartbeats unanswered while it is on, as a dead connection does.
func (s *Server) IgnoreBeats(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.ignoresBeats = on
}

// Invalidate ends the session: at once on its connection, and for resumes.
// The bot may be told that it could resume.
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
	s.tell()
}

// ForgetSessions lets the next resume fail without a word now.
func (s *Server) ForgetSessions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.sessions = map[string]*session{}
}

// Emoji are all of the application's that there are, in the order of their uploads.
func (s *Server) Emoji() []Emoji {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.emoji.all)
}

// AddEmoji has the operator upload one, and returns its id.
func (s *Server) AddEmoji(name string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id = s.snowflake()
	s.emoji.all = append(s.emoji.all, Emoji{ID: id, Name: name})
	return id
}

// RemoveEmoji has the operator delete those whose names begin so.
func (s *Server) RemoveEmoji(begin string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emoji.all = slices.DeleteFunc(s.emoji.all, func(e Emoji) bool { return strings.HasPrefix(e.Name, begin) })
	s.tell()
}

// RefuseEmoji has the server refuse whatever is about emoji with a status, or take it
// again with 0.
func (s *Server) RefuseEmoji(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emoji.refused = status
}
