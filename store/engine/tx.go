package engine

// One transaction, on a file or on a server, and the rows of its queries.

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// Tx is a transaction. It is valid only inside the function that got it, and for one goroutine. Once a statement has
// failed, all others fail with the same error, and nothing is committed.
type Tx struct {
	ctx     context.Context
	on      session
	convert Converter // nil: there is none
	// Stale says that the database may differ from what Updates before have left in it: another process has written, or
	// a commit has failed.
	Stale bool
	// Failed is the error of the first statement that failed.
	Failed error
	hints  []string
}

// session runs the statements of a transaction.
type session interface {
	// exec runs a statement and returns how many rows it has changed.
	exec(ctx context.Context, query string, args []any) (changed int64, err error)
	// query calls each for every row of a query, until it returns an error, which query then returns.
	query(ctx context.Context, query string, args []any, each func(Row) error) error
	// later runs a statement without waiting for its answer.
	later(ctx context.Context, s statement) error
	// ahead may ask a query before its answer is wanted.
	ahead(tx *Tx, query string, args []any)
	dialect
}

// dialect holds the statements that differ between a file and a server.
type dialect interface {
	// clock returns an expression for the time in Unix milliseconds: of the server's clock, or a parameter.
	clock(parameter string) string
	// number returns the query for the id of a new row of a table.
	number(table string) (query string, args []any)
	// strays returns a query for each table with rows that refer to missing rows.
	strays(tx *Tx) (query string, err error)
	// tables returns the tables of the schema, by name.
	tables(tx *Tx) ([]Table, error)
	// empty removes all rows of tables.
	empty(tx *Tx, all []Table) error
	// fill returns a function that adds a row to a table, and one to call after the last.
	fill(tx *Tx, t Table) (add func(row []any) error, end func() error)
	// numbered has a table give numbers above the last.
	numbered(tx *Tx, t Table) error
}

// statement is a statement whose answer is not waited for.
type statement struct {
	query string
	args  []any
	wants wanted
	wrong error           // fails the transaction if the answer is not as wanted
	each  func(Row) error // called for every row of the answer; nil: not called
	locks bool            // other transactions may hold the rows that it locks
}

// wanted is the required answer of a statement.
type wanted int

const (
	anything wanted = iota
	changes         // it changes a row
	finds           // it finds a row, whose key other transactions cannot change until this one ends
	findsNone
)

// Row is a row of a query. It is valid until the function that got it returns.
type Row struct {
	rows
	convert Converter // nil: there is none
}

// rows are the rows of a query, one of which is current.
type rows interface {
	Next() bool
	Scan(into ...any) error
	// Values returns the columns: integers, texts, bytes or nil; a boolean is an integer.
	Values() ([]any, error)
	// Columns returns the names of the columns.
	Columns() ([]string, error)
}

// Scan stores the columns in variables, as database/sql does, and converts other types by the Converter.
func (r Row) Scan(into ...any) error {
	if r.convert != nil {
		for i := range into {
			into[i] = r.convert.Into(into[i])
		}
	}
	return r.rows.Scan(into...)
}

// Exec runs a statement and returns how many rows it has changed.
func (tx *Tx) Exec(query string, args ...any) (changed int64, err error) {
	if args, err = tx.bind(args); err == nil {
		changed, err = tx.on.exec(tx.ctx, query, args)
	}
	return changed, tx.fail(err)
}

// Rows calls each for every row of a query, until it returns an error, which Rows then returns, except ErrStop. No
// other statement may run meanwhile.
func (tx *Tx) Rows(query string, args []any, each func(Row) error) error {
	args, err := tx.bind(args)
	if err == nil {
		err = tx.on.query(tx.ctx, query, args, each)
	}
	return tx.fail(err)
}

// Run is Exec without the number of rows. Its error may come with a later statement, or with the commit.
func (tx *Tx) Run(query string, args ...any) error {
	return tx.later(statement{query: query, args: args})
}

// Must is Run for an INSERT, UPDATE or DELETE that has to change a row: otherwise the transaction fails with none.
func (tx *Tx) Must(none error, query string, args ...any) error {
	return tx.later(statement{query: query, args: args, wants: changes, wrong: none})
}

// Need fails the transaction with none unless a query finds a row, and keeps other changes from changing the key of
// that row until the transaction ends. Its error may come with a later statement, or with the commit.
func (tx *Tx) Need(none error, query string, args ...any) error {
	return tx.later(statement{query: query, args: args, wants: finds, wrong: none})
}

