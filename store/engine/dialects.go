package engine

// Statements that differ between SQLite and PostgreSQL.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"knobel/migrations"
)

// words returns the SQL for the server. A division by zero makes the server refuse an unwanted answer: the commit may
// have been sent already when the answer comes.
func (s statement) words() string {
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

func (c *connection) clock(parameter string) string { return parameter }

// clock names the parameter, too, so that its type is known.
func (p *pipeline) clock(parameter string) string { return `COALESCE(` + now + `, ` + parameter + `)` }

// number returns the next number: no other change adds rows.
func (c *connection) number(table string) (query string, args []any) {
	return `SELECT COALESCE(MAX(id), 0) + 1 FROM ` + table, nil
}

func (c *connection) strays(*Tx) (string, error) {
	return `SELECT "table", COUNT(*) FROM pragma_foreign_key_check GROUP BY "table"`, nil
}

// number takes the next number, which stays unused if the change fails.
func (p *pipeline) number(table string) (query string, args []any) {
	return `SELECT nextval(pg_get_serial_sequence(quote_ident(current_schema()) || '.' || quote_ident($1), 'id'))`,
		[]any{table}
}

// The columns of all tables, by table and name: the type, whether it is never NULL, the position in the key from 1 on,
// 0 for none, and the sequence of its numbers.
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

// tablesOf reads the tables without their last numbers, and without unused columns.
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

// Last numbers may be newer than the rest.
func (p *pipeline) tables(tx *Tx) ([]Table, error) {
	all, err := tablesOf(tx, columnsOfServer)
	for i := range all {
		if all[i].sequence != "" && err == nil {
			err = tx.get(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM `+all[i].sequence, &all[i].Last)
		}
	}
	return all, err
}

func (c *connection) tables(tx *Tx) ([]Table, error) {
	all, err := tablesOf(tx, columnsOfFile)
	if err != nil {
		return nil, err
	}
	kept := map[string]int64{}
	err = tx.Rows(`SELECT name, seq FROM sqlite_sequence`, nil, func(row Row) error {
		var name string
		var last int64
		err := row.Scan(&name, &last)
		kept[name] = last
		return err
	})
	for i := range all {
		t := &all[i]
		if len(t.Key) != 1 || t.Key[0] != "id" || err != nil {
			continue
		}
		err = tx.get(`SELECT COALESCE(MAX(id), 0) FROM `+t.Name+` WHERE TYPEOF(id) = 'integer'`, &t.Last)
		t.Last = max(t.Last, kept[t.Name])
	}
	return all, err
}

func (c *connection) empty(tx *Tx, all []Table) error {
	for _, t := range all {
		if err := tx.Run(`DELETE FROM ` + t.Name); err != nil {
			return err
		}
	}
	return nil
}

func (p *pipeline) empty(tx *Tx, all []Table) error {
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
	}
	return tx.Run(`TRUNCATE ` + strings.Join(names, ", ") + ` RESTART IDENTITY`)
}

func (c *connection) fill(tx *Tx, t Table) (add func(row []any) error, end func() error) {
	places := make([]string, len(t.Columns))
	for i := range places {
		places[i] = fmt.Sprint("$", i+1)
	}
	insert := `INSERT INTO ` + t.Name + ` (` + strings.Join(t.names(), ", ") + `) VALUES (` +
		strings.Join(places, ", ") + `)`
	add = func(row []any) error { return tx.Run(insert, t.stored(row)...) }
	return add, func() error { return nil }
}

// Only tables that never reuse numbers need it.
func (c *connection) numbered(tx *Tx, t Table) error {
	if t.sequence == "" {
		return nil
	}
	if err := tx.Run(`DELETE FROM sqlite_sequence WHERE name = $1`, t.Name); err != nil {
		return err
	}
	return tx.Run(`INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)`, t.Name, t.Last)
}

func (p *pipeline) numbered(tx *Tx, t Table) error {
	if t.sequence == "" || t.Last == 0 {
		return nil
	}
	return tx.Run(`SELECT setval($1::TEXT::regclass, $2)`, t.sequence, t.Last)
}

// strays returns, for each foreign key, a query that counts the rows that violate it.
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

func (p *pipeline) strays(tx *Tx) (string, error) {
	var all []string
	err := tx.Rows(strays, nil, func(row Row) error {
		var counts string
		err := row.Scan(&counts)
		all = append(all, counts)
		return err
	})
	return `SELECT name, SUM(strays) FROM (` + strings.Join(all, ` UNION ALL `) + `) counted
		GROUP BY name HAVING SUM(strays) > 0 ORDER BY name`, err
}
