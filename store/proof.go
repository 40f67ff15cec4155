package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// proven is what a sealed database holds sealed, so that it is known by which
// key.
const proven, ofProof = "knobel", "proof"

// fits refuses a database that is not sealed as the key says: with another one,
// with one though none is given, or not at all though one is. One with nobody
// in it fits every key.
func fits(ctx context.Context, db *sql.DB, file string, key Sealer) error {
	proof, err := proofOf(ctx, db)
	if err != nil {
		return explain(file, err)
	}
	switch {
	case proof == "" && key == nil:
		return nil
	case proof == "":
		some, err := peopled(ctx, db)
		if err != nil {
			return explain(file, err)
		}
		if some {
			return otherKey("names, ids and secrets in the database %s are not encrypted, but a key is given: "+
				"knobel rekey encrypts them, or start without KNOBEL_KEY_FILE", file)
		}
		return nil
	case key == nil:
		return otherKey("names, ids and secrets in the database %s are encrypted: KNOBEL_KEY_FILE has to name the file with their key", file)
	}
	if text, err := key.Open(proof, ofProof); err != nil || text != proven {
		return otherKey("names, ids and secrets in the database %s are encrypted with another key than the one that KNOBEL_KEY_FILE names", file)
	}
	return nil
}

// otherKey is an ErrKey that says it in a sentence for the operator.
func otherKey(format, file string) error { return keyError(fmt.Sprintf(format, file)) }

type keyError string

func (e keyError) Error() string { return string(e) }

func (e keyError) Is(target error) bool { return target == ErrKey }

// proofOf reads the proof of a database of any version, "" where there is none.
func proofOf(ctx context.Context, db *sql.DB) (proof string, err error) {
	if some, err := has(ctx, db, "seals"); err != nil || !some {
		return "", err
	}
	err = db.QueryRowContext(ctx, `SELECT proof FROM seals`).Scan(&proof)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return proof, err
}

// peopled says whether a database of any version has anybody in it.
func peopled(ctx context.Context, db *sql.DB) (some bool, err error) {
	for _, table := range []string{"chats", "players", "updates"} {
		there, err := has(ctx, db, table)
		if err == nil && there {
			err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+table+`)`).Scan(&some)
		}
		if err != nil || some {
			return some, err
		}
	}
	return false, nil
}

// note notes the key of a database in which no key is noted.
func note(ctx context.Context, db *sql.DB, key Sealer) error {
	if key == nil {
		return nil
	}
	proof, err := key.Seal(proven, ofProof)
	if err == nil {
		_, err = db.ExecContext(ctx, `INSERT INTO seals (id, proof) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`, proof)
	}
	return err
}
