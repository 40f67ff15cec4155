package store_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net/url"
	"os"
	"reflect"
	"testing"

	"knobel/bot/fakes"
	"knobel/store"
	"knobel/store/storetest"
)

// check ends the test on an error.
var check = fakes.Check

// openNew opens a new database, until the test ends.
func openNew(t testing.TB) *store.Store {
	t.Helper()
	return reopen(t, storetest.Empty(t))
}

// reopen opens the database in a file, until the test ends.
func reopen(t testing.TB, file string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	check(t, err)
	t.Cleanup(func() { closeDB(t, s) })
	return s
}

// drawAs stores that a version of a table was drawn in the message ref in its place.
func drawAs(tx *store.Tx, table store.Table, version int64, ref string) error {
	now, err := tx.Tables.Table(table.ID)
	of := store.Drawing{Table: table.ID, Version: version, Place: table.Place, Ref: ref, Was: now.Board}
	return errors.Join(err, tx.Tables.Drawn(of, func(bool) {}))
}

// giveBox calls GiveBox a number of times, with holder as the only winner and with the time at in Unix milliseconds.
func giveBox(tx *store.Tx, chat, unit, holder string, at int64, times int) (err error) {
	for range times {
		err = errors.Join(err, tx.Books.GiveBox(chat, unit, []string{holder}, at))
	}
	return err
}

// idsOf returns the numbers of rows, and err.
func idsOf(rows []store.Row, err error) (all []int64, _ error) {
	for _, r := range rows {
		all = append(all, r.ID)
	}
	return all, err
}

// update runs change and checks that it is committed.
func update(t testing.TB, s *store.Store, change func(*store.Tx) error) {
	t.Helper()
	check(t, s.UpdateOf(t.Context(), store.OfAll, change))
}

// view runs read and checks that it returns no error.
func view(t testing.TB, s *store.Store, read func(*store.Tx) error) {
	t.Helper()
	check(t, s.View(t.Context(), read))
}

// updateResult returns the result of a change and checks that it is committed.
func updateResult[T any](t testing.TB, s *store.Store, change func(*store.Tx) (T, error)) (result T) {
	t.Helper()
	update(t, s, func(tx *store.Tx) (err error) {
		result, err = change(tx)
		return err
	})
	return result
}

// viewResult returns the result of read in a view and checks that there is no error.
func viewResult[T any](t testing.TB, s *store.Store, read func(*store.Tx) (T, error)) (result T) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		result, err = read(tx)
		return err
	})
	return result
}

// lobby returns a table in the lobby with two people and a computer player.
func lobby(place string) store.Table {
	return store.Table{
		Chat: "test:chat", Place: place, Game: "shutbox", Rules: map[string]string{"tiles": "9"}, Stake: 10,
		Unit:  "chips",
		State: store.Lobby, Draft: "9+2",
		Board: store.Board{Page: "rules", Posted: 900, Behind: 1000},
		Seats: []store.Seat{
			{Player: "test:anna", Name: "Anna", Entropy: "a", Confirmed: true},
			{Player: "test:ben", Name: "Ben <b>*_[x](y)@everyone \u202e", Entropy: "b"},
			{Name: "house fewest", House: "fewest", Entropy: "house", Confirmed: true},
		},
		Dice:    store.Dice{Commitment: "c0ffee", Seed: []byte("0123456789abcdef0123456789abcdef")},
		Origin:  store.Origin{Opener: "test:anna", Opened: 800},
		Version: 1, Changed: 1000, Clock: store.Clock{TurnLimit: store.DefaultLimit},
	}
}

