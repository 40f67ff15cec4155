package discordtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Faults of connections, rate limits, and changes of the bot's emoji.

// Open sets how the gateway treats the bot's next connections, one after another.
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

// Sockets returns the number of open gateway connections.
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
		if live := s.gateway.current(shard); live == nil || live.conn == nil && live.tell == nil {
			return false
		}
	}
	return true
}

// Drop cuts the bot's connections; their sessions can be resumed.
func (s *Server) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, known := range s.gateway.sessions {
		known.conn = nil
	}
	s.gateway.dropAll()
	s.Tell()
}

// CloseWith closes the bot's connections with a close code.
func (s *Server) CloseWith(code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.gateway.conns {
		go c.closeWith(code)
	}
	if live := s.gateway.current(0); live != nil {
		live.conn = nil
	}
	s.Tell()
}

// AskReconnect asks the bot to connect its first shard again.
func (s *Server) AskReconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if live := s.gateway.current(0); live != nil && live.conn != nil {
		live.conn.send(frame{Op: opReconnect})
		live.conn = nil
	}
	s.Tell()
}

// IgnoreBeats leaves heartbeats unanswered while on, as a dead connection does.
func (s *Server) IgnoreBeats(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.ignoresBeats = on
}

// Invalidate ends the session of the first shard, and tells the bot whether it is resumable.
func (s *Server) Invalidate(resumable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.gateway.current(0)
	if live == nil {
		return
	}
	delete(s.gateway.sessions, live.id)
	if live.conn != nil {
		live.conn.send(frame{Op: opInvalid, Data: resumable})
	}
	s.Tell()
}

// ForgetSessions forgets all sessions, so that resumes fail.
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

// AddEmoji adds an emoji, as the operator can, and returns its id.
func (s *Server) AddEmoji(name string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id = s.snowflake()
	s.emoji = append(s.emoji, Emoji{ID: id, Name: name})
	return id
}

// RemoveEmoji deletes the emoji whose names begin with prefix, as the operator can.
func (s *Server) RemoveEmoji(prefix string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emoji = slices.DeleteFunc(s.emoji, func(e Emoji) bool { return strings.HasPrefix(e.Name, prefix) })
	s.Tell()
}

// Away cuts every request and connection while on, as without a network.
func (s *Server) Away(on bool) {
	s.Server.Away(on)
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.gateway.dropAll()
	}
	s.Tell()
}

// answerFault responds with the fault f as Discord does.
func (s *Server) answerFault(w http.ResponseWriter, f Fault) {
	if f.Status == http.StatusTooManyRequests && f.Code == 0 {
		refuseTooMany(w, f.RetryAfter, f.Global)
	} else {
		refuse(w, f.Status, f.Code, f.Message)
	}
}

// refuseTooMany responds with 429 and a Retry-After in seconds, for one route or for all (global).
func refuseTooMany(w http.ResponseWriter, after float64, global bool) {
	scope := "user"
	if global {
		scope = "global"
		w.Header().Set("X-RateLimit-Global", "true")
	}
	w.Header().Set("Retry-After", strconv.Itoa(int(after)+1))
	w.Header().Set("X-RateLimit-Scope", scope)
	answer(w, http.StatusTooManyRequests, map[string]any{
		"message": "You are being rate limited.", "retry_after": after, "global": global,
	})
}

// windowLength is the length of a rate limit's window.
const windowLength = 5 * time.Second

// refuseCrowded refuses a request beyond the bot's limit per second, and reports that. The caller holds s.mu.
func (s *Server) refuseCrowded(w http.ResponseWriter) bool {
	now := s.now()
	s.recent = slices.DeleteFunc(s.recent, func(at time.Time) bool { return now.Sub(at) >= time.Second })
	if s.o.Whole > 0 && len(s.recent) >= s.o.Whole {
		refuseTooMany(w, 1, true)
		return true
	}
	s.recent = append(s.recent, now)
	return false
}

// withinPace reports whether the route bucket of a channel accepts one more request, and refuses it otherwise. Asking
// again before the Retry-After is over is a violation. The caller holds the lock.
func (s *Server) withinPace(w http.ResponseWriter, bucket string) bool {
	return s.o.Pace < 0 || s.withinLimit(w, bucket, s.o.Pace)
}

// withinLimit is withinPace for at most limit requests within windowLength.
func (s *Server) withinLimit(w http.ResponseWriter, bucket string, limit int) bool {
	now := s.now()
	p := s.pace[bucket]
	if p == nil || now.Sub(p.begun) >= windowLength {
		p = &window{begun: now}
		s.pace[bucket] = p
	}
	// truncated to milliseconds, as Discord does: a client that waits exactly this long is too early
	left := p.begun.Add(windowLength).Sub(now).Truncate(time.Millisecond).Seconds()
	h := w.Header()
	h.Set("X-RateLimit-Bucket", fmt.Sprintf("%x", len(bucket))+bucket[:1])
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Reset-After", strconv.FormatFloat(left, 'f', 3, 64))
	if p.count >= limit {
		if now.Before(p.retryAt) {
			s.Violate(bucket, "asked again before the time that it was told to wait")
		}
		p.retryAt = p.begun.Add(windowLength)
		h.Set("X-RateLimit-Remaining", "0")
		refuseTooMany(w, left, false)
		return false
	}
	p.count++
	h.Set("X-RateLimit-Remaining", strconv.Itoa(limit-p.count))
	return true
}
