package table

import (
	"cmp"
	"fmt"
	"log/slog"
	"sync"

	"knobel/bot"
	"knobel/bot/loop"
	"knobel/games"
)

// A cache of perfect play, computed in the background one problem at a time.

const (
	// maxSolutions is the default size of the cache in bytes.
	maxSolutions = 256 << 20
	// maxProblems is the largest number of open problems. Requests beyond it are repeated while they are needed.
	maxProblems = 64
	// leastSize is the size that a solution counts at least, also a failed one.
	leastSize = 4 << 10
)

// solutions caches perfect play for all tables, computed in the background at the first request, least recently
// used evicted first. Look never waits.
type solutions struct {
	most  int // bytes
	log   *slog.Logger
	ready func() // called when a solution is there and the queue has room

	mu    sync.Mutex
	known map[string]*solution
	told  map[string]bool // problems without a solution that were logged
	turn  chan struct{}   // held while one is being solved
	asked int             // number of open problems
	room  chan struct{}   // closed when there are fewer
	size  int             // bytes in use
	uses  int64           // so far
}

// solution is the perfect play of one problem.
type solution struct {
	done    chan struct{} // closed when solved or failed
	perfect games.Perfect // nil after a failure
	err     error
	size    int   // 0 until then
	used    int64 // the number of its last use
}

func newSolutions(c bot.Config, ready func()) *solutions {
	return &solutions{
		most: cmp.Or(c.Solutions, maxSolutions), log: c.Log, ready: ready, known: map[string]*solution{},
		told: map[string]bool{}, turn: make(chan struct{}, 1), room: make(chan struct{}),
	}
}

// Open returns the number of open problems.
func (s *solutions) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Look returns the solution of a problem, and false if it is not cached. The error says that it failed.
func (s *solutions) Look(p games.Problem) (perfect games.Perfect, there bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.known[p.String()]
	if found == nil || found.size == 0 {
		return nil, false, nil
	}
	s.uses++
	found.used = s.uses
	return found.perfect, true, found.err
}

// Ask queues a problem once for all callers. The channel is closed when it is solved or, if the queue is full, when
// there is room: the caller then calls Look and, if need be, Ask again.
func (s *solutions) Ask(p games.Problem) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := p.String()
	if found := s.known[name]; found != nil {
		return found.done
	}
	if s.asked >= maxProblems {
		return s.room
	}
	s.asked++
	asked := &solution{done: make(chan struct{})}
	s.known[name] = asked
	go func() {
		s.turn <- struct{}{}
		var perfect games.Perfect
		err := loop.Safely(func() (err error) { // a panic counts as a failure
			if perfect, err = p.Solve(); err == nil && perfect == nil {
				err = fmt.Errorf("%v: no solution", p)
			}
			return err
		})
		<-s.turn
		s.keep(name, asked, perfect, err)
		s.ready()
	}()
	return asked.done
}

// keep caches the outcome of a problem, and evicts others if the cache is too large. The newest stays in any case.
func (s *solutions) keep(name string, found *solution, perfect games.Perfect, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.log.Error("solve game failed; using the fallback strategy", "game", name, "error", err)
	}
	size := leastSize
	if err == nil {
		size = max(size, perfect.Size())
	}
	s.uses++
	found.perfect, found.err, found.size, found.used = perfect, err, size, s.uses
	for s.size += size; s.size > s.most; {
		oldest := ""
		for other, kept := range s.known {
			if kept != found && kept.size > 0 && (oldest == "" || kept.used < s.known[oldest].used) {
				oldest = other
			}
		}
		if oldest == "" {
			break
		}
		s.size -= s.known[oldest].size
		delete(s.known, oldest)
	}
	s.asked--
	close(s.room)
	s.room = make(chan struct{})
	close(found.done)
}

// fail marks a solution as unusable and logs it once. A problem that was never to be solved takes up no room.
func (s *solutions) fail(name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.known[name]
	switch {
	case found == nil && s.told[name], found != nil && (found.err != nil || found.size == 0):
		return // known or queued
	case found == nil:
		if len(s.told) >= maxProblems {
			clear(s.told)
		}
		s.told[name] = true
	default:
		s.size += leastSize - found.size
		found.perfect, found.err, found.size = nil, err, leastSize
	}
	s.log.Error("solution of game unusable; using the fallback strategy", "game", name, "error", err)
}
