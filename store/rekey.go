package store

// How the sealed columns get another key.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// resealAll changes the columns with the contents that are wanted, and returns how
// many texts they hold.
func (tx Upkeep) resealAll(from, to Sealer, wanted func(content) bool) (texts int, err error) {
	for _, column := range slices.Sorted(maps.Keys(sealedColumns)) {
		if !wanted(sealedColumns[column]) {
			continue
		}
		n, err := tx.reseal(column, from, to)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", column, err)
		}
		texts += n
	}
	return texts, nil
}

// reseal changes one column, and returns how many texts it holds.
func (tx Upkeep) reseal(column string, from, to Sealer) (int, error) {
	table, name, _ := strings.Cut(column, ".")
	holds := sealedColumns[column]
	old, err := collect[[]byte](tx.Tx, doing("read texts"), // as bytes, also of a column of text
		`SELECT DISTINCT `+name+` FROM `+table+` WHERE `+name+` IS NOT NULL`)
	resealed, kind := `resealed_texts`, `TEXT`
	if holds == isSeed {
		resealed, kind = `resealed_bytes`, `BYTEA`
	}
	if err == nil { // not by run: what follows is prepared before its answer
		_, err = tx.exec(`CREATE TEMPORARY TABLE ` + resealed + ` (old ` + kind + ` NOT NULL PRIMARY KEY, new ` + kind +
			` NOT NULL)`)
	}
	for _, text := range old {
		opened, err1 := holds.open(from, string(text))
		sealed, err2 := holds.seal(to, opened)
		err = cmp.Or(err, err1, err2, tx.run(`INSERT INTO `+resealed+` (old, new) VALUES ($1, $2)`,
			holds.stored(string(text)), holds.stored(sealed)))
		if err != nil {
			return 0, err
		}
	}
	return len(old), cmp.Or(err, tx.run(`UPDATE `+table+`
		SET `+name+` = (SELECT r.new FROM `+resealed+` r WHERE r.old = `+name+`)
		WHERE `+name+` IS NOT NULL`), tx.run(`DROP TABLE `+resealed))
}

// prove notes the key in place of the one that was noted.
func (tx Upkeep) prove(key Sealer) error {
	if err := tx.run(`DELETE FROM seals`); err != nil || key == nil {
		return err
	}
	return cmp.Or(tx.note(key), tx.run(`UPDATE seals SET secrets = $1`, secretsSealed))
}

// checkReferences returns an error if a row refers to one that does not exist.
func (tx Upkeep) checkReferences() error {
	strays, err := tx.db.StrayReferences()
	if err != nil {
		return err
	}
	var rows int64
	stray, err := collectBy(tx.Tx, doing("read stray references"), func(table *string) []any {
		return []any{table, &rows}
	}, strays)
	if err == nil && len(stray) > 0 {
		err = fmt.Errorf("rows of %s would refer to something that is not there: knobel doctor says more",
			strings.Join(stray, ", "))
	}
	return err
}
