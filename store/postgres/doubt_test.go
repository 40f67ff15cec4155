package postgres

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"knobel/bot/fakes"
	"knobel/store/postgres/postgrestest"
)

// TestWhoHasHeardOfAnEndAsksFirst has the server asked for a sign of life only on a connection that it has ended, and
// that nobody has used for a while.
func TestWhoHasHeardOfAnEndAsksFirst(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	config, _, err := parse(server.Address(server.Database(t, "")))
	if err != nil {
		t.Fatal(err)
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	quiet := pgxpool.ShouldPingParams{Conn: conn.Conn(), IdleDuration: time.Minute}
	for range 3 {
		if config.ShouldPing(t.Context(), quiet) {
			t.Error("a connection that stands is in doubt")
		}
		if _, err := conn.Exec(t.Context(), "SELECT 1"); err != nil {
			t.Errorf("it was looked at, and then: %v", err)
		}
	}
	if _, err := pool.Exec(t.Context(), "SELECT pg_terminate_backend($1)", conn.Conn().PgConn().PID()); err != nil {
		t.Fatal(err)
	}
	if config.ShouldPing(t.Context(), pgxpool.ShouldPingParams{Conn: conn.Conn()}) {
		t.Error("who has just used a connection asks whether it stands")
	}
	for began := time.Now(); !config.ShouldPing(t.Context(), quiet); time.Sleep(time.Millisecond) {
		if time.Since(began) > fakes.Patience {
			t.Fatal("nobody doubts a connection that has ended")
		}
	}
}
