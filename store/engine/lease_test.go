package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// noop is a change that does nothing.
func noop(*Tx) error { return nil }

// storeSetting returns a change that stores a setting without waiting for the answer.
func storeSetting(name string) func(*Tx) error {
	return func(tx *Tx) error { return tx.Run(`INSERT INTO settings (name, value) VALUES ($1, '1')`, name) }
}

// TestALeaseIsTakenFromWhoIsCutOff stops the renewal of a process's lease. The next process waits until it expires, and
// the first can change nothing after that.
func TestALeaseIsTakenFromWhoIsCutOff(t *testing.T) {
	t.Parallel()
	address := emptyDatabase(t)
	first := open(t, address)
	checkInUse(t, address, Options{}, first)
	first.lease.stop() // no renewal, as if the process were paused
	<-first.lease.stopped
	if err := first.Update(t.Context(), "", noop); err != nil {
		t.Errorf("it may work as long as nobody else does: %v", err)
	}
	began := time.Now()
	if _, err := first.exec(t.Context(), `UPDATE leases SET ends = `+now+` + 300`); err != nil {
		t.Fatal(err)
	}
	second := open(t, address)
	if waited := time.Since(began); waited < 250*time.Millisecond {
		t.Errorf("it was not waited for: %v", waited)
	}
	for name, change := range map[string]func(*Tx) error{"nothing": noop, "a": storeSetting("a"),
		"b": storeSetting("b")} {
		err := first.Update(t.Context(), "", change)
		if err == nil || !strings.Contains(err.Error(), "took over database") {
			t.Errorf("the first one stores %s: %v", name, err)
		}
	}
	if n := countSettings(t, second); n != 0 {
		t.Errorf("it has stored %d", n)
	}
	if err := second.Update(t.Context(), "", noop); err != nil {
		t.Errorf("the second one: %v", err)
	}
	first.startRenewal(t, time.Millisecond)
	<-first.lease.stopped // ends by itself, since the lease is lost
	if err := first.There(); err == nil {
		t.Error("it does not know that it was replaced")
	}
	if err := first.Update(t.Context(), "", noop); err == nil {
		t.Error("it goes on")
	}
	if err := second.There(); err != nil {
		t.Error(err)
	}
}

// TestALeaseEndsWhileItIsAskedFor tries to take another process's lease again and again until it expires. Whenever that
// is, the first try that finds no holder must have taken the lease itself.
func TestALeaseEndsWhileItIsAskedFor(t *testing.T) {
	needs.Long(t)
	db := open(t, emptyDatabase(t))
	db.lease.stop() // no renewal, as if the process were paused
	<-db.lease.stopped
	for n := range 200 {
		if _, err := db.exec(t.Context(), `UPDATE leases SET ends = `+now+` + 2`); err != nil {
			t.Fatal(err)
		}
		next := &lease{server: db, name: instance, holder: fmt.Sprint("next ", n)}
		for held := true; held; {
			err := db.leaseTransaction(t.Context(), func(tx *Tx) error {
				_, err := next.takeInstance(tx)
				return err
			})
			if held = errors.Is(err, errInUse); err != nil && !held {
				t.Fatal(err)
			}
		}
		var is string
		var fence int64
		err := db.queryRow(t.Context(), `SELECT holder, fence FROM leases WHERE name = $1`, instance).Scan(&is, &fence)
		if err != nil || is != next.holder || fence != next.fence {
			t.Fatalf("take %d: %q has it with the fence %d, who asked with %d: %v", n, is, fence, next.fence, err)
		}
	}
}

