package store

// How bytes that nobody needs any longer leave the file, which is specific to
// SQLite: what a row held stays in unused parts of pages and in the log until
// these are written again.

import (
	"context"
	"errors"
	"fmt"
)

// errRead says that somebody reads an old state, which has to stay meanwhile.
var errRead = errors.New("an old state of the database is being read")

// clean writes the whole file anew, and empties the log.
func clean(ctx context.Context, file string) (err error) {
	to, err := connector(file, forCleaning)
	if err != nil {
		return explain(file, err)
	}
	conn, err := dial(ctx, to, nil)
	if err != nil {
		return explain(file, err)
	}
	defer func() { err = errors.Join(err, conn.close()) }()
	if _, err := conn.exec(ctx, "VACUUM"); err != nil {
		return fmt.Errorf("vacuum: %w", err)
	}
	tx := &Tx{ctx: ctx, conn: conn}
	var busy, log, done int64
	if err := tx.get("PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, &log, &done); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if busy != 0 {
		return errRead
	}
	return nil
}

// Sweep makes sure that what people had forgotten is in no byte of the file
// any longer, nor what is sealed now and was not: it writes the file anew, if there is
// anything of that since it did so last, and says whether it has. Changes wait meanwhile, the longer the
// larger the file is; views do not. An error is worth trying again later.
func (s *Store) Sweep(ctx context.Context) (swept bool, err error) {
	if s.writing == nil {
		return false, ErrReadOnly
	}
	var forgotten []int64
	unswept := false
	err = s.View(ctx, func(tx *Tx) (err error) {
		if forgotten, err = collect[int64](tx, `SELECT id FROM forgotten WHERE NOT swept ORDER BY id`); err != nil {
			return err
		}
		return tx.get(`SELECT EXISTS (SELECT 1 FROM seals WHERE secrets = $1)`, []any{secretsSealed}, &unswept)
	})
	if err != nil || len(forgotten) == 0 && !unswept {
		return false, err
	}
	err = s.writing.alone(ctx, func() error {
		if err := s.There(); err != nil {
			return err // what lies there is another's by now
		}
		return clean(ctx, s.file)
	})
	if err != nil {
		return false, fmt.Errorf("sweep: %w", err)
	}
	return true, s.Update(ctx, func(tx *Tx) error {
		for _, id := range forgotten {
			if err := tx.run(`UPDATE forgotten SET swept = TRUE WHERE id = $1`, id); err != nil {
				return fmt.Errorf("sweep: %w", err)
			}
		}
		return tx.swept()
	})
}
