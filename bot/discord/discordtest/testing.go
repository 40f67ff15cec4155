package discordtest

import (
	"errors"
	"sync"

	"knobel/bot/standin"
)

// found loads the description once for all servers of a test binary.
var found = sync.OnceValues(func() (*Spec, error) {
	folder, err := standin.FindSpecs(specFile)
	if err != nil {
		return nil, err
	}
	return LoadSpec(folder)
})

// Start starts a server for a test, closes it at the test's end, and fails the
// test for every violation that is not taken by then with Forgive, and for
// every interaction that was delivered and never answered. It skips the test
// where there are no specs.
func Start(t standin.TB, o Options) *Server {
	t.Helper()
	if o.Spec == nil {
		spec, err := found()
		if errors.Is(err, standin.ErrNoSpecs) {
			t.Skipf("skipped: %v", err)
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		o.Spec = spec
	}
	s, err := New(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() {
		for _, i := range s.Unanswered() {
			t.Errorf("nobody answered %s", i)
		}
		s.Close()
		for _, v := range s.Violations() {
			t.Errorf("Discord would not take this: %v", v)
		}
	})
	return s
}

// Forgive returns the violations so far and forgets them, and forgets the
// interactions that nobody answered.
func (s *Server) Forgive() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	violations := s.violations
	s.violations = nil
	for _, i := range s.interactions {
		i.forgiven = true
	}
	return violations
}
