package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// connection is one connection to the database with the statements that it has
// prepared: each is prepared when it is first used, and kept. One transaction
// at a time uses a connection. It speaks to the driver itself, because
// database/sql gives no hold of a connection over several transactions without
// taking locks and making garbage at every statement.
type connection struct {
	raw      driver.Conn
	key      Sealer // nil: nothing is sealed
	prepared map[string]*statement
	args     []driver.NamedValue // of the statement that runs
	desk     desk                // of the one that writes
}

// statement is a prepared statement with room for a row.
type statement struct {
	raw     runner
	row     []driver.Value
	columns []string // nil: it has returned none yet
	changes bool     // it changes tables that may be at hand
}

// runner is a prepared statement of the driver.
type runner interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// dial opens a connection.
func dial(ctx context.Context, to driver.Connector, key Sealer) (*connection, error) {
	raw, err := to.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{raw: raw, key: rememberingOf(key), prepared: map[string]*statement{}}, nil
}

// close closes the connection. A transaction that is open is rolled back.
func (c *connection) close() error {
	var errs []error
	for _, s := range c.prepared {
		errs = append(errs, s.raw.Close())
	}
	return errors.Join(append(errs, c.raw.Close())...)
}

// statement returns the prepared statement of a query.
func (c *connection) statement(query string) (*statement, error) {
	if s := c.prepared[query]; s != nil {
		return s, nil
	}
	raw, err := c.raw.Prepare(query)
	if err != nil {
		return nil, err
	}
	runs, ok := raw.(runner)
	if !ok {
		return nil, errors.Join(fmt.Errorf("the driver's statements are %T", raw), raw.Close())
	}
	s := &statement{raw: runs, changes: changesTables.MatchString(query)}
	c.prepared[query] = s
	return s, nil
}

// bind makes the driver's arguments of ours. They are good until the next call.
func (c *connection) bind(args []any) ([]driver.NamedValue, error) {
	c.args = c.args[:0]
	for i, arg := range args {
		value, err := c.toDriver(arg)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return c.args, nil
}

// toDriver turns what the store passes into what the driver takes.
func (c *connection) toDriver(arg any) (driver.Value, error) {
	switch x := arg.(type) {
	case nil, int64, string, []byte, bool, float64:
		return x, nil
	case int:
		return int64(x), nil
	}
	if value, is, err := sealArgument(c.key, arg); is {
		return value, err
	}
	return driver.DefaultParameterConverter.ConvertValue(arg)
}

// exec runs a statement and returns how many rows it has changed. One that
// changes tables clears the desk.
func (c *connection) exec(ctx context.Context, query string, args ...any) (int64, error) {
	s, err := c.statement(query)
	if err != nil {
		return 0, err
	}
	c.clearFor(s)
	return c.run(ctx, s, args)
}

// run is exec for who knows what becomes of the desk.
func (c *connection) run(ctx context.Context, s *statement, args []any) (int64, error) {
	bound, err := c.bind(args)
	if err != nil {
		return 0, err
	}
	result, err := s.raw.ExecContext(ctx, bound)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// rows calls each for every row of a query, until it returns an error, which
// rows then returns. A row is good until each returns; errStop ends it without
// an error. As exec, it clears the desk.
func (c *connection) rows(ctx context.Context, query string, args []any, each func(row []driver.Value) error) (err error) {
	s, err := c.statement(query)
	if err != nil {
		return err
	}
	c.clearFor(s)
	bound, err := c.bind(args)
	if err != nil {
		return err
	}
	rows, err := s.raw.QueryContext(ctx, bound)
	if err != nil {
		return err
	}
	defer func() {
		if closed := rows.Close(); err == nil {
			err = closed
		}
	}()
	if s.row == nil {
		s.columns = rows.Columns()
		s.row = make([]driver.Value, len(s.columns))
	}
	for {
		if err := rows.Next(s.row); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := each(s.row); err == errStop {
			return nil
		} else if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// columns are the names of the columns of a query that has been run.
func (c *connection) columns(query string) ([]string, error) {
	s, err := c.statement(query)
	if err != nil {
		return nil, err
	}
	return s.columns, nil
}

// errStop ends the reading of rows.
var errStop = errors.New("no more rows")

// scan puts the values of a row into variables: integers, truths, strings, bytes
// and types of these kinds, which do not take NULL but for bytes, and pointers
// to integers and any, which do. Into the sealed types it opens.
func (c *connection) scan(row []driver.Value, into []any) error {
	if len(row) != len(into) {
		return fmt.Errorf("a row of %d columns for %d variables", len(row), len(into))
	}
	for i, value := range row {
		if is, err := openInto(c.key, into[i], value); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		} else if is {
			continue
		}
		if !assign(into[i], value) {
			return fmt.Errorf("column %d: a %T cannot be put into a %T", i+1, value, into[i])
		}
	}
	return nil
}

// assign puts one value into a variable and says whether it fits.
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
