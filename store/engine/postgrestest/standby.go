package postgrestest

import (
	"io"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
)

// Standby returns a server that follows this one, which from then on answers a commit only after the standby has it on
// its disk.
func (s *Server) Standby(tb testing.TB) *Server {
	tb.Helper()
	standby, err := start(needs.PostgreSQL(tb), s.Port, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(standby.end)
	for _, statement := range []string{`ALTER SYSTEM SET synchronous_standby_names = '*'`, `SELECT pg_reload_conf()`} {
		if err := s.exec("postgres", statement); err != nil {
			tb.Fatal(err)
		}
	}
	const follows = `SELECT 1 / COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'`
	for late := time.Now().Add(fakes.Patience); s.exec("postgres", follows) != nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(late) {
			tb.Fatal("the standby does not follow")
		}
	}
	return standby
}

// Promote makes a standby the server after a crash, and returns when it accepts changes.
func (s *Server) Promote(tb testing.TB) {
	tb.Helper()
	if _, err := io.WriteString(s.input, "promote\n"); err != nil {
		tb.Fatal(err)
	}
	const changes = `SELECT 1 / (CASE WHEN pg_is_in_recovery() THEN 0 ELSE 1 END)`
	for late := time.Now().Add(fakes.Patience); s.exec("postgres", changes) != nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(late) {
			tb.Fatal("the standby does not take over")
		}
	}
}
