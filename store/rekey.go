package store

// How the sealed columns get another key.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// rekey changes every sealed column from one key to another.
func (tx Upkeep) rekey(from, to Sealer) (texts int, err error) {
	texts, err = tx.resealAll(from, to, func(content) bool { return true })
	if err == nil {
		err = tx.prove(to)
	}
	if err == nil {
		err = tx.checkReferences()
	}
	return texts, err
}

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
	old, err := tx.texts(column)
	if err != nil {
		return 0, err
	}
	resealed, kind := `resealed_texts`, `TEXT`
	if holds == isSeed {
		resealed, kind = `resealed_bytes`, `BYTEA`
	}
	_, err = tx.exec(`CREATE TEMPORARY TABLE ` + resealed + ` (old ` + kind + ` NOT NULL PRIMARY KEY, new ` + kind +
		` NOT NULL)`)
	if err != nil {
		return 0, err
	}
	for _, text := range old {
		opened, err := holds.open(from, text)
		if err != nil {
			return 0, err
		}
		sealed, err := holds.seal(to, opened)
		if err != nil {
			return 0, err
		}
		err = tx.run(`INSERT INTO `+resealed+` (old, new) VALUES ($1, $2)`, holds.stored(text), holds.stored(sealed))
		if err != nil {
			return 0, err
		}
	}
	err = tx.run(`UPDATE ` + table + ` SET ` + name + ` = (SELECT r.new FROM ` + resealed + ` r WHERE r.old = ` + name + `)
		WHERE ` + name + ` IS NOT NULL`)
	if err == nil {
		err = tx.run(`DROP TABLE ` + resealed)
	}
	return len(old), err
}

// texts returns the distinct texts of a column, as they are stored.
func (tx Upkeep) texts(column string) ([]string, error) {
	table, name, _ := strings.Cut(column, ".")
	all, err := collect[[]byte](tx.Tx, `SELECT DISTINCT `+name+` FROM `+table+` WHERE `+name+` IS NOT NULL`)
	texts := make([]string, len(all))
	for i, text := range all {
		texts[i] = string(text) // bytes also of a column of text
	}
	return texts, err
}

// prove notes the key in place of the one that was noted.
func (tx Upkeep) prove(key Sealer) error {
	if err := tx.run(`DELETE FROM seals`); err != nil || key == nil {
		return err
	}
	proof, err := key.Seal(proven, ofProof)
	if err != nil {
		return err
	}
	return tx.run(`INSERT INTO seals (id, proof, secrets) VALUES (1, $1, $2)`, proof, secretsSealed)
}

// checkReferences returns an error if a row refers to one that does not exist.
func (tx Upkeep) checkReferences() error {
	strays, err := tx.db.StrayReferences()
	if err != nil {
		return err
	}
	var rows int64
	stray, err := collectBy(tx.Tx, func(table *string) []any { return []any{table, &rows} }, strays)
	if err == nil && len(stray) > 0 {
		err = fmt.Errorf("rows of %s would refer to something that is not there: knobel doctor says more",
			strings.Join(stray, ", "))
	}
	return err
}
