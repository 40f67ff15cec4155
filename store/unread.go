package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"knobel/store/engine"
)

// unread counts, column by column, the texts that cannot be opened with the
// key of the database: they were never sealed, or are damaged.
func (tx Upkeep) unread() ([]Fault, error) {
	if tx.store.key == nil {
		return nil, nil
	}
	var faults []Fault
	for _, column := range slices.Sorted(maps.Keys(sealedColumns)) {
		wrong, all, err := tx.unreadOf(column)
		if err != nil {
			return faults, err
		}
		if wrong > 0 {
			faults = append(faults, Fault{Where: "column " + column,
				What: fmt.Sprintf("%d of its %d texts are not encrypted with the key of the database", wrong, all)})
		}
	}
	return faults, nil
}

// unreadOf counts the texts of a column, and those of them that cannot be opened. Each row counts: to tell which are
// alike, the database would keep all of them in the memory.
func (tx Upkeep) unreadOf(column string) (wrong, all int, err error) {
	table, name, _ := strings.Cut(column, ".")
	holds, key := sealedColumns[column], rememberingOf(tx.store.key)
	err = tx.rows(`SELECT `+name+` FROM `+table+` WHERE `+name+` IS NOT NULL`, nil, func(row engine.Row) error {
		var text []byte // also of a column of text
		err := row.Scan(&text)
		if _, closed := holds.open(key, string(text)); closed != nil {
			wrong++
		}
		all++
		return err
	})
	return wrong, all, err
}

// shown is a value of a fault as an operator reads it: opened, where it is an
// account or an id that is sealed.
func (tx Upkeep) shown(value any) any {
	text, ok := value.(string)
	if !ok || tx.store.key == nil {
		return value
	}
	for _, c := range []content{isAccount, isID, isName} {
		opened, err := c.open(tx.store.key, text)
		if err == nil && opened != text {
			return opened
		}
	}
	return value
}
