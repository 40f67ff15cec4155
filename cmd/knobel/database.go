package main

// The choice of the database, opening it, and the subcommand rekey.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"knobel/store"
)

// defaultDatabase is the default database file.
const defaultDatabase = "knobel.db"

// readDatabase takes an address from the environment, or the file that it names, unless a flag says otherwise.
func (s *settings) readDatabase(w world) error {
	if !store.IsFile(s.db) {
		return errors.New("the address of a database holds its password, so it is no flag: set KNOBEL_DB, or " +
			"KNOBEL_DB_FILE to the name of a file that holds it")
	}
	said, err := secret(w, "KNOBEL_DB")
	if err != nil || s.dbFlag.Changed {
		return err
	}
	if w.getenv("KNOBEL_DB") != "" && w.getenv("KNOBEL_DB_FILE") != "" {
		return errors.New("KNOBEL_DB names a database, and KNOBEL_DB_FILE another one: set one of them to nothing")
	}
	if w.getenv("KNOBEL_DB") == "" && said != "" && store.IsFile(said) {
		return errors.New("KNOBEL_DB_FILE names a file that holds no address such as " +
			"postgres://name:password@host/database: for a database file set KNOBEL_DB")
	}
	if said != "" && !store.IsFile(said) {
		s.db = said
	}
	return nil
}

// database returns the database's name without a password.
func (s *settings) database() string { return store.Shown(s.db) }

// missing reports whether the database does not exist yet.
func (s *settings) missing(ctx context.Context) bool {
	if store.IsFile(s.db) {
		_, err := os.Stat(s.db)
		return errors.Is(err, fs.ErrNotExist)
	}
	st, err := store.OpenReadOnly(ctx, s.db, store.SealedBy(s.key))
	if err == nil {
		err = st.Close()
	}
	return errors.Is(err, store.ErrEmpty)
}

// changing opens the existing, servable database while no Knobel uses it.
func (s *settings) changing(ctx context.Context, change func(*store.Store) error) error {
	return s.alone(ctx, func(st *store.Store) error {
		if err := servable(ctx, st); err != nil {
			return err
		}
		return change(st)
	})
}

// alone is changing also for a database that was moved, or whose copy was not finished.
func (s *settings) alone(ctx context.Context, change func(*store.Store) error) error {
	if s.missing(ctx) {
		return fmt.Errorf("there is no database at %s", s.database())
	}
	st, err := store.Open(ctx, s.db, store.SealedBy(s.key))
	if err != nil {
		return err
	}
	return errors.Join(change(st), st.Close())
}

// reading opens the database for reading, beside a running Knobel.
func (s *settings) reading(ctx context.Context, read func(*store.Store) error) error {
	st, err := store.OpenReadOnly(ctx, s.db, store.SealedBy(s.key))
	if err != nil {
		return err
	}
	if err := read(st); err != nil {
		st.Close()
		return err
	}
	return st.Close()
}

// The subcommand rekey.

func rekeyCommand(w world, s *settings) *cobra.Command {
	var from string
	var decrypt bool
	c := &cobra.Command{
		Use:   "rekey",
		Short: "Encrypt names, ids and secrets in the database with another key, while Knobel does not run",
		Long: "Names, ids and secrets in the database become encrypted with the key that KNOBEL_KEY_FILE names. " +
			"--from names the file with\n" +
			"the key that they are encrypted with now; without it, they are not. --decrypt leaves them without a " +
			"key.\n\n" +
			"A key is 64 random bytes as hexadecimal digits: openssl rand -hex 64 > knobel.key",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return rekey(c.Context(), w, s, from, decrypt) },
	}
	c.Flags().StringVar(&from, "from", "", "file with the key of the database as it is")
	c.Flags().BoolVar(&decrypt, "decrypt", false, "encrypt with no key")
	return c
}

func rekey(ctx context.Context, w world, s *settings, from string, decrypt bool) error {
	old, err := readKey(from)
	if err != nil {
		return err
	}
	to := s.key
	switch {
	case decrypt && old == nil:
		return errors.New("--decrypt wants --from: the file with the key of the database")
	case decrypt:
		to = nil
	case to == nil:
		return errors.New("KNOBEL_KEY_FILE names no key to encrypt with: make one with openssl rand -hex 64 > " +
			"knobel.key, or choose --decrypt")
	}
	texts, err := store.Rekey(ctx, s.db, old, to)
	if errors.Is(err, store.ErrKey) && old == nil {
		return fmt.Errorf("names, ids and secrets in the database %s are encrypted already: --from has to name the "+
			"file with their key", s.database())
	}
	if errors.Is(err, store.ErrKey) {
		return fmt.Errorf("names, ids and secrets in the database %s are not encrypted with the key that "+
			"--from names", s.database())
	}
	if err != nil {
		return err
	}
	if to == nil {
		fmt.Fprintf(w.out, "%d names, ids and secrets in %s are not encrypted any longer.\n", texts, s.database())
		return nil
	}
	fmt.Fprintf(w.out, "%d names, ids and secrets in %s are encrypted. Keep the key elsewhere than the backups: "+
		"without it nobody can read them.\n", texts, s.database())
	return nil
}
