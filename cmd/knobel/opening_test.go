package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"github.com/pressly/goose/v3/lock"

	"knobel/migrations"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// Before the database is open only /healthz succeeds. Other requests must be sent again.
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
		new(startupServer).handler().ServeHTTP(answer,
			httptest.NewRequest(test.method, test.path, strings.NewReader("{}")))
		if answer.Code != test.status || !strings.Contains(answer.Body.String(), test.says) {
			t.Errorf("%s %s: %d %s", test.method, test.path, answer.Code, answer.Body)
		}
	}
}

// TestAReplicaThatWaitsForAnotherToMigrateSaysSo starts a replica while another migrates the schema: it is healthy but
// not ready, and reports why. It becomes ready once the other is done.
func TestAReplicaThatWaitsForAnotherToMigrateSaysSo(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 1)
	db := f.openDirect()
	defer db.Close()
	other, err := lock.NewPostgresTableLocker(lock.WithTableName(migrations.Lock)) // the lock for migrating
	check(t, err)
	check(t, other.Lock(t.Context(), db))
	defer f.end()
	r := f.all[0]
	r.launch()
	f.keeping.Go(r.keep)
	f.until("it says something", func() bool { return r.isHealthy() })
	status, said, err := get(t.Context(), r.listen, "/readyz", "")
	if err != nil || status != http.StatusServiceUnavailable || !strings.Contains(said, notOpenYet) {
		t.Errorf("while another migrates /readyz is %d %s (%v)", status, said, err)
	}
	if log := f.log(); !strings.Contains(log, "is migrating the schema of database ") {
		t.Errorf("it does not say what it waits for:\n%s", log)
	}
	check(t, other.Unlock(t.Context(), db))
	f.until("it is ready", r.ready)
	f.checkOrderly()
}

// notOpenYet is the text of /readyz while another replica migrates the schema.
const notOpenYet = "FAIL   database: not open yet: it is being migrated"

// Stopped while it waits for a database on an unknown host, the program ends normally and has logged the reason.
func TestAStopWhileTheDatabaseIsWaitedFor(t *testing.T) {
	t.Parallel()
	said, end := startServe(t, map[string]string{"KNOBEL_LISTEN": freePort(t),
		"KNOBEL_DB": "postgres://a@nowhere.invalid/b"})
	defer end()
	eventually(t, "it waits", func() bool { return strings.Contains(said.String(), "database is read-only") })
	if code := end(); code != 0 {
		t.Errorf("it ends with %d", code)
	}
	if text := said.String(); strings.Count(text, "level=ERROR") != 1 || !strings.Contains(text, "nowhere.invalid") {
		t.Errorf("it says\n%s", text)
	}
}

// TestAServerThatIsAwayIsWaitedFor starts Knobel while its database server is unreachable. Until the server is back,
// only Knobel's process is healthy, and the reason is logged once, without the password. Then Knobel serves at the
// address at which it was waiting, without refusing a connection in between.
func TestAServerThatIsAwayIsWaitedFor(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	proxy := server.Proxy(t)
	db := strings.Replace(proxy.Address(storetest.OnServer(t)), "knobel@", "knobel:geheim@", 1)
	proxy.Off()
	listen := freePort(t)
	said, end := startServe(t, map[string]string{"KNOBEL_LISTEN": listen, "KNOBEL_DB": db})
	defer end()
	status := func(path string) int {
		got, _, err := get(t.Context(), listen, path, "")
		if errors.Is(err, syscall.ECONNREFUSED) {
			return 0
		}
		return max(got, 1) // 1 means no answer in time
	}
	eventually(t, "its process is well", func() bool { return status("/healthz?database=off") == http.StatusOK })
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := status(path); got != http.StatusServiceUnavailable {
			t.Errorf("%s is %d", path, got)
		}
	}
	waits := said.String()
	if n := strings.Count(waits, "level="); n != 1 || !strings.Contains(waits, "cannot be reached") {
		t.Errorf("while it waits it says\n%s", waits)
	}
	proxy.On()
	refused := false
	eventually(t, "it is ready", func() bool {
		got := status("/readyz")
		refused = refused || got == 0
		return got == http.StatusOK
	})
	_, told := getText(t, "http://"+listen+"/metrics")
	if !strings.Contains(told, "knobel_database_up 1\n") {
		t.Errorf("it does not say that the database is there: %s", told)
	}
	proxy.Off()
	eventually(t, "that the database is away is told", func() bool {
		_, told = getText(t, "http://"+listen+"/metrics")
		return strings.Contains(told, "knobel_database_up 0\n")
	})
	eventually(t, "a loop has met the outage", func() bool {
		return strings.Count(said.String(), "database is read-only") == 2
	})
	proxy.On()
	eventually(t, "it is ready again", func() bool { return status("/readyz") == http.StatusOK })
	eventually(t, "that is told", func() bool {
		return strings.Count(said.String(), "database is writable again") == 2
	})
	if code := end(); code != 0 || refused {
		t.Errorf("it ends with %d; somebody was refused: %t", code, refused)
	}
	n := strings.Count(said.String(), "level=")
	if n != 6 || strings.Contains(said.String(), "geheim") { // Knobel's start and end, two for each outage
		t.Errorf("%d lines in the log:\n%s", n, said)
	}
}
