package discordtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Away cuts every request and connection while it is on, as without a network.
func (s *Server) Away(on bool) {
	s.Server.Away(on)
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.gateway.dropAll()
	}
	s.Tell()
}

// fail answers with a fault of Discord's own.
func (s *Server) fail(w http.ResponseWriter, f Fault) {
	if f.Status == http.StatusTooManyRequests && f.Code == 0 {
		limited(w, f.RetryAfter, f.Global)
	} else {
		refuse(w, f.Status, f.Code, f.Message)
	}
}

// limited answers 429, for one route or for all.
func limited(w http.ResponseWriter, after float64, global bool) {
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

// crowded refuses a request beyond the bot's limit a second, and reports that. The caller holds the lock.
func (s *Server) crowded(w http.ResponseWriter) bool {
	now := s.now()
	s.lately = slices.DeleteFunc(s.lately, func(at time.Time) bool { return now.Sub(at) >= time.Second })
	if s.o.Whole > 0 && len(s.lately) >= s.o.Whole {
		limited(w, 1, true)
		return true
	}
	s.lately = append(s.lately, now)
	return false
}

// paced reports whether a route of a channel takes one more request, and refuses it otherwise. Asking again before
// Retry-After is a violation. The caller holds the lock.
func (s *Server) paced(w http.ResponseWriter, bucket string) bool {
	return s.o.Pace < 0 || s.pacedTo(w, bucket, s.o.Pace)
}

// pacedTo is paced with another limit.
func (s *Server) pacedTo(w http.ResponseWriter, bucket string, pace int) bool {
	now := s.now()
	p := s.pace[bucket]
	if p == nil || now.Sub(p.begun) >= windowLength {
		p = &window{begun: now}
		s.pace[bucket] = p
	}
	// in truncated milliseconds: the client comes a moment early
	left := p.begun.Add(windowLength).Sub(now).Truncate(time.Millisecond).Seconds()
	h := w.Header()
	h.Set("X-RateLimit-Bucket", fmt.Sprintf("%x", len(bucket))+bucket[:1])
	h.Set("X-RateLimit-Limit", strconv.Itoa(pace))
	h.Set("X-RateLimit-Reset-After", strconv.FormatFloat(left, 'f', 3, 64))
	if p.count >= pace {
		if now.Before(p.shut) {
			s.Violate(bucket, "asked again before the time that it was told to wait")
		}
		p.shut = p.begun.Add(windowLength)
		h.Set("X-RateLimit-Remaining", "0")
		limited(w, left, false)
		return false
	}
	p.count++
	h.Set("X-RateLimit-Remaining", strconv.Itoa(pace-p.count))
	return true
}
