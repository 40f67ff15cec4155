package store_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/seal"
	"knobel/store/storetest"
)

// keyOf returns the key made by repeating the text digits, which has 16 hexadecimal digits.
func keyOf(t testing.TB, digits string) *seal.Key {
	t.Helper()
	key, err := seal.Parse([]byte(strings.Repeat(digits, 8)))
	check(t, err)
	return key
}

// testKey returns the key that most tests use.
func testKey(t testing.TB) *seal.Key { return keyOf(t, "0123456789abcdef") }

// openSealed opens a database file with a key, nil for none, and closes it at the end of the test.
func openSealed(t testing.TB, file string, key store.Sealer) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), file, store.SealedBy(key))
	check(t, err)
	t.Cleanup(func() { closeDB(t, s) })
	return s
}

// telling lists the texts of finished tables that must not be readable in a file.
var telling = []string{"Anna", "anna", "test:ben", "Ben <b>", "test:chat", "test:place", "clara"}

func TestASealedDatabaseTellsNobody(t *testing.T) {
	s := openSealed(t, storetest.Empty(t), testKey(t))
	table := addFinished(t, s, "test:place")
	addPlaying(t, s, "test:place")
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Chats.Seen("test:place 17", 1)
		_, told := tx.Books.TellPayment(paymentOf("player:test:anna", "house", 5))
		return errors.Join(err, told, tx.Chats.SavePlayer(store.Player{ID: "test:clara", Name: "clara"}),
			tx.Chats.Hide("test:chat", "test:clara", true), drawAs(tx, table, table.Version, "test:place message"))
	})
	wantNoFaults(t, s)
	for _, file := range storetest.Copies(t, s) {
		content := storetest.Content(t, file)
		for _, text := range telling {
			if bytes.Contains(content, []byte(text)) {
				t.Errorf("%s shows %q", filepath.Base(file), text)
			}
		}
		if !bytes.Contains(content, []byte("shutbox")) {
			t.Errorf("%s does not even show the game: is it the database?", filepath.Base(file))
		}
	}
	if got := tableOf(t, s, table.ID); got.Chat != "test:chat" || got.Seats[0].Player != "test:anna" ||
		got.Seats[1].Name != table.Seats[1].Name {
		t.Errorf("read back %+v", got)
	}
	view(t, s, func(tx *store.Tx) error {
		lagging, err := idsOf(tx.Tables.Lagging("test:", 0, 10))
		if err == nil && len(lagging) != 1 {
			t.Errorf("%v lag", lagging)
		}
		return err
	})
}

// crashCopy returns a copy of an open database with its log, as a crash leaves it.
func crashCopy(t *testing.T, s *store.Store) string {
	t.Helper()
	if storetest.OnPostgres() { // the server keeps all commits
		closeDB(t, s)
		return storetest.Copy(t, s.File())
	}
	file := storetest.New(t)
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(s.File() + end)
		check(t, err)
		writeFile(t, file+end, content)
	}
	return file
}

func TestTheWrongKeyOpensNothing(t *testing.T) {
	right, wrong := testKey(t), keyOf(t, "fedcba9876543210")
	closed, open := openSealed(t, storetest.New(t), right), openSealed(t, storetest.New(t), nil)
	addFinished(t, closed, "test:place")
	addFinished(t, open, "test:place")
	for _, test := range []struct {
		name, file string
		key        store.Sealer
		words      string
	}{
		{"no key", crashCopy(t, closed), nil, "are encrypted: set KNOBEL_KEY_FILE"},
		{"a wrong key", crashCopy(t, closed), wrong, "with another key"},
		{"a key for what is open", crashCopy(t, open), right, "are not encrypted, but a key is set: run knobel rekey"},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := storetest.Content(t, test.file)
			for what, open := range map[string]func() (*store.Store, error){
				"for writing": func() (*store.Store, error) {
					return store.Open(t.Context(), test.file, store.SealedBy(test.key))
				},
				"for reading": func() (*store.Store, error) {
					return store.OpenReadOnly(t.Context(), test.file, store.SealedBy(test.key))
				},
			} {
				s, err := open()
				if err == nil {
					_ = s.Close()
					t.Fatalf("%s it was opened", what)
				}
				if !strings.Contains(err.Error(), test.words) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: %v", what, err)
				}
			}
			if !bytes.Equal(before, storetest.Content(t, test.file)) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestAnEmptyDatabaseTakesTheKey(t *testing.T) {
	file := storetest.New(t)
	check(t, openSealed(t, file, nil).Close())
	s := openSealed(t, file, testKey(t))
	addFinished(t, s, "test:place")
	closeDB(t, s)
	if bytes.Contains(storetest.Content(t, file), []byte("anna")) {
		t.Error("it is not sealed")
	}
	openSealed(t, file, testKey(t))
}

const (
	luck   = "our-lucky-word"
	secret = "the-secret-of-the-installation"
)

var seedOfTests = lobby("").Dice.Seed

// addSecrets adds secrets of a table in play, whose number it returns, of a finished one, and of the installation.
func addSecrets(t *testing.T, s *store.Store) (playing int64) {
	t.Helper()
	addFinished(t, s, "test:place")
	table := addPlaying(t, s, "test:place")
	table.Seats[0].Entropy = luck
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Chats.SaveSetting("web-key", secret); err != nil {
			return err
		}
		return tx.Tables.SaveTable(table)
	})
	return table.ID
}

