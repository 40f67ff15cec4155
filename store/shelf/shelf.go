// Package shelf keeps solutions in files, so that a program that starts again need not solve again.
package shelf

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"knobel/games"
)

// maxBytes is how many bytes all files of a folder have, when nothing else is said.
const maxBytes = 1 << 30

// extension is what the names of solutions end with.
const extension = ".solution"

// Config says where solutions are kept.
type Config struct {
	// Folders are where they are looked for. They are kept in the first that can be written.
	Folders []string
	// Key proves that a solution was kept by who has it; nil: none is kept, and none is taken but those of operators.
	Key []byte
	// Program returns the version of the program: what another has solved is solved again.
	Program func() string
	// Most is how many bytes the files of a folder may have together; 0: 1 GB. Those that were not used for longest go
	// first, and files of others never.
	Most int64
	// Log receives what is wrong with files and folders; nil: nobody is told.
	Log *slog.Logger
}

// Shelf keeps solutions. It is safe for concurrent use once it is stocked, also by several programs; a nil one keeps
// nothing.
type Shelf struct {
	Config
	told  sync.Once // that nothing can be kept
	finds []func() (games.Values, error)
}

// New returns a shelf. Its folders are made when something is kept.
func New(c Config) *Shelf {
	if c.Most == 0 {
		c.Most = maxBytes
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Shelf{Config: c}
}

// Solve is Problem.Solve, but for what takes long: that is taken from the shelf where it is there, else put there.
func (s *Shelf) Solve(p games.Problem) (games.Perfect, error) {
	if s == nil || s.Key == nil || !p.Laborious() {
		return p.Solve()
	}
	layout, can := p.Layout()
	if !can {
		return p.Solve()
	}
	wanted := aboutOf(p, layout)
	wanted.Program = s.Program()
	for _, folder := range s.Folders {
		if kept, there := s.take(filepath.Join(folder, s.nameOf(p)), p, wanted); there {
			return kept, nil
		}
	}
	solved, err := p.Solve()
	if stored, can := solved.(games.Stored); err == nil && can {
		s.keep(p, wanted, stored)
	}
	return solved, err
}

// sum is what only who has the key can compute of a file.
func (s *Shelf) sum() hash.Hash { return hmac.New(sha256.New, s.Key) }

// nameOf is the name of the file of a solution: who has another key has another file.
func (s *Shelf) nameOf(p games.Problem) string {
	sum := s.sum()
	sum.Write([]byte(p.String()))
	return fmt.Sprintf("%s-%x%s", p.Game(), sum.Sum(nil)[:8], extension)
}

// take takes a solution from a file. One that is of no use is told, and replaced when the problem is solved.
func (s *Shelf) take(place string, p games.Problem, wanted about) (kept games.Perfect, there bool) {
	values, err := load(place, wanted, s.sum())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if err == nil {
		kept, err = p.Restore(values)
	}
	if errors.Is(err, errOther) {
		s.Log.Info("a solution that was kept is solved again", "file", place, "problem", p.String(), "as", err)
		return nil, false
	}
	if err != nil {
		s.Log.Warn("a solution that was kept is of no use: it is solved again", "file", place, "problem", p.String(),
			"error", err)
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(place, now, now) // where only others may write, they look after it
	return kept, true
}

// keep writes a solution into the first folder that can be written.
func (s *Shelf) keep(p games.Problem, wanted about, stored games.Stored) {
	failed := s.first(func(folder string) error { return s.keepIn(folder, p, wanted, stored) })
	if failed == nil {
		return
	}
	s.told.Do(func() {
		s.Log.Warn("solutions cannot be kept: they are solved again after each start", "error", failed)
	})
}

// first tries one folder after the other. Its error says why none was well.
func (s *Shelf) first(try func(folder string) error) error {
	if len(s.Folders) == 0 {
		return errors.New("no folder is known: name one (KNOBEL_CACHE)")
	}
	var failed error
	for _, folder := range s.Folders {
		err := try(folder)
		if err == nil {
			return nil
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

func (s *Shelf) keepIn(folder string, p games.Problem, wanted about, stored games.Stored) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	w, err := create(filepath.Join(folder, s.nameOf(p)), wanted, s.sum())
	if err != nil {
		return err
	}
	if err := w.finish(stored.Store(w.write)); err != nil {
		return err
	}
	if err := s.trim(folder); err != nil {
		s.Log.Warn("a folder of solutions may hold more than it should", "folder", folder, "error", err)
	}
	return nil
}
