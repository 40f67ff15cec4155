package shelf

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"knobel/games"
)

// Solutions that a running program does not compute: somebody has them solved beside it and puts them on the shelf.

// SolveTo solves rules offline into a file, which then stands in its place as a whole or, when ctx ends before, not at
// all. told, if not nil, is told how many of all numbers are solved. The error is a *games.Refusal where there is no
// perfect play.
func SolveTo(ctx context.Context, place string, g games.Game, rules games.Rules, told func(done, all int64)) (
	[]games.Figure, error,
) {
	if info, err := os.Stat(place); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file: name a file that is to be written", place)
	}
	p, err := offline(g, rules, 1)
	if err != nil {
		return nil, err
	}
	layout, can := p.Layout()
	if !can {
		return nil, fmt.Errorf("%v cannot be kept", p)
	}
	a := aboutOf(p, layout)
	a.Offline = true
	w, err := create(place, a, sha256.New())
	if err != nil {
		return nil, err
	}
	type answer struct {
		figures []games.Figure
		err     error
	}
	done := make(chan answer, 1)
	var solved atomic.Int64
	go func() {
		figures, err := p.SolveTo(func(part []float64) error {
			if n := solved.Add(int64(len(part))); told != nil {
				told(n, int64(layout.Count))
			}
			return w.write(part)
		})
		done <- answer{figures, err}
	}()
	select {
	case <-ctx.Done():
		return nil, w.drop(fmt.Errorf("stopped after %d of %d numbers: the file is not written", solved.Load(),
			layout.Count)) // and what is still written is refused
	case a := <-done:
		return a.figures, w.finish(a.err)
	}
}

// offline is the problem of a game as it is solved beside a running program.
func offline(g games.Game, rules games.Rules, seats int) (games.Problem, error) {
	vast, is := g.(games.Vast)
	if !is {
		return games.Problem{}, games.Refuse("games.no-perfect-play", nil)
	}
	return games.ProblemOf(vast.Offline(), rules, seats)
}

// Stock returns games that know what was solved offline and is on the shelf. Whether all bytes of a file are as they
// were written is found out when its game first needs it.
func (s *Shelf) Stock(all []games.Game) []games.Game {
	if s == nil {
		return all
	}
	all = slices.Clone(all)
	for _, folder := range s.Folders {
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Log.Warn("a folder of solutions cannot be read", "folder", folder, "error", err)
		}
		for _, entry := range entries {
			place := filepath.Join(folder, entry.Name())
			if filepath.Ext(place) != extension {
				continue
			}
			a, err := aboutAt(place)
			if !a.Offline && (err == nil || ours.MatchString(entry.Name())) {
				continue // it is looked at when its problem is asked for
			}
			if err != nil {
				s.unfit(place, err)
				continue
			}
			i := slices.IndexFunc(all, func(g games.Game) bool { return g.Name() == a.Game })
			if i < 0 {
				continue
			}
			if all[i], err = s.stock(all[i], place, a); err != nil {
				s.unfit(place, err)
			}
		}
	}
	return all
}

// stock returns a game that knows a file.
func (s *Shelf) stock(g games.Game, place string, a about) (games.Game, error) {
	p, err := offline(g, a.Rules, a.Seats)
	if err != nil {
		return g, err
	}
	layout, can := p.Layout()
	if !can {
		return g, errors.New("such rules are not solved")
	}
	wanted := aboutOf(p, layout)
	if !a.fits(wanted) {
		return g, errOther
	}
	find := sync.OnceValues(func() (games.Values, error) {
		o, err := open(place, wanted, sha256.New(), func([]byte) {})
		if err == nil {
			if _, err = p.Restore(o); err != nil {
				_ = o.file.Close() // it was read alone
			}
		}
		if err != nil {
			s.unfit(place, err)
			return nil, err
		}
		return o, nil
	})
	s.finds = append(s.finds, find)
	return g.(games.Vast).With(p.Rules(), p.Seats(), find), nil
}

// Look has the files that Stock has found read now, so that nobody waits for it later.
func (s *Shelf) Look() {
	if s == nil {
		return
	}
	for _, find := range s.finds {
		_, _ = find() // which tells what is wrong
	}
}

// unfit tells of a file that is of no use.
func (s *Shelf) unfit(place string, err error) {
	s.Log.Warn("a solution is of no use: it is solved again or, where that is too much, not played perfectly", "file",
		place, "error", err)
}
