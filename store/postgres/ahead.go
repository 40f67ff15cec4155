package postgres

// Queries that are asked before somebody wants their answers, so that one round trip is for all of them.

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"regexp"
	"strings"
	"sync"

	"knobel/store/engine"
)

// query is a query with its arguments.
type query struct {
	key    queryKey
	bound  arguments
	unread int // so many transactions of its name in a row have not wanted it
}

// queryKey tells a query with its arguments from all others.
type queryKey struct{ text, args string }

// guess is a query that was asked ahead.
type guess struct {
	text  string
	rows  [][]driver.Value
	known bool // it was answered
	stale bool // what it reads was written since
}

// keyOf returns the key of a query.
func keyOf(text string, bound arguments) queryKey {
	var args strings.Builder
	for _, value := range bound.values {
		var length [8]byte // 0 for NULL
		if value != nil {
			binary.BigEndian.PutUint64(length[:], uint64(len(value)+1))
		}
		args.Write(length[:])
		args.Write(value)
	}
	return queryKey{text, args.String()}
}

// kept returns arguments that nobody else changes.
func (a arguments) kept() arguments {
	values := make([][]byte, len(a.values))
	for i, value := range a.values {
		values[i] = bytes.Clone(value)
	}
	return arguments{values, a.formats}
}

// guessed returns what was asked ahead and is still right, nil for nothing, and notes that it is wanted.
func (tx *Tx) guessed(text string, bound arguments) *guess {
	if tx.expected.name == "" || targetOf(text).table != "" || tx.db.views.in(text) {
		return nil
	}
	q := &query{key: keyOf(text, bound), bound: bound.kept()}
	tx.wanted = append(tx.wanted, q)
	if g := tx.guesses[q.key]; g != nil && !g.stale {
		return g
	}
	return nil
}

// ask asks a query ahead, if that was not done yet.
func (tx *Tx) ask(q *query) {
	if tx.failed != nil || tx.guesses[q.key] != nil {
		return
	}
	g := &guess{text: q.key.text}
	if tx.guesses == nil {
		tx.guesses = map[queryKey]*guess{}
	}
	tx.guesses[q.key] = g
	before := len(tx.queued)
	last := tx.send(q.key.text, q.bound)
	last.each, last.guess = g.keep, g
	for i := range tx.queued[before:] { // its preparation, too
		tx.queued[before+i].unasked = true
	}
}

// keep keeps a row.
func (g *guess) keep(row []driver.Value) error {
	g.rows = append(g.rows, copied(row))
	return nil
}

// copied returns a row that nobody else changes.
func copied(row []driver.Value) []driver.Value {
	all := append([]driver.Value(nil), row...)
	for i, value := range all {
		if content, ok := value.([]byte); ok {
			all[i] = bytes.Clone(content)
		}
	}
	return all
}

// tell calls each for the rows of what was asked ahead.
func (tx *Tx) tell(g *guess, each func(row []driver.Value) error) error {
	if !g.known {
		if err := tx.answers(); err != nil {
			return err
		}
	}
	for _, row := range g.rows {
		if err := each(copied(row)); errors.Is(err, engine.ErrStop) {
			return nil
		} else if err != nil {
			return tx.fails(err)
		}
	}
	return nil
}

// writing matches the beginning of what changes one table, and its name.
var writing = regexp.MustCompile(`(?i)^\s*(?:INSERT\s+INTO|UPDATE|(DELETE)\s+FROM)\s+(\w+)`)

// reading matches the beginning of what changes nothing.
var reading = regexp.MustCompile(`(?i)^\s*SELECT\b`)

// target is what a statement changes.
type target struct {
	table   string // "": none; "*": any
	deletes bool   // it deletes rows
}

// targets are those of statements.
var targets sync.Map

// targetOf returns what a statement changes.
func targetOf(text string) target {
	if known, ok := targets.Load(text); ok {
		return known.(target)
	}
	t := target{table: "*"}
	if m := writing.FindStringSubmatch(text); m != nil {
		t = target{table: m[2], deletes: m[1] != ""}
	} else if reading.MatchString(text) {
		t.table = ""
	}
	targets.Store(text, t)
	return t
}

// outdates has what was asked ahead be asked again where a statement changes what it has read.
func (tx *Tx) outdates(text string) {
	if len(tx.guesses) == 0 {
		return
	}
	t := targetOf(text)
	any := t.table == "*" || t.deletes && tx.db.leading[strings.ToLower(t.table)]
	for _, g := range tx.guesses {
		// A name that stands in another one is taken for it, which costs a round trip at most.
		g.stale = g.stale || any || t.table != "" && strings.Contains(g.text, t.table)
	}
}

// views are the views of a schema: which tables they read does not stand in a query, so that none is asked ahead.
type views struct {
	names *regexp.Regexp // nil: there are none
	known sync.Map       // by query: whether one stands in it
}

// in reports whether a query reads a view.
func (v *views) in(text string) bool {
	if v.names == nil {
		return false
	}
	if known, ok := v.known.Load(text); ok {
		return known.(bool)
	}
	reads := v.names.MatchString(text)
	v.known.Store(text, reads)
	return reads
}

// lookAround asks for the names of the views, and of the tables from which what deletes goes on to others.
func (d *DB) lookAround(ctx context.Context) error {
	names, err := d.texts(ctx, `SELECT viewname FROM pg_views WHERE schemaname = current_schema() ORDER BY 1`)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		d.views.names = regexp.MustCompile(`\b(?:` + strings.Join(names, "|") + `)\b`)
	}
	d.leading = map[string]bool{}
	names, err = d.texts(ctx, `SELECT DISTINCT c.relname FROM pg_constraint f JOIN pg_class c ON c.oid = f.confrelid
		JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE f.contype = 'f' AND f.confdeltype NOT IN ('a', 'r') AND n.nspname = current_schema()`)
	for _, name := range names {
		d.leading[name] = true
	}
	return err
}
