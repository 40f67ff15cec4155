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

// Tx is one transaction. It is valid only inside the function that got it, and for one goroutine. Its first fields have
// the methods, by concern. Once a statement has failed, all later ones fail, so that steps can stand in one cmp.Or.
// After any other error, such as ErrNotFound or ErrAgain, the later steps run: the change must return that error.
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
	cache  cache             // nil: it does not write
	cached []int64           // tables that it has put into the cache
	only   func(string) bool // the chats of what it lists for loops, nil: all
	lock   locking           // the chats that it keeps others away from
	atEnd  ending
}

// locking is how a transaction keeps other changes away from chats.
type locking struct {
	keepsAll bool
	kept     []string        // the chats that it keeps others away from, where that is looked at
	locks    bool            // it keeps others away from chats
	unmet    string          // the scope that it has not found yet
	known    map[string]bool // chats of a person that it keeps others away from
	more     bool            // there were more when it looked again
	sought   bool            // it has not found yet the chat that it keeps others away from
	missing  map[string]bool // what it has not found
}

// ending is what a transaction looks at or adds up at its end.
type ending struct {
	finished []int64 // tables whose results are to be added to the totals at the end
	settling []int64 // tables whose result and books have to agree at the end
	payments []int64 // payments that the books have to agree with at the end
	boxes    []Box   // boxes that gave something and must not be overdrawn at the end
}

type (
	// Tables are tables, their moves, boards and players who are absent.
	Tables struct{ *Tx }
	// Calls are answers that the outbox owes to platforms.
	Calls struct{ *Tx }
	// Chats are chats with their settings, house rules, seasons and people.
	Chats struct{ *Tx }
	// Books are results, balances, payments and what was voided.
	Books struct{ *Tx }
	// Scores are totals of results, by which people are ranked.
	Scores struct{ *Tx }
	// Reviews are reviews of matches and the puzzles of days.
	Reviews struct{ *Tx }
	// Rooms are rooms of the browser and what was said there.
	Rooms struct{ *Tx }
	// Leases say which replica runs the loops of which chats.
	Leases struct{ *Tx }
	// Upkeep is what keeps the database whole: checks, sealing, moving and forgetting.
	Upkeep struct{ *Tx }
)

// newTx returns a transaction of a store, nil where only the database is asked.
func newTx(db *engine.Tx, s *Store) *Tx {
	tx := &Tx{db: db, store: s}
	tx.Tables, tx.Calls, tx.Chats, tx.Books = Tables{tx}, Calls{tx}, Chats{tx}, Books{tx}
	tx.Scores, tx.Reviews, tx.Rooms, tx.Leases, tx.Upkeep = Scores{tx}, Reviews{tx}, Rooms{tx}, Leases{tx}, Upkeep{tx}
	return tx
}

// Hint sends a hint to all listeners of Hints after the commit: see engine.Tx. Names and ids in it have to be sealed.
func (tx *Tx) Hint(text string) { tx.db.Hint(text) }

// exec runs a statement and returns how many rows it has changed.
func (tx *Tx) exec(query string, args ...any) (int64, error) {
	return tx.on(0, query).Exec(query, args...)
}

// run is exec where the number of rows does not matter.
func (tx *Tx) run(query string, args ...any) error { return tx.on(0, query).Run(query, args...) }

// runAt is run for a statement that changes nothing but one table, its seats and its board.
func (tx *Tx) runAt(table int64, query string, args ...any) error {
	return tx.on(table, query).Run(query, args...)
}

// later is rows for a statement that others need not wait for: see engine.Tx.
func (tx *Tx) later(query string, args []any, each func(row engine.Row) error) error {
	return tx.on(0, query).Later(query, args, each)
}

// get scans the one row of a query, or returns ErrNotFound.
func (tx *Tx) get(query string, args []any, into ...any) error {
	found := false
	err := tx.rows(query, args, func(row engine.Row) error {
		found = true
		if err := row.Scan(into...); err != nil {
			return err
		}
		return engine.ErrStop
	})
	if err == nil && !found {
		return ErrNotFound
	}
	return err
}

