package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Rekey seals the names, ids and secrets in a database with another key: it is
// sealed with from now, and with to afterwards; nil is not sealed. No instance may
// be working with it. All is changed or nothing, and of what was there before no
// byte stays in the file. It returns how many texts there are.
func Rekey(ctx context.Context, file string, from, to Sealer) (texts int, err error) {
	file, err = locate(file)
	if err != nil {
		return 0, err
	}
	if err := there(file); err != nil {
		return 0, err
	}
	held, err := acquire(file)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, held.release()) }()
	if _, err := inspect(ctx, file, from, true); err != nil {
		return 0, err
	}
	if err := migrate(ctx, file, from); err != nil {
		return 0, err
	}
	raw, err := connector(file, forRekeying)
	if err != nil {
		return 0, explain(file, err)
	}
	conn, err := dial(ctx, raw, nil)
	if err != nil {
		return 0, explain(file, err)
	}
	defer func() { err = errors.Join(err, conn.close()) }()
	if texts, err = rekey(ctx, conn, from, to); err != nil {
		return 0, fmt.Errorf("rekey %s: %w", file, err)
	}
	if err := clean(ctx, file); err != nil {
		return texts, fmt.Errorf("all is sealed anew, but what was before may be left in unused parts of the file: rekey %s again: %w", file, err)
	}
	return texts, (&Tx{ctx: ctx, conn: conn}).swept()
}

// rekey changes every column in one transaction.
func rekey(ctx context.Context, conn *connection, from, to Sealer) (texts int, err error) {
	if _, err := conn.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return 0, err
	}
	tx := &Tx{ctx: ctx, conn: conn}
	texts, err = tx.resealAll(from, to, func(content) bool { return true })
	if err == nil {
		err = tx.prove(to)
	}
	if err == nil {
		err = tx.referring()
	}
	if err != nil {
		_, undone := conn.exec(context.WithoutCancel(ctx), "ROLLBACK")
		return 0, errors.Join(err, undone)
	}
	_, err = conn.exec(ctx, "COMMIT")
	return texts, err
}

// resealAll changes the columns with the contents that are wanted, and returns how
// many texts they hold.
func (tx *Tx) resealAll(from, to Sealer, wanted func(content) bool) (texts int, err error) {
	if err := tx.run(`CREATE TEMPORARY TABLE resealed (old ANY NOT NULL PRIMARY KEY, new ANY NOT NULL) STRICT`); err != nil {
		return 0, err
	}
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
	return texts, tx.run(`DROP TABLE resealed`)
}

// reseal changes one column, and returns how many texts it holds.
func (tx *Tx) reseal(column string, from, to Sealer) (int, error) {
	table, name, _ := strings.Cut(column, ".")
	holds := sealedColumns[column]
	old, err := tx.texts(column)
	if err != nil {
		return 0, err
	}
	if err := tx.run(`DELETE FROM resealed`); err != nil {
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
		if err := tx.run(`INSERT INTO resealed (old, new) VALUES ($1, $2)`, holds.stored(text), holds.stored(sealed)); err != nil {
			return 0, err
		}
	}
	err = tx.run(`UPDATE ` + table + ` SET ` + name + ` = (SELECT r.new FROM resealed r WHERE r.old = ` + name + `) WHERE ` + name + ` IS NOT NULL`)
	return len(old), err
}

// texts returns each text that stands in a column, as it stands there, once.
func (tx *Tx) texts(column string) ([]string, error) {
	table, name, _ := strings.Cut(column, ".")
	each := `SELECT DISTINCT ` + name + ` FROM ` + table + ` WHERE ` + name + ` IS NOT NULL`
	if sealedColumns[column] != isSeed {
		return collect[string](tx, each)
	}
	seeds, err := collect[[]byte](tx, each)
	texts := make([]string, len(seeds))
	for i, seed := range seeds {
		texts[i] = string(seed)
	}
	return texts, err
}

// prove notes the key in place of the one that was noted.
func (tx *Tx) prove(key Sealer) error {
	if err := tx.run(`DELETE FROM seals`); err != nil || key == nil {
		return err
	}
	proof, err := key.Seal(proven, ofProof)
	if err != nil {
		return err
	}
	return tx.run(`INSERT INTO seals (id, proof, secrets) VALUES (1, $1, $2)`, proof, secretsSealed)
}

// referring wants everything that is referred to where it was.
func (tx *Tx) referring() error {
	var stray []string
	err := tx.list(strayReferences, nil, func(scan func(...any) error) error {
		var table string
		var rows int64
		err := scan(&table, &rows)
		stray = append(stray, table)
		return err
	})
	if err == nil && len(stray) > 0 {
		err = fmt.Errorf("rows of %s would refer to something that is not there: knobel doctor says more", strings.Join(stray, ", "))
	}
	return err
}