func TestTablesComeBackAsTheyWereSaved(t *testing.T) {
	s := openNew(t)
	table := lobby("test:place")
	table.ID = updateResult(t, s, func(tx *store.Tx) (int64, error) { return tx.Tables.AddTable(table) })
	if table.ID != 1 {
		t.Errorf("the first table has number %d", table.ID)
	}
	same := func(what string) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Tables.Table(table.ID)
			if err == nil && !reflect.DeepEqual(got, table) {
				t.Errorf("%s:\n got %+v\nwant %+v", what, got, table)
			}
			return err
		})
	}
	same("in the lobby")
	table.State, table.Match, table.Turn, table.Dice.Thrown = store.Playing, []byte{0, 1, 2}, 7, 14
	table.Rules["one-die"], table.Stake, table.Unit = "never", 20, "coffees"
	table.Board.Page, table.Draft, table.Board.Away, table.Board.Repost = "", "", true, true
	table.BoxIn, table.BoxOut, table.Rematch, table.Version = 1, 2, 1, 9
	table.Clock.Moved = 1950
	table.Changed, table.Clock.TurnLimit, table.Clock.Absent, table.Clock.Due, table.Clock.Warned = 2000, 60_000,
		store.IsOut, 62_000, 1950
	table.Seats = []store.Seat{table.Seats[2],
		{Player: "test:clara", Name: "Clara", Confirmed: true, Missed: 2, Absence: store.Gone, Offered: true}}
	update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(table) })
	same("playing")
	is := store.Drawing{Table: 1, Version: 8, Place: table.Place, Ref: "test:message", Posted: 1900}
	update(t, s, func(tx *store.Tx) error { return tx.Tables.Drawn(is, func(bool) {}) })
	table.Board.Drawn, table.Board.Message, table.Board.Posted, table.Board.Repost = 8, "test:message", 1900, false
	table.Board.Behind = table.Changed
	same("drawn")
	table.Board.Page = "rules" // SaveTable stores this, but not the fields below, which Drawn stores
	update(t, s, func(tx *store.Tx) error {
		saved := table
		saved.Board.Drawn, saved.Board.Message, saved.Board.Posted = 9, "test:other", 1
		return tx.Tables.SaveTable(saved)
	})
	same("saved again")
}

func TestWhatIsNotThere(t *testing.T) { // reads return ErrNotFound or a default
	s := openNew(t)
	view(t, s, func(tx *store.Tx) error {
		for what, read := range map[string]func() error{
			"Table":     func() error { _, err := tx.Tables.Table(1); return err },
			"TableAt":   func() error { _, err := tx.Tables.TableAt("x"); return err },
			"TableHere": func() error { _, err := tx.Tables.TableHere("x"); return err },
		} {
			if err := read(); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
		chat, err := tx.Chats.Chat("x")
		if want := (store.Chat{ID: "x", News: store.NotTold}); err != nil || chat != want {
			t.Errorf("Chat: %+v, %v", chat, err)
		}
		player, err := tx.Chats.Player("x")
		if want := (store.Player{ID: "x", Person: "x"}); err != nil || player != want {
			t.Errorf("Player: %+v, %v", player, err)
		}
		box, err := tx.Books.Box("x", "chips")
		if want := (store.Box{Chat: "x", Unit: "chips"}); err != nil || box != want {
			t.Errorf("Box: %+v, %v", box, err)
		}
		if value, err := tx.Chats.Setting("x"); err != nil || value != "" {
			t.Errorf("Setting: %q, %v", value, err)
		}
		return nil
	})
	err := s.Update(context.Background(), func(tx *store.Tx) error { return tx.Tables.SaveTable(store.Table{ID: 5}) })
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("SaveTable: %v", err)
	}
}

// writeFile writes a file that only its owner may read.
func writeFile(t testing.TB, file string, content []byte) {
	t.Helper()
	check(t, os.WriteFile(file, content, 0o600))
}

// closeDB closes a database or a file and checks that there is no error.
func closeDB(t testing.TB, what io.Closer) {
	t.Helper()
	if err := what.Close(); err != nil {
		t.Error(err)
	}
}

// Tables of the tests: Anna, Ben and the computer play for 10 chips each, and Anna wins.

// addLobby adds a table in the lobby at a place.
func addLobby(t testing.TB, s *store.Store, place string) store.Table {
	t.Helper()
	table := lobby(place)
	table.ID = updateResult(t, s, func(tx *store.Tx) (int64, error) { return tx.Tables.AddTable(table) })
	return table
}