// rows calls each for every row of a query. No other statement runs meanwhile.
func (tx *Tx) rows(query string, args []any, each func(row engine.Row) error) error {
	return tx.on(0, query).Rows(query, args, each)
}

// operation says in errors what a query is for.
type operation struct {
	words string // as of fmt.Errorf
	of    []any
}

func doing(words string, of ...any) operation { return operation{words, of} }

// one returns the only column of a query's one row, or ErrNotFound.
func one[T any](tx *Tx, o operation, query string, args ...any) (value T, err error) {
	err = wrapped(tx.get(query, args, &value), o.words, o.of...)
	return value, err
}

// first is one, but returns the zero value if there is no row.
func first[T any](tx *Tx, o operation, query string, args ...any) (value T, err error) {
	err = wrapped(orNone(tx.get(query, args, &value)), o.words, o.of...)
	return value, err
}

// oneBy returns a query's one row, or ErrNotFound: see collectBy.
func oneBy[T any](tx *Tx, o operation, into func(*T) []any, query string, args ...any) (row T, err error) {
	err = wrapped(tx.get(query, args, into(&row)...), o.words, o.of...)
	return row, err
}

// collect returns the values of a query's only column.
func collect[T any](tx *Tx, o operation, query string, args ...any) ([]T, error) {
	return collectBy(tx, o, func(one *T) []any { return []any{one} }, query, args...)
}

// collectBy returns the rows of a query; into returns the variables of a row, in the order of its columns.
func collectBy[T any](tx *Tx, o operation, into func(*T) []any, query string, args ...any) (all []T, err error) {
	err = tx.rows(query, args, func(row engine.Row) error {
		var one T
		err := row.Scan(into(&one)...)
		all = append(all, one)
		return err
	})
	return all, wrapped(err, o.words, o.of...)
}

// inJSON is a variable in a column of JSON: a sql.Scanner and a driver.Valuer.
type inJSON struct{ variable any }

// Value returns the value of a column.
func (j inJSON) Value() (driver.Value, error) {
	text, err := json.Marshal(j.variable)
	return string(text), err
}

// Scan reads the value of a column.
func (j inJSON) Scan(column any) error {
	text, ok := column.(string)
	if !ok {
		return fmt.Errorf("a %T is no JSON", column)
	}
	return json.Unmarshal([]byte(text), j.variable)
}

// textsBy returns the texts of a query's second column by those of its first.
func textsBy[K, V ~string](tx *Tx, o operation, query string, args ...any) (map[string]string, error) {
	texts := map[string]string{}
	err := tx.rows(query, args, func(row engine.Row) error {
		var key K
		var text V
		err := row.Scan(&key, &text)
		texts[string(key)] = string(text)
		return err
	})
	return texts, wrapped(err, o.words, o.of...)
}

// execFound is exec for a statement that has to change a row, or it returns ErrNotFound.
func execFound(tx *Tx, query string, args ...any) error {
	changed, err := tx.exec(query, args...)
	if err == nil && changed == 0 {
		err = ErrNotFound
	}
	return err
}

