package migrations

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	_ "modernc.org/sqlite"
)

func database(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "knobel.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// schema is what a database is made of, and the scripts that it has had.
func schema(t *testing.T, db *sql.DB) (parts []string) {
	t.Helper()
	rows, err := db.Query(`SELECT name || ': ' || COALESCE(sql, '') FROM sqlite_master
		UNION ALL SELECT 'script ' || version_id FROM migrations ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var part string
		if err := rows.Scan(&part); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	return parts
}

func TestFromEmptyAndAgain(t *testing.T) {
	db := database(t)
	if err := Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	first := strings.Join(schema(t, db), "\n")
	if err := Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if again := strings.Join(schema(t, db), "\n"); again != first {
		t.Errorf("the second time has made\n%s\nof\n%s", again, first)
	}
	one := database(t)
	if err := up(t.Context(), one, scripts); err != nil {
		t.Fatal(err)
	}
	if alone := strings.Join(schema(t, one), "\n"); alone != first {
		t.Errorf("the scripts one by one make\n%s\nnot\n%s", alone, first)
	}
	latest, err := Newest()
	if err != nil {
		t.Fatal(err)
	}
	var version int64
	if err := db.QueryRow(`SELECT MAX(version_id) FROM migrations`).Scan(&version); err != nil || version != latest {
		t.Errorf("the schema is %d, want %d (%v)", version, latest, err)
	}
}

func TestEveryTableIsStrict(t *testing.T) {
	db := database(t)
	if err := Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	tables := 0
	for _, part := range schema(t, db) {
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
	if err != nil {
		t.Fatal(err)
	}
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

// released are the scripts that databases have had, by the SHA-256 of each. What
// is to change comes in a new one, or no two databases would be alike.
var released = map[string]string{
	"0001_chats.sql":       "267fdd7441d2669b0d306a7955314d9913bdcf73a591c64e41e449de7dce0483",
	"0002_tables.sql":      "728053d56fd44f474d77d194b74cb52477571dcbccd73031182391acbb1dd1b6",
	"0003_ledger.sql":      "705fc8522081f91bbdec9d50bb722daea44fd110fd1323f7a8757067169dec48",
	"0004_differences.sql": "5270198473cff947437da5457967a8bde9577c2a6e1e55ee65a3e59d07a62102",
	"0005_payments.sql":    "8ecda699d19f3bb359f05fce4530f0b8bd88613ba3967f5f40cdd20e8156776f",
	"0006_totals.sql":      "0775a5b1a5c9b0401d6f2d759981dfe5d1f96145ba72395ca95cf6f4ad13a58c",
	"0007_houses.sql":      "59f950712c3bacb5807e73cfaed71ff1404d7091883cee9dca8c8f6dff61d08e",
	"0008_reviews.sql":     "df11c8ebab461d7151b31130eddbda8204b110c2422f4e91b5e2f2f0aba3409d",
	"0009_faces.sql":       "d1d50bc0743add45ec90164f44caf90465b3e27e343e5cbbdbb9c08612ee8e78",
	"0010_absence.sql":     "0e76cf6b1b6e1b7c7a2c4bf9f2d4126aa3d2645b983807412a5bbc5113b44bbb",
	"0011_calls.sql":       "58e27c1eafbe80c82f8a16b1febd07e812d8ad478e328584843ae8dfd2faec08",
	"0012_agreements.sql":  "eaac8317051bac108bd58812b90c8a7f5be7b38858417227a42679c15cc6de9f",
	"0014_seals.sql":       "32fe658d880f01c1990130e5c680df8ac848b054e74569ad91784d4d972626dc",
	"0015_news.sql":        "f5aa3f558a0058910c5a77c84508af2b7bb7160b69cd8bd2404b90a89bbe6266",
	"0016_keeping.sql":     "3e66638c4d759bdb028ea3e8878b8b24452981b264c462f6d6a7c29271a25180",
}

func TestReleasedScriptsStayAsTheyAre(t *testing.T) {
	for name, sum := range released {
		text, err := scripts.ReadFile(name)
		if err != nil {
			t.Error(err)
		} else if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != sum {
			t.Errorf("%s was changed (%s): write a new script instead", name, got)
		}
	}
}

// A script that breaks is named, leaves nothing behind, and keeps those before
// it; mended, it goes on from there.
func TestAScriptThatBreaks(t *testing.T) {
	db := database(t)
	set := fstest.MapFS{
		"0001_one.sql": {Data: []byte("-- +goose Up\nCREATE TABLE one (a INTEGER);\n")},
		"0002_two.sql": {Data: []byte("-- +goose Up\nCREATE TABLE two (a INTEGER);\nCREATE NONSENSE;\n")},
	}
	err := up(t.Context(), db, set)
	if err == nil || !strings.HasPrefix(err.Error(), "migrate: 0002_two.sql: ") {
		t.Errorf("got %v", err)
	}
	if parts := strings.Join(schema(t, db), "\n"); !strings.Contains(parts, "one: ") ||
		strings.Contains(parts, "two: ") {
		t.Errorf("it left\n%s", parts)
	}
	set["0002_two.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE two (a INTEGER);\n")}
	if err := up(t.Context(), db, set); err != nil {
		t.Error(err)
	}
	if _, err := db.Exec("INSERT INTO two VALUES (1)"); err != nil {
		t.Error(err)
	}
}

func TestSetsThatAreNone(t *testing.T) {
	for name, set := range map[string]fstest.MapFS{
		"empty":        {},
		"not numbered": {"ledger.sql": {Data: []byte("-- +goose Up\n")}},
	} {
		if _, err := newest(set); err == nil || !strings.HasPrefix(err.Error(), "migrate: ") {
			t.Errorf("%s: %v", name, err)
		}
		if err := up(t.Context(), database(t), set); err == nil || !strings.HasPrefix(err.Error(), "migrate: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
