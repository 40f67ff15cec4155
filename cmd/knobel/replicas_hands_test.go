package main

import (
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"
)

// hands is what the server has noted of leases that change hands, by its own clock: however slow the test looks, it
// knows when each was given back and taken.
type hands struct {
	t     *testing.T
	db    *sql.DB
	since time.Time
}

// notes has the server note each change of a lease's holder.
var notes = []string{
	`CREATE SCHEMA IF NOT EXISTS noted`,
	`CREATE TABLE IF NOT EXISTS noted.hands (name TEXT, was TEXT, holder TEXT, lapsed BOOLEAN,
		at TIMESTAMPTZ DEFAULT clock_timestamp())`,
	`CREATE OR REPLACE FUNCTION noted.note() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO noted.hands (name, was, holder, lapsed) VALUES (NEW.name, OLD.holder, NEW.holder,
			OLD.ends <= EXTRACT(EPOCH FROM clock_timestamp()) * 1000);
		RETURN NULL;
	END $$`,
	`CREATE OR REPLACE TRIGGER noted AFTER UPDATE OF holder ON leases FOR EACH ROW
		WHEN (OLD.holder <> NEW.holder) EXECUTE FUNCTION noted.note()`,
}

// noted begins to look at how leases change hands.
func (f *fleet) noted() *hands {
	f.t.Helper()
	h := &hands{t: f.t, db: f.opened()}
	for _, statement := range notes {
		if _, err := h.db.ExecContext(f.t.Context(), statement); err != nil {
			f.t.Fatal(err)
		}
	}
	if err := h.db.QueryRowContext(f.t.Context(), `SELECT clock_timestamp()`).Scan(&h.since); err != nil {
		f.t.Fatal(err)
	}
	return h
}

// check fails unless all leases of the replica that was asked to end were given back in time, and taken by the one
// that is left. It returns how many of them were not of chats.
func (h *hands) check(before map[string]string, left string) (others int) {
	h.t.Helper()
	returned, taken := map[string]time.Duration{}, map[string]time.Duration{}
	rows, err := h.db.QueryContext(h.t.Context(), `SELECT name, was, holder, lapsed, at FROM noted.hands WHERE at >= $1
		ORDER BY at`, h.since)
	if err != nil {
		h.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, was, holder string
		var lapsed bool
		var at time.Time
		if err := rows.Scan(&name, &was, &holder, &lapsed, &at); err != nil {
			h.t.Fatal(err)
		}
		switch {
		case was != "" && was != left && was == before[name] && holder == "" && !lapsed:
			returned[name] = at.Sub(h.since)
		case holder == left:
			taken[name] = at.Sub(h.since)
		}
	}
	if err := rows.Err(); err != nil {
		h.t.Fatal(err)
	}
	var last time.Duration
	var handed []string
	for name, holder := range before {
		if holder == left {
			continue
		}
		if returned[name] == 0 || taken[name] < returned[name] {
			h.t.Errorf("lease %s was not handed over before it lapsed: given back after %v, taken after %v", name,
				returned[name], taken[name])
		}
		if last = max(last, taken[name]); !strings.HasPrefix(name, "chats ") {
			handed = append(handed, name)
		}
	}
	// It takes a third of a second where nothing else keeps the processors busy. That polling changes hands within a
	// second is shown in bot/telegram, where the clock is the test's.
	slices.Sort(handed)
	h.t.Logf("%d leases, %q among them, had changed hands %v after SIGTERM", len(taken), handed, last)
	return len(handed)
}