// orNone returns err, or nil if it is ErrNotFound.
func orNone(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// wrapped is fmt.Errorf with ": %w" and err at the end, or nil if err is.
func wrapped(err error, doing string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(doing+": %w", append(args, err)...)
}

// columns describes once how values of a type are stored: statements that read and write them are derived from it.
type columns[T any] struct {
	all []column
	of  func(*T) []any // the variables of a value, in the order of the columns
}

// column is one of them. absent is the value that NULL stands for, as SQL spells it; "": it is never NULL.
type column struct{ name, absent string }

// columnsOf reads the names of columns, separated by commas. A name may be followed by an equals sign and the literal
// that NULL stands for: what is absent refers to nothing.
func columnsOf[T any](names string, of func(*T) []any) columns[T] {
	c := columns[T]{of: of}
	for name := range strings.SplitSeq(names, ",") {
		name, absent, _ := strings.Cut(name, "=")
		c.all = append(c.all, column{strings.TrimSpace(name), strings.TrimSpace(absent)})
	}
	return c
}

// and returns the columns of both.
func (c columns[T]) and(more columns[T]) columns[T] {
	return columns[T]{slices.Concat(c.all, more.all), func(v *T) []any { return append(c.of(v), more.of(v)...) }}
}

// without returns all columns but some.
func (c columns[T]) without(names ...string) columns[T] {
	var rest columns[T]
	var at []int
	for i, one := range c.all {
		if !slices.Contains(names, one.name) {
			rest.all, at = append(rest.all, one), append(at, i)
		}
	}
	rest.of = func(v *T) []any {
		all, some := c.of(v), make([]any, len(at))
		for i := range some {
			some[i] = all[at[i]]
		}
		return some
	}
	return rest
}

// each returns what a function makes of all columns, separated by commas.
func (c columns[T]) each(spell func(i int, one column) string) string {
	all := make([]string, len(c.all))
	for i, one := range c.all {
		all[i] = spell(i, one)
	}
	return strings.Join(all, ", ")
}

// list returns the columns of a query, after the table's short name and a dot, or "".
func (c columns[T]) list(table string) string {
	return c.each(func(_ int, one column) string {
		if one.absent == "" {
			return table + one.name
		}
		return "COALESCE(" + table + one.name + ", " + one.absent + ")"
	})
}

// insert returns the statement that adds a row. Its first arguments are the values of further columns.
func (c columns[T]) insert(table string, keys ...string) string {
	var names, marks string
	for i, key := range keys {
		names, marks = names+key+", ", marks+fmt.Sprintf("$%d, ", i+1)
	}
	names += c.each(func(_ int, one column) string { return one.name })
	marks += c.each(func(i int, one column) string { return one.mark(len(keys) + i + 1) })
	return "INSERT INTO " + table + " (" + names + ") VALUES (" + marks + ")"
}

// upsert returns the statement that adds a row, or replaces the columns in the one with its keys: see insert.
func (c columns[T]) upsert(table string, keys ...string) string {
	return c.insert(table, keys...) + " ON CONFLICT (" + strings.Join(keys, ", ") + ") DO UPDATE SET " +
		c.each(func(_ int, one column) string { return one.name + " = excluded." + one.name })
}

// update returns the statement that replaces the columns in the row with some keys, which are its first arguments.
func (c columns[T]) update(table string, keys ...string) string {
	is := make([]string, len(keys))
	for i, key := range keys {
		is[i] = fmt.Sprintf("%s = $%d", key, i+1)
	}
	return "UPDATE " + table + " SET " + c.each(func(i int, one column) string {
		return one.name + " = " + one.mark(len(keys)+i+1)
	}) + " WHERE " + strings.Join(is, " AND ")
}

// mark returns the value of the column as a statement takes it from an argument.
func (c column) mark(number int) string {
	switch c.absent {
	case "":
		return fmt.Sprintf("$%d", number)
	case "''":
		return fmt.Sprintf("NULLIF($%d, '')", number)
	}
	return fmt.Sprintf("NULLIF(CAST($%d AS BIGINT), %s)", number, c.absent)
}

// values returns arguments and behind them the values of the columns.
func (c columns[T]) values(v *T, args ...any) []any {
	all := slices.Concat(args, c.of(v))
	for i := len(args); i < len(all); i++ {
		switch variable := all[i].(type) {
		case inJSON:
		case *bool: // without a copy in the heap, as for the next two
			all[i] = *variable
		case *int64:
			all[i] = *variable
		case *string:
			all[i] = *variable
		default:
			all[i] = reflect.ValueOf(variable).Elem().Interface()
		}
		if none, is := all[i].([]byte); is && none == nil {
			all[i] = nil
		}
	}
	return all
}

// same reports whether the columns of two values are equal.
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
