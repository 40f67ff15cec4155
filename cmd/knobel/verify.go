package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"knobel/games"
	"knobel/games/record"
)

// The subcommand verify.

func verifyCommand(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE…",
		Short: "Check records: dice, moves, scores, pool; exit 1 and a sentence for each fault",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			known, faults := played(), 0
			for _, file := range files {
				n, err := verifyFile(c.Context(), w, known, file)
				if err != nil {
					return err
				}
				faults += n
			}
			if faults > 0 {
				return errFound
			}
			return nil
		},
	}
}

// verifyFile checks one file ("-" is the standard input) and returns the number of faults that it
// printed.
func verifyFile(ctx context.Context, w world, known []games.Game, file string) (int, error) {
	in, end, err := w.records("verify", file)
	if err != nil {
		return 0, err
	}
	defer end()
	faults, records, sound := 0, 0, 0
	tell := func(line int, f record.Fault) {
		faults++
		if line == 0 {
			fmt.Fprintf(w.out, "%s: %s\n", file, f.Said(english))
			return
		}
		fmt.Fprintf(w.out, "%s:%d: %s\n", file, line, f.Said(english))
	}
	err = stoppable(ctx, func(g *gate) error {
		n, err := record.ReadLines(in, known, &record.Solutions{},
			func(int, record.Record) { g.pass(func() { sound++ }) },
			func(line int, f record.Fault) { g.pass(func() { tell(line, f) }) })
		g.pass(func() { records = n })
		return err
	})
	switch {
	case ctx.Err() != nil:
		return faults, fmt.Errorf("verify: %s: stopped after %d records without a fault, and %d faults", file, sound,
			faults)
	case err != nil:
		return faults, fmt.Errorf("verify: %s: %w", file, err)
	}
	end()
	if faults == 0 {
		fmt.Fprintf(w.out, "%s: %d records, no fault\n", file, records)
	}
	return faults, nil
}