// wantSecrets checks that the secrets of addSecrets are read as they were stored.
func wantSecrets(t *testing.T, s *store.Store, playing int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		table, err := tx.Tables.Table(playing)
		if err != nil {
			return err
		}
		if table.Seats[0].Entropy != luck || !bytes.Equal(table.Dice.Seed, seedOfTests) {
			t.Errorf("read back the seed %q and the word %q", table.Dice.Seed, table.Seats[0].Entropy)
		}
		value, err := tx.Chats.Setting("web-key")
		if value != secret {
			t.Errorf("read back the setting %q", value)
		}
		return err
	})
	wantNoFaults(t, s)
}

// readableSecrets returns the secrets of addSecrets that are readable in a database file or its log.
func readableSecrets(t *testing.T, file string) (shown []string) {
	t.Helper()
	content := storetest.Content(t, file)
	for _, text := range []string{luck, secret, string(seedOfTests), hex.EncodeToString(seedOfTests)} {
		if bytes.Contains(content, []byte(text)) {
			shown = append(shown, text)
		}
	}
	return shown
}

func TestSecretsAreSealedWithTheKey(t *testing.T) {
	s := openSealed(t, storetest.Empty(t), testKey(t))
	playing := addSecrets(t, s)
	wantSecrets(t, s, playing)
	all := storetest.Copies(t, s)
	for _, file := range all {
		if shown := readableSecrets(t, file); len(shown) > 0 {
			t.Errorf("%s shows %q", filepath.Base(file), shown)
		}
	}
	closeDB(t, s)
	wantSecrets(t, openSealed(t, all[len(all)-1], testKey(t)), playing)
}

// oldSealedFile returns a database of an older version, which encrypted only names and ids, after addSecrets.
func oldSealedFile(t *testing.T) (file string, playing int64) {
	t.Helper()
	s := openSealed(t, storetest.Empty(t), testKey(t))
	playing = addSecrets(t, s)
	closeDB(t, s)
	db := openRaw(t, s.File())
	for _, statement := range []string{
		"UPDATE tables SET seed = " + bytesLiteral(s.File(), seedOfTests),
		"UPDATE seats SET entropy = '" + luck + "'",
		"UPDATE settings SET value = '" + secret + "'",
		"UPDATE seals SET secrets = 'plain'",
		// These statements leave readable secrets in unused parts of the file.
		"CREATE TABLE before (text TEXT)",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO before SELECT '" +
			luck + secret + "' FROM n",
		"DROP TABLE before",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	closeDB(t, db)
	if len(readableSecrets(t, s.File())) != 3 {
		t.Fatalf("it shows %q", readableSecrets(t, s.File()))
	}
	return s.File(), playing
}

func TestSecretsOfBeforeAreSealedWhenADatabaseIsOpened(t *testing.T) {
	file, playing := oldSealedFile(t)
	if _, err := store.OpenReadOnly(t.Context(), file, store.SealedBy(testKey(t))); err == nil {
		t.Error("it is read as if all were sealed")
	}
	s := openSealed(t, file, testKey(t))
	if shown := readableSecrets(t, file); len(shown) > 0 {
		t.Errorf("it shows %q", shown)
	}
	wantSecrets(t, s, playing)
}

// TestSecretsOfBeforeAreSweptOnceNobodyReadsThem checks that old bytes kept by a reader are erased later.
func TestSecretsOfBeforeAreSweptOnceNobodyReadsThem(t *testing.T) {
	t.Parallel()
	file, playing := oldSealedFile(t)
	reader, err := openRaw(t, file).Begin()
	check(t, err)
	var n int
	check(t, reader.QueryRow("SELECT COUNT(*) FROM settings").Scan(&n))
	s := openSealed(t, file, testKey(t))
	wantSecrets(t, s, playing)
	check(t, reader.Rollback())
	if swept, err := s.Sweep(t.Context()); err != nil || !swept {
		t.Errorf("swept: %t, %v", swept, err)
	}
	if shown := readableSecrets(t, file); len(shown) > 0 {
		t.Errorf("it shows %q", shown)
	}
	if swept, err := s.Sweep(t.Context()); err != nil || swept {
		t.Errorf("again: %t, %v", swept, err)
	}
}

func TestSecretsOfABackupOfBeforeAreSealedWhenItIsRestored(t *testing.T) {
	from, playing := oldSealedFile(t)
	to := filepath.Join(t.TempDir(), "knobel.db")
	r, err := store.Restore(t.Context(), from, to, false, store.SealedBy(testKey(t)))
	check(t, err)
	if _, err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	if shown := readableSecrets(t, to); len(shown) > 0 {
		t.Errorf("it shows %q", shown)
	}
	wantSecrets(t, openSealed(t, to, testKey(t)), playing)
}

// bytesLiteral returns content as an SQL literal, in the syntax of the engine of the database called name.
func bytesLiteral(name string, content []byte) string {
	if store.IsFile(name) {
		return "x'" + hex.EncodeToString(content) + "'"
	}
	return `'\x` + hex.EncodeToString(content) + `'`
}
