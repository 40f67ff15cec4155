package engine

// Repeating changes.

import (
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// repeatable is the error of a change that committed nothing and may succeed when it runs again.
type repeatable struct {
	error
	why reason
}

func (r *repeatable) Unwrap() error { return r.error }

// last returns the error of the last run, of the kind that a retry may clear.
func (r *repeatable) last() error {
	if errors.Is(r.error, ErrAgain) {
		return &Error{Err: r.error}
	}
	return r.error
}

// reason is why a change runs again.
type reason int

const (
	byOthers     reason = iota // concurrent changes were in its way
	byRules                    // it violates the schema, perhaps because of a concurrent change
	byConnection               // the connection was lost before the commit, or is stale
	byLease                    // the replica was away for long and has to join again
	reasons
)

// pause is the longest pause of a change after a conflict, and grows with each.
const pause = 5 * time.Millisecond

// runs is the largest number of repetitions of a change, by the reason.
var runs = [reasons]int{byOthers: 8, byRules: 1, byConnection: 2, byLease: 2}

// patience counts the repetitions of a change.
type patience [reasons]int

// take reports whether the change may run again.
func (p *patience) take(failed *repeatable) bool {
	p[failed.why]++
	return p[failed.why] <= runs[failed.why]
}

// asRepeatable returns the error of a change as a repeatable one if it is, judged by the error of the failed statement;
// nil: none has failed.
func asRepeatable(err, failed error) error {
	if errors.Is(err, ErrAgain) || errors.Is(failed, ErrAgain) {
		return &repeatable{err, byOthers}
	}
	if errors.Is(failed, errMissing) {
		return &repeatable{err, byLease}
	}
	of, ours := errors.AsType[*Error](failed)
	if !ours || of.Kind == ErrUncertain {
		return err
	}
	said, answered := errors.AsType[*pgconn.PgError](of.Err)
	switch {
	case !answered && of.Kind != nil:
		return err
	case !answered, isPooled(said), isOutdated(said), isGoing(said):
		return &repeatable{err, byConnection}
	case said.Code == codeSerialization, said.Code == codeDeadlock:
		return &repeatable{err, byOthers}
	case strings.HasPrefix(said.Code, classIntegrity):
		return &repeatable{err, byRules}
	}
	return err
}

// isOutdated reports whether a statement was prepared before the schema was changed.
func isOutdated(err error) bool {
	failed, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failed.Code == codeNotSupported && failed.Routine == "RevalidateCachedQuery"
}

// isGoing reports whether the server is closing the connection.
func isGoing(err *pgconn.PgError) bool {
	return err.SeverityUnlocalized == "FATAL" || err.SeverityUnlocalized == "PANIC"
}
