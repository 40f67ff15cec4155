package engine

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"knobel/bot/fakes/needs"
)

// number runs a query for one number and returns it.
func number(t *testing.T, db DB, query string) (n int64) {
	t.Helper()
	err := db.View(t.Context(), func(tx *Tx) error {
		return tx.Rows(query, nil, func(row Row) error { return row.Scan(&n) })
	})
	check(t, err)
	return n
}

// runStatement runs a statement in a change.
func runStatement(t *testing.T, db DB, statement string) {
	t.Helper()
	check(t, db.Update(t.Context(), "", func(tx *Tx) error { return tx.Run(statement) }))
}

// TestNothingIsCleanAsLongAsSomebodyReads begins a view before a row is deleted. The row stays until the view ends;
// then Clean removes it from its table and its index, although for one row VACUUM by default skips indexes.
func TestNothingIsCleanAsLongAsSomebodyReads(t *testing.T) {
	needs.Long(t)
	db := open(t, emptyDatabase(t))
	runStatement(t, db, `CREATE EXTENSION pageinspect`)
	runStatement(t, db, `INSERT INTO settings (name, value) SELECT 'name ' || n, '' FROM generate_series(1, 20000) n`)
	const keys = `SELECT SUM((SELECT COUNT(*) FROM bt_page_items('settings_pkey', n)))::BIGINT
		FROM generate_series(1, pg_relation_size('settings_pkey') / current_setting('block_size')::BIGINT - 1) n`
	check(t, db.Clean(t.Context()))
	before := number(t, db, keys)
	err := db.View(t.Context(), func(tx *Tx) error {
		var rows int64
		err := tx.Rows(`SELECT COUNT(*) FROM settings`, nil, func(row Row) error {
			return row.Scan(&rows)
		})
		runStatement(t, db, `DELETE FROM settings WHERE name = 'name 7'`)
		if cleaned := db.Clean(t.Context()); cleaned == nil || !strings.Contains(cleaned.Error(), "still reads") {
			t.Errorf("while somebody reads: %v", cleaned)
		}
		return err
	})
	check(t, err)
	if now := number(t, db, keys); now != before {
		t.Errorf("the index has %d entries, and had %d", now, before)
	}
	check(t, db.Clean(t.Context()))
	if now := number(t, db, keys); now != before-1 {
		t.Errorf("the index has %d entries, and had %d with the one that was deleted", now, before)
	}
}

// TestReplicasCleanAtOnce calls Clean in three replicas at once while they change the database. All succeed, one after
// the other, and nothing of the deleted rows is left.
func TestReplicasCleanAtOnce(t *testing.T) {
	needs.Long(t)
	address := emptyDatabase(t)
	alone := open(t, address)
	runStatement(t, alone, `CREATE EXTENSION pageinspect`)
	check(t, alone.Close())
	var all []DB
	for range 3 {
		all = append(all, open(t, address, shared))
	}
	runStatement(t, all[0], `INSERT INTO settings (name, value) SELECT 'name ' || n, '' FROM generate_series(1, 20000) n`)
	var cleaning sync.WaitGroup
	for i, db := range all {
		cleaning.Go(func() {
			for n := range 5 {
				err := db.Update(t.Context(), "", func(tx *Tx) error {
					return tx.Run(`DELETE FROM settings WHERE name = $1`, fmt.Sprint("name ", 100*(i+1)+n))
				})
				if err == nil {
					err = db.Clean(t.Context())
				}
				if err != nil {
					t.Errorf("replica %d: %v", i, err)
				}
			}
		})
	}
	cleaning.Wait()
	const keys = `SELECT SUM((SELECT COUNT(*) FROM bt_page_items('settings_pkey', n) WHERE NOT dead))::BIGINT
		FROM generate_series(1, pg_relation_size('settings_pkey') / current_setting('block_size')::BIGINT - 1) n`
	before := number(t, all[0], keys)
	runStatement(t, all[0], `DELETE FROM settings WHERE name = 'name 7'`)
	check(t, all[0].Clean(t.Context()))
	rows, now := number(t, all[0], `SELECT COUNT(*) FROM settings`), number(t, all[0], keys)
	if rows != 20000-16 || now != before-1 {
		t.Errorf("%d rows are left; the index has %d entries, and had %d with the one that was deleted last", rows, now,
			before)
	}
}
