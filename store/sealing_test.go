package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/seal"
	"knobel/store/storetest"
)

// keyOf is a key made of 16 hexadecimal digits.
func keyOf(t testing.TB, digits string) *seal.Key {
	t.Helper()
	key, err := seal.Parse([]byte(strings.Repeat(digits, 8)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func aKey(t testing.TB) *seal.Key { return keyOf(t, "0123456789abcdef") }

// sealed opens the database in a file with a key until the test ends.
func sealed(t testing.TB, file string, key store.Sealer) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), file, store.SealedBy(key))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		closes(t, s)
	})
	return s
}

// telling are what no file may show of what finished puts into it.
var telling = []string{"Anna", "anna", "test:ben", "Ben <b>", "test:chat", "test:place", "clara"}

func TestASealedDatabaseTellsNobody(t *testing.T) {
	s := sealed(t, storetest.Empty(t), aKey(t))
	table := finished(t, s, "test:place")
	started(t, s, "test:place")
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Chats.Seen("test:place 17", 1)
		_, told := tx.Books.TellPayment(store.Payment{Chat: "test:chat", Unit: "chips", Payer: "player:test:anna",
			Payee: "house", Amount: 5, Teller: "test:anna"})
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

// crashed copies a database that is open, with its log, as a crash leaves it.
func crashed(t *testing.T, s *store.Store) string {
	t.Helper()
	if storetest.OnPostgres() { // whose server keeps what is committed
		closes(t, s)
		return storetest.Copy(t, s.File())
	}
	file := storetest.New(t)
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(s.File() + end)
		if err != nil {
			t.Fatal(err)
		}
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
	if err := sealed(t, file, nil).Close(); err != nil {
		t.Fatal(err)
	}
	s := sealed(t, file, aKey(t))
	finished(t, s, "test:place")
	closes(t, s)
	if bytes.Contains(storetest.Content(t, file), []byte("anna")) {
		t.Error("it is not sealed")
	}
	sealed(t, file, aKey(t))
}
