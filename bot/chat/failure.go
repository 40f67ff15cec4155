package chat

import (
	"context"
	"log/slog"
	"runtime/debug"
)

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
