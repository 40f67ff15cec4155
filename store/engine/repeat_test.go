package engine

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// TestChangesInEachOthersWay has two changes lock the same rows in different order, again and again: one of the two
// runs again, and both count.
func TestChangesInEachOthersWay(t *testing.T) {
	needs.Long(t)
	server := postgrestest.New(t, nil, "deadlock_timeout=10ms")
	db := open(t, server.Address(server.Database(t, "")))
	err := db.Update(t.Context(), "", func(tx *Tx) error {
		return errors.Join(save(tx, "a", ""), save(tx, "b", ""))
	})
	if err != nil {
		t.Fatal(err)
	}
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
					if err := read(order[:1]); err != nil { // it has the lock
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
	all := asked(t, db, `SELECT value FROM settings WHERE name = 'a'`) +
		asked(t, db, `SELECT value FROM settings WHERE name = 'b'`)
	if strings.Count(all, "ab") < rounds || strings.Count(all, "ba") < rounds {
		t.Errorf("of %d changes of each kind there are %q", rounds, all)
	}
}

// TestAChangeThatIsOvertakenRunsAgain has changes find out that another one was faster: they run again, as often as
// makes sense.
func TestAChangeThatIsOvertakenRunsAgain(t *testing.T) {
	t.Parallel()
	db := open(t, empty(t))
	run(t, db, `CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE EXCEPTION 'too late' USING ERRCODE = 'serialization_failure'; END $$`)
	run(t, db, `CREATE CONSTRAINT TRIGGER late AFTER INSERT OR UPDATE ON settings DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW WHEN (NEW.value = 'late') EXECUTE FUNCTION late()`)
	unordered := func(tx *Tx) error {
		return tx.Run(`DO $$ BEGIN RAISE EXCEPTION 'no order' USING ERRCODE = 'serialization_failure'; END $$`)
	}
	for what, test := range map[string]struct {
		fails func(tx *Tx) error
		times int // it fails so often
		runs  int // it may run so often
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
			stands := asked(t, db, `SELECT COALESCE(MAX(value), '') FROM settings WHERE name = $1`, what)
			if want := test.times < test.runs; ran != test.runs || (err == nil) != want || (stands == `"1"`) != want {
				t.Errorf("it ran %d times: %v, and %q stands", ran, err, stands)
			}
			if again := db.Commits().Again - before; again != int64(ran-1) {
				t.Errorf("it ran %d times, %d times again are counted", ran, again)
			}
		})
	}
}

// TestASchemaThatChangesIsNoticed changes what a statement that was prepared returns.
func TestASchemaThatChangesIsNoticed(t *testing.T) {
	needs.Long(t)
	db := open(t, empty(t))
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
	run(t, db, `ALTER TABLE settings ADD COLUMN more TEXT`)
	if read() != "1" {
		t.Error("it is not read after that")
	}
}
