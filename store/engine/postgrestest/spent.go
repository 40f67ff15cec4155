package postgrestest

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Written returns how many bytes the server has written to its log (WAL) since it was created.
func (s *Server) Written(tb testing.TB) (written int64) {
	tb.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.Address("postgres"))
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, `SELECT (pg_current_wal_lsn() - '0/0')::BIGINT`).Scan(&written)
	if err != nil {
		tb.Fatal(err)
	}
	return written
}

// tick is the unit of processor times in /proc, see proc(5). It is the same on every Linux machine.
const tick = 10 * time.Millisecond

// Spent returns the processor time that all processes of the server have used. Off Linux it returns 0.
func (s *Server) Spent(tb testing.TB) (spent time.Duration) {
	tb.Helper()
	content, err := os.ReadFile(filepath.Join(s.Folder, "data", "postmaster.pid"))
	if err != nil {
		tb.Fatal(err)
	}
	mainPID, _, _ := strings.Cut(string(content), "\n")
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range all {
		content, err := os.ReadFile(name)
		if err != nil {
			continue // the process has ended
		}
		_, rest, _ := strings.Cut(string(content), ") ") // the name of the program may hold blanks
		fields := strings.Fields(rest)                   // the first is the state, field 3 of proc(5)
		if len(fields) < 15 || fields[1] != mainPID && filepath.Base(filepath.Dir(name)) != mainPID {
			continue
		}
		for i, field := range fields[11:15] { // its own processor time, and that of its ended children
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				tb.Fatal(err)
			}
			if i < 2 || fields[1] != mainPID {
				spent += time.Duration(n) * tick
			}
		}
	}
	return spent
}
