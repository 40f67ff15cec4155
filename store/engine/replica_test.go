package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// shared holds the options with which replicas open a database.
var shared = Options{Shared: true}

// checkInUse checks that the database cannot be opened, because holder has it and renews its lease.
func checkInUse(t *testing.T, address string, o Options, holder *Server) {
	t.Helper()
	holder.lease.stop()
	<-holder.lease.stopped
	holder.startRenewal(t, 10*time.Millisecond) // renews often, so that the refusal comes soon
	db, err := newServer(t.Context(), address, o, false)
	if err == nil {
		_ = db.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "another instance is using database") {
		t.Errorf("opening it: %v", err)
	}
}

// expireLease stops the renewal of the process's lease, which then expires after a duration.
func (d *Server) expireLease(t *testing.T, after time.Duration) {
	t.Helper()
	d.lease.stop()
	<-d.lease.stopped
	set, err := d.exec(t.Context(), `UPDATE leases SET ends = `+now+` + $1 WHERE name = $2`, after.Milliseconds(),
		d.lease.name)
	if err != nil || set != 1 {
		t.Fatalf("%d leases end: %v", set, err)
	}
}

// startRenewal starts to renew the lease again, once in each interval.
func (d *Server) startRenewal(t *testing.T, interval time.Duration) {
	var ctx context.Context
	ctx, d.lease.stop = context.WithCancel(context.WithoutCancel(t.Context()))
	d.lease.stopped = make(chan struct{})
	go d.lease.renew(ctx, interval)
}

// TestReplicasShareADatabase makes three replicas change one database. A process that wants it alone waits while one of
// them is there, and they wait while such a process has it.
func TestReplicasShareADatabase(t *testing.T) {
	t.Parallel()
	address := emptyDatabase(t)
	var all []*Server
	for i := range 3 {
		db := open(t, address, shared)
		all = append(all, db)
		if err := db.Update(t.Context(), "", storeSetting(fmt.Sprint(i))); err != nil {
			t.Error(err)
		}
	}
	if n := countSettings(t, all[0]); n != 3 {
		t.Errorf("%d settings are stored", n)
	}
	if err := all[0].Load(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "while it is shared") {
		t.Errorf("a replica fills it anew: %v", err)
	}
	checkInUse(t, address, Options{}, all[0])
	for _, db := range all[:2] {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	checkInUse(t, address, Options{}, all[2])
	if err := errors.Join(all[2].Update(t.Context(), "", storeSetting("3")), all[2].Close()); err != nil {
		t.Error(err)
	}
	alone := open(t, address) // it need not wait
	checkInUse(t, address, shared, alone)
	if err := alone.Close(); err != nil {
		t.Error(err)
	}
	open(t, address, shared)
}

// TestReplicasThatHaveDiedAreWaitedFor leaves behind the lease of a killed replica, and that of a process that had the
// database alone. Others wait until it expires.
func TestReplicasThatHaveDiedAreWaitedFor(t *testing.T) {
	needs.Long(t)
	for _, test := range []struct{ first, second bool }{{true, false}, {false, true}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			address := emptyDatabase(t)
			first := open(t, address, Options{Shared: test.first})
			first.expireLease(t, fakes.Patience)
			var told []string
			var began time.Time
			second := open(t, address, Options{Shared: test.second, Waiting: func(what string) {
				if told = append(told, what); len(told) == 1 {
					began = time.Now()
					first.expireLease(t, 300*time.Millisecond)
				}
			}})
			if len(told) != 2 || !strings.Contains(told[0], "or has died") || told[1] != "" {
				t.Errorf("waiting is told as %q", told)
			}
			if waited := time.Since(began); waited < 250*time.Millisecond {
				t.Errorf("it was waited for for %v", waited)
			}
			for _, name := range []string{"a", "b"} {
				if err := first.Update(t.Context(), "", storeSetting(name)); err == nil {
					t.Errorf("the first one stores %s", name)
				}
			}
			if n := countSettings(t, second); n != 0 {
				t.Errorf("it has stored %d", n)
			}
			if err := second.Update(t.Context(), "", noop); err != nil {
				t.Error(err)
			}
			first.startRenewal(t, time.Millisecond)
			<-first.lease.stopped // ends by itself, since the lease is lost
			if err := first.There(); err == nil {
				t.Error("it does not know that it was replaced")
			}
		})
	}
}

