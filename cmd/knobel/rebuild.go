package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"knobel/store"
)

// The subcommand rebuild.

func rebuildCommand(w world, s *settings) *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "rebuild",
		Short: "Add the leaderboards' totals up again from the results and replace them where they differ",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if check {
				return s.reading(c.Context(), func(st *store.Store) error { return compare(c.Context(), w, st) })
			}
			return s.changing(c.Context(), func(st *store.Store) error { return rebuild(c.Context(), w, s, st) })
		},
	}
	c.Flags().BoolVar(&check, "check", false, "change nothing, also while Knobel runs; exit 1 when they differ")
	return c
}

// compare prints the totals that differ from the sums of the results.
func compare(ctx context.Context, w world, st *store.Store) error {
	p, end := w.begin("comparing the totals of chats")
	var wrong []store.Fault
	var all int64
	err := st.View(ctx, func(tx *store.Tx) (err error) {
		wrong, all, err = tx.WrongTotals(ctx, p.tell)
		return err
	})
	end()
	if ctx.Err() != nil {
		tellDiffering(w, wrong)
		return fmt.Errorf("stopped %s chats: nothing was changed", p.reached())
	}
	if err != nil {
		return err
	}
	if tellTotals(w, wrong, all) {
		return nil
	}
	fmt.Fprintln(w.out, "Nothing was changed: knobel rebuild replaces them.")
	return errFound
}

// rebuild replaces the totals where they are not what the results add up to.
func rebuild(ctx context.Context, w world, s *settings, st *store.Store) error {
	b, err := newBot(st, s.logger(w))
	if err != nil {
		return err
	}
	if err := b.CatchUp(ctx); err != nil {
		return err
	}
	p, end := w.begin("comparing the totals of chats")
	wrong, all, err := st.Rebuild(ctx, p.tell)
	end()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("stopped %s chats: nothing was changed", p.reached())
	}
	if err != nil {
		return err
	}
	if !tellTotals(w, wrong, all) {
		fmt.Fprintln(w.out, "They are added up again.")
	}
	return nil
}

// maxDiffering is the largest number of differing totals, or of faults of a copy, that are printed one by one.
const maxDiffering = 20

// tellTotals prints which totals differ, and reports whether none does.
func tellTotals(w world, wrong []store.Fault, all int64) bool {
	if len(wrong) == 0 {
		fmt.Fprintf(w.out, "All %d totals are what the results add up to.\n", all)
		return true
	}
	tellDiffering(w, wrong)
	fmt.Fprintf(w.out, "%d totals are not what the results add up to; there are %d.\n", len(wrong), all)
	return false
}

// tellDiffering prints the first of the totals that differ.
func tellDiffering(w world, wrong []store.Fault) {
	for _, f := range wrong[:min(len(wrong), maxDiffering)] {
		fmt.Fprintf(w.out, "WRONG  %s\n", f)
	}
}
