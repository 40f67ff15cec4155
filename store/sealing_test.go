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

// keyOf returns a key made of 16 hexadecimal digits.
func keyOf(t testing.TB, digits string) *seal.Key {
	t.Helper()
	key, err := seal.Parse([]byte(strings.Repeat(digits, 8)))
	check(t, err)
	return key
}

func aKey(t testing.TB) *seal.Key { return keyOf(t, "0123456789abcdef") }

// sealed opens the database in a file with a key and closes it at the end of the test.
func sealed(t testing.TB, file string, key store.Sealer) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), file, store.SealedBy(key))
	check(t, err)
	t.Cleanup(func() { closes(t, s) })
	return s
}

// telling lists the texts of finished tables that must not be readable in a file.
var telling = []string{"Anna", "anna", "test:ben", "Ben <b>", "test:chat", "test:place", "clara"}

func TestASealedDatabaseTellsNobody(t *testing.T) {
	s := sealed(t, storetest.Empty(t), aKey(t))
	table := finished(t, s, "test:place")
	started(t, s, "test:place")
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Chats.Seen("test:place 17", 1)
		_, told := tx.Books.TellPayment(paying("player:test:anna", "house", 5))
		return errors.Join(err, told, tx.Chats.SavePlayer(store.Player{ID: "test:clara", Name: "clara"}),
			tx.Chats.Hide("test:chat", "test:clara", true), drawn(tx, table, table.Version, "test:place message"))
	})
	sound(t, s)
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
		lagging, err := ids(tx.Tables.Lagging("test:", 10))
		if err == nil && len(lagging) != 1 {
			t.Errorf("%v lag", lagging)
		}
		return err
	})
}

// crashed returns a copy of an open database with its log, as a crash leaves it.
func crashed(t *testing.T, s *store.Store) string {
	t.Helper()
	if storetest.OnPostgres() { // the server keeps all commits
		closes(t, s)
		return storetest.Copy(t, s.File())
	}
	file := storetest.New(t)
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(s.File() + end)
		check(t, err)
		writes(t, file+end, content)
	}
	return file
}

func TestTheWrongKeyOpensNothing(t *testing.T) {
	right, wrong := aKey(t), keyOf(t, "fedcba9876543210")
	closed, open := sealed(t, storetest.New(t), right), sealed(t, storetest.New(t), nil)
	finished(t, closed, "test:place")
	finished(t, open, "test:place")
	for _, test := range []struct {
		name, file string
		key        store.Sealer
		words      string
	}{
		{"no key", crashed(t, closed), nil, "are encrypted: KNOBEL_KEY_FILE has to name"},
		{"a wrong key", crashed(t, closed), wrong, "with another key"},
		{"a key for what is open", crashed(t, open), right, "are not encrypted, but a key is given: knobel rekey"},
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
	check(t, sealed(t, file, nil).Close())
	s := sealed(t, file, aKey(t))
	finished(t, s, "test:place")
	closes(t, s)
	if bytes.Contains(storetest.Content(t, file), []byte("anna")) {
		t.Error("it is not sealed")
	}
	sealed(t, file, aKey(t))
}

const (
	luck   = "our-lucky-word"
	secret = "the-secret-of-the-installation"
)

var seedOfTests = lobby("").Dice.Seed

// secretive adds secrets to a database: of a table in play, of a finished one, and of the installation.
func secretive(t *testing.T, s *store.Store) (playing int64) {
	t.Helper()
	finished(t, s, "test:place")
	table := started(t, s, "test:place")
	table.Seats[0].Entropy = luck
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Chats.SaveSetting("web-key", secret); err != nil {
			return err
		}
		return tx.Tables.SaveTable(table)
	})
	return table.ID
}

// readSecrets checks that these secrets are read as they were stored.
func readSecrets(t *testing.T, s *store.Store, playing int64) {
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
	sound(t, s)
}

