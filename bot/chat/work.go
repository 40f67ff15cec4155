package chat

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
)

// Parts of adapters: the tasks of a run, and logging failures.

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
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.tasks.Go(task)
	}
	return !w.closed
}

// Close lets no further task begin and waits for all that have begun.
func (w *Work) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.tasks.Wait()
}

// LogFailure calls log with an error unless it is nil or ctx is done: errors after the end of a run are expected.
func LogFailure(ctx context.Context, log func(what string, args ...any), what string, err error, args ...any) {
	if err != nil && ctx.Err() == nil {
		log(what, append(args, "error", err)...)
	}
}

// LogPanic logs a panic with its stack, and then calls then unless it is nil. It is to be deferred.
func LogPanic(log *slog.Logger, then func(), what string, args ...any) {
	if p := recover(); p != nil {
		log.Error(what, append(args, "panic", p, "stack", string(debug.Stack()))...)
		if then != nil {
			then()
		}
	}
}
