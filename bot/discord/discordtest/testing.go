package discordtest

import "knobel/bot/fakes"

// Start starts a server for a test, closes it at the test's end, and fails on violations that Forgive has not taken
// and on unanswered interactions.
func Start(t fakes.TB, o Options) *Server {
	t.Helper()
	if o.Spec == nil {
		o.Spec = Described()
	}
	s, err := New(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	s.Ends(t, func() {
		for _, i := range s.Unanswered() {
			t.Errorf("nobody answered %s", i)
		}
		s.Close()
	})
	return s
}

// Forgive returns and clears the violations so far, and clears unanswered interactions.
func (s *Server) Forgive() []fakes.Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.interactions {
		i.forgiven = true
	}
	return s.Server.Forgive()
}
