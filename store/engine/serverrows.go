package engine

// Rows from a server.

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// known is the answer of a query that was asked ahead.
type known struct {
	types  *pgtype.Map
	fields []pgconn.FieldDescription // nil: it is not answered yet
	rows   [][][]byte
}

// serverRows are the rows of a query.
type serverRows struct{ pgx.Rows }

// Values implements rows.
func (r serverRows) Values() ([]any, error) {
	values, err := r.Rows.Values()
	for i := range values {
		if err == nil {
			values[i], err = plain(values[i])
		}
	}
	return values, err
}

// Columns implements rows.
func (r serverRows) Columns() (names []string, err error) {
	for _, field := range r.FieldDescriptions() {
		names = append(names, field.Name)
	}
	return names, nil
}

// knownRows are the rows of a query that was asked ahead.
type knownRows struct {
	*known
	now int
}

// Next and Scan are as of sql.Rows.
func (r *knownRows) Next() bool {
	r.now++
	return r.now < len(r.rows)
}

func (r *knownRows) Scan(into ...any) error {
	return pgx.ScanRow(r.types, r.fields, r.rows[r.now], into...)
}

// Values and Columns are not used of queries asked ahead.
func (r *knownRows) Values() ([]any, error)     { return nil, errors.ErrUnsupported }
func (r *knownRows) Columns() ([]string, error) { return nil, errors.ErrUnsupported }

// plain returns a value as SQLite has it. A sum, which PostgreSQL does not limit, must be an integer of 64 bits.
func plain(value any) (any, error) {
	switch x := value.(type) {
	case bool:
		if x {
			return int64(1), nil
		}
		return int64(0), nil
	case int16:
		return int64(x), nil
	case int32:
		return int64(x), nil
	case []byte:
		if len(x) == 0 {
			return nil, nil
		}
	case pgtype.Numeric:
		n, err := x.Int64Value()
		if err != nil || !n.Valid {
			return nil, &Error{Err: fmt.Errorf("a sum is no integer of 64 bits: %w", err), Kind: ErrRefused}
		}
		return n.Int64, nil
	}
	return value, nil
}
