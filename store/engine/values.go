package engine

// How values come into statements.

import (
	"database/sql/driver"
	"errors"
	"strings"
	"unicode/utf8"
)

// Converter turns values into what stands in a column, and back. It is safe for concurrent use.
type Converter interface {
	// Encode returns what stands in a column for a value; ok is false for a value that
	// is of no type of the converter's.
	Encode(value any) (column driver.Value, ok bool, err error)
	// Into returns the sql.Scanner that puts a column into a variable, and the variable itself if it is of no type of
	// the converter's.
	Into(variable any) any
}

// errText is of text that PostgreSQL does not store, so that no engine does.
var errText = &Error{Err: errors.New("text with a zero byte, or not in UTF-8"), Kind: ErrRefused}

// argument returns what stands in a column for an argument: nil, an integer, a float, a truth, a text or bytes. Text
// that is not in UTF-8, or has a zero byte, is an error.
func argument(convert Converter, arg any) (driver.Value, error) {
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
