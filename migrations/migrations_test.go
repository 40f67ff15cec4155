package migrations

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite"

	"knobel/bot/fakes"
)

// check ends the test on an error.
var check = fakes.Check

// newDatabase opens an SQLite database whose file does not exist yet, and closes it when the test ends.
func newDatabase(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "knobel.db"))
	check(t, err)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// schemaOf returns the parts of a database's schema and the numbers of the applied scripts, as text.
func schemaOf(t *testing.T, db *sql.DB) (parts []string) {
	t.Helper()
	rows, err := db.Query(`SELECT name || ': ' || COALESCE(sql, '') FROM sqlite_master
		UNION ALL SELECT 'script ' || version_id FROM migrations ORDER BY 1`)
	check(t, err)
	defer rows.Close()
	for rows.Next() {
		var part string
		check(t, rows.Scan(&part))
		parts = append(parts, part)
	}
	return parts
}

// TestFromEmptyAndAgain checks that Up makes the schema that the scripts make one by one, and can be repeated.
func TestFromEmptyAndAgain(t *testing.T) {
	db := newDatabase(t)
	check(t, Up(t.Context(), db))
	first := strings.Join(schemaOf(t, db), "\n")
	check(t, Up(t.Context(), db))
	if again := strings.Join(schemaOf(t, db), "\n"); again != first {
		t.Errorf("the second time has made\n%s\nof\n%s", again, first)
	}
	one := newDatabase(t)
	check(t, up(t.Context(), one, goose.DialectSQLite3, scripts))
	if alone := strings.Join(schemaOf(t, one), "\n"); alone != first {
		t.Errorf("the scripts one by one make\n%s\nnot\n%s", alone, first)
	}
	latest, err := Newest()
	check(t, err)
	var version int64
	if err := db.QueryRow(`SELECT MAX(version_id) FROM migrations`).Scan(&version); err != nil || version != latest {
		t.Errorf("the schema is %d, want %d (%v)", version, latest, err)
	}
}

func TestEveryTableIsStrict(t *testing.T) {
	db := newDatabase(t)
	check(t, Up(t.Context(), db))
	tables := 0
	for _, part := range schemaOf(t, db) {
		name, text, _ := strings.Cut(part, ": ")
		if !strings.HasPrefix(text, "CREATE TABLE") || name == Table || strings.HasPrefix(name, "sqlite_") {
			continue
		}
		tables++
		if !strings.HasSuffix(text, "STRICT") {
			t.Errorf("%s is not strict", name)
		}
	}
	if tables < 10 {
		t.Errorf("only %d tables", tables)
	}
}

func TestScriptsAreNumbered(t *testing.T) {
	names, err := fs.Glob(scripts, "*.sql")
	check(t, err)
	last := ""
	for _, name := range names {
		if !regexp.MustCompile(`^\d{4}_[a-z]+\.sql$`).MatchString(name) {
			t.Errorf("%s is not named like 0001_word.sql", name)
		}
		number, _, _ := strings.Cut(name, "_")
		if number == last {
			t.Errorf("there are two scripts with the number %s", number)
		}
		last = number
	}
	if latest, err := Newest(); err != nil || fmt.Sprintf("%04d", latest) != last {
		t.Errorf("the last script is numbered %s, the newest %d (%v)", last, latest, err)
	}
}

