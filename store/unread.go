package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"knobel/store/engine"
)

// unread counts, column by column, the texts that cannot be opened with the
// key of the database: they were never sealed, or are damaged.
func (tx *Tx) unread() ([]Fault, error) {
	if tx.store.key == nil {
		return nil, nil
	}
	var faults []Fault
	for _, column := range slices.Sorted(maps.Keys(sealedColumns)) {
		texts, err := tx.texts(column)
		if errors.Is(err, engine.ErrDamaged) {
			return append(faults, Fault{Where: "file", What: err.Error()}), nil
		}
		if err != nil {
			return nil, err
		}
		wrong := 0
		for _, text := range texts {
			if _, err := sealedColumns[column].open(tx.store.key, text); err != nil {
				wrong++
			}
		}
		if wrong > 0 {
			faults = append(faults, Fault{Where: "column " + column,
				What: fmt.Sprintf("%d of its %d texts are not encrypted with the key of the database", wrong,
					len(texts))})
		}
	}
	return faults, nil
}

// shown is a value of a fault as an operator reads it: opened, where it is an
// account or an id that is sealed.
func (tx *Tx) shown(value any) any {
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
