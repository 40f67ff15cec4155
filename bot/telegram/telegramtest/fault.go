package telegramtest

import "knobel/bot/fakes"

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
