package postgres

// What is remembered of a connection.

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"knobel/store/engine"
)

// connection is a connection with the statements that it has prepared: each when it is first used, and kept. One
// transaction at a time uses it.
type connection struct {
	raw      *pgconn.PgConn
	prepared map[string]*statement
	names    map[string][]string // of columns, by query
	convert  engine.Converter    // which remembers what it has sealed and opened lately; nil: there is none
}

// statement is a statement that the server knows by a name.
type statement struct {
	name        string
	description *pgconn.StatementDescription // nil: it has not come yet
}

// custom is where a connection is kept with the driver's.
const custom = "knobel"

// connectionOf returns what is remembered of a connection of the driver's.
func connectionOf(conn *pgx.Conn, o engine.Options) *connection {
	raw := conn.PgConn()
	if on, ok := raw.CustomData()[custom].(*connection); ok {
		return on
	}
	on := &connection{raw: raw, prepared: map[string]*statement{},
		names: map[string][]string{}, convert: converter(o)}
	raw.CustomData()[custom] = on
	return on
}

// statement returns the prepared statement of a query, and whether it was asked to be prepared before.
func (c *connection) statement(query string) (s *statement, known bool) {
	s, known = c.prepared[query]
	if !known {
		// A name follows from the text: where a pooler gives one connection to several clients, a name of one of them
		// never stands for something else.
		digest := sha256.Sum256([]byte(query))
		s = &statement{name: "knobel_" + hex.EncodeToString(digest[:12])}
		c.prepared[query] = s
	}
	return s, known
}

// forget drops the statements that were not prepared because one before them has failed.
func (c *connection) forget() {
	maps.DeleteFunc(c.prepared, func(_ string, s *statement) bool { return s.description == nil })
}

// columns remembers the names of a query's columns.
func (c *connection) columns(query string, fields []pgconn.FieldDescription) {
	if len(c.names[query]) == len(fields) { // others may have added columns
		return
	}
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	c.names[query] = names
}

// shortened is a statement as an error names it: its beginning.
func shortened(query string) string {
	words := strings.Fields(query)
	return strings.Join(words[:min(len(words), 6)], " ")
}
