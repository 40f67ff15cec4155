package engine

// How values come into statements, and those of a row into variables.

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// errText is of text that PostgreSQL does not store, so that no engine does.
var errText = &Error{Err: errors.New("text with a zero byte, or not in UTF-8"), Kind: ErrRefused}

// Argument returns what stands in a column for an argument: nil, an integer, a float, a truth, a text or bytes. Text
// that is not in UTF-8, or has a zero byte, is an error.
func Argument(convert Converter, arg any) (driver.Value, error) {
	switch x := arg.(type) {
	case string:
		return x, checkText(x)
	case nil, int64, []byte, bool, float64:
		return x, nil
	case int:
		return int64(x), nil
	}
	if convert != nil {
		value, ok, err := convert.Encode(arg)
		if text, is := value.(string); ok && is && err == nil {
			err = checkText(text)
		}
		if ok {
			return value, err
		}
	}
	return driver.DefaultParameterConverter.ConvertValue(arg)
}

func checkText(text string) error {
	if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
		return errText
	}
	return nil
}

// Scan puts the values of a row into variables, as Scan of Tx says. convert may be nil.
func Scan(convert Converter, row []driver.Value, into []any) error {
	if len(row) != len(into) {
		return fmt.Errorf("a row of %d columns for %d variables", len(row), len(into))
	}
	for i, value := range row {
		if convert != nil {
			if ok, err := convert.Decode(value, into[i]); err != nil {
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
