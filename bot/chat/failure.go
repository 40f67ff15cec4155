package chat

import "context"

// LogFailure calls log with an error unless it is nil or ctx is done: errors after the end of a run are expected.
func LogFailure(ctx context.Context, log func(what string, args ...any), what string, err error, args ...any) {
	if err != nil && ctx.Err() == nil {
		log(what, append(args, "error", err)...)
	}
}
