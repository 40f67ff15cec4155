package telegramtest

import "knobel/bot/fakes"

// Start starts a server for a test, closes it at the test's end, and fails on violations that Forgive has not taken.
func Start(t fakes.TB, o Options) *Server {
	t.Helper()
	s, err := New(Described(), o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	s.Ends(t, s.Close)
	return s
}
