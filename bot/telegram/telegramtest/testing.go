package telegramtest

import (
	"path/filepath"

	"knobel/bot/standin"
	"knobel/bot/standin/needs"
)

// Start starts a server for a test, closes it at the test's end, and fails the
// test for every violation that is not taken by then with Forgive. It skips
// the test where there are no specs.
func Start(t standin.TB, o Options) *Server {
	t.Helper()
	spec, err := LoadSpec(filepath.Dir(needs.Specs(t, specFile)))
	if err != nil {
		t.Fatalf("%v", err)
	}
	s, err := New(spec, o)
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

// Forgive returns the violations so far and forgets them.
func (s *Server) Forgive() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	violations := s.violations
	s.violations = nil
	return violations
}
