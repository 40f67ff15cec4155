package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"knobel/store"
)

// doctor --mend, and its hidden old name.

// mend replaces the totals of leaderboards by the sums of their results where they differ, while Knobel does not run.
func (s *settings) mend(ctx context.Context, w world) error {
	return s.changing(ctx, func(st *store.Store) error {
		if _, err := changingBot(ctx, st, s.logger(w)); err != nil {
			return err
		}
		p, end := w.begin("comparing the totals of chats")
		wrong, err := st.MendTotals(ctx, p.tell)
		end()
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("stopped %s chats: nothing was changed", p.reached())
		}
		for _, f := range wrong {
			fmt.Fprintf(w.out, "mended %s\n", f)
		}
		return err
	})
}

// rebuildCommand returns the command of before doctor --mend.
func rebuildCommand(w world, s *settings) *cobra.Command {
	var check bool
	c := &cobra.Command{Use: "rebuild", Args: cobra.NoArgs, Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if check {
				fmt.Fprintln(w.err, "knobel rebuild --check is now called knobel doctor")
				return s.examine(c.Context(), w)
			}
			fmt.Fprintln(w.err, "knobel rebuild is now called knobel doctor --mend")
			return s.mend(c.Context(), w)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "only look, as doctor does")
	return c
}
