package store

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"knobel/store/engine"
)

// Tx is one transaction. It is valid only inside the function that got it, and for one goroutine. Its methods are in
// its exported fields, by subject. After a failed statement all later statements fail too, so that steps can be
// combined by cmp.Or. After another error, such as ErrNotFound or ErrAgain, later steps still run: the change must then
// return this error.
type Tx struct {
	Tables  Tables
	Calls   Calls
	Chats   Chats
	Books   Books
	Scores  Scores
	Reviews Reviews
	Rooms   Rooms
	Leases  Leases
	Upkeep  Upkeep

	db     *engine.Tx
	store  *Store
	cache  cache             // nil: the transaction does not write
	cached []int64           // the numbers of the tables that it has stored in the cache
	only   func(string) bool // the condition set by Only; nil: all chats
	lock   locking           // the chats that it has locked
	atEnd  ending
}

// locking holds the locks that a transaction has, and those that it could not get.
type locking struct {
	allChats     bool            // it has the scope OfAll
	chats        []string        // the chats that it has locked, only noted in strict mode
	hasLock      bool            // it has taken a lock, or has the scope OfAll
	missingScope string          // the name of the scope whose row was missing when it had to be locked, or ""
	known        map[string]bool // chats locked by LockPerson
	grew         bool            // a repeated LockPerson has found further chats
	chatMissing  bool            // the chat to lock was not found yet; its id may have changed
	missing      map[string]bool // names of scopes whose rows were missing when they were read
}

// ending holds the work that beforeCommit has to do at the end of a transaction.
type ending struct {
	finished []int64 // tables whose results have to be added to the totals
	settling []int64 // ended tables whose result and postings must agree
	payments []int64 // payments whose state and postings must agree
	boxes    []Box   // boxes (jackpots) that paid chips out and must not have a negative balance
}

type (
	// Tables has the methods for tables with their moves, boards, seats and results.
	Tables struct{ *Tx }
	// Calls has the methods for fixed evenings and for messages beside boards: those that ask players to come to a
	// table or list offered seats, and notices.
	Calls struct{ *Tx }
	// Chats has the methods for chats with their settings, house rules and seasons, and for people.
	Chats struct{ *Tx }
	// Books has the methods for postings, balances, payments, boxes (jackpots) and voided games.
	Books struct{ *Tx }
	// Scores has the methods for totals of results, by which people are ranked, and for statistics.
	Scores struct{ *Tx }
	// Reviews has the methods for reviews of finished games, and for puzzles.
	Reviews struct{ *Tx }
	// Rooms has the methods for browser rooms, and for the announcements shown in them.
	Rooms struct{ *Tx }
	// Leases has the methods for leases, which say which replica runs the loops of which chats.
	Leases struct{ *Tx }
	// Upkeep has the methods for maintenance: checking and encrypting the database, moving chats and forgetting people.
	Upkeep struct{ *Tx }
)

// newTx returns a transaction of the store s, run by db. s may be nil, as while a store is opened, for methods that
// need only db.
func newTx(db *engine.Tx, s *Store) *Tx {
	tx := &Tx{db: db, store: s}
	tx.Tables, tx.Calls, tx.Chats, tx.Books = Tables{tx}, Calls{tx}, Chats{tx}, Books{tx}
	tx.Scores, tx.Reviews, tx.Rooms, tx.Leases, tx.Upkeep = Scores{tx}, Reviews{tx}, Rooms{tx}, Leases{tx}, Upkeep{tx}
	return tx
}

// Hint sends text after the commit to the listeners of Store.Hints. The caller must encrypt names and ids in text.
func (tx *Tx) Hint(text string) { tx.db.Hint(text) }

// exec runs a statement, waits for its end, and returns how many rows it has changed.
func (tx *Tx) exec(query string, args ...any) (int64, error) {
	return tx.dbFor(0, query).Exec(query, args...)
}

// run runs a statement, but does not wait for its end. A later statement or the commit may return its error.
func (tx *Tx) run(query string, args ...any) error { return tx.dbFor(0, query).Run(query, args...) }

// runAt runs a statement like run. The statement must change only the table with the number table, its seats and its
// board: only this table is removed from the cache.
func (tx *Tx) runAt(table int64, query string, args ...any) error {
	return tx.dbFor(table, query).Run(query, args...)
}

// later runs a query, but does not wait for its rows. The function each is called for every row, during a later
// statement or at the end of the transaction.
func (tx *Tx) later(query string, args []any, each func(row engine.Row) error) error {
	return tx.dbFor(0, query).Later(query, args, each)
}

