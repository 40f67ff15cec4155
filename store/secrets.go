package store

// The key of a database: how it is checked and changed, and how the secrets of older versions are sealed. These sealed
// names and ids only: seeds, luck words and secrets of the installation were stored in the open. They are sealed when a
// database with a key is opened by this version for the first time, and their old bytes leave the file.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"knobel/store/engine"
)

// How far the secrets of a database with a key are sealed.
const (
	secretsPlain  = "plain"  // not yet
	secretsSealed = "sealed" // unused parts of the file may hold what they were before
	secretsSwept  = "swept"  // nothing does
)

// secretsOf returns how far the secrets of a database are sealed, "" if it has no key.
func (tx Upkeep) secretsOf() (string, error) {
	return first[string](tx.Tx, doing("read the state of secrets"), `SELECT secrets FROM seals`)
}

// sealSecrets stores the proof of the key in a database that has none, and seals secrets that are not sealed yet. If
// the database cannot be cleaned now, because another connection reads it, Sweep does that later.
func (s *Store) sealSecrets(ctx context.Context, o Options) error {
	if o.key == nil || o.swept {
		return nil
	}
	secrets := ""
	err := s.database.Rewrite(ctx, func(db *engine.Tx) (err error) {
		tx := newTx(db, nil).Upkeep
		if err := tx.note(o.key); err != nil {
			return err
		}
		if secrets, err = tx.secretsOf(); err == nil && secrets == secretsPlain {
			var texts int
			texts, err = tx.resealAll(nil, o.key, func(c content) bool { return !c.tells() })
			if secrets = secretsSealed; texts == 0 {
				secrets = secretsSwept // there was nothing to seal
			}
			err = wrapped(cmp.Or(err, tx.run(`UPDATE seals SET secrets = $1`, secrets)), "encrypt the secrets")
		}
		if err == nil { // another replica may have been faster, with another key
			err = o.accept(db, s.File(), secretsSince, false)
		}
		return err
	})
	if err != nil || secrets != secretsSealed || s.Clean(ctx) != nil {
		return err
	}
	return s.rewrite(ctx, Upkeep.swept)
}

// swept stores that the old bytes of newly sealed texts are gone from the database.
func (tx Upkeep) swept() error {
	return tx.run(`UPDATE seals SET secrets = $1 WHERE secrets = $2`, secretsSwept, secretsSealed)
}

// Sweep erases the old bytes of forgotten people and newly sealed texts from the database, and reports whether there
// were any. Changes wait meanwhile, in a large database for long. After an error it can be tried again later.
func (s *Store) Sweep(ctx context.Context) (swept bool, err error) {
	var forgotten []int64
	unswept := false
	err = s.View(ctx, func(tx *Tx) (err error) {
		forgotten, err = collect[int64](tx, doing("read whom to sweep"),
			`SELECT id FROM forgotten WHERE NOT swept ORDER BY id`)
		if err == nil {
			unswept, err = one[bool](tx, doing("read the state of secrets"),
				`SELECT EXISTS (SELECT 1 FROM seals WHERE secrets = $1)`, secretsSealed)
		}
		return err
	})
	if err != nil || len(forgotten) == 0 && !unswept {
		return false, err
	}
	if err := s.Clean(ctx); err != nil {
		return false, fmt.Errorf("sweep: %w", err)
	}
	return true, s.Update(ctx, func(tx *Tx) error {
		for _, id := range forgotten {
			if err := tx.run(`UPDATE forgotten SET swept = TRUE WHERE id = $1`, id); err != nil {
				return fmt.Errorf("sweep: %w", err)
			}
		}
		return tx.Upkeep.swept()
	})
}

// proven is what a sealed database holds sealed, so that it is known by which key.
const proven, ofProof = "knobel", "proof"

// sealsSince is the version of the schema that notes the key.
const sealsSince = 14

// secretsSince is the version of the schema that notes how far the secrets are sealed.
const secretsSince = 27

// accept refuses a database that is not sealed as the options say, unless it is empty; with ready, also one whose
// secrets are not sealed yet.
func (o *Options) accept(raw *engine.Tx, name string, version int64, ready bool) error {
	o.swept = false
	if version == 0 {
		return nil
	}
	tx := newTx(raw, nil)
	proof := ""
	if version >= sealsSince {
		var err error
		if proof, err = first[string](tx, doing("read the proof of the key"), `SELECT proof FROM seals`); err != nil {
			return err
		}
	}
	switch {
	case proof == "" && o.key == nil:
		return nil
	case proof == "":
		var some bool
		err := tx.get(`SELECT EXISTS (SELECT 1 FROM chats) OR EXISTS (SELECT 1 FROM players)
			OR EXISTS (SELECT 1 FROM updates)`, nil, &some)
		if err == nil && some {
			err = otherKey("names, ids and secrets in the database %s are not encrypted, but a key is given: "+
				"knobel rekey encrypts them, or start without KNOBEL_KEY_FILE", name)
		}
		return err
	case o.key == nil:
		return otherKey("names, ids and secrets in the database %s are encrypted: "+
			"KNOBEL_KEY_FILE has to name the file with their key", name)
	}
	if text, err := o.key.Open(proof, ofProof); err != nil || text != proven {
		return otherKey("names, ids and secrets in the database %s are encrypted with another key than the one that "+
			"KNOBEL_KEY_FILE names", name)
	}
	if version < secretsSince {
		return nil
	}
	secrets, err := tx.Upkeep.secretsOf()
	o.swept = secrets == secretsSwept
	if err == nil && ready && secrets == secretsPlain {
		err = fmt.Errorf("not everything in the database %s is encrypted that is to be: knobel serve brings it up "+
			"to date",
			name)
	}
	return err
}

// otherKey is an ErrKey that says it in a sentence for the operator.
func otherKey(format, name string) error { return keyError(fmt.Sprintf(format, name)) }

type keyError string

func (e keyError) Error() string { return string(e) }

func (e keyError) Is(target error) bool { return target == ErrKey }

// note stores a proof of the key in a database that has none.
func (tx Upkeep) note(key Sealer) error {
	proof, err := key.Seal(proven, ofProof)
	if err != nil {
		return err
	}
	return tx.run(`INSERT INTO seals (id, proof) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`, proof)
}

// resealAll changes the columns with wanted contents, and returns the number of their texts.
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
		opened, err1 := holds.with(from, Sealer.Open, string(text))
		sealed, err2 := holds.with(to, Sealer.Seal, opened)
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
