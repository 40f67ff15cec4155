package sqlite

// The queue of writers, in the order in which they came.

import (
	"slices"
	"sync"
)

// queue holds the jobs that wait.
type queue struct {
	mu      sync.Mutex
	busy    bool // somebody does one
	closed  bool // nothing else is taken
	waiting []*job
}

// push puts a job at the end, or reports that it is to be done at once.
func (q *queue) push(j *job) (now bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false, errClosed
	}
	q.closed = j.last
	if q.busy {
		q.waiting = append(q.waiting, j)
		return false, nil
	}
	q.busy = true
	return true, nil
}

// pop takes the first job, nil if none waits. release says that the caller has no more to do: then,
// if none waits, the next push is to be done at once.
func (q *queue) pop(release bool) (j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) > 0 {
		j, q.waiting[0] = q.waiting[0], nil
		q.waiting = q.waiting[1:]
	}
	q.busy = j != nil || !release
	return j
}

// remove takes a job out, and reports whether it still waited.
func (q *queue) remove(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, j)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	return i >= 0
}
