package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"knobel/bot/telegram"
	"knobel/store"
)

// The commands "rekey", "restore" and "backup", and how the database is chosen and opened.

// readDatabase sets s.db to the URL of a server, if the variable KNOBEL_DB or the file that KNOBEL_DB_FILE names holds
// one and --db is not set. It returns an error if --db is a URL, or if both variables are set.
func (s *settings) readDatabase(w world) error {
	if !store.IsFile(s.db) {
		return errors.New("--db takes no URL, because it contains a password: set KNOBEL_DB, or KNOBEL_DB_FILE to a " +
			"file with the URL")
	}
	address, err := readSecret(w, "KNOBEL_DB")
	if err != nil || s.dbFlag.Changed {
		return err
	}
	if w.getenv("KNOBEL_DB") != "" && w.getenv("KNOBEL_DB_FILE") != "" {
		return errors.New("KNOBEL_DB and KNOBEL_DB_FILE are both set: unset one of them")
	}
	if w.getenv("KNOBEL_DB") == "" && address != "" && store.IsFile(address) {
		return errors.New("the file in KNOBEL_DB_FILE contains no URL such as " +
			"postgres://name:password@host/database: for a database file, set KNOBEL_DB")
	}
	if address != "" && !store.IsFile(address) {
		s.db = address
	}
	return nil
}

// database returns the path or URL of the database for messages, without a password.
func (s *settings) database() string { return store.Shown(s.db) }

// isDatabaseMissing reports whether the database does not exist yet or is empty.
func (s *settings) isDatabaseMissing(ctx context.Context) bool {
	if store.IsFile(s.db) {
		_, err := os.Stat(s.db)
		return errors.Is(err, fs.ErrNotExist)
	}
	st, err := store.OpenReadOnly(ctx, s.db, store.SealedBy(s.key))
	if err == nil {
		err = st.Close()
	}
	return errors.Is(err, store.ErrEmpty)
}

// withDatabase opens the database for this process alone, calls change with it and closes it. It returns an error if
// the database is missing, was moved by knobel move, is an unfinished copy, or is in use.
func (s *settings) withDatabase(ctx context.Context, change func(*store.Store) error) error {
	return s.withAnyDatabase(ctx, func(st *store.Store) error {
		if err := checkServable(ctx, st); err != nil {
			return err
		}
		return change(st)
	})
}

// withAnyDatabase is like withDatabase, but also accepts a database that was moved or is an unfinished copy.
func (s *settings) withAnyDatabase(ctx context.Context, change func(*store.Store) error) error {
	if s.isDatabaseMissing(ctx) {
		return fmt.Errorf("database %s does not exist", s.database())
	}
	st, err := store.Open(ctx, s.db, store.SealedBy(s.key))
	if err != nil {
		return err
	}
	return errors.Join(change(st), st.Close())
}

// withReadOnly opens the database read-only, calls read with it and closes it. Meanwhile another process may serve it.
func (s *settings) withReadOnly(ctx context.Context, read func(*store.Store) error) error {
	st, err := store.OpenReadOnly(ctx, s.db, store.SealedBy(s.key))
	if err != nil {
		return err
	}
	if err := read(st); err != nil {
		st.Close()
		return err
	}
	return st.Close()
}

// rekeyCommand returns the command that encrypts the database with another key.
func rekeyCommand(w world, s *settings) *cobra.Command {
	var from string
	var decrypt bool
	c := &cobra.Command{
		Use:   "rekey",
		Short: "Change the encryption key of the database",
		Long: "Encrypts names, IDs and secrets in the database with the key in KNOBEL_KEY_FILE. Stop Knobel first.\n" +
			"--from is the file with the present key; leave it out if the database is not encrypted.\n" +
			"--decrypt removes the encryption.\n\n" +
			"A key is 64 random bytes as hexadecimal digits: openssl rand -hex 64 > knobel.key",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return rekey(c.Context(), w, s, from, decrypt) },
	}
	c.Flags().StringVar(&from, "from", "", "file with the present key of the database")
	c.Flags().BoolVar(&decrypt, "decrypt", false, "remove the encryption")
	return c
}

// rekey encrypts the database with the key in the settings, or with none if decrypt is set. oldKeyFile is the file with
// the present key, "" if the database is not encrypted.
func rekey(ctx context.Context, w world, s *settings, oldKeyFile string, decrypt bool) error {
	oldKey, err := readKey(oldKeyFile)
	if err != nil {
		return err
	}
	newKey := s.key
	switch {
	case decrypt && oldKey == nil:
		return errors.New("--decrypt needs --from: the file with the present key")
	case decrypt:
		newKey = nil
	case newKey == nil:
		return errors.New("KNOBEL_KEY_FILE is not set: create a key with openssl rand -hex 64 > knobel.key, or use " +
			"--decrypt")
	}
	texts, err := store.Rekey(ctx, s.db, oldKey, newKey)
	if errors.Is(err, store.ErrKey) && oldKey == nil {
		return fmt.Errorf("database %s is already encrypted: set --from to the file with its key", s.database())
	}
	if errors.Is(err, store.ErrKey) {
		return fmt.Errorf("database %s is not encrypted with the key in --from", s.database())
	}
	if err != nil {
		return err
	}
	if newKey == nil {
		fmt.Fprintf(w.out, "%d names, IDs and secrets in %s are no longer encrypted.\n", texts, s.database())
		return nil
	}
	fmt.Fprintf(w.out, "%d names, IDs and secrets in %s are encrypted. Keep the key apart from the backups: they "+
		"cannot be read without it.\n", texts, s.database())
	return nil
}

