package postgres

// How values stand in messages to and from the server: as text, and bytes as they are.

import (
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"knobel/store/engine"
)

// The formats of values in messages.
const (
	asText   int16 = 0
	asBinary int16 = 1
)

// arguments are the values of a statement for the server. Their types are what the server finds.
type arguments struct {
	values  [][]byte
	formats []int16
}

// bind makes arguments of ours.
func bind(convert engine.Converter, args []any) (a arguments, err error) {
	if len(args) == 0 {
		return a, nil
	}
	a.values, a.formats = make([][]byte, len(args)), make([]int16, len(args))
	for i, arg := range args {
		value, err := engine.Argument(convert, arg)
		if err == nil {
			a.values[i], a.formats[i], err = encode(value)
		}
		if err != nil {
			return a, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return a, nil
}

// encode returns how a value stands in a message, nil for NULL.
func encode(value driver.Value) (encoded []byte, format int16, err error) {
	switch x := value.(type) {
	case nil:
		return nil, asText, nil
	case int64:
		return strconv.AppendInt(nil, x, 10), asText, nil
	case bool:
		return strconv.AppendBool(nil, x), asText, nil
	case float64:
		return strconv.AppendFloat(nil, x, 'g', -1, 64), asText, nil
	case []byte:
		return x, asBinary, nil
	case string:
		if x == "" {
			return []byte{}, asText, nil // nil would be NULL
		}
		return []byte(x), asText, nil
	}
	return nil, asText, fmt.Errorf("a %T is no value of a column", value)
}

// decode returns the value of a column of a type, given by its number, as the seam has it: an integer, a text, bytes
// or nil; a truth is an integer. A sum, which PostgreSQL has no bounds for, has to be an integer of 64 bits.
func decode(oid uint32, encoded []byte) (driver.Value, error) {
	if encoded == nil {
		return nil, nil
	}
	switch oid {
	case pgtype.Int8OID, pgtype.Int4OID, pgtype.Int2OID, pgtype.NumericOID:
		n, err := strconv.ParseInt(string(encoded), 10, 64)
		if err != nil {
			return nil, &engine.Error{Err: fmt.Errorf("%s is no integer of 64 bits", encoded), Kind: engine.ErrRefused}
		}
		return n, nil
	case pgtype.BoolOID:
		if string(encoded) == "t" {
			return int64(1), nil
		}
		return int64(0), nil
	case pgtype.ByteaOID:
		digits, ok := strings.CutPrefix(string(encoded), `\x`)
		if !ok {
			return nil, errors.New("bytes that are not in hexadecimal digits: bytea_output has to be hex")
		}
		if digits == "" {
			return nil, nil // as SQLite's driver has it
		}
		return hex.DecodeString(digits)
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.NameOID, pgtype.UnknownOID, pgtype.BPCharOID:
		return string(encoded), nil
	}
	return nil, fmt.Errorf("a column of the type %d is not for us", oid)
}

// converter is what turns the store's own types into columns, nil where there are none.
func converter(o engine.Options) engine.Converter {
	if o.Convert == nil {
		return nil
	}
	return o.Convert()
}
