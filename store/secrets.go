package store

// Checking and changing the key of a database, and encrypting secrets that older versions stored in plain text (they
// encrypted only names and ids, not seeds, luck words and settings). When this version first opens a database with a
// key it encrypts these secrets and erases their old bytes from the file.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"knobel/store/engine"
)

// States of the secrets in a database that has a key.
const (
	secretsPlain  = "plain"  // not encrypted
	secretsSealed = "sealed" // encrypted, but unused parts of the file may hold the old bytes
	secretsSwept  = "swept"  // encrypted, and no old bytes are left
)

// secretsOf returns the state of the secrets in the database, such as secretsPlain, or "" if the database has no key.
func (tx Upkeep) secretsOf() (string, error) {
	return first[string](tx.Tx, doing("read the state of secrets"), `SELECT secrets FROM seals`)
}

// sealSecrets stores a proof of the key o.key, if the database has none, and encrypts the secrets that are still in
// plain text. If it cannot erase their old bytes now, because another connection reads the database, Sweep will do so.
func (s *Store) sealSecrets(ctx context.Context, o Options) error {
	if o.key == nil || o.swept {
		return nil
	}
	secrets := ""
	err := s.database.Rewrite(ctx, func(db *engine.Tx) (err error) {
		tx := newTx(db, nil).Upkeep
		if err := tx.storeProof(o.key); err != nil {
			return err
		}
		if secrets, err = tx.secretsOf(); err == nil && secrets == secretsPlain {
			var texts int
			texts, err = tx.reencryptAll(nil, o.key, func(c content) bool { return !c.isPersonal() })
			if secrets = secretsSealed; texts == 0 {
				secrets = secretsSwept // there was nothing to encrypt
			}
			err = wrapped(cmp.Or(err, tx.run(`UPDATE seals SET secrets = $1`, secrets)), "encrypt secrets")
		}
		if err == nil { // another replica may have stored a proof of another key
			err = o.checkKey(db, s.File(), secretsSince, false)
		}
		return err
	})
	if err != nil || secrets != secretsSealed || s.Clean(ctx) != nil {
		return err
	}
	return s.rewrite(ctx, Upkeep.markSwept)
}

// markSwept stores that no old bytes are left of secrets that were once stored in plain text.
func (tx Upkeep) markSwept() error {
	return tx.run(`UPDATE seals SET secrets = $1 WHERE secrets = $2`, secretsSwept, secretsSealed)
}

// Sweep erases old bytes of forgotten people, and of secrets once stored in plain text. swept reports whether there
// were any. Changes wait meanwhile, long if the database is large. After an error Sweep can be called again.
func (s *Store) Sweep(ctx context.Context) (swept bool, err error) {
	var forgotten []int64
	unswept := false
	err = s.View(ctx, func(tx *Tx) (err error) {
		forgotten, err = collect[int64](tx, doing("read forgotten people"),
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
		return tx.Upkeep.markSwept()
	})
}

// proofText, encrypted for the purpose proofPurpose, is stored in every encrypted database as a proof of its key: a key
// that decrypts it is right.
const proofText, proofPurpose = "knobel", "proof"

// sealsSince is the first version of the schema that stores a proof of the key.
const sealsSince = 14

// secretsSince is the first version of the schema that stores the state of the secrets.
const secretsSince = 27

// checkKey returns an error unless a database is encrypted as o requires: ErrKey for a wrong, missing or unexpected
// key. If ready is set, it also refuses a database with secrets in plain text. version is the version of the schema; 0,
// an empty database, is accepted. name is the database's name for errors. checkKey also sets o.swept.
func (o *Options) checkKey(raw *engine.Tx, name string, version int64, ready bool) error {
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
			err = otherKey("names, ids and secrets in database %s are not encrypted, but a key is set: "+
				"run knobel rekey to encrypt them, or unset KNOBEL_KEY_FILE", name)
		}
		return err
	case o.key == nil:
		return otherKey("names, ids and secrets in database %s are encrypted: "+
			"set KNOBEL_KEY_FILE to the file with their key", name)
	}
	if text, err := o.key.Open(proof, proofPurpose); err != nil || text != proofText {
		return otherKey("names, ids and secrets in database %s are encrypted with another key than that in "+
			"KNOBEL_KEY_FILE", name)
	}
	if version < secretsSince {
		return nil
	}
	secrets, err := tx.Upkeep.secretsOf()
	o.swept = secrets == secretsSwept
	if err == nil && ready && secrets == secretsPlain {
		err = fmt.Errorf("database %s has secrets that are not encrypted yet: run knobel serve "+
			"to encrypt them",
			name)
	}
	return err
}

