package main

import (
	"fmt"

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
				p, end := w.begin("backup")
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
