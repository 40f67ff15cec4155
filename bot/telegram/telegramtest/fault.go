package telegramtest

import (
	"net/http"

	"knobel/bot/fakes"
)

// Fault is a failure of one request.
type Fault = fakes.Fault

// Away cuts every connection while it is on, as without a network.
func (s *Server) Away(on bool) {
	s.Server.Away(on)
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.updates.release()
	}
	s.Tell()
}

// act applies a fault.
func (s *Server) act(f Fault, w http.ResponseWriter, r *http.Request) {
	if s.Strikes(f, w, r) {
		return
	}
	no := &refusal{code: f.Status, text: f.Message}
	if f.RetryAfter > 0 {
		no.parameters = map[string]any{"retry_after": int(f.RetryAfter)}
	}
	answer(w, nil, no)
}
