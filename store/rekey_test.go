package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// filledFile returns a closed database file without encryption and with rows in most tables.
func filledFile(t *testing.T) string {
	t.Helper()
	s, err := store.Open(t.Context(), storetest.Empty(t))
	check(t, err)
	addFinished(t, s, "test:place")
	table := addFinished(t, s, "test:place")
	addPlaying(t, s, "test:place")
	update(t, s, func(tx *store.Tx) error {
		if _, err := tx.Chats.Seen("test:place 17", 1); err != nil {
			return err
		}
		return errors.Join(
			payAndConfirm(tx, paymentOf("player:test:anna", "player:test:ben", 5), 5),
			tx.Chats.SaveSetting("web-key", secret),
			tx.Chats.SavePlayer(store.Player{ID: "test:anna", Name: "Anna"}),
			tx.Books.GiveBox("test:chat", "chips", []string{"house:fewest"}, 0),
			drawAs(tx, table, table.Version, "test:place message"))
	})
	wantNoFaults(t, s)
	closeDB(t, s)
	return s.File()
}

// dumpRows returns the rows of all tables of a database file as text, as they are stored.
func dumpRows(t *testing.T, file string) string {
	t.Helper()
	db := openRaw(t, file)
	var all strings.Builder
	for table := range columnsByTable(t, db) {
		rows, err := db.Query(`SELECT * FROM "` + table + `"`)
		check(t, err)
		names, err := rows.Columns()
		check(t, err)
		var lines []string
		for rows.Next() {
			values, into := make([]any, len(names)), make([]any, len(names))
			for i := range values {
				into[i] = &values[i]
			}
			check(t, rows.Scan(into...))
			lines = append(lines, fmt.Sprintf("%s %q", table, values))
		}
		closeDB(t, rows)
		slices.Sort(lines)
		all.WriteString(strings.Join(lines, "\n") + "\n")
	}
	return all.String()
}

func TestKeysChange(t *testing.T) {
	file := filledFile(t)
	before := dumpRows(t, file)
	var plain store.Sealer
	one, two := testKey(t), keyOf(t, "fedcba9876543210")
	for _, step := range []struct {
		name     string
		from, to store.Sealer
	}{{"from none", plain, one}, {"to another", one, two}, {"to none", two, plain}, {"again", plain, one}} {
		t.Run(step.name, func(t *testing.T) {
			texts, err := store.Rekey(t.Context(), file, step.from, step.to)
			if err != nil || texts < 20 {
				t.Fatalf("%d texts, %v", texts, err)
			}
			for _, text := range telling[:6] {
				if shows := bytes.Contains(storetest.Content(t, file), []byte(text)); shows != (step.to == nil) {
					t.Errorf("%q shows: %t", text, shows)
				}
			}
			if shown := readableSecrets(t, file); len(shown) > 0 != (step.to == nil) {
				t.Errorf("it shows %q", shown)
			}
			s := openSealed(t, file, step.to)
			wantNoFaults(t, s)
			table := addLobby(t, s, "test:elsewhere")
			update(t, s, func(tx *store.Tx) error { // a known person is found again
				p, err := tx.Chats.Player("test:anna")
				if err == nil && p.Name != "Anna" {
					t.Errorf("Anna is %+v", p)
				}
				table.State = store.Abandoned
				return err
			})
			update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(table) })
			wantNoFaults(t, s)
			closeDB(t, s)
		})
	}
	if err := os.Remove(file + ".lock"); err != nil && store.IsFile(file) {
		t.Error(err)
	}
	if _, err := store.Rekey(t.Context(), file, one, plain); err != nil {
		t.Fatal(err)
	}
	after := dumpRows(t, file)
	for line := range strings.Lines(before) {
		if !strings.Contains(after, line) {
			t.Errorf("missing: %s", line)
		}
	}
}

func TestAKeyIsChangedByWhoHasIt(t *testing.T) {
	file := filledFile(t)
	if _, err := store.Rekey(t.Context(), file, nil, testKey(t)); err != nil {
		t.Fatal(err)
	}
	before := storetest.Content(t, file)
	for what, from := range map[string]store.Sealer{"no key": nil, "a wrong key": keyOf(t, "fedcba9876543210")} {
		if _, err := store.Rekey(t.Context(), file, from, nil); err == nil ||
			!strings.Contains(err.Error(), "encrypted") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := store.Rekey(t.Context(), filepath.Join(t.TempDir(), "none.db"), nil, testKey(t)); err == nil {
		t.Error("a file that is not there was changed")
	}
	if !bytes.Equal(before, storetest.Content(t, file)) {
		t.Error("the file was changed")
	}
	s := openSealed(t, file, testKey(t))
	if _, err := store.Rekey(t.Context(), file, testKey(t), nil); err == nil ||
		!strings.Contains(err.Error(), "another instance") {
		t.Errorf("beside a running one: %v", err)
	}
	wantNoFaults(t, s)
}

func TestWhatIsNotSealedIsFound(t *testing.T) {
	s := openSealed(t, storetest.New(t), testKey(t))
	addFinished(t, s, "test:place")
	tamper(t, s, "UPDATE seats SET name = 'Otto' WHERE seat = 0")
	wantFault(t, s, "column seats.name: 1 of its 3 texts are not encrypted")
	tamper(t, s, "UPDATE seats SET name = '' WHERE seat = 0", "UPDATE postings SET unit = 'x' WHERE id = 1")
	wantFault(t, s, "posting 1: entry 0 belongs to account player:test:anna of chat test:chat in chips")
}
