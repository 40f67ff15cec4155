package telegramtest

import "knobel/bot/fakes"

// Start starts a server for a test, closes it at the test's end, and fails on violations that Forgive has not taken.
func Start(t fakes.TB, o Options) *Server {
	t.Helper()
	s, err := New(Described(), o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() {
		s.Close()
		for _, v := range s.Violations() {
			t.Errorf("Telegram would not take this: %v", v)
		}
	})
	return s
}

// Forgive returns and clears the violations so far.
func (s *Server) Forgive() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	violations := s.violations
	s.violations = nil
	return violations
}
