package engine

import "errors"

// Errors that an engine returns, or wraps.
var (
	// ErrReadOnly is returned for changes of a database that was opened for reading.
	ErrReadOnly = errors.New("the database is open for reading only")
	// ErrEmpty is returned for a database that is opened for reading and was never set up.
	ErrEmpty = errors.New("knobel serve sets it up")
	// ErrUnfinished is returned for a database that is opened for reading and holds the beginning of a copy.
	ErrUnfinished = errors.New("a copy that was not finished: run knobel move again, or serve the one that it was to " +
		"come from")
	// ErrDamaged is the kind of an Error that means that the database itself is wrong.
	ErrDamaged = errors.New("the database is damaged")
	// ErrRefused is the kind of an Error of a statement that breaks a rule of the
	// schema, or is none: it would fail again.
	ErrRefused = errors.New("the database refuses the statement")
	// ErrAgain is the error of a change that has found that another one has overtaken it: an engine where changes run
	// at once runs it again, and nobody hears of that.
	ErrAgain = errors.New("another change was faster: try again")
	// ErrUncertain is the kind of an Error of a commit that a server has not answered, or of a name that a disk may not
	// keep: what was to be done may have been done.
	ErrUncertain = errors.New("the server has not said whether it is committed")
	// ErrStop ends the reading of rows without an error.
	ErrStop = errors.New("no more rows")
)

// Error is an error of the database itself. It reads as the engine has said it.
type Error struct {
	Err  error
	Kind error // ErrDamaged, ErrRefused, ErrUncertain, or nil: it may be gone when the same is tried again
}

func (e *Error) Error() string   { return e.Err.Error() }
func (e *Error) Unwrap() []error { return []error{e.Err, e.Kind} }
