package sqlite

// One connection, by the driver itself.

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"regexp"

	"knobel/store/engine"
)

// connection is one connection to the database with the statements that it has
// prepared: each is prepared when it is first used, and kept. One transaction
// at a time uses a connection. It speaks to the driver itself, because
// database/sql gives no hold of a connection over several transactions without
// taking locks and making garbage at every statement.
type connection struct {
	raw      driver.Conn
	convert  engine.Converter // nil: there is none
	prepared map[string]*statement
	args     []driver.NamedValue // of the statement that runs
	version  int64               // of the database, as other connections change it
}

// statement is a prepared statement with room for a row.
type statement struct {
	raw     runner
	row     []driver.Value
	columns []string // nil: it has returned none yet
}

// runner is a prepared statement of the driver.
type runner interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// dial opens a connection; convert may be nil.
func dial(ctx context.Context, to driver.Connector, convert func() engine.Converter) (*connection, error) {
	raw, err := to.Connect(ctx)
	if err != nil {
		return nil, asEngine(err)
	}
	c := &connection{raw: raw, prepared: map[string]*statement{}}
	if convert != nil {
		c.convert = convert()
	}
	return c, nil
}

// close closes the connection. A transaction that is open is rolled back.
func (c *connection) close() error {
	var errs []error
	for _, s := range c.prepared {
		errs = append(errs, s.raw.Close())
	}
	return errors.Join(append(errs, c.raw.Close())...)
}

// limits are the parameters that say how many rows are wanted. SQLite plans by their value if they
// stand alone, and prepares the statement anew before each run; it does not if something is added.
var limits = regexp.MustCompile(`LIMIT \$\d+`)

// statement returns the prepared statement of a query.
func (c *connection) statement(query string) (*statement, error) {
	if s := c.prepared[query]; s != nil {
		return s, nil
	}
	raw, err := c.raw.Prepare(limits.ReplaceAllString(query, "$0 + 0"))
	if err != nil {
		return nil, asEngine(err)
	}
	runs, ok := raw.(runner)
	if !ok {
		return nil, errors.Join(fmt.Errorf("the driver's statements are %T", raw), raw.Close())
	}
	s := &statement{raw: runs}
	c.prepared[query] = s
	return s, nil
}

// bind returns the driver's arguments for ours. They are good until the next call.
func (c *connection) bind(args []any) ([]driver.NamedValue, error) {
	c.args = c.args[:0]
	for i, arg := range args {
		value, err := engine.Argument(c.convert, arg)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return c.args, nil
}

// exec runs a statement and returns how many rows it has changed.
func (c *connection) exec(ctx context.Context, query string, args ...any) (int64, error) {
	s, err := c.statement(query)
	if err != nil {
		return 0, err
	}
	bound, err := c.bind(args)
	if err != nil {
		return 0, err
	}
	result, err := s.raw.ExecContext(ctx, bound)
	if err != nil {
		return 0, asEngine(err)
	}
	return result.RowsAffected()
}

// rows calls each for every row of a query, until it returns an error, which rows then
// returns. A row is good until each returns; engine.ErrStop ends it without an error.
func (c *connection) rows(
	ctx context.Context, query string, args []any, each func(row []driver.Value) error,
) (err error) {
	s, err := c.statement(query)
	if err != nil {
		return err
	}
	bound, err := c.bind(args)
	if err != nil {
		return err
	}
	rows, err := s.raw.QueryContext(ctx, bound)
	if err != nil {
		return asEngine(err)
	}
	defer func() {
		if closed := rows.Close(); err == nil {
			err = asEngine(closed)
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
			return asEngine(err)
		}
		if err := each(s.row); err == engine.ErrStop {
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
