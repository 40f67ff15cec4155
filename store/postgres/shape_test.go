package postgres_test

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/store/engine"
	"knobel/store/postgres"
	"knobel/store/postgres/postgrestest"
)

// reading is a transaction that reads, of a kind, with values, and the arguments of its queries.
type reading struct {
	kind, name string
	values     []any
	queries    [][]any
}

// read carries out readings one after the other, and returns how often the last one has waited for the server.
func read(t *testing.T, db *postgres.DB, all ...reading) (trips int64) {
	t.Helper()
	for _, r := range all {
		before := db.RoundTrips()
		err := db.View(t.Context(), func(tx engine.Tx) error {
			tx.Expect(r.kind, r.name, r.values...)
			for _, args := range r.queries {
				read := ""
				err := tx.Rows(`SELECT $1::text || '/' || $2::bigint`, args, func(row []driver.Value) error {
					return tx.Scan(row, []any{&read})
				})
				if want := fmt.Sprint(args[0], "/", args[1]); err != nil || read != want {
					return fmt.Errorf("read %q, not %q: %w", read, want, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		trips = db.RoundTrips() - before
	}
	return trips
}

// TestTheFirstOfItsNameReadsAsOthersOfItsKindHave has transactions read what follows from their values, and what does
// not.
func TestTheFirstOfItsNameReadsAsOthersOfItsKindHave(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	// at is a reading at a table of what is of its chat, of two seats, and of the table twice.
	at := func(chat string, table, seat, other int64) reading {
		return reading{"press", chat, []any{chat, table, nil, ""},
			[][]any{{chat, table}, {chat, seat}, {"all", other}, {chat, table}}}
	}
	learned := []reading{at("a", 11, 1, 0), at("b", 12, 1, 0)}
	for what, c := range map[string]struct {
		before []reading
		last   reading
		trips  int64
	}{
		"nobody before":   {nil, at("a", 11, 1, 0), 4},
		"one before":      {learned[:1], at("b", 12, 1, 0), 4},
		"two before":      {learned, at("c", 13, 1, 0), 1},
		"the same chat":   {[]reading{at("a", 11, 1, 0), at("a", 12, 1, 0)}, at("c", 13, 1, 0), 4},
		"the same table":  {[]reading{at("a", 11, 1, 0), at("b", 11, 1, 0)}, at("c", 13, 1, 0), 4},
		"the same name":   {[]reading{at("a", 11, 7, 8)}, at("a", 11, 7, 8), 1},
		"another seat":    {[]reading{at("a", 11, 1, 0), at("b", 12, 2, 0)}, at("c", 13, 3, 0), 2},
		"by chance":       {append(learned, at("x", 1, 1, 0)), at("c", 13, 1, 0), 1},
		"by chance first": {append([]reading{at("x", 1, 1, 0)}, learned...), at("c", 13, 1, 0), 1},
		"by chance twice": {append([]reading{at("x", 1, 1, 0), at("y", 2, 2, 0)}, learned...), at("c", 13, 1, 0), 1},
		"another kind":    {learned, reading{"other", "c", []any{"c", 13}, [][]any{{"c", int64(13)}}}, 1},
		"without a value": {learned, reading{"press", "c", []any{"c"},
			[][]any{{"c", int64(1)}, {"all", int64(0)}, {"c", int64(2)}}}, 2},
	} {
		t.Run(what, func(t *testing.T) {
			db := open(t, server.Address(server.Database(t, "")))
			if trips := read(t, db, append(c.before, c.last)...); trips != c.trips {
				t.Errorf("it takes %d round trips, not %d", trips, c.trips)
			}
		})
	}
}

// TestManyNamesAreOfOneKind has more names come in turns than are remembered.
func TestManyNamesAreOfOneKind(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, "")))
	of := func(i int) reading {
		name := fmt.Sprint("chat ", i)
		return reading{"press", name, []any{name, i}, [][]any{{name, int64(i)}, {name, int64(1)}}}
	}
	read(t, db, of(-1), of(-2))
	before := db.RoundTrips()
	const names = 5000
	for range 2 {
		for i := range names {
			read(t, db, of(10+i))
		}
	}
	if trips := db.RoundTrips() - before; trips != 2*names {
		t.Errorf("%d transactions take %d round trips", 2*names, trips)
	}
}

// TestKindsThatComeStay has more kinds come than are remembered, most of them once, as buttons that nobody has made do.
func TestKindsThatComeStay(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, "")))
	of := func(kind string, i int) reading {
		name := fmt.Sprint("chat ", i)
		return reading{kind, name, []any{name, i}, [][]any{{name, int64(i)}, {name, int64(1)}}}
	}
	read(t, db, of("press", 10), of("press", 11), of("once", 10), of("once", 11))
	for i := range 300 {
		if trips := read(t, db, of(fmt.Sprint("kind ", i), i), of("press", 12+i)); trips != 1 {
			t.Fatalf("after %d other kinds it takes %d round trips", i, trips)
		}
	}
	if trips := read(t, db, of("once", 12)); trips != 2 {
		t.Errorf("a kind that was forgotten takes %d round trips", trips)
	}
}