// restoreCommand returns the command that replaces the database with a backup.
func restoreCommand(w world, s *settings) *cobra.Command {
	var force, done bool
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Check a backup and replace the database with it",
		Long: "Checks a backup: the file, all balances, and every table against its seed and moves. If all is\n" +
			"well, it replaces the database. The old database is kept beside it. Stop Knobel first.\n\n" +
			"Running games in the backup are ended and their stakes returned, because players may know the\n" +
			"next dice. Open tables get a new seed, and their players have to agree again. If you have\n" +
			"restored an older file by other means, knobel restore --done does only this.",
		Args: func(c *cobra.Command, args []string) error {
			if done {
				return cobra.NoArgs(c, args)
			}
			return cobra.ExactArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if done {
				return s.endRestored(c.Context(), w)
			}
			return restore(c.Context(), w, s, args[0], force)
		},
	}
	c.Flags().BoolVar(&force, "force", false, "replace an existing database, and keep the old one beside it")
	c.Flags().BoolVar(&done, "done", false, "only end running games, after a manual restore")
	return c
}

// restore checks the backup in backupFile and replaces the database with it. If the backup has faults, it prints them,
// leaves the database unchanged and returns errFound. Unless force is set, a database that exists is an error.
func restore(ctx context.Context, w world, s *settings, backupFile string, force bool) error {
	p, end := w.progress("checking the backup")
	defer end()
	stopped := func(err error) error {
		if ctx.Err() != nil {
			return fmt.Errorf("stopped %s tables; nothing was changed", p.stateText())
		}
		return err
	}
	r, err := store.Restore(ctx, backupFile, s.db, force, store.SealedBy(s.key))
	if err != nil {
		return stopped(err)
	}
	faults, err := findFaults(ctx, w, s, r.Store, p.set)
	end()
	for _, found := range r.Found() {
		fmt.Fprintf(w.out, "Repaired: %s.\n", found)
	}
	if err != nil {
		return errors.Join(stopped(err), r.GiveUp())
	}
	if len(faults) > 0 {
		for _, f := range faults {
			fmt.Fprintf(w.out, "FAIL   %s\n", f)
		}
		fmt.Fprintf(w.out, "%s was not restored; nothing was changed.\n", backupFile)
		return errors.Join(errFound, r.GiveUp())
	}
	done, err := endRestoredGames(ctx, w, s, r.Store)
	if err != nil {
		return errors.Join(stopped(err), r.GiveUp())
	}
	aside, err := r.Finish()
	if err != nil {
		return err
	}
	fmt.Fprintf(w.out, "%s was checked and has replaced %s.\n", backupFile, s.database())
	fmt.Fprintln(w.out, done)
	if aside != "" {
		fmt.Fprintf(w.out, "The old database is now %s.\n", aside)
	}
	return nil
}

// endRestored ends the running games of a database that was replaced with a backup by hand, not by "knobel restore".
func (s *settings) endRestored(ctx context.Context, w world) error {
	return s.withDatabase(ctx, func(st *store.Store) error {
		done, err := endRestoredGames(ctx, w, s, st)
		if err == nil {
			fmt.Fprintln(w.out, done)
		}
		return err
	})
}

// endRestoredGames ends the running games of a restored database and gives lobbies new seeds, because users may know
// the dice that the old seeds give. It returns a sentence for the operator with both counts.
func endRestoredGames(ctx context.Context, w world, s *settings, st *store.Store) (string, error) {
	b, err := newUpdatedBot(ctx, st, s.logger(w))
	if err != nil {
		return "", err
	}
	if err := telegram.ForgetSpent(ctx, b); err != nil {
		return "", err
	}
	done, err := b.Restored(ctx)
	return fmt.Sprintf("Running games ended, with stakes returned: %d. Open tables with a new seed, where all "+
		"players have to agree again: %d.", done.Ended, done.Sealed), err
}

// findFaults checks a database, replays the game of every table, and returns all faults. It calls progress per table.
func findFaults(ctx context.Context, w world, s *settings, st *store.Store, progress store.Progress) (
	faults []string, err error,
) {
	b, err := newUpdatedBot(ctx, st, s.logger(w))
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
	tables, err := b.Check(ctx, progress)
	return append(faults, tables...), err
}

// backupCommand returns the command that copies the database into a new file.
func backupCommand(w world, s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a new file, even while Knobel runs",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return s.withReadOnly(c.Context(), func(st *store.Store) error {
				p, end := w.progress("backup")
				err := st.Backup(c.Context(), args[0], p.set)
				end()
				if err != nil && c.Context().Err() != nil {
					return fmt.Errorf("stopped %s; no backup was made", p.stateText())
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(w.out, "%s was copied to %s\n", s.database(), args[0])
				return nil
			})
		},
	}
}
