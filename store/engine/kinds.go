package engine

import "errors"

// Errors that an engine returns or wraps.
var (
	// ErrReadOnly is returned for changes of a database that was opened for reading.
	ErrReadOnly = errors.New("the database is open for reading only")
	// ErrEmpty is returned for a database that is opened for reading and was never set up.
	ErrEmpty = errors.New("knobel serve sets it up")
	// ErrUnfinished is returned for a database that is opened for reading and holds the beginning of a copy.
	ErrUnfinished = errors.New("a copy that was not finished: run knobel move again, or serve the one that it was to " +
		"come from")
	// ErrDamaged is the kind of an Error that says that the database is damaged.
	ErrDamaged = errors.New("the database is damaged")
	// ErrRefused is the kind of an Error of a statement that violates the schema or is invalid: it would fail again.
	ErrRefused = errors.New("the database refuses the statement")
	// ErrAgain is the error of a change that lost against a concurrent one: the engine runs it again without telling
	// the caller.
	ErrAgain = errors.New("another change was faster: try again")
	// ErrUncertain is the kind of an Error of a commit that a server has not answered, or of a name that a disk may not
	// keep: it may have been done.
	ErrUncertain = errors.New("the server has not said whether it is committed")
	// ErrStop ends the reading of rows without an error.
	ErrStop = errors.New("no more rows")
)

// Error is an error of the database itself, with the engine's text.
type Error struct {
	Err  error
	Kind error // ErrDamaged, ErrRefused, ErrUncertain, or nil: a retry may succeed
}

func (e *Error) Error() string   { return e.Err.Error() }
func (e *Error) Unwrap() []error { return []error{e.Err, e.Kind} }
