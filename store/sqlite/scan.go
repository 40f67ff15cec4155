package sqlite

// How the values of a row come into variables.

import (
	"database/sql/driver"
	"fmt"
	"reflect"
)

// scan puts the values of a row into variables, as engine.Tx says.
func (c *connection) scan(row []driver.Value, into []any) error {
	if len(row) != len(into) {
		return fmt.Errorf("a row of %d columns for %d variables", len(row), len(into))
	}
	for i, value := range row {
		if c.convert != nil {
			if ok, err := c.convert.Decode(value, into[i]); err != nil {
				return fmt.Errorf("column %d: %w", i+1, err)
			} else if ok {
				continue
			}
		}
		if !assign(into[i], value) {
			return fmt.Errorf("column %d: a %T cannot be put into a %T", i+1, value, into[i])
		}
	}
	return nil
}

// assign puts one value into a variable and reports whether it fits.
func assign(into any, value driver.Value) (ok bool) {
	switch into := into.(type) {
	case *string:
		*into, ok = value.(string)
	case *int64:
		*into, ok = value.(int64)
	case *int:
		n, is := value.(int64)
		*into, ok = int(n), is
	case *float64:
		n, is := value.(int64)
		*into, ok = float64(n), is
	case *bool:
		n, is := value.(int64)
		*into, ok = n != 0, is
	case *[]byte: // the driver has NULL for an empty one, too
		*into, ok = value.([]byte)
		ok = ok || value == nil
	case **int64:
		n, is := value.(int64)
		if *into = nil; is {
			*into = &n
		}
		ok = is || value == nil
	case *any:
		*into, ok = value, true
	default:
		return assignKind(reflect.ValueOf(into).Elem(), value)
	}
	return ok
}

// assignKind is assign for the types of others that are integers or strings.
func assignKind(into reflect.Value, value driver.Value) bool {
	switch value := value.(type) {
	case int64:
		if into.CanInt() && !into.OverflowInt(value) {
			into.SetInt(value)
			return true
		}
	case string:
		if into.Kind() == reflect.String {
			into.SetString(value)
			return true
		}
	}
	return false
}