// showsSecrets returns the secrets that are readable in a database file or its log.
func showsSecrets(t *testing.T, file string) (shown []string) {
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
	s := sealed(t, storetest.Empty(t), aKey(t))
	playing := secretive(t, s)
	readSecrets(t, s, playing)
	all := storetest.Copies(t, s)
	for _, file := range all {
		if shown := showsSecrets(t, file); len(shown) > 0 {
			t.Errorf("%s shows %q", filepath.Base(file), shown)
		}
	}
	closes(t, s)
	readSecrets(t, sealed(t, all[len(all)-1], aKey(t)), playing)
}

// asBefore returns a database of an older version, which encrypted only names and ids.
func asBefore(t *testing.T) (file string, playing int64) {
	t.Helper()
	s := sealed(t, storetest.Empty(t), aKey(t))
	playing = secretive(t, s)
	closes(t, s)
	db := rawly(t, s.File())
	for _, statement := range []string{
		"UPDATE tables SET seed = " + bytesAs(s.File(), seedOfTests),
		"UPDATE seats SET entropy = '" + luck + "'",
		"UPDATE settings SET value = '" + secret + "'",
		"UPDATE seals SET secrets = 'plain'",
		// This also fills unused parts of the file.
		"CREATE TABLE before (text TEXT)",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO before SELECT '" +
			luck + secret + "' FROM n",
		"DROP TABLE before",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	closes(t, db)
	if len(showsSecrets(t, s.File())) != 3 {
		t.Fatalf("it shows %q", showsSecrets(t, s.File()))
	}
	return s.File(), playing
}

func TestSecretsOfBeforeAreSealedWhenADatabaseIsOpened(t *testing.T) {
	file, playing := asBefore(t)
	if _, err := store.OpenReadOnly(t.Context(), file, store.SealedBy(aKey(t))); err == nil {
		t.Error("it is read as if all were sealed")
	}
	s := sealed(t, file, aKey(t))
	if shown := showsSecrets(t, file); len(shown) > 0 {
		t.Errorf("it shows %q", shown)
	}
	readSecrets(t, s, playing)
}

// TestSecretsOfBeforeAreSweptOnceNobodyReadsThem checks that old bytes are erased later if a reader keeps them in the
// file.
func TestSecretsOfBeforeAreSweptOnceNobodyReadsThem(t *testing.T) {
	t.Parallel()
	file, playing := asBefore(t)
	reader, err := rawly(t, file).Begin()
	check(t, err)
	var n int
	check(t, reader.QueryRow("SELECT COUNT(*) FROM settings").Scan(&n))
	s := sealed(t, file, aKey(t))
	readSecrets(t, s, playing)
	check(t, reader.Rollback())
	if swept, err := s.Sweep(t.Context()); err != nil || !swept {
		t.Errorf("swept: %t, %v", swept, err)
	}
	if shown := showsSecrets(t, file); len(shown) > 0 {
		t.Errorf("it shows %q", shown)
	}
	if swept, err := s.Sweep(t.Context()); err != nil || swept {
		t.Errorf("again: %t, %v", swept, err)
	}
}

func TestSecretsOfABackupOfBeforeAreSealedWhenItIsRestored(t *testing.T) {
	from, playing := asBefore(t)
	to := filepath.Join(t.TempDir(), "knobel.db")
	r, err := store.Restore(t.Context(), from, to, false, store.SealedBy(aKey(t)))
	check(t, err)
	if _, err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	if shown := showsSecrets(t, to); len(shown) > 0 {
		t.Errorf("it shows %q", shown)
	}
	readSecrets(t, sealed(t, to, aKey(t)), playing)
}

// bytesAs returns bytes as a literal of an SQL statement.
func bytesAs(name string, content []byte) string {
	if store.IsFile(name) {
		return "x'" + hex.EncodeToString(content) + "'"
	}
	return `'\x` + hex.EncodeToString(content) + `'`
}
