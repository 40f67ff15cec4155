package main

import (
	"strings"
	"time"
)

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

// noted makes the server note how leases change hands, by its own clock: however slow the test looks, it knows when
// each was given back and taken. It returns the time there.
func (f *fleet) noted() (since time.Time) {
	f.t.Helper()
	db := f.opened()
	defer db.Close()
	for _, statement := range notes {
		if _, err := db.ExecContext(f.t.Context(), statement); err != nil {
			f.t.Fatal(err)
		}
	}
	if err := db.QueryRowContext(f.t.Context(), `SELECT clock_timestamp()`).Scan(&since); err != nil {
		f.t.Fatal(err)
	}
	return since
}

// handedOver fails unless all leases of the replica that was asked to end were given back before they lapsed, and then
// taken by the one that is left. It returns how many of them were not of chats.
func (f *fleet) handedOver(since time.Time, before map[string]string, left string) (others int) {
	f.t.Helper()
	var names []string
	for name, holder := range before {
		if holder != left {
			names = append(names, name)
		}
		if holder != left && !strings.HasPrefix(name, "chats ") {
			others++
		}
	}
	n := f.number(`SELECT COUNT(DISTINCT given.name) FROM noted.hands given
		JOIN noted.hands taken ON taken.name = given.name AND taken.at > given.at AND taken.holder = $2
		WHERE given.at >= $1 AND given.was NOT IN ('', $2) AND given.holder = '' AND NOT given.lapsed
			AND given.name = ANY($3)`, since, left, names)
	if n != len(names) {
		f.t.Errorf("of the leases %q only %d were handed over before they lapsed", names, n)
	}
	return others
}
