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

// A cache of perfect play: the solutions of games, which are computed in the background, one at a time.

const (
	// maxSolutions is the default size of the cache in bytes.
	maxSolutions = 256 << 20
	// maxProblems is how many problems (games to solve) may wait in the queue. If it is full, callers must ask again.
	maxProblems = 64
	// leastSize is the size, in bytes, that the cache counts at least for each solution or failure.
	leastSize = 4 << 10
)

// solutions caches perfect play for all tables. Ask has a problem (game to solve) computed in the background. If the
// cache is full, it drops the solutions not used for the longest time. Look never blocks.
type solutions struct {
	most  int // size limit of the cache, in bytes
	log   *slog.Logger
	ready func() // called after each computation, when the queue has room again

	mu      sync.Mutex
	known   map[string]*solution
	logged  map[string]bool // problems whose missing solution was logged
	solving chan struct{}   // has room for one solver: holds an element while a problem is being solved
	pending int             // number of problems that are queued or being solved
	room    chan struct{}   // closed when pending decreases
	size    int             // of all cached solutions, in bytes
	uses    int64           // number of calls of Look and cacheOutcome, to find the least recently used
}

// solution is the perfect play of one problem (game to solve). It is still being computed while size is 0.
type solution struct {
	done    chan struct{} // closed when solved or failed
	perfect games.Perfect // nil after a failure
	err     error
	size    int   // in bytes; 0: pending
	used    int64 // solutions.uses at its last use
}

// newSolutions returns an empty cache. It calls ready after each computation, whether it has failed or not.
func newSolutions(c bot.Config, ready func()) *solutions {
	return &solutions{
		most: cmp.Or(c.Solutions, maxSolutions), log: c.Log, ready: ready, known: map[string]*solution{},
		logged: map[string]bool{}, solving: make(chan struct{}, 1), room: make(chan struct{}),
	}
}

// Open returns how many problems are waiting to be solved or being solved.
func (s *solutions) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending
}

// Look returns the perfect play of a problem. known is false until it is computed; err is set if computing it failed.
func (s *solutions) Look(p games.Problem) (perfect games.Perfect, known bool, err error) {
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

// Ask queues a problem, unless it is cached or queued already. The returned channel is closed when the problem is
// solved or has failed. If the queue is full, the channel is closed when it has room; the caller must then ask again.
func (s *solutions) Ask(p games.Problem) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := p.String()
	if found := s.known[name]; found != nil {
		return found.done
	}
	if s.pending >= maxProblems {
		return s.room
	}
	s.pending++
	queued := &solution{done: make(chan struct{})}
	s.known[name] = queued
	go func() {
		s.solving <- struct{}{}
		var perfect games.Perfect
		err := loop.Safely(func() (err error) { // a panic counts as a failure
			if perfect, err = p.Solve(); err == nil && perfect == nil {
				err = fmt.Errorf("%v: no solution", p)
			}
			return err
		})
		<-s.solving
		s.cacheOutcome(name, queued, perfect, err)
		s.ready()
	}()
	return queued.done
}

// cacheOutcome stores in found the perfect play of the problem name, or the failure err. If the cache is then too
// large, it drops other solutions, the least recently used first.
func (s *solutions) cacheOutcome(name string, found *solution, perfect games.Perfect, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.log.Error("compute perfect play failed; using the fallback strategy", "problem", name, "error", err)
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
	s.pending--
	close(s.room)
	s.room = make(chan struct{})
	close(found.done)
}

// markFailed logs err and marks the solution of the problem name as failed, so that it is not used. If the problem has
// no solution in the cache, it only logs err, once for each name.
func (s *solutions) markFailed(name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.known[name]
	switch {
	case found == nil && s.logged[name], found != nil && (found.err != nil || found.size == 0):
		return // logged already, failed already, or still being computed
	case found == nil:
		if len(s.logged) >= maxProblems {
			clear(s.logged)
		}
		s.logged[name] = true
	default:
		s.size += leastSize - found.size
		found.perfect, found.err, found.size = nil, err, leastSize
	}
	s.log.Error("solution unusable; using the fallback strategy", "problem", name, "error", err)
}
