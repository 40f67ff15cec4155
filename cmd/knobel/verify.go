package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"knobel/bot/words"
	"knobel/games"
	"knobel/games/record"
)

// The subcommand verify.

func verifyCommand(w world, s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE…",
		Short: "Check records: dice, moves, scores, pool; exit 1 and a sentence for each fault",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			known, faults := s.shelved(w, played()...), 0
			for _, file := range files {
				n, err := verifyFile(w, known, file)
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
func verifyFile(w world, known []games.Game, file string) (int, error) {
	in := w.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return 0, fmt.Errorf("verify: %w", err)
		}
		defer f.Close()
		in = f
	}
	said, err := sentences()
	if err != nil {
		return 0, err
	}
	english := func(l games.Line) string { return said.Say(words.Default, l, words.Context{}) }
	faults := 0
	records, err := record.VerifyLines(in, known, func(line int, f record.Fault) {
		faults++
		if line == 0 {
			fmt.Fprintf(w.out, "%s: %s\n", file, f.Said(english))
			return
		}
		fmt.Fprintf(w.out, "%s:%d: %s\n", file, line, f.Said(english))
	})
	if err != nil {
		return faults, fmt.Errorf("verify: %s: %w", file, err)
	}
	if faults == 0 {
		fmt.Fprintf(w.out, "%s: %d records, no fault\n", file, records)
	}
	return faults, nil
}
