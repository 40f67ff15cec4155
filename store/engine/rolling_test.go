package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"knobel/bot/fakes/needs"
	"knobel/migrations"
	"knobel/store/engine/postgrestest"
)

// newerSchema returns the version and the migrations of a schema newer than this one. It makes only changes that a new
// version may change while replicas of this one run.
func newerSchema(t *testing.T) (version int64, scripts fs.FS) {
	t.Helper()
	newest, err := migrations.Newest()
	check(t, err)
	return newest + 1, fstest.MapFS{fmt.Sprintf("%04d_later.sql", newest+1): {Data: []byte(`-- +goose Up
ALTER TABLE settings ADD COLUMN more TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE TABLE later (name TEXT COLLATE "C" NOT NULL PRIMARY KEY);
CREATE INDEX settings_by_value ON settings (value);
`)}}
}

// readSetting returns a change that reads a setting with all columns, and stores their number in columns.
func readSetting(t *testing.T, name string, columns *int) func(*Tx) error {
	const query = `SELECT * FROM settings WHERE name = $1`
	return func(tx *Tx) error {
		*columns = 0
		return tx.Rows(query, []any{name}, func(row Row) error {
			values, err := row.Values()
			names, err2 := row.Columns()
			if *columns = len(values); len(names) != *columns {
				t.Errorf("%d columns are named %q", *columns, names)
			}
			return errors.Join(err, err2)
		})
	}
}

// TestAnUpgradeBesideReplicas starts replicas of a newer version beside replicas of this one, which change the database
// before, during and after the upgrade. After it, further replicas of this version are refused.
func TestAnUpgradeBesideReplicas(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	version, scripts := newerSchema(t)
	for what, port := range map[string]int{"": server.Port, " by a pooler": server.Pooler(t)} {
		t.Run("at work"+what, func(t *testing.T) {
			name := server.Database(t, "")
			direct := server.Address(name)
			address := strings.Replace(direct, fmt.Sprint(":", server.Port, "/"), fmt.Sprint(":", port, "/"), 1)
			old := open(t, address, shared)
			stop := make(chan struct{})
			var all sync.WaitGroup
			var begun sync.WaitGroup
			for i := range 4 {
				begun.Add(1)
				all.Go(func() {
					name := fmt.Sprint("at work ", i)
					for n, going := 0, true; going; n++ {
						select {
						case <-stop:
							going = false // this round is the last, after the upgrade
						default:
						}
						var columns int
						err := errors.Join(old.Update(context.Background(), name, func(tx *Tx) error {
							return errors.Join(readSetting(t, name, &columns)(tx), tx.Run(`INSERT INTO settings (name, value)
								VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2`, name, fmt.Sprint(n)))
						}), old.View(context.Background(), readSetting(t, name, &columns)))
						if err != nil {
							t.Errorf("%s, change %d: %v", name, n, err)
						}
						if want := 3; !going && columns != want {
							t.Errorf("after the upgrade it reads %d columns, not %d", columns, want)
						}
						if n == 3 {
							begun.Done()
						}
					}
				})
			}
			begun.Wait()
			var told []string
			var mu sync.Mutex
			o := Options{Shared: true, Waiting: func(what string) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, what)
			}}
			var opened sync.WaitGroup
			for range 2 {
				opened.Go(func() {
					db, err := newServer(context.Background(), address, o, false, scripts)
					if err != nil {
						t.Error(err)
						return
					}
					t.Cleanup(func() { _ = db.Close() })
					if u := db.Upgraded(); u.To != version {
						t.Errorf("it is at %d", u.To)
					}
					if err := db.Update(context.Background(), "", func(tx *Tx) error {
						return tx.Run(`INSERT INTO later (name) VALUES ($1)`, db.lease.holder)
					}); err != nil {
						t.Error(err)
					}
				})
			}
			opened.Wait()
			close(stop)
			all.Wait()
			if len(told) < 2 || !strings.Contains(told[0], fmt.Sprintf("from %d to %d", version-1, version)) ||
				told[len(told)-1] != "" {
				t.Errorf("waiting is told as %q", told)
			}
			_, err := newServer(t.Context(), address, shared, false)
			if err == nil || !strings.Contains(err.Error(), "newer version") {
				t.Errorf("this version comes too late: %v", err)
			}
		})
	}
}

// TestAnUpgradeWaitsForNobody makes a long view read a table that an upgrade changes. Changes do not wait, and the
// upgrade succeeds after the view.
func TestAnUpgradeWaitsForNobody(t *testing.T) {
	needs.Long(t)
	_, scripts := newerSchema(t)
	address := emptyDatabase(t)
	old := open(t, address, shared)
	reading, read := make(chan struct{}), make(chan struct{})
	viewed := make(chan error, 1)
	go func() {
		viewed <- old.View(context.Background(), func(tx *Tx) error {
			var columns int
			err := readSetting(t, "a", &columns)(tx)
			close(reading)
			<-read
			return err
		})
	}()
	<-reading
	opened := make(chan error, 1)
	go func() {
		db, err := newServer(context.Background(), address, shared, false, scripts)
		if err == nil {
			err = db.Close()
		}
		opened <- err
	}()
	for waits := int64(0); waits == 0; { // until the upgrade waits for the view
		err := old.queryRow(t.Context(), `SELECT COUNT(*) FROM pg_locks WHERE NOT granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&waits)
		check(t, err)
	}
	for i := range 5 {
		if err := old.Update(t.Context(), "", storeSetting(fmt.Sprint(i))); err != nil {
			t.Errorf("a change beside the upgrade: %v", err)
		}
	}
	select {
	case err := <-opened:
		t.Errorf("it was brought up to date beside the view: %v", err)
	default:
	}
	close(read)
	if err := errors.Join(<-viewed, <-opened); err != nil {
		t.Error(err)
	}
	var columns int
	if err := old.View(t.Context(), readSetting(t, "0", &columns)); err != nil || columns != 3 {
		t.Errorf("it reads %d columns: %v", columns, err)
	}
}
