package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// The subcommand export.

func exportCommand(w world, s *settings) *cobra.Command {
	var wanted review.Wanted
	var group string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write finished games as records, one a line (JSON Lines)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("table") && wanted.Table < 1 {
				return fmt.Errorf("no table has the number %d", wanted.Table)
			}
			wanted.Chat = chat.Chat(group)
			return s.reading(c.Context(), func(st *store.Store) error { return export(c.Context(), w, s, st, wanted) })
		},
	}
	c.Flags().Int64Var(&wanted.Table, "table", 0, "only this table")
	c.Flags().StringVar(&group, "chat", "", "only the tables of this chat, such as telegram:-100123")
	c.Flags().BoolVar(&wanted.Anonymous, "anonymous", false, "leave names out")
	return c
}

// export writes the records of the wanted games, and says how many have none because their moves were dropped.
func export(ctx context.Context, w world, s *settings, st *store.Store, wanted review.Wanted) error {
	b, err := newBot(st, s.logger(w))
	if err != nil {
		return err
	}
	lines := bufio.NewWriter(w.out)
	n, bare := 0, 0
	wanted.Unrecorded = func(int64) { bare++ }
	err = b.Export(ctx, wanted, func(r record.Record) error {
		line, err := r.Encode()
		if err != nil {
			return err
		}
		n++
		_, err = lines.Write(append(line, '\n'))
		return err
	})
	switch _, refused := games.Refused(err); {
	case errors.Is(err, review.ErrMovesDropped):
		return fmt.Errorf("table %d has no record any longer: its moves are older than KNOBEL_KEEP_MOVES", wanted.Table)
	case refused:
		return fmt.Errorf("table %d has no record: its game has not come to an end", wanted.Table)
	case errors.Is(err, store.ErrNotFound) && wanted.Chat != "":
		return fmt.Errorf("no table of %s has the number %d", wanted.Chat, wanted.Table)
	case errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("no table has the number %d", wanted.Table)
	case err != nil:
		return err
	}
	if err := lines.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if bare > 0 {
		fmt.Fprintf(w.err, "knobel: %d games have no record any longer: their moves are older than "+
			"KNOBEL_KEEP_MOVES\n", bare)
	} else if n == 0 {
		fmt.Fprintln(w.err, "knobel: no game is finished yet")
	}
	return nil
}
