package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pressly/goose/v3/lock"

	"knobel/migrations"
)

// Before the database is open only the process is well: whoever delivers something is to deliver it again.
func TestWhoeverComesBeforeTheDatabaseIsOpenComesAgain(t *testing.T) {
	for _, test := range []struct {
		method, path string
		status       int
		says         string
	}{
		{http.MethodGet, "/healthz", http.StatusOK, "ok"},
		{http.MethodGet, "/healthz?database=off", http.StatusOK, "ok"},
		{http.MethodGet, "/readyz", http.StatusServiceUnavailable, "not open yet"},
		{http.MethodGet, "/readyz?platforms=off", http.StatusServiceUnavailable, "not open yet"},
		{http.MethodGet, "/", http.StatusServiceUnavailable, "try again"},
		{http.MethodPost, "/telegram", http.StatusServiceUnavailable, "try again"},
		{http.MethodPost, "/discord", http.StatusServiceUnavailable, "try again"},
	} {
		answer := httptest.NewRecorder()
		notOpen().ServeHTTP(answer, httptest.NewRequest(test.method, test.path, strings.NewReader("{}")))
		if answer.Code != test.status || !strings.Contains(answer.Body.String(), test.says) {
			t.Errorf("%s %s: %d %s", test.method, test.path, answer.Code, answer.Body)
		}
	}
}

// TestAReplicaThatWaitsForAnotherToMigrateSaysSo has a replica come while another brings the schema up to date: it is
// well, and not ready, and says why. It goes to work once the other is done.
func TestAReplicaThatWaitsForAnotherToMigrateSaysSo(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 1)
	db := f.opened()
	defer db.Close()
	other, err := lock.NewPostgresTableLocker(lock.WithTableName(migrations.Lock)) // as whoever migrates has it
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Lock(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	defer f.end()
	r := f.all[0]
	r.launch()
	f.keeping.Go(r.keep)
	f.until("it says something", func() bool { return r.well() })
	status, said, err := ask(t.Context(), r.listen, "/readyz", "")
	if err != nil || status != http.StatusServiceUnavailable || !strings.Contains(said, notOpenYet) {
		t.Errorf("while another migrates /readyz is %d %s (%v)", status, said, err)
	}
	if log := f.log(); !strings.Contains(log, "is brought up to date, from 0 to ") {
		t.Errorf("it does not say what it waits for:\n%s", log)
	}
	if err := other.Unlock(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	f.until("it is ready", r.ready)
	if len(r.unruly) > 0 {
		t.Errorf("it has ended by itself: %s", r.unruly)
	}
}

// notOpenYet is what /readyz says while another brings the schema up to date.
const notOpenYet = "WRONG  database: it is not open yet: its schema is being brought up to date"
