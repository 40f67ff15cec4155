package store

// Seeds, luck words and the installation's own secrets were left open by versions
// that sealed only who somebody is. They are sealed when a database is opened with its
// key for the first time by one that seals them, and what they were before leaves the
// file.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// How far the secrets of a database with a key are sealed.
const (
	secretsPlain  = "plain"  // not yet
	secretsSealed = "sealed" // unused parts of the file may hold what they were before
	secretsSwept  = "swept"  // nothing does
)

// secretsOf reads how far the secrets of a database of the newest schema are sealed,
// "" where it has no key.
func secretsOf(ctx context.Context, db *sql.DB) (secrets string, err error) {
	err = db.QueryRowContext(ctx, `SELECT secrets FROM seals`).Scan(&secrets)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return secrets, err
}

// sealSecrets seals the secrets of a database with a key that are not sealed yet. Where
// the file cannot be written anew now, as while somebody reads it, Sweep does that.
func sealSecrets(ctx context.Context, db *sql.DB, file string, key Sealer) error {
	secrets, err := secretsOf(ctx, db)
	if err != nil || secrets == "" || secrets == secretsSwept {
		return err
	}
	to, err := connector(file, forRekeying)
	if err != nil {
		return err
	}
	conn, err := dial(ctx, to, nil)
	if err != nil {
		return err
	}
	tx := &Tx{ctx: ctx, conn: conn}
	if secrets == secretsPlain {
		secrets, err = tx.sealSecrets(key)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("encrypt the secrets: %w", err), conn.close())
	}
	if secrets == secretsSealed && clean(ctx, file) == nil {
		err = tx.swept()
	}
	return errors.Join(err, conn.close())
}

// sealSecrets is a transaction of its own. It returns how far they are sealed then.
func (tx *Tx) sealSecrets(key Sealer) (now string, err error) {
	if _, err := tx.conn.exec(tx.ctx, "BEGIN IMMEDIATE"); err != nil {
		return "", err
	}
	texts, err := tx.resealAll(nil, key, func(c content) bool { return !c.tells() })
	now = secretsSealed
	if texts == 0 {
		now = secretsSwept // there was nothing to seal
	}
	if err == nil {
		err = tx.run(`UPDATE seals SET secrets = $1`, now)
	}
	if err == nil {
		_, err = tx.conn.exec(tx.ctx, "COMMIT")
	}
	if err != nil {
		_, undone := tx.conn.exec(context.WithoutCancel(tx.ctx), "ROLLBACK")
		return "", errors.Join(err, undone)
	}
	return now, nil
}

// swept notes that what is sealed now and was not is in no byte of the file.
func (tx *Tx) swept() error {
	return tx.run(`UPDATE seals SET secrets = $1 WHERE secrets = $2`, secretsSwept, secretsSealed)
}
