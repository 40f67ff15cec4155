package engine

// Transactions on a file or a server, and the rows of their queries.

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

// Tx is a transaction. It may be used only inside the function to which it was passed, and by one goroutine. Once a
// statement has failed, all further ones fail with the same error, and nothing is committed.
type Tx struct {
	ctx     context.Context
	on      session
	convert Converter // nil: there is none
	// Stale reports whether the database may differ from what this process knows by its own earlier changes: another
	// process has changed the database, or a commit has failed.
	Stale bool
	// Failed is the error of the first statement that failed; nil: none has failed.
	Failed error
	hints  []string
}

// session runs the statements of a transaction, on a file or a server.
type session interface {
	// exec runs a statement and returns how many rows it has changed.
	exec(ctx context.Context, query string, args []any) (changed int64, err error)
	// query calls onRow for every row until onRow returns an error. It returns that error, or nil if it is ErrStop.
	query(ctx context.Context, query string, args []any, onRow func(Row) error) error
	// later runs s, but may return before the answer. Then a later statement or the commit returns an error of s.
	later(ctx context.Context, s statement) error
	dialect
}

// dialect holds the statements that differ between a file and a server.
type dialect interface {
	// clock returns SQL for the time in Unix milliseconds: of the server's clock or, for a file, parameter itself.
	clock(parameter string) string
	// number returns a query for the id of a new row of table, and its arguments.
	number(table string) (query string, args []any)
	// strayQuery returns a query for the name of each table that refers to missing rows, and the number of references.
	strayQuery(tx *Tx) (query string, err error)
	// tables returns the tables of the schema, by name.
	tables(tx *Tx) ([]Table, error)
	// empty deletes all rows of the tables in all.
	empty(tx *Tx, all []Table) error
	// fill returns two functions: add adds a row to the table t, and end must be called after the last row.
	fill(tx *Tx, t Table) (add func(row []any) error, end func() error)
	// setLastID makes the table t give new rows only ids above t.Last.
	setLastID(tx *Tx, t Table) error
}

// statement is an SQL statement whose answer may arrive after the call that runs the statement has returned.
type statement struct {
	query string
	args  []any
	wants wanted
	wrong error           // the error of the transaction if the answer is not the wanted one
	onRow func(Row) error // called for every row of the answer; nil: not called
	locks bool            // it locks rows, and waits for other transactions that have locked them
}

// wanted is the answer that a statement must get. With any other answer the transaction fails.
type wanted int

const (
	anything  wanted = iota
	changes          // it changes at least one row
	finds            // it finds a row, whose key other transactions cannot change until this one ends
	findsNone        // it finds no row
)

// Row is a row of a query. It is valid until the function to which it was passed returns.
type Row struct {
	rows
	convert Converter // nil: there is none
}

// rows are the rows of a query: Next advances to the next one and reports whether there is one.
type rows interface {
	Next() bool
	Scan(into ...any) error
	// Values returns the columns of the current row: integers, texts, bytes or nil; a boolean is 0 or 1.
	Values() ([]any, error)
	// Columns returns the names of the columns.
	Columns() ([]string, error)
}

// Scan stores the columns in variables, to which into holds pointers. The Converter, if any, converts its types.
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

// Rows calls onRow for every row of a query until onRow returns an error. It returns that error, or nil if it is
// ErrStop. onRow must run no other statement.
func (tx *Tx) Rows(query string, args []any, onRow func(Row) error) error {
	args, err := tx.bind(args)
	if err == nil {
		err = tx.on.query(tx.ctx, query, args, onRow)
	}
	return tx.fail(err)
}

// Run is like Exec, but may return before the answer. Then an error is returned by a later statement or the commit.
func (tx *Tx) Run(query string, args ...any) error {
	return tx.later(statement{query: query, args: args})
}

// Must is like Run, for a statement that has to change a row. If it changes none, the transaction fails with ifNone.
func (tx *Tx) Must(ifNone error, query string, args ...any) error {
	return tx.later(statement{query: query, args: args, wants: changes, wrong: ifNone})
}

// Need makes the transaction fail with the error ifNone if the query finds no row. Until the transaction ends, no other
// change can delete the row found or change its key. The error may be returned by a later statement or the commit.
func (tx *Tx) Need(ifNone error, query string, args ...any) error {
	return tx.later(statement{query: query, args: args, wants: finds, wrong: ifNone})
}

// Never makes the transaction fail with the error ifFound if the query finds a row. That may happen at the commit.
func (tx *Tx) Never(ifFound error, query string, args ...any) error {
	return tx.later(statement{query: query, args: args, wants: findsNone, wrong: ifFound})
}

// Later is like Rows, but does not wait for the answer: onRow may be called during a later statement, or at the end of
// the transaction before Update returns nil. If Update returns an error, onRow may not have been called.
func (tx *Tx) Later(query string, args []any, onRow func(Row) error) error {
	return tx.later(statement{query: query, args: args, onRow: onRow})
}

// Lock locks the rows that a query finds until the transaction ends: other changes that lock or change them wait. On a
// server it calls onRow as Later does. In a file, where changes run one at a time, it does nothing and calls nothing.
func (tx *Tx) Lock(query string, args []any, onRow func(Row) error) error {
	return tx.later(statement{query: query, args: args, onRow: onRow, locks: true})
}

