package store_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"knobel/store"
)

// openRaw opens a database by database/sql, without the checks of references that the store sets.
func openRaw(t testing.TB, name string) *sql.DB {
	t.Helper()
	driver, source := "sqlite", name+"?_pragma=ignore_check_constraints(1)&_pragma=foreign_keys(0)"
	if !store.IsFile(name) {
		driver, source = "pgx", name+"?session_replication_role=replica" // without checks of references
	}
	db, err := sql.Open(driver, source)
	check(t, err)
	t.Cleanup(func() { closeDB(t, db) })
	if store.IsFile(name) {
		return db
	}
	if _, err := db.Exec(uncheck); err != nil {
		t.Fatal(err)
	}
	return db
}

// uncheck removes all check constraints of single rows on PostgreSQL.
const uncheck = `DO $$ DECLARE r RECORD; BEGIN
	FOR r IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
		WHERE contype = 'c' AND connamespace = current_schema()::regnamespace LOOP
		EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', r.name, r.conname);
	END LOOP; END $$`

// column is a column of the schema.
type column struct {
	name, kind string // kind is the type that SQLite uses; on PostgreSQL also BOOLEAN
	names      bool   // by its name or its reference it holds the id of a chat or a place
	may        string // the first allowed value, if there are only a few
}

// ofChats are the names of columns that hold a chat or a place.
var ofChats = regexp.MustCompile(`(^|_)(chat|place)(_id)?$`)

// Queries for the columns of a schema: table, name, type, whether it refers to chats, and the SQL of the table.
const (
	columnsOfSQLite = `
		SELECT m.name, c.name, c.type, m.name = 'chats' AND c.name = 'id'
			OR EXISTS (SELECT 1 FROM pragma_foreign_key_list(m.name) f WHERE f."from" = c.name
				AND f."table" = 'chats'), m.sql
		FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT IN ('leases', 'migrations') AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`
	columnsOfPostgres = `
		SELECT r.relname, a.attname, CASE format_type(a.atttypid, NULL) WHEN 'bigint' THEN 'INTEGER' WHEN 'bytea'
			THEN 'BLOB' ELSE upper(format_type(a.atttypid, NULL)) END, r.relname = 'chats' AND a.attname = 'id' OR EXISTS (
				SELECT 1 FROM pg_constraint f WHERE f.conrelid = r.oid AND f.contype = 'f'
					AND f.confrelid = 'chats'::regclass AND a.attnum = ANY (f.conkey)), ''
		FROM pg_class r JOIN pg_attribute a ON a.attrelid = r.oid
		WHERE r.relkind = 'r' AND r.relnamespace = current_schema()::regnamespace AND r.relname NOT LIKE 'migrations%'
			AND r.relname <> 'leases' AND a.attnum > 0 AND NOT a.attisdropped
		ORDER BY r.relname, a.attnum`
)

// columnsByTable returns the columns of every table of the schema.
func columnsByTable(t testing.TB, db *sql.DB) map[string][]column {
	t.Helper()
	query := columnsOfSQLite
	if fmt.Sprintf("%T", db.Driver()) == "*stdlib.Driver" {
		query = columnsOfPostgres
	}
	rows, err := db.Query(query)
	check(t, err)
	defer rows.Close()
	all := map[string][]column{}
	for rows.Next() {
		var table, made string
		var c column
		check(t, rows.Scan(&table, &c.name, &c.kind, &c.names, &made))
		if m := regexp.MustCompile(`\b` + c.name + ` IN \('(\w+)'`).FindStringSubmatch(made); m != nil {
			c.may = m[1]
		}
		c.names = c.names || c.kind == "TEXT" && ofChats.MatchString(c.name)
		all[table] = append(all[table], c)
	}
	check(t, rows.Err())
	return all
}

// validValue returns a valid value for a column whose SQL type is kind.
func validValue(kind string) any {
	switch kind {
	case "TEXT":
		return "a"
	case "BLOB":
		return []byte{1}
	case "BOOLEAN":
		return true
	}
	return 1
}

// addRowToEach adds a row to every table of schema. value returns the value of a column; nil means any value.
func addRowToEach(t *testing.T, db *sql.DB, schema map[string][]column, value func(table string, c column) any) {
	t.Helper()
	for table, all := range schema {
		var names, marks []string
		var values []any
		for i, c := range all {
			names, marks = append(names, `"`+c.name+`"`), append(marks, fmt.Sprintf("$%d", i+1))
			of := value(table, c)
			switch {
			case of != nil:
			case c.name == "rules":
				of = "{}"
			case c.may != "":
				of = c.may
			default:
				of = validValue(c.kind)
			}
			values = append(values, of)
		}
		if _, err := db.Exec(`INSERT INTO "`+table+`" (`+strings.Join(names, ", ")+`) VALUES (`+
			strings.Join(marks, ", ")+`)`, values...); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
}