// get reads the columns of the first row of a query into variables (pointers). Without a row it returns ErrNotFound.
func (tx *Tx) get(query string, args []any, variables ...any) error {
	found := false
	err := tx.rows(query, args, func(row engine.Row) error {
		found = true
		if err := row.Scan(variables...); err != nil {
			return err
		}
		return engine.ErrStop
	})
	if err == nil && !found {
		return ErrNotFound
	}
	return err
}

// rows calls the function each for every row of a query, until each returns an error. each must not run statements.
func (tx *Tx) rows(query string, args []any, each func(row engine.Row) error) error {
	return tx.dbFor(0, query).Rows(query, args, each)
}

// operation is the purpose of a query, with which the texts of its errors begin.
type operation struct {
	format string // as for fmt.Errorf
	args   []any
}

// doing returns the operation with this format and args, which are as for fmt.Errorf.
func doing(format string, args ...any) operation { return operation{format, args} }

// one returns the value in the first row of a query with one column, or ErrNotFound. o begins the texts of errors.
func one[T any](tx *Tx, o operation, query string, args ...any) (value T, err error) {
	err = wrapped(tx.get(query, args, &value), o.format, o.args...)
	return value, err
}

// first returns the value in the first row of a query with one column. Without a row it returns the zero value and nil.
func first[T any](tx *Tx, o operation, query string, args ...any) (value T, err error) {
	err = wrapped(orNone(tx.get(query, args, &value)), o.format, o.args...)
	return value, err
}

// oneBy returns the first row of a query as a T, or ErrNotFound. variables returns pointers to the fields of a T, one
// for each column of the query. o begins the texts of errors.
func oneBy[T any](tx *Tx, o operation, variables func(*T) []any, query string, args ...any) (row T, err error) {
	err = wrapped(tx.get(query, args, variables(&row)...), o.format, o.args...)
	return row, err
}

// collect returns the values from all rows of a query with one column. o begins the texts of errors.
func collect[T any](tx *Tx, o operation, query string, args ...any) ([]T, error) {
	return collectBy(tx, o, func(one *T) []any { return []any{one} }, query, args...)
}

// collectBy returns all rows of a query, each as a T. variables returns pointers to the fields of a T, one for each
// column of the query. o begins the texts of errors.
func collectBy[T any](tx *Tx, o operation, variables func(*T) []any, query string, args ...any) (all []T, err error) {
	err = tx.rows(query, args, func(row engine.Row) error {
		var one T
		err := row.Scan(variables(&one)...)
		all = append(all, one)
		return err
	})
	return all, wrapped(err, o.format, o.args...)
}

// inJSON stores a variable as JSON in a column and reads it back. It is a sql.Scanner and a driver.Valuer.
type inJSON struct{ variable any }

// Value returns the variable as JSON text.
func (j inJSON) Value() (driver.Value, error) {
	text, err := json.Marshal(j.variable)
	return string(text), err
}

// Scan reads JSON text into the variable, which must be a pointer.
func (j inJSON) Scan(column any) error {
	text, ok := column.(string)
	if !ok {
		return fmt.Errorf("%T is not JSON", column)
	}
	return json.Unmarshal([]byte(text), j.variable)
}

// textsBy returns a map from the first to the second column of all rows of a query. o begins the texts of errors.
func textsBy[K, V ~string](tx *Tx, o operation, query string, args ...any) (map[string]string, error) {
	texts := map[string]string{}
	err := tx.rows(query, args, func(row engine.Row) error {
		var key K
		var text V
		err := row.Scan(&key, &text)
		texts[string(key)] = string(text)
		return err
	})
	return texts, wrapped(err, o.format, o.args...)
}

// execFound runs a statement and waits for its end. If no row has changed, it returns ErrNotFound.
func execFound(tx *Tx, query string, args ...any) error {
	changed, err := tx.exec(query, args...)
	if err == nil && changed == 0 {
		err = ErrNotFound
	}
	return err
}