// TestALongChangeKeepsItsLease renews the lease during a change that uses all other connections. A process that takes
// the lease over waits until the change ends.
func TestALongChangeKeepsItsLease(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, ""), "pool_max_conns=1"))
	taken := make(chan error, 1)
	err := db.Update(t.Context(), "", func(tx *Tx) error {
		if _, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ('a', '1')`); err != nil {
			return err
		}
		renewed, err := db.exec(t.Context(), renewLease, instance, db.lease.holder, db.lease.fence, int64(-1))
		if err != nil || renewed != 1 { // now it expires at once, and others can take it
			t.Errorf("renewed %d times: %v", renewed, err)
		}
		go func() {
			var fence int64
			taken <- db.queryRow(t.Context(), takeLease, instance, "other", int64(60_000)).Scan(&fence)
		}()
		select {
		case err := <-taken:
			t.Errorf("the lease was taken over in the middle of the change: %v", err)
		case <-time.After(300 * time.Millisecond):
		}
		return nil
	})
	if err := errors.Join(err, <-taken); err != nil {
		t.Error(err)
	}
	if err := db.Update(t.Context(), "", noop); err == nil {
		t.Error("it goes on without the lease")
	}
}

// countUp returns a change that reads a stored number into read and stores the next one. With locks it locks the row,
// because other processes may do the same.
func countUp(locks bool, read *int64) func(*Tx) error {
	return func(tx *Tx) error {
		note := func(row Row) error {
			var text string
			err := row.Scan(&text)
			*read, _ = strconv.ParseInt(text, 10, 64)
			return err
		}
		const query = `SELECT value FROM settings WHERE name = 'n'`
		var err error
		if locks {
			err = tx.Lock(query, nil, note)
		}
		if err == nil {
			err = tx.Rows(query, nil, note)
		}
		if err == nil {
			err = tx.Run(`UPDATE settings SET value = $1 WHERE name = 'n'`, fmt.Sprint(*read+1))
		}
		return err
	}
}

// TestNobodyWorksBesideWhoIsAlone opens a database in many processes at random, shared or alone. Some stop renewing
// their lease, as if paused, and try to change rows after others have come. A process that has the database alone sees
// only its own changes, and at the end no change is lost.
func TestNobodyWorksBesideWhoIsAlone(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""), "pool_max_conns=2")
	first := open(t, address)
	runStatement(t, first, `INSERT INTO settings (name, value) VALUES ('n', '0')`)
	check(t, first.Close())
	var counted, alone, together, lost atomic.Int64
	process := func(o Options) {
		db, err := newServer(context.Background(), address, o, false)
		if err != nil {
			if !strings.Contains(err.Error(), "another instance") {
				t.Error(err)
			}
			return
		}
		defer db.Close()
		db.lease.stop()
		<-db.lease.stopped
		db.startRenewal(t, 20*time.Millisecond)
		if o.Shared {
			together.Add(1)
		} else {
			alone.Add(1)
		}
		last := int64(-1)
		for i := range 30 {
			if i == 10 && rand.N(2) == 0 {
				db.expireLease(t, 0)
			}
			if i > 10 {
				time.Sleep(rand.N(20 * time.Millisecond)) // other processes come meanwhile
			}
			var read int64
			if err := db.Update(context.Background(), "", countUp(o.Shared, &read)); err != nil {
				if db.There() == nil && o.Shared {
					t.Errorf("a change of a replica: %v", err)
				}
				lost.Add(1)
				return
			}
			counted.Add(1)
			if !o.Shared && last >= 0 && read != last+1 {
				t.Errorf("it was alone, has stored %d, and finds %d", last+1, read)
			}
			last = read
		}
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 12 {
				process(Options{Shared: rand.N(2) == 0})
			}
		})
	}
	all.Wait()
	end := open(t, address, shared)
	var n int64
	check(t, end.queryRow(t.Context(), `SELECT value::BIGINT FROM settings WHERE name = 'n'`).Scan(&n))
	if n != counted.Load() {
		t.Errorf("%d changes were told to stand, %d do", counted.Load(), n)
	}
	t.Logf("%d were alone, %d together, %d were lost", alone.Load(), together.Load(), lost.Load())
}
