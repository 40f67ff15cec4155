package store

// Copies of a whole database, into a file or into PostgreSQL, and backups.

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"knobel/store/engine"
)

// Digest holds the number of rows of a database table, and the SHA-256 of all its rows in the order of the table's key.
type Digest struct {
	Table string
	Rows  int64
	Sum   string // hex
}

// Progress is called with the number of rows or chats done so far and the number of all. nil: nothing is called.
type Progress func(done, all int64)

// Copying is a copy of a database that is not finished yet: the caller can still check it. Until Finish a copied file
// has a temporary name, and a copied server database cannot be opened for play.
type Copying struct {
	To   *Store
	name string // the file name or address of the finished copy
	// tempName is the temporary name of a file; "": the copy is on a server.
	tempName string
	Digests  []Digest // of the copied tables, by name
}

// errBackup is the error for a backup whose target is an address and not a file.
var errBackup = errors.New("the target of a backup must be a file: use knobel move to copy to PostgreSQL")

// ErrThere is the error for a copy whose target is a database that is not empty.
var ErrThere = errors.New("not empty")

// CopyTo copies the database, as it is at one moment, to name: a missing file, or the address of an empty database on
// PostgreSQL. Rows stay encrypted with the same key. progress may be nil. The caller must call Finish or GiveUp.
func (s *Store) CopyTo(ctx context.Context, name string, progress Progress) (_ *Copying, err error) {
	c, err := s.newCopy(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.GiveUp())
		}
	}()
	var to []engine.Table
	err = c.To.database.View(ctx, func(tx *engine.Tx) (err error) {
		to, err = tx.Tables()
		return err
	})
	if err != nil {
		return nil, err
	}
	err = s.database.View(ctx, func(tx *engine.Tx) error {
		from, done, err := allTables(tx, progress)
		if err != nil {
			return err
		}
		return c.To.Load(ctx, func(target *engine.Tx) error {
			if err := target.Empty(); err != nil {
				return err
			}
			for i, t := range to {
				t.Last = from[i].Last
				digest, err := fill(tx, target, t, done)
				if err != nil {
					return fmt.Errorf("copy %s: %w", t.Name, err)
				}
				c.Digests = append(c.Digests, digest)
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("copy %s: %w", s.File(), err)
	}
	return c, nil
}

// newCopy creates the file name as the target of a copy, or opens the database on a server with the address name.
func (s *Store) newCopy(ctx context.Context, name string) (c *Copying, err error) {
	c = &Copying{name: name}
	if !engine.IsServer(name) {
		if c.tempName, err = engine.Beside(name); err != nil {
			return nil, err
		}
	}
	c.To, err = Open(ctx, cmp.Or(c.tempName, name), SealedBy(s.key), func(o *Options) { o.Filled = true })
	if err != nil {
		c.To = nil
		return nil, errors.Join(err, c.GiveUp())
	}
	if c.tempName != "" {
		return c, nil
	}
	if err := c.To.requireEmpty(ctx); err != nil {
		return nil, errors.Join(err, c.To.Close())
	}
	return c, nil
}

// requireEmpty returns ErrThere if any table other than "seals" has rows. It returns nil for an unfinished copy.
func (s *Store) requireEmpty(ctx context.Context) error {
	if unfinished, err := s.Unfinished(ctx); err != nil || unfinished {
		return err
	}
	return s.View(ctx, func(tx *Tx) error {
		tables, err := tx.db.Tables()
		var queries []string
		for _, t := range tables {
			if t.Name != "seals" {
				queries = append(queries, `EXISTS (SELECT 1 FROM `+t.Name+`)`)
			}
		}
		filled := false
		if err == nil {
			filled, err = one[bool](tx, doing("check that %s is empty", s.File()), `SELECT `+strings.Join(queries, ` OR `))
		}
		if filled {
			err = fmt.Errorf("%s: %w", s.File(), ErrThere)
		}
		return err
	})
}

// allTables returns all tables, sorted by name. Call done after each of their rows: it reports to progress.
func allTables(tx *engine.Tx, progress Progress) (tables []engine.Table, done func(), err error) {
	if tables, err = tx.Tables(); err != nil {
		return nil, nil, err
	}
	counts := make([]string, len(tables))
	for i, t := range tables {
		counts[i] = `(SELECT COUNT(*) FROM ` + t.Name + `)`
	}
	var all int64
	err = tx.Rows(`SELECT `+strings.Join(counts, ` + `), nil, func(row engine.Row) error { return row.Scan(&all) })
	return tables, progressCounter(progress, all), err
}

// progressCounter returns a function that counts its calls and passes the count and all to progress, which may be nil.
func progressCounter(progress Progress, all int64) func() {
	var done int64
	return func() {
		if done++; progress != nil {
			progress(done, all)
		}
	}
}

// selectAll returns a query for all columns and rows of a database table in the order of its key.
func selectAll(t engine.Table) string {
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return `SELECT ` + strings.Join(names, ", ") + ` FROM ` + t.Name + ` ORDER BY ` + strings.Join(t.Key, ", ")
}

// fill copies all rows of the database table t from the transaction source to the transaction target and returns their
// digest. It calls done after each row.
func fill(source, target *engine.Tx, t engine.Table, done func()) (Digest, error) {
	add, end := target.Fill(t)
	sum, err := digestOf(source, t.Name, selectAll(t), func(row []any) error {
		done()
		return add(row)
	})
	if err := errors.Join(err, end()); err != nil {
		return Digest{}, err
	}
	return sum, target.Numbered(t)
}

// digestOf returns the Digest of the rows that query selects, with table as its name. It calls each for every row.
func digestOf(tx *engine.Tx, table, query string, each func(row []any) error) (Digest, error) {
	rows, sum := int64(0), sha256.New()
	var encoded []byte
	err := tx.Rows(query, nil, func(row engine.Row) error {
		values, err := row.Values()
		if err != nil {
			return err
		}
		rows, encoded = rows+1, encoded[:0]
		for _, value := range values {
			encoded = appendValue(encoded, value)
		}
		sum.Write(encoded)
		return each(values)
	})
	return Digest{Table: table, Rows: rows, Sum: hex.EncodeToString(sum.Sum(nil))}, err
}

// appendValue appends value to row as bytes: its kind, its length and its content. Different rows thus have different
// bytes, except that an empty []byte is written like NULL.
func appendValue(row []byte, value any) []byte {
	kind, text := byte('t'), ""
	switch x := value.(type) {
	case nil:
		kind = 'n'
	case int64:
		kind, text = 'i', string(binary.BigEndian.AppendUint64(nil, uint64(x)))
	case []byte:
		if kind, text = 'b', string(x); len(x) == 0 {
			kind = 'n'
		}
	case string:
		text = x
	default:
		kind, text = '?', fmt.Sprint(x)
	}
	return append(binary.BigEndian.AppendUint64(append(row, kind), uint64(len(text))), text...)
}

// Digest returns the digests of all tables of the database at one moment, by name. progress may be nil.
func (s *Store) Digest(ctx context.Context, progress Progress) (digests []Digest, err error) {
	err = s.database.View(ctx, func(tx *engine.Tx) error {
		tables, done, err := allTables(tx, progress)
		if err != nil {
			return err
		}
		for _, t := range tables {
			sum, err := digestOf(tx, t.Name, selectAll(t), func([]any) error {
				done()
				return ctx.Err()
			})
			if err != nil {
				return fmt.Errorf("read %s: %w", t.Name, err)
			}
			digests = append(digests, sum)
		}
		return nil
	})
	return digests, err
}

// Finish completes and closes the copy: it renames a file to its final name, or marks a copy on a server as finished.
// After an error the copy is not finished or, if Uncertain returns true for the error, it is unknown whether it is.
func (c *Copying) Finish(ctx context.Context) error {
	if c.tempName == "" {
		err := c.To.Finish(ctx)
		if closeErr := c.To.Close(); err != nil {
			return errors.Join(err, closeErr)
		}
		return nil // an error of closing does not undo the finished copy
	}
	if err := c.To.Close(); err != nil {
		return err
	}
	if err := engine.Name(c.tempName, c.name); err != nil {
		return err
	}
	_ = engine.Remove(c.tempName) // only side files (-wal) are left; if this fails, the next copy removes them
	return nil
}

// GiveUp closes the copy and deletes it: the temporary file, or all rows of a copy on a server.
func (c *Copying) GiveUp() (err error) {
	if c.tempName != "" {
		if c.To != nil {
			err = c.To.Close()
		}
		return errors.Join(err, engine.Remove(c.tempName))
	}
	if c.To == nil {
		return nil
	}
	ctx := context.Background() // cleans up even after the caller's context has ended
	err = c.To.Load(ctx, (*engine.Tx).Empty)
	if err == nil {
		err = c.To.Finish(ctx)
	}
	return errors.Join(err, c.To.Close())
}

// Backup writes a checked copy of the database, as it is at one moment, to a missing file. Reading and writing can go
// on meanwhile. progress may be nil.
func (s *Store) Backup(ctx context.Context, file string, progress Progress) error {
	if engine.IsServer(file) {
		return errBackup
	}
	if unfinished, err := s.Unfinished(ctx); err != nil || unfinished {
		return cmp.Or(err, fmt.Errorf("database %s is %w", s.File(), ErrUnfinished))
	}
	if db, isFile := s.database.(*engine.File); isFile {
		return db.Backup(ctx, file, progress)
	}
	c, err := s.CopyTo(ctx, file, progress)
	if err != nil {
		return wrapped(err, "backup")
	}
	differ, err := c.Differences(ctx, nil)
	if err == nil && len(differ) > 0 {
		err = fmt.Errorf("copy differs in %s", strings.Join(differ, ", "))
	}
	if err != nil {
		return wrapped(errors.Join(err, c.GiveUp()), "backup")
	}
	return wrapped(c.Finish(ctx), "backup")
}

// Differences returns the names of the database tables whose rows differ from the rows copied. progress may be nil.
func (c *Copying) Differences(ctx context.Context, progress Progress) (differ []string, err error) {
	now, err := c.To.Digest(ctx, progress)
	if err != nil {
		return nil, err
	}
	for i, d := range c.Digests {
		if d != now[i] {
			differ = append(differ, d.Table)
		}
	}
	return differ, nil
}

// Balances returns a Digest of the balances of all accounts. Its Rows is the number of accounts.
func (s *Store) Balances(ctx context.Context) (sum Digest, err error) {
	err = s.database.View(ctx, func(tx *engine.Tx) error {
		sum, err = digestOf(tx, "accounts", `SELECT a.id, COALESCE(SUM(e.amount), 0) FROM accounts a
			LEFT JOIN entries e ON e.account_id = a.id GROUP BY a.id ORDER BY a.id`,
			func([]any) error { return nil })
		return err
	})
	return sum, wrapped(err, "add up balances")
}
