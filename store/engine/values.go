package engine

// The arguments of statements.

import (
	"database/sql/driver"
	"errors"
	"strings"
	"unicode/utf8"
)

// Converter turns values into columns and back. It is safe for concurrent use.
type Converter interface {
	// Encode returns the column of a value; ok is false for a value of another type.
	Encode(value any) (column driver.Value, ok bool, err error)
	// Into returns the sql.Scanner that stores a column in a variable, or the variable itself if it is of another type.
	Into(variable any) any
}

// errText refuses text that PostgreSQL does not store, on every engine.
var errText = &Error{Err: errors.New("text with a zero byte, or not in UTF-8"), Kind: ErrRefused}

// argument returns the column of an argument: nil, an integer, a float, a boolean, a text or bytes. Text that is not in
// UTF-8, or has a zero byte, is an error.
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
