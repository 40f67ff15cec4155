package engine

import (
	"errors"
)

// kindOf is what an error means.
func kindOf(err error) string {
	switch {
	case errors.Is(err, ErrRefused):
		return "refused"
	case errors.Is(err, ErrDamaged):
		return "damaged"
	}
	return "passing: " + err.Error()
}
