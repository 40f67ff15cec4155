package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/store"
)

// A file that is moved, deleted or replaced while it is open takes no changes:
// they would be lost with the process. Once it is back, it does.
func TestAFileThatIsGoneTakesNothing(t *testing.T) {
	for name, goes := range map[string]func(file string) error{
		"moved":    func(file string) error { return os.Rename(file, file+".moved") },
		"replaced": func(file string) error { return replaced(file) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(dir, "knobel.db")
				var told []string
				s, err := store.Open(t.Context(), file, store.Troubled(func(err error, _ time.Duration) {
					if err == nil {
						told = append(told, "over")
					} else {
						told = append(told, err.Error())
					}
				}))
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Probe(t.Context()); err != nil || s.There() != nil {
					t.Fatal(err, s.There())
				}
				if err := goes(file); err != nil {
					t.Fatal(err)
				}
				time.Sleep(2 * time.Second) // by the bubble's clock
				for range 2 {
					if err := s.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "moved, deleted or replaced") || s.There() == nil {
						t.Errorf("a change into a file that is gone: %v, %v", err, s.There())
					}
				}
				if err := os.Rename(file+".moved", file); err != nil {
					t.Fatal(err)
				}
				if err := s.Probe(t.Context()); err != nil || s.There() != nil {
					t.Errorf("it is back: %v, %v", err, s.There())
				}
				if len(told) != 2 || told[1] != "over" {
					t.Errorf("told was %q", told)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// replaced puts a copy of a file in its place.
func replaced(file string) error {
	b, err := os.ReadFile(file)
	if err == nil {
		err = os.Rename(file, file+".moved")
	}
	if err == nil {
		err = os.WriteFile(file, b, 0o600)
	}
	return err
}

// A lock file that is removed under a running instance is taken anew, so that
// nobody else comes in. Where somebody was faster, they have the database, and this
// one writes nothing any more.
func TestALockFileIsRemoved(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(dir, "knobel.db")
		s, err := store.Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		remove := func() {
			if err := os.Remove(file + ".lock"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Second) // by the bubble's clock: it is looked for again
		}
		remove()
		if err := s.Probe(t.Context()); err != nil || s.There() != nil {
			t.Fatalf("nobody else is there: %v, %v", err, s.There())
		}
		if _, err := store.Open(t.Context(), file); err == nil || !strings.Contains(err.Error(), "another instance") {
			t.Errorf("a second instance: %v", err)
		}
		remove()
		second, err := store.Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		if err := second.Probe(t.Context()); err != nil {
			t.Errorf("the second: %v", err)
		}
		for range 2 {
			if err := s.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "another instance of knobel has taken the database") || s.There() == nil {
				t.Errorf("the first, once there is a second: %v, %v", err, s.There())
			}
		}
		if err := second.Close(); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Second)
		if err := s.Probe(t.Context()); err == nil {
			t.Error("the first writes on, though it does not know what the second has written")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}
