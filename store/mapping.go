package store

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// columns describes once how values of a type are stored: statements that read and write them are derived from it.
type columns[T any] struct {
	all []column
	of  func(*T) []any // the variables of a value, in the order of the columns
}

// column is one of them. absent is the value that NULL stands for, as SQL spells it; "": it is never NULL.
type column struct{ name, absent string }

// columnsOf reads the names of columns, separated by commas. "opener = ”" says that NULL stands for the empty text:
// what is absent refers to nothing.
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
	for _, variable := range c.of(v) {
		if pointer := reflect.ValueOf(variable); pointer.Kind() == reflect.Pointer {
			variable = pointer.Elem().Interface()
		}
		if none, is := variable.([]byte); is && none == nil {
			variable = nil
		}
		args = append(args, variable)
	}
	return args
}
