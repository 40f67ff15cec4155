package table

import (
	"fmt"

	"knobel/bot"
	"knobel/bot/loop"
	"knobel/games"
)

// Perfect play as tables ask for it: computed once, in the background, one problem after the other, and cached.

const (
	// maxSolutions is how many bytes of solutions are kept, when nothing else
	// is said.
	maxSolutions = 256 << 20
	// maxProblems is the largest number of problems that are being solved or wait. Tables can be
	// opened with any rules, and given up again: requests beyond that number are repeated while
	// they are needed.
	maxProblems = 64
	// leastSize is what a solution counts at least, one that failed as well.
	leastSize = 4 << 10
)

func newSolutions(c bot.Config, ready func()) *solutions {
	s := &solutions{
		most: c.Solutions, log: c.Log, ready: ready, known: map[string]*solution{},
		told: map[string]bool{}, turn: make(chan struct{}, 1), room: make(chan struct{}),
	}
	if s.most == 0 {
		s.most = maxSolutions
	}
	return s
}

// Open is how many problems are being worked out, or wait for it.
func (s *solutions) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Look returns the solution of a problem, and false if it is not cached. The error says that it
// could not be computed.
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

// Ask has a problem solved once for all callers, after those that were asked for before. The channel is closed when
// that is done or, if too many problems wait already, when there is room again: then the caller calls Look and, if need
// be, Ask again.
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
		perfect, err := s.solved(p)
		<-s.turn
		s.keep(name, asked, perfect, err)
		s.ready()
	}()
	return asked.done
}

// solved solves a problem. A solver that panics has failed.
func (s *solutions) solved(p games.Problem) (perfect games.Perfect, err error) {
	defer loop.Rescue(&err)
	if perfect, err = p.Solve(); err == nil && perfect == nil {
		err = fmt.Errorf("%v: no solution", p)
	}
	return perfect, err
}

// keep caches the outcome of a problem, and drops others if the cache has become too large.
func (s *solutions) keep(name string, found *solution, perfect games.Perfect, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.log.Error("solve game failed; using the fallback strategy", "problem", name, "error", err)
	}
	size := leastSize
	if err == nil {
		size = max(size, perfect.Size())
	}
	s.uses++
	found.perfect, found.err, found.size, found.used = perfect, err, size, s.uses
	s.size += size
	s.asked--
	close(s.room)
	s.room = make(chan struct{})
	for s.size > s.most {
		oldest := ""
		for other, kept := range s.known {
			if kept != found && kept.size > 0 && (oldest == "" || kept.used < s.known[oldest].used) {
				oldest = other
			}
		}
		if oldest == "" {
			break // the newest is kept, however large: somebody needs it
		}
		s.size -= s.known[oldest].size
		delete(s.known, oldest)
	}
	close(found.done)
}

// fail notes that a solution is of no use, or that there is none to be had, and logs it
// once. What was never to be solved takes up no room of solutions.
func (s *solutions) fail(name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.known[name]
	switch {
	case found == nil && s.told[name], found != nil && (found.err != nil || found.size == 0):
		return // it is known, or will be
	case found == nil:
		if len(s.told) >= maxProblems {
			clear(s.told)
		}
		s.told[name] = true
	default:
		s.size += leastSize - found.size
		found.perfect, found.err, found.size = nil, err, leastSize
	}
	s.log.Error("solution unusable; using the fallback strategy", "problem", name, "error", err)
}
