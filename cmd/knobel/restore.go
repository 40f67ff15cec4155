package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"knobel/bot/table"
	"knobel/bot/telegram"
	"knobel/store"
)

// The subcommands restore and restored.

func restoreCommand(w world, s *settings) *cobra.Command {
	force := false
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Check a backup and put it in the place of the database, while Knobel does not run",
		Long: "Check a backup, wholly: the file, the books, and whether every table is what its seed and moves play " +
			"to. Only then is it put in the place of the database. What was there is kept aside, beside it.\n\n" +
			"Tables in play in the copy are ended with all stakes given back, because their dice would fall once " +
			"more; those in the lobby get a " +
			"new seed. After a file was put back by other means, knobel restored does the same.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return restore(c.Context(), w, s, args[0], force) },
	}
	c.Flags().BoolVar(&force, "force", false, "also where there is a database: that is kept aside")
	return c
}

// restore checks a backup and puts it in the place of the database; faults are printed, and leave
// the database as it was.
func restore(ctx context.Context, w world, s *settings, from string, force bool) error {
	p, end := w.begin("looking for faults in the backup")
	defer end()
	stopped := func(err error) error {
		if ctx.Err() != nil {
			return fmt.Errorf("stopped %s tables: nothing was changed", p.reached())
		}
		return err
	}
	r, err := store.Restore(ctx, from, s.db, force, store.SealedBy(s.key))
	if err != nil {
		return stopped(err)
	}
	faults, err := examined(ctx, w, s, r.Store, p.tell)
	end()
	for _, found := range r.Found() {
		fmt.Fprintf(w.out, "Found: %s.\n", found)
	}
	if err != nil {
		return errors.Join(stopped(err), r.GiveUp())
	}
	if len(faults) > 0 {
		for _, f := range faults {
			fmt.Fprintf(w.out, "WRONG  %s\n", f)
		}
		fmt.Fprintf(w.out, "%s is not restored; nothing was changed.\n", from)
		return errors.Join(errFound, r.GiveUp())
	}
	done, err := afterRestoring(ctx, w, s, r.Store)
	if err != nil {
		return errors.Join(stopped(err), r.GiveUp())
	}
	aside, err := r.Finish()
	if err != nil {
		return err
	}
	fmt.Fprintf(w.out, "%s is checked and now in the place of %s.\n", from, s.database())
	tellRestored(w, done)
	if aside != "" {
		fmt.Fprintf(w.out, "What was there is kept as %s.\n", aside)
	}
	return nil
}

func restoredCommand(w world, s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "restored",
		Short: "End tables in play after an older file was put back by other means than restore, while Knobel does " +
			"not run",
		Long: "An older file of the database throws the dice of before once more, which somebody may know by now. " +
			"Tables in play are ended with all " +
			"stakes given back, those in the lobby get a new seed, and everybody there is to agree again. knobel " +
			"restore does so by itself.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.changing(c.Context(), func(st *store.Store) error { return restored(c.Context(), w, s, st) })
		},
	}
}

// restored does what restore does to a database that is in its place already.
func restored(ctx context.Context, w world, s *settings, st *store.Store) error {
	done, err := afterRestoring(ctx, w, s, st)
	if err == nil {
		tellRestored(w, done)
	}
	return err
}

// afterRestoring makes sure that dice of before do not fall again.
func afterRestoring(ctx context.Context, w world, s *settings, st *store.Store) (table.Restored, error) {
	b, err := newBot(st, s.logger(w))
	if err != nil {
		return table.Restored{}, err
	}
	if err := b.CatchUp(ctx); err != nil {
		return table.Restored{}, err
	}
	if err := telegram.ForgetSpent(ctx, b); err != nil {
		return table.Restored{}, err
	}
	return b.Restored(ctx)
}

func tellRestored(w world, done table.Restored) {
	fmt.Fprintf(w.out, "Tables in play that were ended, all stakes given back: %d. Tables in the lobby with a new "+
		"seed, where everybody is to agree again: %d.\n",
		done.Ended, done.Sealed)
}

// examined says what is wrong in a database: in the file and the books, and
// with its tables.
func examined(ctx context.Context, w world, s *settings, st *store.Store, told store.Progress) (
	faults []string, err error,
) {
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
	tables, err := b.Check(ctx, told)
	return append(faults, tables...), err
}