// orNone returns nil if err is ErrNotFound, otherwise err.
func orNone(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// wrapped puts a text, made from format and args, before the text of err. If err is nil, it returns nil.
func wrapped(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

// columns says in which columns of a database table values of the type T are stored. The statements that read and write
// them are made from it, so that each column is listed once.
type columns[T any] struct {
	all []column
	of  func(*T) []any // pointers to the variables of a value, in the order of the columns
}

// column is the name of one column. absent is an SQL literal, such as 0 or a pair of single quotes: this value is
// stored as NULL. "": the column is never NULL.
type column struct{ name, absent string }

// columnsOf returns the columns in names, a list with commas. variables returns pointers to the fields of a T, in the
// same order. A name may be followed by an equals sign and an SQL literal: this value is stored as NULL, and NULL is
// read as this value. An empty id, for example, is stored as NULL, because NULL refers to no row.
func columnsOf[T any](names string, variables func(*T) []any) columns[T] {
	c := columns[T]{of: variables}
	for name := range strings.SplitSeq(names, ",") {
		name, absent, _ := strings.Cut(name, "=")
		c.all = append(c.all, column{strings.TrimSpace(name), strings.TrimSpace(absent)})
	}
	return c
}

// and returns the columns of c and then those of more.
func (c columns[T]) and(more columns[T]) columns[T] {
	return columns[T]{slices.Concat(c.all, more.all), func(v *T) []any { return append(c.of(v), more.of(v)...) }}
}

// each calls spell with the index of each column and the column. It returns the results, separated by commas.
func (c columns[T]) each(spell func(i int, one column) string) string {
	all := make([]string, len(c.all))
	for i, one := range c.all {
		all[i] = spell(i, one)
	}
	return strings.Join(all, ", ")
}

// list returns the columns as a list for a SELECT, with COALESCE for those that may be NULL. prefix comes before each
// name: "", or the alias of the table and a dot.
func (c columns[T]) list(prefix string) string {
	return c.each(func(_ int, one column) string {
		if one.absent == "" {
			return prefix + one.name
		}
		return "COALESCE(" + prefix + one.name + ", " + one.absent + ")"
	})
}

// insert returns an INSERT of one row into table, with the columns keys and then those of c. Its parameters have the
// same order, which is also that of the arguments from the method values.
func (c columns[T]) insert(table string, keys ...string) string {
	var names, values string
	for i, key := range keys {
		names, values = names+key+", ", values+fmt.Sprintf("$%d, ", i+1)
	}
	names += c.each(func(_ int, one column) string { return one.name })
	values += c.each(func(i int, one column) string { return one.placeholder(len(keys) + i + 1) })
	return "INSERT INTO " + table + " (" + names + ") VALUES (" + values + ")"
}

// upsert returns an INSERT like insert. If there is a row with the same keys, it replaces the columns of c in that row.
func (c columns[T]) upsert(table string, keys ...string) string {
	return c.insert(table, keys...) + " ON CONFLICT (" + strings.Join(keys, ", ") + ") DO UPDATE SET " +
		c.each(func(_ int, one column) string { return one.name + " = excluded." + one.name })
}

// update returns an UPDATE of table that sets the columns of c in the row that the columns keys identify. Its
// parameters are the values of keys and then those of c, in the order of the arguments that the method values returns.
func (c columns[T]) update(table string, keys ...string) string {
	conditions := make([]string, len(keys))
	for i, key := range keys {
		conditions[i] = fmt.Sprintf("%s = $%d", key, i+1)
	}
	return "UPDATE " + table + " SET " + c.each(func(i int, one column) string {
		return one.name + " = " + one.placeholder(len(keys)+i+1)
	}) + " WHERE " + strings.Join(conditions, " AND ")
}

// placeholder returns the SQL expression for the parameter $number as a value of the column: c.absent becomes NULL.
func (c column) placeholder(number int) string {
	switch c.absent {
	case "":
		return fmt.Sprintf("$%d", number)
	case "''":
		return fmt.Sprintf("NULLIF($%d, '')", number)
	}
	return fmt.Sprintf("NULLIF(CAST($%d AS BIGINT), %s)", number, c.absent)
}

// values returns the arguments for a statement made by insert, upsert or update: keys are the values of its keys, and v
// has the values of the columns of c. A nil []byte becomes NULL.
func (c columns[T]) values(v *T, keys ...any) []any {
	all := slices.Concat(keys, c.of(v))
	for i := len(keys); i < len(all); i++ {
		switch variable := all[i].(type) {
		case inJSON:
		case *bool: // this case and the next two avoid reflection, which copies to the heap
			all[i] = *variable
		case *int64:
			all[i] = *variable
		case *string:
			all[i] = *variable
		default:
			all[i] = reflect.ValueOf(variable).Elem().Interface()
		}
		if raw, ok := all[i].([]byte); ok && raw == nil {
			all[i] = nil
		}
	}
	return all
}

// same reports whether a and b have equal values in the columns of c.
func (c columns[T]) same(a, b *T) bool {
	return slices.EqualFunc(c.of(a), c.of(b), func(one, other any) bool {
		switch x := one.(type) {
		case inJSON:
			return reflect.DeepEqual(x, other)
		case *sealedSeed:
			return bytes.Equal(*x, *other.(*sealedSeed))
		}
		return reflect.ValueOf(one).Elem().Equal(reflect.ValueOf(other).Elem())
	})
}
