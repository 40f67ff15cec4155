package postgres

import (
	"context"
	"strings"
	"testing"
	"time"

	"knobel/store/engine"
	"knobel/store/postgres/postgrestest"
)

// change is a change that is none.
func change(engine.Tx) error { return nil }

// TestALeaseIsTakenFromWhoIsCutOff has a process not renew its lease: the next one waits for its end, and the first
// changes nothing any longer.
func TestALeaseIsTakenFromWhoIsCutOff(t *testing.T) {
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""))
	first, err := Open(t.Context(), address, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := Open(t.Context(), address, engine.Options{}); err == nil ||
		!strings.Contains(err.Error(), "another instance") {
		t.Errorf("a second one: %v", err)
	}
	first.held.stop() // as if its clock stood still
	<-first.held.stopped
	if err := first.Update(t.Context(), change); err != nil {
		t.Errorf("it may work as long as nobody else does: %v", err)
	}
	if _, err := first.tell(t.Context(), `UPDATE leases SET ends = `+now+` + 300`); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	second, err := Open(t.Context(), address, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if waited := time.Since(began); waited < 250*time.Millisecond {
		t.Errorf("it was not waited for: %v", waited)
	}
	if err := first.Update(t.Context(), change); err == nil || !strings.Contains(err.Error(), "taken the database") {
		t.Errorf("the first one: %v", err)
	}
	if err := second.Update(t.Context(), change); err != nil {
		t.Errorf("the second one: %v", err)
	}
	var ctx context.Context
	ctx, first.held.stop = context.WithCancel(t.Context())
	first.held.stopped = make(chan struct{})
	go first.held.renew(ctx, time.Millisecond)
	<-first.held.stopped // by itself: it has found out
	if err := first.There(); err == nil {
		t.Error("it does not know that it was replaced")
	}
	if err := first.Update(t.Context(), change); err == nil {
		t.Error("it goes on")
	}
	if err := second.There(); err != nil {
		t.Error(err)
	}
}

// TestALeaseIsGivenBack has the next process begin at once after a clean end.
func TestALeaseIsGivenBack(t *testing.T) {
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""))
	for range 3 {
		db, err := Open(t.Context(), address, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var ends int64
		if err := db.ask(t.Context(), `SELECT ends - `+now+` FROM leases`).Scan(&ends); err != nil || ends < 5000 {
			t.Errorf("it lasts %d ms longer: %v", ends, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if err := db.Update(t.Context(), change); err != errClosed {
			t.Errorf("closed: %v", err)
		}
	}
}