// Never fails the transaction with some if a query finds a row. Its error may come with a later statement, or with the
// commit.
func (tx *Tx) Never(some error, query string, args ...any) error {
	return tx.later(statement{query: query, args: args, wants: findsNone, wrong: some})
}

// Later is Rows without waiting for the answer: each may be called with a later statement, or at the end of the
// transaction, before Update returns nil. If Update returns an error it may not be called.
func (tx *Tx) Later(query string, args []any, each func(Row) error) error {
	return tx.later(statement{query: query, args: args, each: each})
}

// Lock keeps other changes away from the rows that a query finds, until the transaction ends: they wait when they lock
// or change these. each is called as by Later, but not if changes run one at a time anyway.
func (tx *Tx) Lock(query string, args []any, each func(Row) error) error {
	return tx.later(statement{query: query, args: args, each: each, locks: true})
}

// Ahead says that the transaction is likely to run a query soon: a server gets it with the next statement. A change of
// its tables drops the answer.
func (tx *Tx) Ahead(query string, args ...any) {
	tx.on.ahead(tx, query, args)
}

// Clock returns an expression for the time in Unix milliseconds: of a server's clock, or else a parameter of the
// statement.
func (tx *Tx) Clock(parameter string) string { return tx.on.clock(parameter) }

// Number returns the id of a new row of a table. No other row of it gets the same, and it may stay unused.
func (tx *Tx) Number(table string) (id int64, err error) {
	query, args := tx.on.number(table)
	err = tx.Rows(query, args, func(row Row) error { return row.Scan(&id) })
	return id, err
}

// Hint sends a hint to all listeners of Hints after the commit. It blocks nothing and never fails. Other programs may
// be able to read hints without access to the database: what is sealed there must be sealed in them. Hints that are
// empty or longer than 7,000 bytes are dropped.
func (tx *Tx) Hint(text string) {
	if isHint(text) {
		tx.hints = append(tx.hints, text)
	}
}

// Tables are the tables of the schema, by name.
func (tx *Tx) Tables() ([]Table, error) { return tx.on.tables(tx) }

// StrayReferences returns a query for each table with rows that refer to missing rows: its name, and the number of
// rows.
func (tx *Tx) StrayReferences() (query string, err error) { return tx.on.strays(tx) }

func (tx *Tx) later(s statement) (err error) {
	if s.args, err = tx.bind(s.args); err == nil {
		err = tx.on.later(tx.ctx, s)
	}
	return tx.fail(err)
}

// get scans the one row of a query.
func (tx *Tx) get(query string, into ...any) error {
	return tx.Rows(query, nil, func(row Row) error { return row.Scan(into...) })
}

// fail stores the first error of a statement: no other statement runs, and the transaction is not committed. Some
// errors end the transaction by themselves, and later statements would run outside of it.
func (tx *Tx) fail(err error) error {
	if err != nil && tx.Failed == nil {
		tx.Failed = err
	}
	return err
}

// bind converts the arguments of a statement for the driver, in place: to nil, integers, floats, booleans, texts or
// bytes. Text that is not in UTF-8, or has a zero byte, is an error.
func (tx *Tx) bind(args []any) ([]any, error) {
	if tx.Failed != nil {
		return nil, tx.Failed
	}
	for i, arg := range args {
		var err error
		switch x := arg.(type) {
		case string, nil, int64, []byte, bool, float64:
		case int:
			args[i] = int64(x)
		default:
			ok := false
			if tx.convert != nil {
				args[i], ok, err = tx.convert.Encode(arg)
			}
			if !ok {
				args[i], err = driver.DefaultParameterConverter.ConvertValue(arg)
			}
		}
		if text, is := args[i].(string); is && (strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text)) {
			err = errText
		}
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return args, nil
}

// eachOf calls each for rows, until it returns an error, except ErrStop.
func eachOf(all Row, each func(Row) error) error {
	for all.Next() {
		if err := each(all); errors.Is(err, ErrStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// Converter turns values into columns and back. It is safe for concurrent use.
type Converter interface {
	// Encode returns the column of a value; ok is false for a value of another type.
	Encode(value any) (column driver.Value, ok bool, err error)
	// Into returns the sql.Scanner that stores a column in a variable, or the variable itself if it is of another type.
	Into(variable any) any
}

// errText refuses text that PostgreSQL does not store, on every engine.
var errText = &Error{Err: errors.New("text with a zero byte, or not in UTF-8"), Kind: ErrRefused}

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
