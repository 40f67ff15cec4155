package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"knobel/store/engine/postgrestest"
)

// openBoth returns an empty database on each engine, by the engine's name. They are closed when the test ends.
func openBoth(t *testing.T) map[string]DB {
	t.Helper()
	file := openTestFile(t, filepath.Join(t.TempDir(), "knobel.db"))
	return map[string]DB{"SQLite": file, "PostgreSQL": open(t, emptyDatabase(t))}
}

// emptyDatabase creates an empty PostgreSQL database and returns its address.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	server := postgrestest.Need(t)
	return server.Address(server.Database(t, ""))
}

// open opens the PostgreSQL database at address, with the first of o if there is one, until the test ends.
func open(t *testing.T, address string, o ...Options) *Server {
	t.Helper()
	db, err := newServer(t.Context(), address, append(o, Options{})[0], false)
	return untilEnd(t, db, err)
}

// untilEnd returns db, a database just opened with the result err, and closes it when the test ends. err must be nil.
func untilEnd[D DB](t *testing.T, db D, err error) D {
	t.Helper()
	check(t, err)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// queryAll runs a query and returns all columns of its rows as one text, or the kind of its error.
func queryAll(t *testing.T, db DB, query string, args ...any) string {
	t.Helper()
	var all []string
	err := db.Update(t.Context(), "", func(tx *Tx) error {
		return tx.Rows(query, args, func(row Row) error {
			values, err := row.Values()
			for _, value := range values {
				text := fmt.Sprint(value)
				if _, is := value.(string); is {
					text = strconv.Quote(text)
				}
				all = append(all, text)
			}
			return err
		})
	})
	if err != nil {
		return kindOf(err)
	}
	return strings.Join(all, " ")
}

// fillTables adds rows to two tables, whose order and sums would show differences between the engines.
func fillTables(t *testing.T, db DB) {
	t.Helper()
	err := db.Update(t.Context(), "", func(tx *Tx) error {
		for i, text := range []string{"b", "B", "a", "Ä", "ä", "_", "~", "10", "9", "a b", "ab", "ß", "👩"} {
			if err := tx.Run(`INSERT INTO settings (name, value) VALUES ($1, $2)`, text, "x"); err != nil {
				return err
			}
			if err := tx.Run(`INSERT INTO updates (id, at) VALUES ($1, $2)`, text, 1<<61+i); err != nil {
				return err
			}
		}
		return nil
	})
	check(t, err)
}

// TestEnginesAnswerAlike runs queries that the engines might answer differently without an error.
func TestEnginesAnswerAlike(t *testing.T) {
	t.Parallel()
	all := openBoth(t)
	for _, db := range all {
		fillTables(t, db)
	}
	for _, test := range []struct {
		what, query string
		args        []any
		want        string // "": the answer of SQLite
	}{
		{"text goes by its bytes", `SELECT name FROM settings ORDER BY name`, nil, ""},
		{"and is as large as its bytes say", `SELECT COUNT(*) FROM settings WHERE name < $1`, []any{"a"}, `4`},
		{"case matters", `SELECT COUNT(*) FROM settings WHERE name = $1`, []any{"b"}, `1`},
		{"the beginning of a text", `SELECT name FROM settings WHERE SUBSTR(name, 1, LENGTH($1)) = $1 ORDER BY name`,
			[]any{"a"}, ""},
		{"no text has no beginning", `SELECT COUNT(*) FROM settings WHERE SUBSTR(name, 1, LENGTH($1)) = $1`,
			[]any{""}, ""},
		{"characters are counted, not bytes", `SELECT name, LENGTH(name) FROM settings ORDER BY name`, nil, ""},
		{"a sum is an integer", `SELECT SUM(n) FROM (SELECT 1 AS n UNION ALL SELECT 41) s`, nil, `42`},
		{"a sum of nothing", `SELECT SUM(at) FROM updates WHERE id = 'none'`, nil, ""},
		{"a sum that is too large", `SELECT SUM(at) FROM updates`, nil, "refused"},
		{"a sum and a number", `SELECT name FROM settings GROUP BY name HAVING SUM(1) <> 1`, nil, ""},
		{"division cuts off", `SELECT -7 / 2, 7 / 2, -7 % 2, 7 % -2, COUNT(*) / 2 FROM settings`, nil, ""},
		{"nothing comes where it is told to", `SELECT id FROM (SELECT id, CASE WHEN id < 'a' THEN at END AS n FROM updates) u
			ORDER BY n IS NULL, n, id`, nil, ""},
		{"a truth is an integer", `SELECT TRUE, FALSE, 1 = 1, NOT TRUE`, nil, `1 0 1 0`},
		{"no value", `SELECT NULL`, nil, ""},
		{"no bytes", `SELECT seed FROM tables`, nil, ""},
		{"a long integer", `SELECT MAX(at) FROM updates`, nil, ""},
		{"a name that is there", `INSERT INTO settings (name, value) VALUES ('a', 'b') RETURNING name`, nil, "refused"},
		{"nothing where something has to be", `INSERT INTO settings (name) VALUES ('new') RETURNING name`, nil, "refused"},
		{"a rule of a column", `INSERT INTO web_rooms (chat, print, host, made, used, seen)
			VALUES ('c', 'p', 'h', -1, 0, 0) RETURNING id`, nil, "refused"},
		{"a reference to nothing", `INSERT INTO chat_settings (chat, name, value) VALUES ('none', 'a', 'b')
			RETURNING chat`, nil, "refused"},
		{"a text where an integer has to be", `INSERT INTO updates (id, at) VALUES ('x', $1) RETURNING id`,
			[]any{"soon"}, "refused"},
		{"no statement", `SELEC`, nil, "refused"},
		{"a table that is not there", `SELECT * FROM nowhere`, nil, "refused"},
		{"a zero byte", `SELECT name FROM settings WHERE name = $1`, []any{"a\x00"}, "refused"},
		{"bytes that are no text", `SELECT name FROM settings WHERE name = $1`, []any{"\xff"}, "refused"},
	} {
		t.Run(test.what, func(t *testing.T) {
			want := test.want
			for _, engine := range []string{"SQLite", "PostgreSQL"} {
				got := queryAll(t, all[engine], test.query, test.args...)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s says %s, not %s", engine, got, want)
				}
			}
		})
	}
}

// TestCloseWaitsForWhatHasBegun closes a database during a change and a view: Close waits until both end, and no other
// begins.
func TestCloseWaitsForWhatHasBegun(t *testing.T) {
	for engine, db := range openBoth(t) {
		begun, ends := make(chan bool, 2), make(chan bool)
		var work sync.WaitGroup
		wait := func(tx *Tx) error {
			begun <- true
			<-ends
			return tx.Rows(`SELECT 1`, nil, func(Row) error { return nil })
		}
		var errs [3]error
		work.Go(func() { errs[0] = db.Update(t.Context(), "", wait) })
		work.Go(func() { errs[1] = db.View(t.Context(), wait) })
		<-begun
		<-begun
		work.Go(func() { errs[2] = db.Close() })
		nothing := func(*Tx) error { return nil }
		for db.View(t.Context(), nothing) == nil {
		}
		if err := db.Update(t.Context(), "", nothing); !errors.Is(err, errClosed) {
			t.Errorf("%s: a change of a closed database: %v", engine, err)
		}
		close(ends)
		if work.Wait(); errs != [3]error{} {
			t.Errorf("%s: what had begun, and closing: %v", engine, errs)
		}
	}
}
