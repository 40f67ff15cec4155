package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"knobel/games/record"
)

// The subcommand verify.

func verifyCommand(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE…",
		Short: "Check records: dice, moves, scores, pool; exit 1 and a sentence for each fault",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			r := reading{world: w, what: "verify", tells: w.out, games: played()}
			for _, file := range files {
				before, sound := r.faults, 0
				records, err := r.file(c.Context(), file, func(g *gate, _ int, _ record.Record) {
					g.pass(func() { sound++ })
				})
				if c.Context().Err() != nil {
					return fmt.Errorf("verify: %s: stopped after %d records without a fault, and %d faults", file,
						sound, r.faults-before)
				}
				if err != nil {
					return err
				}
				if r.faults == before {
					fmt.Fprintf(w.out, "%s: %d records, no fault\n", file, records)
				}
			}
			if r.faults > 0 {
				return errFound
			}
			return nil
		},
	}
}
