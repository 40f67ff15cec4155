package store_test

import (
	"database/sql"
	"net/url"
	"testing"

	"knobel/store"
)

// The life of a table as the tests need it: Anna, Ben and the house play for
// 10 chips each, Anna wins.

// opened adds a lobby.
func opened(t testing.TB, s *store.Store, place string) store.Table {
	t.Helper()
	table := lobby(place)
	update(t, s, func(tx *store.Tx) (err error) {
		table.ID, err = tx.Tables.AddTable(table)
		return err
	})
	return table
}

// started adds a table that is being played, its stakes in the pool.
func started(t testing.TB, s *store.Store, place string) store.Table {
	t.Helper()
	table := opened(t, s, place)
	table.State, table.Match = store.Playing, []byte("match")
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Books.Post(stakes(table)); err != nil {
			return err
		}
		return tx.Tables.SaveTable(table)
	})
	return table
}

// finished adds a table that is over after two moves.
func finished(t testing.TB, s *store.Store, place string) store.Table {
	t.Helper()
	table := started(t, s, place)
	update(t, s, func(tx *store.Tx) error {
		var err error
		table, err = finish(tx, table)
		return err
	})
	return table
}

func finish(tx *store.Tx, table store.Table) (store.Table, error) { return finishAt(tx, table, 5) }

// finishAt lets a table be over at a moment.
func finishAt(tx *store.Tx, table store.Table, at int64) (store.Table, error) {
	moves := []store.Move{{Seat: 0, Move: "throw 2", Dice: []int{5, 6}, At: 1},
		{Seat: 1, Move: "shut 9+2", Auto: true, At: 2}}
	for _, m := range moves {
		if err := tx.Tables.AddMove(table.ID, m); err != nil {
			return table, err
		}
	}
	table.State, table.Turn, table.Board.Page, table.Draft = store.Over, 2, "", ""
	table.Version++
	if err := tx.Tables.SaveTable(table); err != nil {
		return table, err
	}
	if err := tx.Books.Post(payout(table)); err != nil {
		return table, err
	}
	return table, tx.Tables.Finish(table.ID, at, 3, result())
}

func result() []store.Result {
	return []store.Result{
		{Seat: 0, Score: 3, Threw: true, Place: 1, Pool: 20},
		{Seat: 1, Score: 12, Threw: true, Place: 2, Pool: -10},
		{Seat: 2, Place: 3, Pool: -10},
	}
}

func stakes(t store.Table) store.Posting {
	return posting(t, store.Stakes, store.Entry{Account: "player:test:anna", Amount: -10},
		store.Entry{Account: "player:test:ben", Amount: -10},
		store.Entry{Account: "house:fewest", Amount: -10}, store.Entry{Account: pool(t.ID), Amount: 30})
}

func payout(t store.Table) store.Posting {
	return posting(t, store.Payout, store.Entry{Account: pool(t.ID), Amount: -30},
		store.Entry{Account: "player:test:anna", Amount: 30})
}

func posting(t store.Table, kind string, entries ...store.Entry) store.Posting {
	return store.Posting{Chat: t.Chat, Unit: t.Unit, Table: t.ID, Kind: kind, At: 5, Entries: entries}
}

// balance reads an account of the tests' chat.
func balance(t testing.TB, s *store.Store, chat, account string) (sum int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		sum, err = tx.Books.Balance(chat, "chips", account)
		return err
	})
	return sum
}

// sound wants Check to find nothing.
func sound(t testing.TB, s *store.Store) {
	t.Helper()
	faults, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}

// tamper changes a database behind the store's back.
func tamper(t testing.TB, s *store.Store, statements ...string) {
	t.Helper()
	tamperFile(t, s.File(), statements...)
}

func tamperFile(t testing.TB, file string, statements ...string) {
	t.Helper()
	name, driver := (&url.URL{Scheme: "file", Path: file}).String(), "sqlite"
	if !store.IsFile(file) {
		name, driver = file, "pgx"
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if driver == "sqlite" {
		statements = append([]string{"PRAGMA busy_timeout = 5000"}, statements...)
	}
	for _, statement := range statements {
		if other, differs := onPostgres[statement]; differs && driver != "sqlite" {
			statement = other
		}
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// onPostgres is what has the same effect there as a statement of SQLite's.
var onPostgres = map[string]string{
	"PRAGMA foreign_keys = OFF":            "SET session_replication_role = replica",
	"PRAGMA ignore_check_constraints = ON": "ALTER TABLE tables DROP CONSTRAINT tables_check",
	"PRAGMA writable_schema = ON":          "SET session_replication_role = replica",
	liesOnSQLite: "UPDATE pg_index SET indisvalid = FALSE " +
		"WHERE indexrelid = 'updates_by_age'::regclass",
}

// liesOnSQLite has an index be another than it says.
const liesOnSQLite = "UPDATE sqlite_master SET sql = 'CREATE INDEX updates_by_age ON updates (id)' " +
	"WHERE name = 'updates_by_age'"
