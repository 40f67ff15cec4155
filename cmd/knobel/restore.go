package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"knobel/store"
)

func restoreCommand(w world, s *settings) *cobra.Command {
	force := false
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Check a backup and put it in the place of the database, while Knobel does not run",
		Long: "Check a backup, wholly: the file, the books, and whether every table is what its seed and moves play to. Only then is it put " +
			"in the place of the database. What was there is kept aside, beside it.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return restore(c.Context(), w, s, args[0], force) },
	}
	c.Flags().BoolVar(&force, "force", false, "also where there is a database: that is kept aside")
	return c
}

func restore(ctx context.Context, w world, s *settings, from string, force bool) error {
	r, err := store.Restore(ctx, from, s.db, force, store.SealedBy(s.key))
	if err != nil {
		return err
	}
	faults, err := examined(ctx, w, s, r.Store)
	if err != nil {
		return errors.Join(err, r.GiveUp())
	}
	if len(faults) > 0 {
		for _, f := range faults {
			fmt.Fprintf(w.out, "WRONG  %s\n", f)
		}
		fmt.Fprintf(w.out, "%s is not restored; nothing was changed.\n", from)
		return errors.Join(errFound, r.GiveUp())
	}
	aside, err := r.Finish()
	if err != nil {
		return err
	}
	fmt.Fprintf(w.out, "%s is checked and now in the place of %s.\n", from, s.db)
	if aside != "" {
		fmt.Fprintf(w.out, "What was there is kept as %s.\n", aside)
	}
	return nil
}

// examined says what is wrong in a database: in the file and the books, and
// with its tables.
func examined(ctx context.Context, w world, s *settings, st *store.Store) (faults []string, err error) {
	b, err := newBot(st, s.logger(w))
	if err != nil {
		return nil, err
	}
	if err := b.CatchUp(ctx); err != nil { // as every start does with a backup of an older version
		return nil, err
	}
	books, err := st.Check(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range books {
		faults = append(faults, f.String())
	}
	tables, err := b.Check(ctx)
	return append(faults, tables...), err
}
