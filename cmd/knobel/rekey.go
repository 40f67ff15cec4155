package main

// The subcommand rekey.

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"knobel/store"
)

func rekeyCommand(w world, s *settings) *cobra.Command {
	var from string
	var decrypt bool
	c := &cobra.Command{
		Use:   "rekey",
		Short: "Encrypt names, ids and secrets in the database with another key, while Knobel does not run",
		Long: "Names, ids and secrets in the database become encrypted with the key that KNOBEL_KEY_FILE names. " +
			"--from names the file with\n" +
			"the key that they are encrypted with now; without it, they are not. --decrypt leaves them without a " +
			"key.\n\n" +
			"A key is 64 random bytes as hexadecimal digits: openssl rand -hex 64 > knobel.key",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return rekey(c.Context(), w, s, from, decrypt) },
	}
	c.Flags().StringVar(&from, "from", "", "file with the key of the database as it is")
	c.Flags().BoolVar(&decrypt, "decrypt", false, "encrypt with no key")
	return c
}

func rekey(ctx context.Context, w world, s *settings, from string, decrypt bool) error {
	old, err := readKey(w, from)
	if err != nil {
		return err
	}
	to := s.key
	switch {
	case decrypt && old == nil:
		return errors.New("--decrypt wants --from: the file with the key of the database")
	case decrypt:
		to = nil
	case to == nil:
		return errors.New("KNOBEL_KEY_FILE names no key to encrypt with: make one with openssl rand -hex 64 > " +
			"knobel.key, or choose --decrypt")
	}
	texts, err := store.Rekey(ctx, s.db, old, to)
	if errors.Is(err, store.ErrKey) && old == nil {
		return fmt.Errorf("names, ids and secrets in the database %s are encrypted already: --from has to name the "+
			"file with their key", s.database())
	}
	if errors.Is(err, store.ErrKey) {
		return fmt.Errorf("names, ids and secrets in the database %s are not encrypted with the key that "+
			"--from names", s.database())
	}
	if err != nil {
		return err
	}
	if to == nil {
		fmt.Fprintf(w.out, "%d names, ids and secrets in %s are not encrypted any longer.\n", texts, s.database())
		return nil
	}
	fmt.Fprintf(w.out, "%d names, ids and secrets in %s are encrypted. Keep the key elsewhere than the backups: "+
		"without it nobody can read them.\n", texts, s.database())
	return nil
}
