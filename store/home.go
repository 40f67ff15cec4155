package store

import (
	"fmt"
	"os"
	"time"
)

// lookEvery is how often it is looked, at most, whether the file is still where it
// was while changes are made.
const lookEvery = time.Second

// home is where the file of a database is. Somebody may move, delete or replace
// it while it is open: what is written then goes into a file that has no name,
// and would be lost with the process.
type home struct {
	file string
	was  os.FileInfo
	lock *lock

	// What follows belongs to whoever writes.

	looked time.Time
	err    error // what was found then
}

func homeOf(file string, held *lock) (home, error) {
	was, err := os.Stat(file)
	if err != nil {
		return home{}, fmt.Errorf("database: %w", err)
	}
	return home{file: file, was: was, lock: held}, nil
}

// look says whether the file is not there any more, as it was a moment ago.
func (h *home) look() error {
	if now := time.Now(); h.looked.IsZero() || h.err != nil || now.Sub(h.looked) > lookEvery || now.Before(h.looked) {
		h.looked, h.err = now, h.there()
	}
	return h.err
}

// there says whether the file is not there any more, or belongs to another instance
// by now. It is safe for concurrent use.
func (h *home) there() error {
	if err := h.lock.keep(); err != nil {
		return err
	}
	is, err := os.Stat(h.file)
	if err == nil && os.SameFile(h.was, is) {
		return nil
	}
	return fmt.Errorf("the database %s was moved, deleted or replaced while it was open: put it back, or start anew", h.file)
}

// There says whether the file is not there any more that was opened, or was taken by
// another instance: changes are refused then, and what is read may be old.
func (s *Store) There() error {
	if s.writing == nil {
		return nil
	}
	return s.writing.home.there()
}
