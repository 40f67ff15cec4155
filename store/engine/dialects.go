package engine

// Tables of the schema, statements that differ between SQLite and PostgreSQL, and copying rows into a database.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"knobel/migrations"
)

// serverSQL returns the SQL of s for PostgreSQL. If s gets another answer than the one in s.wants, this SQL divides by
// zero, so that the server itself fails the transaction: COMMIT may be sent before the answer arrives.
func (s statement) serverSQL() string {
	switch s.wants {
	case changes:
		return `WITH changed AS (` + s.query + ` RETURNING 1) SELECT 1 / COUNT(*) FROM changed`
	case finds:
		return `SELECT 1 / COUNT(*) FROM (` + s.query + ` FOR KEY SHARE) needed`
	case findsNone:
		return `SELECT 1 / CASE WHEN EXISTS (` + s.query + `) THEN 0 ELSE 1 END`
	}
	return s.query
}

// clock returns parameter, the placeholder (such as $1) of the caller's time: a file has no server with a clock.
func (c *connection) clock(parameter string) string { return parameter }

// clock returns SQL for the server's time. It contains parameter only to give the server the type of that argument.
func (p *pipeline) clock(parameter string) string { return `COALESCE(` + now + `, ` + parameter + `)` }

// number returns a query for the highest id of table plus one. In a file no other change can add a row meanwhile.
func (c *connection) number(table string) (query string, args []any) {
	return `SELECT COALESCE(MAX(id), 0) + 1 FROM ` + table, nil
}

// strayQuery returns a query for the name of each table that refers to missing rows, and the number of references.
func (c *connection) strayQuery(*Tx) (string, error) {
	return `SELECT "table", COUNT(*) FROM pragma_foreign_key_check GROUP BY "table"`, nil
}

// number returns a query that takes the next id from the sequence of table. If the change fails, that id stays unused.
func (p *pipeline) number(table string) (query string, args []any) {
	return `SELECT nextval(pg_get_serial_sequence(quote_ident(current_schema()) || '.' || quote_ident($1), 'id'))`,
		[]any{table}
}

// columnsOfFile and columnsOfServer select the columns of all tables except leases and the tables named $1 and $2,
// sorted by table and column. A row has the table, the column, its type, whether it is never NULL (1 or 0), its
// position in the primary key from 1 on (0: not in the key), and the sequence that gives the table's ids ("": none).
const (
	columnsOfFile = `
		SELECT t.name, c.name, LOWER(c.type), c."notnull", c.pk,
			CASE WHEN t.sql LIKE '%AUTOINCREMENT%' THEN t.name ELSE '' END
		FROM sqlite_master t JOIN pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT IN ($1, $2, 'leases')
		ORDER BY t.name, c.name`
	columnsOfServer = `
		SELECT c.relname::TEXT, a.attname::TEXT, format_type(a.atttypid, NULL), CASE WHEN a.attnotnull THEN 1 ELSE 0 END,
			COALESCE(array_position(string_to_array(i.indkey::text, ' '), a.attnum::text), 0),
			COALESCE(pg_get_serial_sequence(quote_ident(current_schema()) || '.' || quote_ident(c.relname), a.attname), '')
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
		WHERE c.relkind = 'r' AND c.relnamespace = quote_ident(current_schema())::regnamespace
			AND c.relname NOT IN ($1, $2, 'leases')
		ORDER BY c.relname COLLATE "C", a.attname COLLATE "C"`
)

// tablesOf returns the tables of the schema, without the columns in migrations.Unused and with 0 for Table.Last.
// columns is the query that selects them, columnsOfFile or columnsOfServer.
func tablesOf(tx *Tx, columns string) (all []Table, err error) {
	err = tx.Rows(columns, []any{migrations.Table, migrations.Lock}, func(row Row) error {
		var table, name, kind, sequence string
		var required, position int64
		if err := row.Scan(&table, &name, &kind, &required, &position, &sequence); err != nil {
			return err
		}
		if slices.Contains(migrations.Unused, table+"."+name) {
			return nil
		}
		if len(all) == 0 || all[len(all)-1].Name != table {
			all = append(all, Table{Name: table})
		}
		t := &all[len(all)-1]
		t.Columns = append(t.Columns, Column{Name: name, Truth: kind == "boolean",
			Bytes: kind == "bytea" || kind == "blob", Required: required != 0})
		t.sequence = cmp.Or(t.sequence, sequence)
		for int64(len(t.Key)) < position {
			t.Key = append(t.Key, "")
		}
		if position > 0 {
			t.Key[position-1] = name
		}
		return nil
	})
	return all, err
}

