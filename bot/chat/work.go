package chat

import "sync"

// Work counts the tasks of an adapter's run, which waits for them at its end. The zero value is open.
type Work struct {
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
}

// Begin reports whether a task may begin: not after Close. After each true, the caller calls Done once.
func (w *Work) Begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.tasks.Add(1)
	}
	return !w.closed
}

// Done ends a task.
func (w *Work) Done() { w.tasks.Done() }

// Go runs a task in a goroutine, and reports whether it may begin.
func (w *Work) Go(task func()) bool {
	if !w.Begin() {
		return false
	}
	go func() {
		defer w.Done()
		task()
	}()
	return true
}

// Close lets no further task begin and waits for all that have begun.
func (w *Work) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.tasks.Wait()
}