// Ahead announces a query that the transaction will probably run soon. A server gets the query with the next statement,
// which saves a round trip. If the transaction changes a table of the query, the early answer is dropped.
func (tx *Tx) Ahead(query string, args ...any) {
	if p, ok := tx.on.(*pipeline); ok { // a query to a file needs no round trip
		p.ahead(tx, query, args)
	}
}

// Clock returns an SQL expression for the time in Unix milliseconds: the server's clock or, in a file, parameter
// itself, such as "$1". The statement must have an argument for parameter in both cases.
func (tx *Tx) Clock(parameter string) string { return tx.on.clock(parameter) }

// Number returns a unique id for a new row of table. If the transaction fails, the id may stay unused.
func (tx *Tx) Number(table string) (id int64, err error) {
	query, args := tx.on.number(table)
	err = tx.Rows(query, args, func(row Row) error { return row.Scan(&id) })
	return id, err
}

// Hint passes text to the functions registered by DB.Hints, in all processes, after the commit. It never waits or
// fails, but drops a text that is empty, longer than 7,000 bytes or not UTF-8. Other programs may be able to read hints
// without access to the database: data that is encrypted in the database must be encrypted in hints, too.
func (tx *Tx) Hint(text string) {
	if isHint(text) {
		tx.hints = append(tx.hints, text)
	}
}

// Tables returns the tables of the schema, sorted by name.
func (tx *Tx) Tables() ([]Table, error) { return tx.on.tables(tx) }

// StrayReferences returns the SQL of a query with one row for each table with references to missing rows: its name, and
// how many such references it has.
func (tx *Tx) StrayReferences() (query string, err error) { return tx.on.strayQuery(tx) }

// later runs s, but may return before the answer has arrived.
func (tx *Tx) later(s statement) (err error) {
	if s.args, err = tx.bind(s.args); err == nil {
		err = tx.on.later(tx.ctx, s)
	}
	return tx.fail(err)
}

// get stores the columns of a query's only row, if there is one, in variables, to which into holds pointers.
func (tx *Tx) get(query string, into ...any) error {
	return tx.Rows(query, nil, func(row Row) error { return row.Scan(into...) })
}

// fail stores err as tx.Failed, unless err is nil or an earlier error is stored, and returns err. Then no other
// statement runs, and nothing is committed: after some errors, later statements would run outside of the transaction.
func (tx *Tx) fail(err error) error {
	if err != nil && tx.Failed == nil {
		tx.Failed = err
	}
	return err
}

// bind converts args, in place, to the types that drivers take: nil, int64, float64, bool, string and []byte. It
// returns an error for text that is not UTF-8 or has a zero byte. Once a statement has failed, it returns that error.
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
		if text, isText := args[i].(string); isText && (strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text)) {
			err = errText
		}
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return args, nil
}

// eachRow calls onRow for every row until onRow returns an error. It returns that error, or nil if it is ErrStop.
func eachRow(rows Row, onRow func(Row) error) error {
	for rows.Next() {
		if err := onRow(rows); errors.Is(err, ErrStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// Converter converts values to columns and back. It is safe for concurrent use.
type Converter interface {
	// Encode returns the column for value. ok is false if the Converter does not handle the type of value.
	Encode(value any) (column driver.Value, ok bool, err error)
	// Into returns an sql.Scanner that stores a column in the variable to which variable points. If the Converter does
	// not handle its type, Into returns variable itself.
	Into(variable any) any
}

// errText is the error for text that PostgreSQL cannot store. Files do not take such text either.
var errText = &Error{Err: errors.New("text contains a zero byte or invalid UTF-8"), Kind: ErrRefused}

// earlyAnswer is the answer of a query that Ahead has announced.
type earlyAnswer struct {
	types  *pgtype.Map
	fields []pgconn.FieldDescription // nil: not answered yet
	rows   [][][]byte
}

// serverRows are the rows of a query to a server.
type serverRows struct{ pgx.Rows }

// Values returns the columns of the current row, converted to the types that SQLite returns.
func (r serverRows) Values() ([]any, error) {
	values, err := r.Rows.Values()
	for i := range values {
		if err == nil {
			values[i], err = sqliteValue(values[i])
		}
	}
	return values, err
}

// Columns returns the names of the columns.
func (r serverRows) Columns() (names []string, err error) {
	for _, field := range r.FieldDescriptions() {
		names = append(names, field.Name)
	}
	return names, nil
}

// earlyRows are the rows of a query that Ahead has announced; index is the position of the current row.
type earlyRows struct {
	*earlyAnswer
	index int
}

// Next advances to the next row and reports whether there is one.
func (r *earlyRows) Next() bool {
	r.index++
	return r.index < len(r.rows)
}

// Scan stores the columns of the current row in variables, to which into holds pointers.
func (r *earlyRows) Scan(into ...any) error {
	return pgx.ScanRow(r.types, r.fields, r.rows[r.index], into...)
}

// Values and Columns return errors.ErrUnsupported: nothing calls them for a query that Ahead has announced.
func (r *earlyRows) Values() ([]any, error)     { return nil, errors.ErrUnsupported }
func (r *earlyRows) Columns() ([]string, error) { return nil, errors.ErrUnsupported }

// sqliteValue converts a column of PostgreSQL to the type that SQLite returns: booleans and integers become int64, and
// empty bytes nil. A sum has no limit in PostgreSQL: one that does not fit into 64 bits is an error.
func sqliteValue(value any) (any, error) {
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
			return nil, &Error{Err: fmt.Errorf("sum exceeds 64 bits: %w", err), Kind: ErrRefused}
		}
		return n.Int64, nil
	}
	return value, nil
}