// TestAReplicaThatWasAwayGoesOn lets the lease of a replica expire and be deleted, as while it cannot reach the
// database. The replica joins again and changes the database.
func TestAReplicaThatWasAwayGoesOn(t *testing.T) {
	needs.Long(t)
	address := emptyDatabase(t)
	open(t, address, shared)
	away := open(t, address, shared)
	rows := func() (n int64) {
		err := away.queryRow(t.Context(), `SELECT COUNT(*) FROM leases WHERE name = $1 AND ends > `+now, away.lease.name).Scan(&n)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for what, statement := range map[string]string{
		"its lease has ended": `UPDATE leases SET ends = 1 WHERE name = $1`,
		"its lease is gone":   `DELETE FROM leases WHERE name = $1`,
	} {
		away.expireLease(t, 0)
		if _, err := away.exec(t.Context(), statement, away.lease.name); err != nil {
			t.Error(err)
		}
		if err := away.Update(t.Context(), "", storeSetting(what+", and it changes something")); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := away.exec(t.Context(), statement, away.lease.name); err != nil {
			t.Error(err)
		}
		away.startRenewal(t, time.Millisecond)
		for rows() == 0 {
			time.Sleep(time.Millisecond)
		}
		if err := errors.Join(away.There(), away.Update(t.Context(), "", storeSetting(what))); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	// Leases that expired long ago are deleted, later ones are not.
	_, err := away.exec(t.Context(), `INSERT INTO leases (name, holder, fence, ends) VALUES ('replica old', 'old', 1, 1),
		('replica new', 'new', 1, `+now+` - 60000), ('other', 'old', 1, 1)`)
	check(t, err)
	left := func() string {
		names, err := away.queryTexts(t.Context(), `SELECT name FROM leases WHERE name IN ('replica old', 'replica new', 'other')
			ORDER BY 1`)
		if err != nil {
			t.Error(err)
		}
		return strings.Join(names, ", ")
	}
	for strings.Contains(left(), "old") {
		time.Sleep(time.Millisecond)
	}
	if got := left(); got != "other, replica new" {
		t.Errorf("there are %s", got)
	}
}

// TestWhoJoinsIsLookedAt lets replicas join with an Options.Join, which gets whether there are others. It is called
// again for a replica that was away for long; if it then returns an error, the replica is refused for good.
func TestWhoJoinsIsLookedAt(t *testing.T) {
	needs.Long(t)
	address := emptyDatabase(t)
	var told []bool
	refuse := false
	joins := Options{Shared: true, Join: func(tx *Tx, others bool) error {
		told = append(told, others)
		if refuse {
			return errors.New("not in this zone")
		}
		return tx.Run(`INSERT INTO settings (name, value) VALUES ($1, '1')`, fmt.Sprint("join ", len(told)))
	}}
	away := open(t, address, joins)
	second := open(t, address, joins)
	refuse = true
	_, err := newServer(t.Context(), address, joins, false)
	if err == nil || !strings.Contains(err.Error(), "not in this zone") {
		t.Errorf("it is refused by the rule: %v", err)
	}
	refuse = false
	away.expireLease(t, 0)
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	third := open(t, address, joins)
	if err := away.Update(t.Context(), "", storeSetting("a")); err != nil {
		t.Errorf("who was away joins anew: %v", err)
	}
	away.expireLease(t, 0)
	if err := third.Close(); err != nil {
		t.Error(err)
	}
	last := open(t, address, joins)
	refuse = true
	for range 2 {
		err := away.Update(t.Context(), "", storeSetting("b"))
		if err == nil || !strings.Contains(err.Error(), "not in this zone") {
			t.Errorf("who was away is refused: %v", err)
		}
		refuse = false
	}
	if got := fmt.Sprint(told); got != "[false true true false true false true]" {
		t.Errorf("others are told as %s", got)
	}
	if n := countSettings(t, last); n != 6 { // five joined, and one change was stored
		t.Errorf("%d settings are stored", n)
	}
}

// TestAReplicaIsCutOff cuts a replica off from the server by a proxy. It can change nothing meanwhile, and continues
// afterwards unless another process has had the database alone.
func TestAReplicaIsCutOff(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""))
	proxy := server.Proxy(t)
	cut := open(t, proxy.Address(address), shared)
	other := open(t, address, shared)
	ends := func() {
		t.Helper()
		if _, err := other.exec(t.Context(), `UPDATE leases SET ends = 1 WHERE name = $1`, cut.lease.name); err != nil {
			t.Error(err)
		}
	}
	stores := func(name string) error { return cut.Update(t.Context(), "", storeSetting(name)) }
	if err := stores("before"); err != nil {
		t.Error(err)
	}
	proxy.Off()
	ends()
	if err := stores("meanwhile"); err == nil {
		t.Error("it has stored something while it was cut off")
	}
	proxy.On()
	if err := stores("after"); err != nil {
		t.Errorf("it does not go on: %v", err)
	}
	// In the middle of a change.
	err := cut.Update(t.Context(), "", func(tx *Tx) error {
		if _, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ('in the middle', '1')`); err != nil {
			return err
		}
		proxy.Off()
		_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ('behind it', '1')`)
		return err
	})
	if err == nil {
		t.Error("it was cut off in the middle of a change, which stands")
	}
	ends()
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	alone := open(t, address) // the server has rolled the change back
	if err := alone.Close(); err != nil {
		t.Error(err)
	}
	proxy.On()
	for _, name := range []string{"never", "nor now"} {
		if err := stores(name); err == nil || !strings.Contains(err.Error(), "restart it") {
			t.Errorf("it was replaced, and stores %s: %v", name, err)
		}
	}
	if err := cut.There(); err == nil {
		t.Error("it does not say so")
	}
	if n := countSettings(t, open(t, address, shared)); n != 2 {
		t.Errorf("%d settings are stored", n)
	}
}

