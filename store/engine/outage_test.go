package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// errNo is the error of changes that must fail.
var errNo = errors.New("no")

// save stores a setting.
func save(tx *Tx, name, value string) error {
	return tx.Run(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2`, name,
		value)
}

// countSettings returns the number of settings.
func countSettings(t *testing.T, db DB) int64 { return number(t, db, `SELECT COUNT(*) FROM settings`) }

// TestTheServerIsGoneForAWhile crashes the server between changes and during one. Successful changes are stored, failed
// ones are not, Trouble is called, and changes succeed again after a restart of the server.
func TestTheServerIsGoneForAWhile(t *testing.T) {
	needs.Long(t)
	server := postgrestest.New(t, nil)
	var told []string
	db := open(t, server.Address(server.Database(t, "")), Options{
		Trouble: func(err error, _ time.Duration) { told = append(told, fmt.Sprint(err == nil)) }})
	stored := int64(0)
	for round := range 3 {
		name := fmt.Sprint("round ", round)
		check(t, db.Update(t.Context(), "", func(tx *Tx) error { return save(tx, name, "1") }))
		stored++
		err := db.Update(t.Context(), "", func(tx *Tx) error {
			if err := save(tx, "lost "+name, "1"); err != nil {
				return err
			}
			server.Crash(t)
			_, err := tx.Exec(`DELETE FROM settings`)
			return err
		})
		if failed, ok := errors.AsType[*Error](err); !ok || failed.Kind != nil {
			t.Errorf("in the middle: %v", err)
		}
		if err := db.Update(t.Context(), "", func(tx *Tx) error { return save(tx, name, "2") }); err == nil {
			t.Error("it stores without a server")
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("not one line: %q", err)
		}
		if err := db.View(t.Context(), func(tx *Tx) error { return save(tx, name, "2") }); err == nil {
			t.Error("it reads without a server")
		}
		server.Restart(t)
		if err := db.Update(t.Context(), "", func(tx *Tx) error { return save(tx, name, "3") }); err != nil {
			t.Errorf("after it: %v", err)
		}
		if n := countSettings(t, db); n != stored {
			t.Errorf("%d settings are stored, not %d", n, stored)
		}
	}
	if got := strings.Join(told, " "); got != "false true false true false true" {
		t.Errorf("the end of trouble is told as %s", got)
	}
}

// TestAChangeThatFailsLeavesNothing makes changes fail in different ways, and checks that nothing of them is stored.
func TestAChangeThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, emptyDatabase(t))
	no := errors.New("no")
	for what, test := range map[string]struct {
		change func(*Tx) error
		want   string
	}{
		"it refuses": {func(tx *Tx) error { return errors.Join(save(tx, "a", "1"), no) }, "no"},
		"a statement that waits fails": {func(tx *Tx) error {
			return errors.Join(save(tx, "a", "1"), tx.Run(`INSERT INTO settings (name) VALUES ('b')`), save(tx, "c", "1"))
		}, "null value"},
		"a failure that nobody looks at": {func(tx *Tx) error {
			_, _ = tx.Exec(`INSERT INTO settings (name) VALUES ('b')`)
			return save(tx, "c", "1")
		}, "null value"},
		"a failure in the middle of rows": {func(tx *Tx) error {
			_ = save(tx, "a", "1")
			return tx.Rows(`SELECT name FROM settings`, nil, func(Row) error { return no })
		}, "no"},
		"a row that has to be there": {func(tx *Tx) error {
			return errors.Join(save(tx, "a", "1"), tx.Must(errNo, `UPDATE settings SET value = '2' WHERE name = 'none'`),
				save(tx, "b", "1"))
		}, "no"},
		"a reference that is looked at with the commit": {func(tx *Tx) error {
			return errors.Join(tx.Run(`SET CONSTRAINTS ALL DEFERRED`),
				tx.Run(`INSERT INTO chat_settings (chat, name, value) VALUES ('none', 'a', 'b')`))
		}, "violates foreign key"},
	} {
		t.Run(what, func(t *testing.T) {
			err := db.Update(t.Context(), "", test.change)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v", err)
			}
			if n := countSettings(t, db); n != 0 {
				t.Errorf("%d settings are left", n)
			}
		})
	}
}

// TestStatementsThatWait runs more statements in one change than the queue holds.
func TestStatementsThatWait(t *testing.T) {
	t.Parallel()
	db := open(t, emptyDatabase(t))
	for _, n := range []int{1, 255, 256, 257, 2000} {
		err := db.Update(t.Context(), "", func(tx *Tx) error {
			if err := tx.Run(`DELETE FROM settings`); err != nil {
				return err
			}
			for i := range n {
				if err := save(tx, fmt.Sprint(i), strings.Repeat("x", 100)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || countSettings(t, db) != int64(n) {
			t.Errorf("%d: %v, and %d are stored", n, err, countSettings(t, db))
		}
	}
}

// TestRoundTrips counts how often changes wait for an answer of the server.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	db := open(t, emptyDatabase(t))
	for what, test := range map[string]struct {
		change func(*Tx) error
		want   int64
	}{
		"nothing": {func(*Tx) error { return nil }, 1},
		"writing": {func(tx *Tx) error { return errors.Join(save(tx, "a", "1"), save(tx, "b", "1")) }, 1},
		"reading": {func(tx *Tx) error {
			return tx.Rows(`SELECT name FROM settings`, nil, func(Row) error { return ErrStop })
		}, 2},
		"reading between": {func(tx *Tx) error {
			return errors.Join(save(tx, "a", "1"),
				tx.Rows(`SELECT name FROM settings`, nil, func(Row) error { return nil }), save(tx, "b", "1"))
		}, 2},
	} {
		before := db.Commits().RoundTrips
		if err := db.Update(t.Context(), "", test.change); err != nil {
			t.Error(err)
		}
		if trips := db.Commits().RoundTrips - before; trips != test.want {
			t.Errorf("%s takes %d round trips, not %d", what, trips, test.want)
		}
	}
}

// TestFailuresKeepTheConnection makes many changes fail: all keep their connection.
func TestFailuresKeepTheConnection(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, ""), "pool_max_conns=1"))
	process := func() string { return queryAll(t, db, `SELECT pg_backend_pid()`) }
	first := process()
	for range 5 {
		for i, change := range []func(*Tx) error{
			func(*Tx) error { return errNo },
			func(tx *Tx) error { return errors.Join(save(tx, "a", "1"), errNo) },
			func(tx *Tx) error { return tx.Run(`INSERT INTO settings (name) VALUES ('b')`) },
			func(tx *Tx) error { return save(tx, "a\x00", "1") },
			func(tx *Tx) error { return tx.Must(errNo, `DELETE FROM settings WHERE name = 'none'`) },
			func(tx *Tx) error {
				return errors.Join(save(tx, "a", "1"), tx.Rows(`SELECT nothing FROM settings`, nil, nil))
			},
			func(tx *Tx) error { _, err := tx.Exec(`SELEC`); return err },
		} {
			if err := db.Update(t.Context(), "", change); err == nil {
				t.Error("it did not fail")
			}
			if now := process(); now != first {
				t.Fatalf("after failure %d the connection is %s, and was %s", i, now, first)
			}
		}
	}
}

// TestNobodyHearsOfWhatWasGivenUp checks that the callback of a pending query is not called if its change fails.
func TestNobodyHearsOfWhatWasGivenUp(t *testing.T) {
	t.Parallel()
	db := open(t, emptyDatabase(t))
	heard := make(chan struct{}, 1)
	err := db.Update(t.Context(), "", func(tx *Tx) error {
		return errors.Join(tx.Later(`SELECT 1`, nil, func(Row) error { heard <- struct{}{}; return nil }), errNo)
	})
	if err == nil {
		t.Error("it did not fail")
	}
	queryAll(t, db, `SELECT 1`) // after the failed change
	select {
	case <-heard:
		t.Error("an answer came after the change had failed")
	default:
	}
}

// TestAChangeThatIsNotAnswered has the server not answer until the timeout of a change. Other connections are probably
// lost, too: they are replaced before their next use.
func TestAChangeThatIsNotAnswered(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	db := open(t, emptyDatabase(t))
	before := db.resets.Load()
	err := db.Update(t.Context(), "", func(tx *Tx) error { return tx.get(`SELECT pg_sleep(3600)::TEXT`, new(string)) })
	if !errors.Is(err, context.DeadlineExceeded) || db.resets.Load() == before {
		t.Errorf("after %d resets: %v", db.resets.Load()-before, err)
	}
}

// TestChangesInEachOthersWay makes two changes lock the same rows in different order, again and again. In each deadlock
// one of them runs again, and both are stored.
func TestChangesInEachOthersWay(t *testing.T) {
	needs.Long(t)
	server := postgrestest.New(t, nil, "deadlock_timeout=10ms")
	db := open(t, server.Address(server.Database(t, "")))
	err := db.Update(t.Context(), "", func(tx *Tx) error {
		return errors.Join(save(tx, "a", ""), save(tx, "b", ""))
	})
	check(t, err)
	const rounds = 5
	lock := func(tx *Tx, name string) error {
		return tx.Lock(`SELECT name FROM settings WHERE name = $1`, []any{name}, nil)
	}
	for range rounds {
		var met sync.WaitGroup
		met.Add(2)
		var both sync.WaitGroup
		for _, order := range []string{"ab", "ba"} {
			both.Go(func() {
				first := true
				err := db.Update(context.Background(), "", func(tx *Tx) error {
					if err := lock(tx, order[:1]); err != nil {
						return err
					}
					var had string
					read := func(name string) error {
						return tx.Rows(`SELECT value FROM settings WHERE name = $1`, []any{name}, func(row Row) error { return row.Scan(&had) })
					}
					if err := read(order[:1]); err != nil { // this waits until the first lock is granted
						return err
					}
					if first {
						first = false
						met.Done()
						met.Wait()
					}
					if err := errors.Join(lock(tx, order[1:]), read(order[1:])); err != nil {
						return err
					}
					return save(tx, order[1:], had+order)
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
	}
	all := queryAll(t, db, `SELECT value FROM settings WHERE name = 'a'`) +
		queryAll(t, db, `SELECT value FROM settings WHERE name = 'b'`)
	if strings.Count(all, "ab") < rounds || strings.Count(all, "ba") < rounds {
		t.Errorf("of %d changes of each kind there are %q", rounds, all)
	}
}

// TestAChangeThatIsOvertakenRunsAgain makes changes fail because of concurrent ones: they run again, but not endlessly.
func TestAChangeThatIsOvertakenRunsAgain(t *testing.T) {
	t.Parallel()
	db := open(t, emptyDatabase(t))
	runStatement(t, db, `CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE EXCEPTION 'too late' USING ERRCODE = 'serialization_failure'; END $$`)
	runStatement(t, db, `CREATE CONSTRAINT TRIGGER late AFTER INSERT OR UPDATE ON settings DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW WHEN (NEW.value = 'late') EXECUTE FUNCTION late()`)
	unordered := func(tx *Tx) error {
		return tx.Run(`DO $$ BEGIN RAISE EXCEPTION 'no order' USING ERRCODE = 'serialization_failure'; END $$`)
	}
	for what, test := range map[string]struct {
		fails func(tx *Tx) error
		times int // how often it fails
		runs  int // how often it runs in all
	}{
		"it says so":                      {func(*Tx) error { return ErrAgain }, 5, 6},
		"it says so for ever":             {func(*Tx) error { return ErrAgain }, 100, 9},
		"a row that is missing":           {func(tx *Tx) error { return tx.Must(ErrAgain, `DELETE FROM settings WHERE name = ''`) }, 1, 2},
		"a rule is broken":                {func(tx *Tx) error { return tx.Run(`INSERT INTO settings (name) VALUES ('b')`) }, 1, 2},
		"it is always broken":             {func(tx *Tx) error { return tx.Run(`INSERT INTO settings (name) VALUES ('b')`) }, 100, 2},
		"no order can be found":           {unordered, 5, 6},
		"no order is ever found":          {unordered, 100, 9},
		"none can be found at the commit": {func(tx *Tx) error { return save(tx, "late", "late") }, 5, 6},
		"it refuses":                      {func(*Tx) error { return errNo }, 1, 1},
		"what it has read is wrong": {func(tx *Tx) error {
			return tx.Rows(`SELECT 1`, nil, func(Row) error {
				return &Error{Err: errNo, Kind: ErrDamaged}
			})
		}, 1, 1},
		"it is no statement": {func(tx *Tx) error { _, err := tx.Exec(`SELEC`); return err }, 1, 1},
	} {
		t.Run(what, func(t *testing.T) {
			ran, before := 0, db.Commits().Again
			err := db.Update(t.Context(), "", func(tx *Tx) error {
				if ran++; ran <= test.times {
					return errors.Join(save(tx, what, "0"), test.fails(tx))
				}
				return save(tx, what, "1")
			})
			stands := queryAll(t, db, `SELECT COALESCE(MAX(value), '') FROM settings WHERE name = $1`, what)
			if want := test.times < test.runs; ran != test.runs || (err == nil) != want || (stands == `"1"`) != want {
				t.Errorf("it ran %d times: %v, and %q stands", ran, err, stands)
			}
			if again := db.Commits().Again - before; again != int64(ran-1) {
				t.Errorf("it ran %d times, %d times again are counted", ran, again)
			}
		})
	}
}

// TestASchemaThatChangesIsNoticed adds a column to the result of a statement that was prepared before. It still works.
func TestASchemaThatChangesIsNoticed(t *testing.T) {
	needs.Long(t)
	db := open(t, emptyDatabase(t))
	read := func() (got string) {
		err := db.Update(t.Context(), "", func(tx *Tx) error {
			return tx.Rows(`SELECT * FROM settings`, nil, func(row Row) error {
				values, err := row.Values()
				got, _ = values[1].(string)
				return err
			})
		})
		if err != nil {
			t.Error(err)
		}
		return got
	}
	err := db.Update(t.Context(), "", func(tx *Tx) error { return save(tx, "a", "1") })
	if err != nil || read() != "1" {
		t.Fatal(err)
	}
	runStatement(t, db, `ALTER TABLE settings ADD COLUMN more TEXT`)
	if read() != "1" {
		t.Error("it is not read after that")
	}
}
