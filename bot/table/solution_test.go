package table

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"knobel/bot"
	"knobel/games"
	"knobel/games/shutbox"
)

// heldUp is a game whose solver blocks until released and then fails. It counts the solvers that run at a time.
type heldUp struct {
	shutbox.Game
	release chan struct{} // a value releases one solver
	busy    *atomic.Int32 // number of solvers that run
	most    *atomic.Int32 // largest number of solvers at a time
}

// Alike implements games.Solver: no two sets of rules share a solution.
func (h heldUp) Alike(rules games.Rules, seats int) (games.Rules, int, error) {
	return rules, seats, nil
}

// Solve blocks until a value comes from h.release, then fails.
func (h heldUp) Solve(games.Rules, int) (games.Perfect, error) {
	h.most.Store(max(h.most.Load(), h.busy.Add(1)))
	defer h.busy.Add(-1)
	<-h.release
	return nil, errors.New("too slow")
}

// TestProblemsThatWaitAreBounded asks for more problems than fit into the queue. It checks that callers beyond that
// learn when there is room, that all problems are solved, and only one at a time.
func TestProblemsThatWaitAreBounded(t *testing.T) {
	const beyond = 3
	g := heldUp{release: make(chan struct{}), busy: new(atomic.Int32), most: new(atomic.Int32)}
	ready := make(chan struct{}, maxProblems+beyond)
	s := newSolutions(bot.Config{Log: slog.New(slog.DiscardHandler)}, func() { ready <- struct{}{} })
	problems := make([]games.Problem, maxProblems+beyond)
	soon := make([]<-chan struct{}, len(problems))
	for i := range problems {
		var err error
		if problems[i], err = games.ProblemOf(g, games.Rules{"n": fmt.Sprint(i)}, 2); err != nil {
			t.Fatal(err)
		}
		soon[i] = s.Ask(problems[i])
	}
	for solved := range len(problems) {
		if n, want := s.Open(), min(maxProblems, len(problems)-solved); n != want {
			t.Fatalf("%d are open with %d solved, want %d", n, solved, want)
		}
		if told := closed(soon[len(soon)-1]); told != (solved > 0) {
			t.Fatalf("with %d solved the last has been told of room: %v", solved, told)
		}
		for range 100 {
			runtime.Gosched() // lets every solver start that can
		}
		g.release <- struct{}{}
		<-ready
		for _, p := range problems {
			if _, there, _ := s.Look(p); !there {
				s.Ask(p)
			}
		}
	}
	for i, p := range problems {
		if _, there, err := s.Look(p); !there || err == nil {
			t.Errorf("problem %d: %v, %v", i, there, err)
		}
	}
	if n := g.most.Load(); n != 1 {
		t.Errorf("%d were solved at a time", n)
	}
}

// closed reports whether a channel is closed.
func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// TestWhatHasNoSolutionTakesNoRoom checks that a failed problem is logged once and takes no space in the cache.
func TestWhatHasNoSolutionTakesNoRoom(t *testing.T) {
	var log strings.Builder
	s := newSolutions(bot.Config{Solutions: leastSize, Log: slog.New(slog.NewTextHandler(&log, nil))}, func() {})
	p, err := games.ProblemOf(heldUp{}, games.Rules{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	s.known[p.String()] = &solution{size: leastSize}
	s.size = leastSize
	for range 2 {
		s.markFailed("no problem at all", errors.New("a fault"))
	}
	if _, there, _ := s.Look(p); !there || s.size != leastSize {
		t.Errorf("%d bytes are kept, and the solution is there: %v", s.size, there)
	}
	if n := strings.Count(log.String(), "no problem at all"); n != 1 {
		t.Errorf("it was logged %d times", n)
	}
}