// TestAChangeUnderWayIsWaitedFor lets a replica's lease expire during a change. A process that wants the database alone
// gets it after the change.
func TestAChangeUnderWayIsWaitedFor(t *testing.T) {
	needs.Long(t)
	address := emptyDatabase(t)
	db := open(t, address, shared)
	opened := make(chan *Server, 1)
	err := db.Update(t.Context(), "", func(tx *Tx) error {
		if _, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ('a', '1')`); err != nil {
			return err
		}
		db.expireLease(t, 0)
		go func() {
			alone, err := newServer(context.Background(), address, Options{}, false)
			if err != nil {
				t.Error(err)
			}
			opened <- alone
		}()
		for waits := int64(0); waits == 0; { // until the process waits for the lock on the lease
			err := db.queryRow(t.Context(), `SELECT COUNT(*) FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waits)
			if err != nil {
				return err
			}
		}
		select {
		case <-opened:
			t.Error("it was opened in the middle of the change")
		default:
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	alone := <-opened
	if alone == nil {
		return
	}
	defer alone.Close()
	if n := countSettings(t, alone); n != 1 {
		t.Errorf("%d settings are stored", n)
	}
	if err := db.Update(t.Context(), "", storeSetting("b")); err == nil {
		t.Error("it goes on")
	}
}

// TestReplicasBeginAtOnce opens an empty database, and then a used one, in many replicas at once and in a process that
// wants it alone.
func TestReplicasBeginAtOnce(t *testing.T) {
	needs.Long(t)
	address := emptyDatabase(t)
	var one *Server
	for range 2 {
		const replicas = 4
		opened := make(chan *Server, replicas)
		for range replicas {
			go func() {
				db, err := newServer(context.Background(), address, shared, false)
				if err != nil {
					t.Error(err)
				}
				opened <- db
			}()
		}
		for range replicas {
			if db := <-opened; db != nil {
				defer db.Close()
				one = db
			}
		}
	}
	checkInUse(t, address, Options{}, one)
}

// TestReplicasThroughAPooler makes replicas share a database through a pooler in transaction mode.
func TestReplicasThroughAPooler(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	port, name := server.Pooler(t), server.Database(t, "")
	for what, said := range map[string]string{"told": "?default_query_exec_mode=exec", "not told": ""} {
		t.Run(what, func(t *testing.T) {
			address := fmt.Sprintf("postgres://knobel@127.0.0.1:%d/%s%s", port, name, said)
			first, second := open(t, address, shared), open(t, address, shared)
			checkInUse(t, address, Options{}, first)
			for i := range 10 {
				name := fmt.Sprint(what, i)
				if err := errors.Join(first.Update(t.Context(), "", storeSetting(name+"a")),
					second.Update(t.Context(), "", storeSetting(name+"b"))); err != nil {
					t.Error(err)
				}
			}
			if _, err := first.exec(t.Context(), `DELETE FROM leases WHERE name = $1`, first.lease.name); err != nil {
				t.Error(err)
			}
			if err := first.Update(t.Context(), "", storeSetting(what)); err != nil {
				t.Errorf("it does not join anew: %v", err)
			}
			if err := errors.Join(first.Close(), second.Close()); err != nil {
				t.Error(err)
			}
			if err := open(t, address).Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
