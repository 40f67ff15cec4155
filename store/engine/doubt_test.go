package engine

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"knobel/bot/fakes"
	"knobel/store/engine/postgrestest"
)

// TestWhoHasHeardOfAnEndAsksFirst makes the server be pinged only on a connection that it has closed, and
// that was idle for a while.
func TestWhoHasHeardOfAnEndAsksFirst(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	config, _, err := parse(server.Address(server.Database(t, "")))
	if err != nil {
		t.Fatal(err)
	}
	var conns [2]*pgx.Conn
	for i := range conns {
		if conns[i], err = pgx.ConnectConfig(t.Context(), config.ConnConfig); err != nil {
			t.Fatal(err)
		}
		defer conns[i].Close(t.Context())
	}
	conn := conns[0]
	quiet := stdlib.ShouldPingParams{Conn: conn, IdleDuration: time.Minute}
	for range 3 {
		if isInDoubt(t.Context(), quiet) {
			t.Error("a connection that stands is in doubt")
		}
		if _, err := conn.Exec(t.Context(), "SELECT 1"); err != nil {
			t.Errorf("it was looked at, and then: %v", err)
		}
	}
	if _, err := conns[1].Exec(t.Context(), "SELECT pg_terminate_backend($1)", conn.PgConn().PID()); err != nil {
		t.Fatal(err)
	}
	if isInDoubt(t.Context(), stdlib.ShouldPingParams{Conn: conn}) {
		t.Error("who has just used a connection asks whether it stands")
	}
	for began := time.Now(); !isInDoubt(t.Context(), quiet); time.Sleep(time.Millisecond) {
		if time.Since(began) > fakes.Patience {
			t.Fatal("nobody doubts a connection that has ended")
		}
	}
}
