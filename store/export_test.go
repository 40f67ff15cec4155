package store

import (
	"context"
	"os"
)

// Alone has each change commit alone from now on, which nobody but a yardstick
// wants, or not so any longer.
func (s *Store) Alone(alone bool) {
	s.writing.most = mostTogether
	if alone {
		s.writing.most = 1
	}
}

// Flushing sets how much a commit flushes, "FULL" or "NORMAL".
func (s *Store) Flushing(mode string) error {
	_, err := s.writing.conn.exec(context.Background(), "PRAGMA synchronous="+mode)
	return err
}

// Waiting is how many changes wait for their turn.
func (s *Store) Waiting() int {
	s.writing.mu.Lock()
	defer s.writing.mu.Unlock()
	return len(s.writing.waiting)
}

// AtHand is how many tables the writing connection has at hand.
func (s *Store) AtHand() int { return len(s.writing.conn.desk.tables) }

// Behind runs statements behind the store's back.
var Behind = behind

// Counted begins a statement with the numbers from 1.
var Counted = counted

// Tells is what a column tells of somebody, "id", "account" or "name", or "".
func Tells(column string) string {
	return map[content]string{isID: "id", isAccount: "account", isName: "name"}[sealedColumns[column]]
}

// CutOff is Finish of a process that ends after some of its steps, as a crash ends
// it, without links where the file system knows none. It reports whether these were all.
func (r *Restoring) CutOff(after int, links bool) (all bool, err error) {
	part := r.Store.File()
	if err := r.Store.Close(); err != nil {
		return false, err
	}
	aside := r.to + "." + moment() + ".aside"
	steps := r.steps(part, aside)
	for _, step := range steps[:after] {
		if err := step(); err != nil {
			return false, err
		}
		if is, err := os.Stat(r.to); err == nil && names(is) > 1 && !links {
			if err := os.Remove(r.to); err != nil {
				return false, err
			}
		}
	}
	return after == len(steps), r.lock.release()
}