// TestReleasedScriptsStayAsTheyAre checks that no released script has changed, apart from comments.
func TestReleasedScriptsStayAsTheyAre(t *testing.T) {
	const last, want = "0061", "ad48c633e80921b6a7d0de28c98cc54d8939d04fffbf020bc40f086a598d085e"
	sum, comment := sha256.New(), regexp.MustCompile(`(?m)\s*--( [^+].*)?$`)
	for _, pattern := range []string{"*.sql", "postgres/*.sql"} {
		names, err := fs.Glob(scripts, pattern)
		check(t, err)
		for _, name := range names {
			text, err := scripts.ReadFile(name)
			check(t, err)
			if path.Base(name) < last+"~" {
				fmt.Fprintf(sum, "%s\n%s\n", name, comment.ReplaceAll(text, nil))
			}
		}
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != want {
		t.Errorf("a script up to %s was changed (%s): write a new one instead", last, got)
	}
}

// TestBoardsOfBeforeStandWhereTheyAre checks that boards stored in columns of tables are moved with their properties.
func TestBoardsOfBeforeStandWhereTheyAre(t *testing.T) {
	db := newDatabase(t)
	const add = `INSERT INTO tables (chat, place, game, rules, stake, unit, state, draft, commitment, seed, thrown, turn,
		box_in, box_out, version, changed, opened, behind, posted, page, drawn, board, away, repost, seen, seen_turn,
		tapped, tapper) VALUES ('a', 'p', 'coin', '{}', 0, '', 'over', '', '', x'', 0, 7, 0, 0, 9, 20, 10, 19, 15, `
	for _, statement := range []string{whole, `INSERT INTO chats (id) VALUES ('a')`,
		add + `'end', 8, 'm1', FALSE, TRUE, NULL, 6, 18, 1)`, add + `'', 9, 'm2', TRUE, FALSE, NULL, 0, 0, -1)`,
		add + `'', 0, '', FALSE, FALSE, x'01', 3, 0, -1)`} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	err := Up(t.Context(), db)
	var boards string
	if err == nil {
		err = db.QueryRow(`SELECT GROUP_CONCAT(CONCAT_WS(' ', table_id, place, message, page, drawn,
			COALESCE(behind, 'NULL'), away, posted, repost, seen, tapped, tapper), ';') FROM boards`).Scan(&boards)
	}
	const want = "1 p m1 end 8 19 0 15 1 5 18 1;2 p m2  9 NULL 1 15 0 7 0 -1;3 p   0 19 0 15 0 3 0 -1"
	if err != nil || boards != want {
		t.Errorf("the boards are\n%s\nnot\n%s (%v)", boards, want, err)
	}
}

// TestEachPlayerOfBeforeIsAPerson checks that players in databases of older versions keep their data and become persons
// of their own.
func TestEachPlayerOfBeforeIsAPerson(t *testing.T) {
	names, err := fs.Glob(scripts, "*.sql")
	check(t, err)
	before, older := files{}, []string{"0011_calls.sql", "0043_moves.sql", "0061_looks.sql", "0064_lines.sql"}
	for _, name := range names[:slices.Index(names, "0066_persons.sql")] {
		before[name], err = scripts.ReadFile(name)
		check(t, err)
		if !slices.Contains(older, name) {
			continue
		}
		db := newDatabase(t)
		check(t, up(t.Context(), db, goose.DialectSQLite3, before))
		_, err := db.Exec(`INSERT INTO players (id, name, language, uncalled)
			VALUES ('a', 'Anna', 'de', TRUE), ('b', '', '', FALSE)`)
		check(t, err)
		check(t, Up(t.Context(), db))
		var players string
		err = db.QueryRow(`SELECT GROUP_CONCAT(CONCAT_WS(' ', u.id, u.name, u.language, u.uncalled, p.id), ';')
			FROM players u JOIN persons p ON p.id = u.person`).Scan(&players)
		if want := "a Anna de 1 a;b   0 b"; err != nil || players != want {
			t.Errorf("after %s the players are %q, not %q (%v)", name, players, want, err)
		}
	}
}

// TestAScriptThatBreaks checks that the error names a failed script, that the script leaves nothing behind, that those
// before it stay applied, and that migration continues once it is repaired.
func TestAScriptThatBreaks(t *testing.T) {
	db := newDatabase(t)
	set := fstest.MapFS{
		"0001_one.sql": {Data: []byte("-- +goose Up\nCREATE TABLE one (a INTEGER);\n")},
		"0002_two.sql": {Data: []byte("-- +goose Up\nCREATE TABLE two (a INTEGER);\nCREATE NONSENSE;\n")},
	}
	err := up(t.Context(), db, goose.DialectSQLite3, set)
	if err == nil || !strings.HasPrefix(err.Error(), "migrate: 0002_two.sql: ") {
		t.Errorf("got %v", err)
	}
	if parts := strings.Join(schemaOf(t, db), "\n"); !strings.Contains(parts, "one: ") ||
		strings.Contains(parts, "two: ") {
		t.Errorf("it left\n%s", parts)
	}
	set["0002_two.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE two (a INTEGER);\n")}
	if err := up(t.Context(), db, goose.DialectSQLite3, set); err != nil {
		t.Error(err)
	}
	if _, err := db.Exec("INSERT INTO two VALUES (1)"); err != nil {
		t.Error(err)
	}
}

// TestSetsThatAreNone checks that a folder without scripts, and a script without a number, are refused.
func TestSetsThatAreNone(t *testing.T) {
	for name, set := range map[string]fstest.MapFS{
		"empty":        {},
		"not numbered": {"ledger.sql": {Data: []byte("-- +goose Up\n")}},
	} {
		if _, err := Newest(set); err == nil || !strings.HasPrefix(err.Error(), "migrate: ") {
			t.Errorf("%s: %v", name, err)
		}
		err := up(t.Context(), newDatabase(t), goose.DialectSQLite3, set)
		if err == nil || !strings.HasPrefix(err.Error(), "migrate: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
