package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/store"
	"knobel/store/storetest"
)

// TestAFileThatIsGoneTakesNothing checks that changes are refused while the open file is moved, deleted or replaced,
// because they would be lost with the process, and accepted once it is back.
func TestAFileThatIsGoneTakesNothing(t *testing.T) {
	for name, goes := range map[string]func(file string) error{
		"moved":    func(file string) error { return os.Rename(file, file+".moved") },
		"replaced": func(file string) error { return replaceByCopy(file) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(dir, "knobel.db")
				var told []string
				s, err := store.Open(t.Context(), file, func(o *store.Options) {
					o.Trouble = func(err error, _ time.Duration) {
						if err == nil {
							told = append(told, "over")
						} else {
							told = append(told, err.Error())
						}
					}
				})
				check(t, err)
				if err := s.Probe(t.Context()); err != nil || s.There() != nil {
					t.Fatal(err, s.There())
				}
				check(t, goes(file))
				time.Sleep(2 * time.Second) // in synthetic time
				for range 2 {
					if err := s.Probe(t.Context()); err == nil ||
						!strings.Contains(err.Error(), "moved, deleted or replaced") || s.There() == nil {
						t.Errorf("a change into a file that is gone: %v, %v", err, s.There())
					}
				}
				check(t, os.Rename(file+".moved", file))
				if err := s.Probe(t.Context()); err != nil || s.There() != nil {
					t.Errorf("it is back: %v, %v", err, s.There())
				}
				if len(told) != 2 || told[1] != "over" {
					t.Errorf("told was %q", told)
				}
				closeDB(t, s)
			})
		})
	}
}

// TestALogThatIsRemovedIsPutBack removes the log of an open database. The next check must save the changes that were
// only in this log, so that a kill loses nothing, even if a view runs or another program has made an empty log. If that
// program has written to its log, changes must be refused.
func TestALogThatIsRemovedIsPutBack(t *testing.T) {
	for what, c := range map[string]struct {
		left  []byte // the content of the log afterwards; nil: no log
		reads bool
		says  string
	}{
		"removed":                     {},
		"removed, and somebody reads": {reads: true},
		"an empty one is there":       {left: []byte{}},
		"another one is there":        {left: []byte("a log"), says: "another program has written to it"},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(dir, "knobel.db")
				var noticed []string
				s, err := store.Open(t.Context(), file, func(o *store.Options) {
					o.Noticed = func(what string) { noticed = append(noticed, what) }
				})
				check(t, err)
				stand := map[string]bool{}
				save := func(name string) error {
					err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.Chats.SaveSetting(name, "1") })
					stand[name] = err == nil
					if !strings.Contains(name, "at once") {
						time.Sleep(2 * time.Second) // in synthetic time: the next change checks the log
					}
					return err
				}
				for _, name := range []string{"a", "b", "c"} {
					if err := errors.Join(save(name), s.View(t.Context(), func(tx *store.Tx) error {
						_, err := tx.Chats.Setting(name)
						return err
					})); err != nil {
						t.Fatal(err)
					}
				}
				if len(noticed) > 0 {
					t.Errorf("nothing has happened, and is told: %q", noticed)
				}
				ends, begun, ended := make(chan struct{}), make(chan struct{}), make(chan error)
				if c.reads {
					go func() {
						ended <- s.View(t.Context(), func(tx *store.Tx) error {
							_, err := tx.Chats.Setting("a")
							close(begun)
							<-ends
							return err
						})
					}()
					<-begun
				}
				check(t, errors.Join(os.Remove(file+"-wal"), os.Remove(file+"-shm")))
				if c.left != nil {
					writeFile(t, file+"-wal", c.left)
				}
				if c.reads {
					if err := save("while somebody reads"); err != nil || len(noticed) > 0 {
						t.Errorf("%v, told %q", err, noticed)
					}
					close(ends)
					if err := <-ended; err != nil {
						t.Error(err)
					}
				}
				if c.says != "" && save("after, the next at once") == nil {
					t.Error("a change is taken")
				}
				switch err := save("after"); {
				case c.says == "" && err != nil:
					t.Error(err)
				case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
					t.Errorf("refused by %v", err)
				case c.says == "" && (len(noticed) != 1 || !strings.Contains(noticed[0],
					"was deleted while it was open")):
					t.Errorf("told %q", noticed)
				}
				killed := filepath.Join(t.TempDir(), "knobel.db")
				copyFiles(t, file, killed)
				if c.says != "" {
					check(t, os.Remove(killed+"-wal"))
				} else if err := save("later"); err != nil || len(noticed) != 1 {
					t.Errorf("later: %v, told %q", err, noticed)
				}
				closeDB(t, s)
				again, err := store.Open(t.Context(), killed)
				check(t, err)
				delete(stand, "later")
				wantSettings(t, again, stand)
				wantNoFaults(t, again)
				closeDB(t, again)
			})
		})
	}
}

// replaceByCopy replaces a file by a copy of itself.
func replaceByCopy(file string) error {
	b, err := os.ReadFile(file)
	if err == nil {
		err = os.Rename(file, file+".moved")
	}
	if err == nil {
		err = os.WriteFile(file, b, 0o600)
	}
	return err
}

// TestALockFileIsRemoved removes the lock file of an open database: the instance must lock it again, so that no other
// one can open it. If another instance was faster, the first one must no longer write anything.
func TestALockFileIsRemoved(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(dir, "knobel.db")
		s, err := store.Open(t.Context(), file)
		check(t, err)
		addFinished(t, s, "test:place")
		// so that there is something to sweep
		update(t, s, func(tx *store.Tx) error { _, err := tx.Upkeep.Forget("test:anna"); return err })
		remove := func() {
			check(t, os.Remove(file+".lock"))
			time.Sleep(2 * time.Second) // in synthetic time: the next change checks the file
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
		check(t, err)
		if err := second.Probe(t.Context()); err != nil {
			t.Errorf("the second: %v", err)
		}
		wantNoWrites(t, s, "there is a second")
		closeDB(t, second)
		time.Sleep(2 * time.Second)
		wantNoWrites(t, s, "the second has left")
		remove()
		wantNoWrites(t, s, "the lock of the second is gone, too")
		if third := reopen(t, file); third.There() != nil {
			t.Errorf("nobody is in its way: %v", third.There())
		}
		closeDB(t, s)
	})
}

// wantNoWrites checks that s, whose database was taken over, writes nothing. since names that event in errors.
func wantNoWrites(t *testing.T, s *store.Store, since string) {
	t.Helper()
	before := storetest.Content(t, s.File())
	_, swept := s.Sweep(t.Context())
	for what, err := range map[string]error{"a change": s.Probe(t.Context()), "sweeping": swept,
		"its health": s.There()} {
		if err == nil || !strings.Contains(err.Error(), "another instance of Knobel has locked the database") {
			t.Errorf("%s, once %s: %v", what, since, err)
		}
	}
	if !bytes.Equal(storetest.Content(t, s.File()), before) {
		t.Errorf("something was written, once %s", since)
	}
}
