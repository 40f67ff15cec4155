package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"knobel/store"
)

func backupCommand(w world, s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database, also while Knobel runs, consistently into a new file",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return s.reading(c.Context(), func(st *store.Store) error {
				if err := st.Backup(c.Context(), args[0]); err != nil {
					return err
				}
				fmt.Fprintf(w.out, "%s is copied into %s\n", s.db, args[0])
				return nil
			})
		},
	}
}

// changing opens the database, which has to be there, while no Knobel works with it.
func (s *settings) changing(ctx context.Context, change func(*store.Store) error) error {
	if _, err := os.Stat(s.db); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database at %s", s.db)
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
