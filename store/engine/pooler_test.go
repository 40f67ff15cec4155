package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"knobel/store/engine/postgrestest"
)

// TestThroughAPooler works by connections of which each is another server's at every transaction.
func TestThroughAPooler(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	port := server.Pooler(t)
	for what, said := range map[string]string{"told": "?default_query_exec_mode=exec", "not told": ""} {
		t.Run(what, func(t *testing.T) {
			address := fmt.Sprintf("postgres://knobel@127.0.0.1:%d/%s%s", port, server.Database(t, ""), said)
			db, err := newServer(t.Context(), address, Options{}, false)
			if err != nil {
				t.Fatal(err)
			}
			failed := crowd(db)
			if said != "" && failed > 0 {
				t.Errorf("%d changes and views failed", failed)
			}
			if again := crowd(db); again > 0 {
				t.Errorf("once it knows, %d changes and views failed", again)
			}
			for range 3 { // on connections of the server that others have had
				err := db.Load(t.Context(), func(l Loader) error {
					if err := l.Empty(); err != nil {
						return err
					}
					columns := []Column{{Name: "name"}, {Name: "value"}}
					add, end := l.Fill(Table{Name: "settings", Columns: columns})
					return errors.Join(add([]any{"a", "1"}), end())
				})
				if err := errors.Join(err, db.Finish(t.Context())); err != nil {
					t.Error(err)
				}
			}
			if _, err := db.Faults(t.Context()); err != nil {
				t.Error(err)
			}
			if err := errors.Join(db.Clean(t.Context()), db.Close()); err != nil {
				t.Error(err)
			}
			open(t, address)
		})
	}
}

// crowd has many change and read at once, and returns how many could not.
func crowd(db *Server) (failed int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			for n := range 10 {
				err := db.Update(context.Background(), "", func(tx *Tx) error {
					return errors.Join(save(tx, fmt.Sprint(i), fmt.Sprint(n)), save(tx, "all", fmt.Sprint(i)))
				})
				read := db.View(context.Background(), func(tx *Tx) error {
					return tx.Rows(`SELECT name, value FROM settings ORDER BY name`, nil,
						func(Row) error { return nil })
				})
				if err := errors.Join(err, read); err != nil {
					mu.Lock()
					failed++
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return failed
}

// TestPasswordsAreNotShown has addresses be wrong in many ways: what is said of them does not hold the password.
func TestPasswordsAreNotShown(t *testing.T) {
	for _, address := range []string{
		"postgres://knobel:geheim@127.0.0.1:1/knobel",
		"postgres://knobel:geheim@/",
		"postgres://knobel:geheim@127.0.0.1:1",
		"postgres://knobel:geheim%zz@127.0.0.1/knobel",
		"postgres://knobel:geheim@127.0.0.1:port/knobel",
		"postgres://knobel:geheim@127.0.0.1:1/knobel?sslmode=no",
		"postgresql://knobel:geheim@127.0.0.1:1/knobel?password=geheim",
		"postgres://127.0.0.1:1/knobel?user=knobel&password=geheim",
		"postgres://knobel:geheim@127.0.0.1:1/knobel?pool_max_conns=x",
		"postgres://knobel:geheim@127.0.0.1:1/knobel?sslmode=verify-full&sslrootcert=/none",
		"postgres://knobel:geheim@127.0.0.1:1,127.0.0.1:2/knobel",
		"postgres://knobel:geheim@[::1",
		"postgres://knobel:12/34geheim@127.0.0.1:1/db",
		"postgres://knobel:/geheim@127.0.0.1:1/db",
		"postgres://knobel:a?geheim@127.0.0.1:1/db",
		"postgres://knobel:a#geheim@127.0.0.1:1/db",
		"postgres://knobel:a@geheim@127.0.0.1:1/db",
		"Postgres://knobel:geheim@127.0.0.1:1/db",
		"mysql://knobel:geheim@127.0.0.1:1/db",
		"host=127.0.0.1 port=1 user=knobel password=geheim",
		"'postgres://knobel:geheim@127.0.0.1:1/db'",
		"postgres://knobel:geh:eim@x:y:z/",
		"postgres://kno bel:geheim@127.0.0.1/knobel",
		"postgres://knobel:geheim@127.0.0.1:1/knobel?connect_timeout=geheim&connect_timeout=1",
	} {
		_, err := newServer(t.Context(), address, Options{}, false)
		if err == nil {
			t.Errorf("%s was opened", address)
			continue
		}
		for _, text := range []string{err.Error(), Shown(address)} {
			if strings.Contains(text, "geheim") || strings.Contains(text, "geh:eim") || strings.Contains(text, "\n") {
				t.Errorf("of %s is said %q", address, text)
			}
		}
	}
}
