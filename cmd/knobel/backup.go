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

// The subcommands backup and restore.

func restoreCommand(w world, s *settings) *cobra.Command {
	var force, done bool
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Check a backup and put it in the place of the database, while Knobel does not run",
		Long: "Check a backup, wholly: the file, the books, and whether every table is what its seed and moves play " +
			"to. Only then is it put in the place of the database. What was there is kept aside, beside it.\n\n" +
			"Tables in play in the copy are ended with all stakes given back, because their dice would fall once " +
			"more, " +
			"and somebody may know it by now; those in the lobby get a new seed, and everybody there is to agree " +
			"again. After an older file was put back by other means, knobel restore --done does this alone.",
		Args: func(c *cobra.Command, args []string) error {
			if done {
				return cobra.NoArgs(c, args)
			}
			return cobra.ExactArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if done {
				return s.restored(c.Context(), w)
			}
			return restore(c.Context(), w, s, args[0], force)
		},
	}
	c.Flags().BoolVar(&force, "force", false, "also where there is a database: that is kept aside")
	c.Flags().BoolVar(&done, "done", false, "an older file was put back by other means: only end the tables in play")
	return c
}

// restore checks a backup and puts it in the place of the database; faults are printed, and leave
// the database as it was.
func restore(ctx context.Context, w world, s *settings, from string, force bool) error {
	p, end := w.progress("looking for faults in the backup")
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

// restored ends the tables in play of a database that is already in place.
func (s *settings) restored(ctx context.Context, w world) error {
	return s.changing(ctx, func(st *store.Store) error {
		done, err := afterRestoring(ctx, w, s, st)
		if err == nil {
			tellRestored(w, done)
		}
		return err
	})
}

// afterRestoring ends tables in play and seals lobbies, so that no die falls twice.
func afterRestoring(ctx context.Context, w world, s *settings, st *store.Store) (table.Restored, error) {
	b, err := changingBot(ctx, st, s.logger(w))
	if err != nil {
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

// examined returns the faults of a database: of the file, the books and the tables.
func examined(ctx context.Context, w world, s *settings, st *store.Store, told store.Progress) (
	faults []string, err error,
) {
	b, err := changingBot(ctx, st, s.logger(w))
	if err != nil {
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

func backupCommand(w world, s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database, also while Knobel runs, consistently into a new file",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return s.reading(c.Context(), func(st *store.Store) error {
				p, end := w.progress("backup")
				err := st.Backup(c.Context(), args[0], p.tell)
				end()
				if err != nil && c.Context().Err() != nil {
					return fmt.Errorf("stopped %s: no copy was made", p.reached())
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(w.out, "%s is copied into %s\n", s.database(), args[0])
				return nil
			})
		},
	}
}
