package engine

// Which changes run again.

import (
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// repeatable is the error of a change of which nothing was committed, and which may succeed when it runs again.
type repeatable struct {
	error
	why reason
}

func (r *repeatable) Unwrap() error { return r.error }

// last is the error of the last run: one that may be gone when the same is tried again.
func (r *repeatable) last() error {
	if errors.Is(r.error, ErrAgain) {
		return &Error{Err: r.error}
	}
	return r.error
}

// reason is why a change runs again.
type reason int

const (
	byOthers     reason = iota // others were in its way
	byRules                    // it breaks a rule of the schema, perhaps because of what others have written meanwhile
	byConnection               // the connection was lost before the commit, or is not what it was
	byLease                    // the replica was away for long, and has to join anew
	reasons
)

// pause is how long a change rests at most that others were in the way of, and so much longer each time.
const pause = 5 * time.Millisecond

// runs is how often a change runs again at most, by the reason.
var runs = [reasons]int{byOthers: 8, byRules: 1, byConnection: 2, byLease: 2}

// patience is how often a change has run again.
type patience [reasons]int

// take reports whether the change may run again.
func (p *patience) take(failed *repeatable) bool {
	p[failed.why]++
	return p[failed.why] <= runs[failed.why]
}

// asRepeatable returns the error of a change as a repeatable one if it is, by the error of the statement that has
// failed; nil: none has.
func asRepeatable(err, failed error) error {
	why, again := reasonOf(err, failed)
	if !again {
		return err
	}
	return &repeatable{err, why}
}

func reasonOf(err, failed error) (why reason, again bool) {
	if errors.Is(err, ErrAgain) || errors.Is(failed, ErrAgain) {
		return byOthers, true
	}
	if errors.Is(failed, errMissing) {
		return byLease, true
	}
	of, ours := errors.AsType[*Error](failed)
	if !ours || of.Kind == ErrUncertain {
		return 0, false
	}
	said, answered := errors.AsType[*pgconn.PgError](of.Err)
	switch {
	case !answered && of.Kind != nil:
		return 0, false
	case !answered, isPooled(said), isOutdated(said), isGoing(said):
		return byConnection, true
	case said.Code == codeSerialization, said.Code == codeDeadlock:
		return byOthers, true
	case strings.HasPrefix(said.Code, classIntegrity):
		return byRules, true
	}
	return 0, false
}

// isOutdated reports whether a statement was prepared before the schema has changed.
func isOutdated(err error) bool {
	failed, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failed.Code == codeNotSupported && failed.Routine == "RevalidateCachedQuery"
}

// isGoing reports whether the server ends the connection.
func isGoing(err *pgconn.PgError) bool {
	return err.SeverityUnlocalized == "FATAL" || err.SeverityUnlocalized == "PANIC"
}
