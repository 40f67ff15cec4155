package chat

import "context"

// LogFailure logs an error, as log does, unless there is none or ctx is done: what fails since a run ends is no fault.
func LogFailure(ctx context.Context, log func(what string, args ...any), what string, err error, args ...any) {
	if err != nil && ctx.Err() == nil {
		log(what, append(args, "error", err)...)
	}
}