// otherKey returns an error that matches ErrKey in errors.Is. Its text is format, with a database's name for the %s.
func otherKey(format, name string) error { return keyError(fmt.Sprintf(format, name)) }

// keyError is an error text that matches ErrKey in errors.Is.
type keyError string

func (e keyError) Error() string { return string(e) }

// Is reports whether target is ErrKey.
func (e keyError) Is(target error) bool { return target == ErrKey }

// storeProof stores a proof of key, unless the database has a proof already.
func (tx Upkeep) storeProof(key Sealer) error {
	proof, err := key.Seal(proofText, proofPurpose)
	if err != nil {
		return err
	}
	return tx.run(`INSERT INTO seals (id, proof) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`, proof)
}

// reencryptAll decrypts encrypted columns with oldKey and encrypts them with newKey, if wanted returns true for the
// kind of content. A nil key means plain text. It returns the sum, over all these columns, of the numbers of different
// texts.
func (tx Upkeep) reencryptAll(oldKey, newKey Sealer, wanted func(content) bool) (texts int, err error) {
	for _, column := range slices.Sorted(maps.Keys(sealedColumns)) {
		if !wanted(sealedColumns[column]) {
			continue
		}
		n, err := tx.reencrypt(column, oldKey, newKey)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", column, err)
		}
		texts += n
	}
	return texts, nil
}

// reencrypt decrypts one column, given as "table.column", with oldKey and encrypts it with newKey. It returns how many
// different texts the column has.
func (tx Upkeep) reencrypt(column string, oldKey, newKey Sealer) (int, error) {
	table, name, _ := strings.Cut(column, ".")
	holds := sealedColumns[column]
	old, err := collect[[]byte](tx.Tx, doing("read texts"), // bytes, which a column of text can be read into as well
		`SELECT DISTINCT `+name+` FROM `+table+` WHERE `+name+` IS NOT NULL`)
	resealed, kind := `resealed_texts`, `TEXT`
	if holds == isSeed {
		resealed, kind = `resealed_bytes`, `BYTEA`
	}
	if err == nil { // exec, unlike run, waits: later statements cannot be prepared before the table exists
		_, err = tx.exec(`CREATE TEMPORARY TABLE ` + resealed + ` (old ` + kind + ` NOT NULL PRIMARY KEY, new ` + kind +
			` NOT NULL)`)
	}
	for _, text := range old {
		opened, err1 := holds.convert(oldKey, Sealer.Open, string(text))
		sealed, err2 := holds.convert(newKey, Sealer.Seal, opened)
		err = cmp.Or(err, err1, err2, tx.run(`INSERT INTO `+resealed+` (old, new) VALUES ($1, $2)`,
			holds.argument(string(text)), holds.argument(sealed)))
		if err != nil {
			return 0, err
		}
	}
	return len(old), cmp.Or(err, tx.run(`UPDATE `+table+`
		SET `+name+` = (SELECT r.new FROM `+resealed+` r WHERE r.old = `+name+`)
		WHERE `+name+` IS NOT NULL`), tx.run(`DROP TABLE `+resealed))
}

// replaceProof deletes the stored proof of the old key and stores a proof of key, unless key is nil.
func (tx Upkeep) replaceProof(key Sealer) error {
	if err := tx.run(`DELETE FROM seals`); err != nil || key == nil {
		return err
	}
	return cmp.Or(tx.storeProof(key), tx.run(`UPDATE seals SET secrets = $1`, secretsSealed))
}

// checkReferences returns an error if any row refers to a row that does not exist.
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
		err = fmt.Errorf("rows of %s would refer to missing rows: run knobel doctor for details",
			strings.Join(stray, ", "))
	}
	return err
}