// TestWhatNobodyWantsIsForgotten counts on the server how often a query is asked.
func TestWhatNobodyWantsIsForgotten(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, "")))
	chats := 0
	update := func(wants int) (asked int64) {
		chats++
		name := fmt.Sprint("chat ", chats)
		err := db.Update(t.Context(), "", func(tx engine.Tx) error {
			if chats == 1 {
				if err := tx.Run(`CREATE SEQUENCE asked`); err != nil {
					return err
				}
			}
			tx.Expect("press", name, name)
			for range wants {
				err := tx.Rows(`SELECT nextval('asked'), $1::text`, []any{name}, func([]driver.Value) error { return nil })
				if err != nil {
					return err
				}
			}
			return tx.Rows(`SELECT last_value FROM asked`, nil, func(row []driver.Value) error {
				return tx.Scan(row, []any{&asked})
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		return asked
	}
	for range 3 {
		update(1)
	}
	was, ended := update(1), 0
	for n := range 400 {
		if now := update(0); now != was {
			was, ended = now, n+1
		}
	}
	if ended < 250 || ended > 260 { // one in 256 is to find it asked
		t.Errorf("the last of 400 transactions that do not want a query and ask it is the %dth", ended)
	}
}

// TestAKindThatFailsIsForgotten has a query be refused that was learned of others: it harms one transaction.
func TestAKindThatFailsIsForgotten(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, "")))
	run := func(name, statement string, args ...any) error {
		return db.Update(t.Context(), "", func(tx engine.Tx) error {
			tx.Expect("kind", name, name)
			return tx.Rows(statement, args, func([]driver.Value) error { return nil })
		})
	}
	const passing = `SELECT id FROM passing WHERE name = $1`
	if err := errors.Join(run("", `CREATE TABLE passing (id BIGINT, name TEXT)`), run("a", passing, "a"),
		run("b", passing, "b"), run("c", passing, "c"), run("", `DROP TABLE passing`)); err != nil {
		t.Fatal(err)
	}
	if run("d", `SELECT 1`) == nil {
		t.Error("what the others have read was not asked ahead")
	}
	for _, name := range []string{"d", "e", "f"} {
		if err := run(name, `SELECT 1`); err != nil {
			t.Error(err)
		}
	}
}

// TestADeletionOutdatesWhatItChanges has rows be deleted, and with these rows of another table, and no others.
func TestADeletionOutdatesWhatItChanges(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	db := open(t, server.Address(server.Database(t, "")))
	count := func(tx engine.Tx, table string) (n int) {
		err := tx.Rows(`SELECT COUNT(*) FROM `+table, nil, func(row []driver.Value) error {
			return tx.Scan(row, []any{&n})
		})
		if err != nil {
			t.Error(err)
		}
		return n
	}
	var trips int64
	for range 3 {
		err := db.Update(t.Context(), "", func(tx engine.Tx) error {
			err := tx.Run(`INSERT INTO web_rooms (id, chat, print, host, made, used, seen) VALUES (1, 'c', 'p', '', 0, 0, 0)`)
			if err == nil {
				err = tx.Run(`INSERT INTO web_moves (room, print, sealed) VALUES (1, 'p', 's')`)
			}
			if err != nil {
				return err
			}
			before := db.RoundTrips()
			tx.Expect("kind", "")
			if rooms, moves, chats := count(tx, "web_rooms"), count(tx, "web_moves"), count(tx, "chats"); rooms != 1 ||
				moves != 1 || chats != 0 {
				t.Errorf("there are %d rooms, %d moves, %d chats", rooms, moves, chats)
			}
			if err := tx.Run(`DELETE FROM settings`); err != nil {
				return err
			}
			if moves := count(tx, "web_moves"); moves != 1 {
				t.Errorf("%d moves are left by what leaves them alone", moves)
			}
			trips = db.RoundTrips() - before
			if err := tx.Run(`DELETE FROM web_rooms`); err != nil {
				return err
			}
			if moves := count(tx, "web_moves"); moves != 0 {
				t.Errorf("%d moves are left of a room that is deleted", moves)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if trips != 1 {
		t.Errorf("before the room is deleted it takes %d round trips", trips)
	}
}