// addPlaying adds a table in play at a place, with its stakes in the pool.
func addPlaying(t testing.TB, s *store.Store, place string) store.Table {
	t.Helper()
	table := addLobby(t, s, place)
	table.State, table.Match = store.Playing, []byte("match")
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Books.Post(stakes(table)); err != nil {
			return err
		}
		return tx.Tables.SaveTable(table)
	})
	return table
}

// addFinished adds a table at a place that is over after two moves.
func addFinished(t testing.TB, s *store.Store, place string) store.Table {
	t.Helper()
	table := addPlaying(t, s, place)
	update(t, s, func(tx *store.Tx) error {
		var err error
		table, err = finish(tx, table)
		return err
	})
	return table
}

// finish ends a table at the time 5, as finishAt does.
func finish(tx *store.Tx, table store.Table) (store.Table, error) { return finishAt(tx, table, 5) }

// finishAt ends a table at a time in Unix milliseconds, with the rows of result and a payout.
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

// result returns the result rows of a table with three seats, of which the first wins.
func result() []store.Result {
	return []store.Result{
		{Seat: 0, Score: 3, Threw: true, Place: 1, Pool: 20},
		{Seat: 1, Score: 12, Threw: true, Place: 2, Pool: -10},
		{Seat: 2, Place: 3, Pool: -10},
	}
}

// stakes returns the posting of a table's stakes.
func stakes(t store.Table) store.Posting {
	return posting(t, store.Stakes, store.Entry{Account: "player:test:anna", Amount: -10},
		store.Entry{Account: "player:test:ben", Amount: -10},
		store.Entry{Account: "house:fewest", Amount: -10}, store.Entry{Account: poolAccount(t.ID), Amount: 30})
}

// payout returns the posting of a table's payout.
func payout(t store.Table) store.Posting {
	return posting(t, store.Payout, store.Entry{Account: poolAccount(t.ID), Amount: -30},
		store.Entry{Account: "player:test:anna", Amount: 30})
}

// posting returns a posting about a table.
func posting(t store.Table, kind string, entries ...store.Entry) store.Posting {
	return store.Posting{Chat: t.Chat, Unit: t.Unit, Table: t.ID, Kind: kind, At: 5, Entries: entries}
}

// balance returns the balance in chips of an account of a chat.
func balance(t testing.TB, s *store.Store, chat, account string) int64 {
	t.Helper()
	return viewResult(t, s, func(tx *store.Tx) (int64, error) { return tx.Books.Balance(chat, "chips", account) })
}

// wantNoFaults checks that Check finds no fault.
func wantNoFaults(t testing.TB, s *store.Store) {
	t.Helper()
	faults, err := s.Check(t.Context())
	check(t, err)
	for _, fault := range faults {
		t.Error(fault)
	}
}

// tamper changes the database of s by SQL, without the store's methods.
func tamper(t testing.TB, s *store.Store, statements ...string) {
	t.Helper()
	tamperFile(t, s.File(), statements...)
}

// tamperFile changes a database file by SQL, without the store's methods.
func tamperFile(t testing.TB, file string, statements ...string) {
	t.Helper()
	name, driver := (&url.URL{Scheme: "file", Path: file}).String(), "sqlite"
	if !store.IsFile(file) {
		name, driver = file, "pgx"
	}
	db, err := sql.Open(driver, name)
	check(t, err)
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

// onPostgres maps statements for SQLite to statements with the same effect on PostgreSQL.
var onPostgres = map[string]string{
	"PRAGMA foreign_keys = OFF":            "SET session_replication_role = replica",
	"PRAGMA ignore_check_constraints = ON": "ALTER TABLE tables DROP CONSTRAINT tables_check",
	"PRAGMA writable_schema = ON":          "SET session_replication_role = replica",
	liesOnSQLite: "UPDATE pg_index SET indisvalid = FALSE " +
		"WHERE indexrelid = 'updates_by_age'::regclass",
}

// liesOnSQLite makes an index differ from its definition.
const liesOnSQLite = "UPDATE sqlite_master SET sql = 'CREATE INDEX updates_by_age ON updates (id)' " +
	"WHERE name = 'updates_by_age'"
