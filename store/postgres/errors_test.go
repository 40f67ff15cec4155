package postgres_test

import (
	"errors"

	"knobel/store/engine"
)

// kindOf is what an error means.
func kindOf(err error) string {
	switch {
	case errors.Is(err, engine.ErrRefused):
		return "refused"
	case errors.Is(err, engine.ErrDamaged):
		return "damaged"
	}
	return "passing: " + err.Error()
}