// tables returns the tables of the schema. Table.Last may be the id of a row that is not committed yet.
func (p *pipeline) tables(tx *Tx) ([]Table, error) {
	all, err := tablesOf(tx, columnsOfServer)
	for i := range all {
		if all[i].sequence != "" && err == nil {
			err = tx.get(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM `+all[i].sequence, &all[i].Last)
		}
	}
	return all, err
}

// tables returns the tables of the schema. Table.Last is the highest id in the table, or a higher one stored by SQLite.
func (c *connection) tables(tx *Tx) ([]Table, error) {
	all, err := tablesOf(tx, columnsOfFile)
	if err != nil {
		return nil, err
	}
	stored := map[string]int64{}
	err = tx.Rows(`SELECT name, seq FROM sqlite_sequence`, nil, func(row Row) error {
		var name string
		var last int64
		err := row.Scan(&name, &last)
		stored[name] = last
		return err
	})
	for i := range all {
		t := &all[i]
		if len(t.Key) != 1 || t.Key[0] != "id" || err != nil {
			continue
		}
		err = tx.get(`SELECT COALESCE(MAX(id), 0) FROM `+t.Name+` WHERE TYPEOF(id) = 'integer'`, &t.Last)
		t.Last = max(t.Last, stored[t.Name])
	}
	return all, err
}

// empty deletes the rows of the tables in all, one table after another, since SQLite has no TRUNCATE.
func (c *connection) empty(tx *Tx, all []Table) error {
	for _, t := range all {
		if err := tx.Run(`DELETE FROM ` + t.Name); err != nil {
			return err
		}
	}
	return nil
}

// empty deletes the rows of the tables in all in one statement, whatever their references, and resets their sequences.
func (p *pipeline) empty(tx *Tx, all []Table) error {
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
	}
	return tx.Run(`TRUNCATE ` + strings.Join(names, ", ") + ` RESTART IDENTITY`)
}

// fill returns add, which inserts a row into t at once, and end, which does nothing.
func (c *connection) fill(tx *Tx, t Table) (add func(row []any) error, end func() error) {
	parameters := make([]string, len(t.Columns))
	for i := range parameters {
		parameters[i] = fmt.Sprint("$", i+1)
	}
	insert := `INSERT INTO ` + t.Name + ` (` + strings.Join(t.names(), ", ") + `) VALUES (` +
		strings.Join(parameters, ", ") + `)`
	add = func(row []any) error { return tx.Run(insert, t.stored(row)...) }
	return add, func() error { return nil }
}

// setLastID stores t.Last as the last id of t, if t never gives an id twice. For other tables it does nothing.
func (c *connection) setLastID(tx *Tx, t Table) error {
	if t.sequence == "" {
		return nil
	}
	if err := tx.Run(`DELETE FROM sqlite_sequence WHERE name = $1`, t.Name); err != nil {
		return err
	}
	return tx.Run(`INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)`, t.Name, t.Last)
}

// setLastID sets the sequence of t to t.Last, so that the next id is higher. Without a sequence or t.Last it does
// nothing.
func (p *pipeline) setLastID(tx *Tx, t Table) error {
	if t.sequence == "" || t.Last == 0 {
		return nil
	}
	return tx.Run(`SELECT setval($1::TEXT::regclass, $2)`, t.sequence, t.Last)
}

// strays selects a text for each foreign key: the SQL of a query for the name of a table and the number of its rows
// that refer, by this foreign key, to a missing row.
const strays = `
	SELECT format('SELECT %L AS name, COUNT(*) strays FROM %s c WHERE %s AND NOT EXISTS (SELECT 1 FROM %s p WHERE %s)',
		r.conrelid::regclass, r.conrelid::regclass, string_agg(format('c.%I IS NOT NULL', a.attname), ' AND '),
		r.confrelid::regclass, string_agg(format('p.%I = c.%I', b.attname, a.attname), ' AND '))
	FROM pg_constraint r
	CROSS JOIN LATERAL unnest(r.conkey, r.confkey) AS k (from_column, to_column)
	JOIN pg_attribute a ON a.attrelid = r.conrelid AND a.attnum = k.from_column
	JOIN pg_attribute b ON b.attrelid = r.confrelid AND b.attnum = k.to_column
	WHERE r.contype = 'f' AND r.connamespace = quote_ident(current_schema())::regnamespace
	GROUP BY r.oid, r.conrelid, r.confrelid`

// strayQuery returns a query for the names of tables with references to missing rows, and the numbers of these
// references. It joins the queries that the constant strays selects.
func (p *pipeline) strayQuery(tx *Tx) (string, error) {
	var all []string
	err := tx.Rows(strays, nil, func(row Row) error {
		var query string
		err := row.Scan(&query)
		all = append(all, query)
		return err
	})
	return `SELECT name, SUM(strays) FROM (` + strings.Join(all, ` UNION ALL `) + `) counted
		GROUP BY name HAVING SUM(strays) > 0 ORDER BY name`, err
}

const (
	// noLimits switches off the server's timeouts for the transaction of Server.Load.
	noLimits = `SELECT set_config('statement_timeout', '0', TRUE),
		set_config('idle_in_transaction_session_timeout', '0', TRUE)`
	// selectForeignKeys selects the foreign keys: the table, the name of the constraint and its definition.
	selectForeignKeys = `
		SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
		WHERE contype = 'f' AND connamespace = quote_ident(current_schema())::regnamespace ORDER BY 1, 2`
)

// Load marks the database as unfinished and then runs load in another transaction. It drops all foreign keys before
// load and adds them again afterwards: checking each row would need much memory. It fails if Options.Shared is set.
func (d *Server) Load(ctx context.Context, load func(*Tx) error) error {
	if d.options.Shared {
		return fmt.Errorf("database %s cannot be filled while it is shared", d.name)
	}
	// In a separate transaction: if load fails, its rows are rolled back, but the mark stays.
	err := d.Update(ctx, unfinished, func(tx *Tx) error { return tx.Run(markUnfinished) })
	if err != nil {
		return d.explain(err)
	}
	err = d.changeLong(ctx, func(tx *Tx) error {
		var addRules []string
		err := tx.Rows(selectForeignKeys, nil, func(row Row) error {
			var table, name, definition string
			err := row.Scan(&table, &name, &definition)
			addRules = append(addRules, `ALTER TABLE `+table+` ADD CONSTRAINT `+name+` `+definition)
			return err
		})
		for _, rule := range addRules {
			drop, _, _ := strings.Cut(strings.Replace(rule, ` ADD CONSTRAINT `, ` DROP CONSTRAINT `, 1), ` FOREIGN KEY `)
			err = errors.Join(err, tx.Run(drop))
		}
		if err == nil {
			err = load(tx)
		}
		for _, rule := range addRules {
			if err == nil {
				err = tx.Run(rule)
			}
		}
		return err
	}, noLimits)
	if ended := ctx.Err(); err != nil && ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("%w: %w", ended, err) // a done ctx closes the connection, and err may show only that
	}
	return err
}

// finishTries is the number of tries of Finish if the server does not answer the commit.
const finishTries = 3

// Finish deletes the mark of an unfinished load. It waits for the answer to the DELETE before the commit, so that only
// the commit can stay unanswered. If it does, Finish tries again: this does no harm if the mark is already deleted.
func (d *Server) Finish(ctx context.Context) error {
	var uncertain error
	for range finishTries {
		err := d.Update(ctx, unfinished, func(tx *Tx) error {
			_, err := tx.Exec(`DELETE FROM leases WHERE name = $1`, unfinished)
			return err
		})
		if err == nil {
			return nil
		}
		if !errors.Is(err, ErrUncertain) {
			return d.explain(cmp.Or(uncertain, err))
		}
		uncertain = err
	}
	return d.explain(uncertain)
}

// Table is a table of the schema. The tables for migrations and leases, which the engine itself uses, are left out.
type Table struct {
	Name    string
	Columns []Column // sorted by name
	Key     []string // the names of the columns of the primary key, in order
	Last    int64    // the last id that was given to a row; 0: none, or rows get no ids

	sequence string // the sequence of unique ids; "": there is none
}

// Column is a column of a table.
type Column struct {
	Name     string
	Truth    bool // it holds booleans, which are the integers 0 and 1 in rows
	Bytes    bool // it holds bytes
	Required bool // it is never NULL
}

// Empty deletes all rows of all tables. It is for DB.Load only.
func (tx *Tx) Empty() error {
	all, err := tx.Tables()
	if err != nil {
		return err
	}
	return tx.on.empty(tx, all)
}

// Fill returns two functions: add adds a row to t from the values of t.Columns in order, and end must be called after
// the last row. Rows may be sent in the background: errors come from a later add or from end. It is for DB.Load only.
func (tx *Tx) Fill(t Table) (add func(row []any) error, end func() error) { return tx.on.fill(tx, t) }

// Numbered makes new rows of t get ids above t.Last, which may come from the table of another database. It is for
// DB.Load only.
func (tx *Tx) Numbered(t Table) error { return tx.on.setLastID(tx, t) }

// names returns the names of the columns in order.
func (t Table) names() []string {
	all := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		all[i] = c.Name
	}
	return all
}

// stored returns a copy of row as the database stores it: 0 and 1 become booleans in columns of booleans, and nil
// becomes empty bytes in columns of bytes that are never NULL.
func (t Table) stored(row []any) []any {
	all := slices.Clone(row)
	for i, c := range t.Columns {
		if number, ok := all[i].(int64); ok && c.Truth {
			all[i] = number != 0
		}
		if all[i] == nil && c.Bytes && c.Required {
			all[i] = []byte{}
		}
	}
	return all
}
