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
		return errors.New("the address of a database holds its password, so it is no flag: set KNOBEL_DB, or " +
			"KNOBEL_DB_FILE to the name of a file that holds it")
	}
	address, err := readSecret(w, "KNOBEL_DB")
	if err != nil || s.dbFlag.Changed {
		return err
	}
	if w.getenv("KNOBEL_DB") != "" && w.getenv("KNOBEL_DB_FILE") != "" {
		return errors.New("KNOBEL_DB names a database, and KNOBEL_DB_FILE another one: set one of them to nothing")
	}
	if w.getenv("KNOBEL_DB") == "" && address != "" && store.IsFile(address) {
		return errors.New("KNOBEL_DB_FILE names a file that holds no address such as " +
			"postgres://name:password@host/database: for a database file set KNOBEL_DB")
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
		return fmt.Errorf("there is no database at %s", s.database())
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
		return errors.New("--decrypt wants --from: the file with the key of the database")
	case decrypt:
		newKey = nil
	case newKey == nil:
		return errors.New("KNOBEL_KEY_FILE names no key to encrypt with: make one with openssl rand -hex 64 > " +
			"knobel.key, or choose --decrypt")
	}
	texts, err := store.Rekey(ctx, s.db, oldKey, newKey)
	if errors.Is(err, store.ErrKey) && oldKey == nil {
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
	if newKey == nil {
		fmt.Fprintf(w.out, "%d names, ids and secrets in %s are not encrypted any longer.\n", texts, s.database())
		return nil
	}
	fmt.Fprintf(w.out, "%d names, ids and secrets in %s are encrypted. Keep the key elsewhere than the backups: "+
		"without it nobody can read them.\n", texts, s.database())
	return nil
}

// restoreCommand returns the command that replaces the database with a backup.
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
				return s.endRestored(c.Context(), w)
			}
			return restore(c.Context(), w, s, args[0], force)
		},
	}
	c.Flags().BoolVar(&force, "force", false, "also where there is a database: that is kept aside")
	c.Flags().BoolVar(&done, "done", false, "an older file was put back by other means: only end the tables in play")
	return c
}

// restore checks the backup in backupFile and replaces the database with it. If the backup has faults, it prints them,
// leaves the database unchanged and returns errFound. Unless force is set, a database that exists is an error.
func restore(ctx context.Context, w world, s *settings, backupFile string, force bool) error {
	p, end := w.progress("looking for faults in the backup")
	defer end()
	stopped := func(err error) error {
		if ctx.Err() != nil {
			return fmt.Errorf("stopped %s tables: nothing was changed", p.stateText())
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
		fmt.Fprintf(w.out, "Found: %s.\n", found)
	}
	if err != nil {
		return errors.Join(stopped(err), r.GiveUp())
	}
	if len(faults) > 0 {
		for _, f := range faults {
			fmt.Fprintf(w.out, "WRONG  %s\n", f)
		}
		fmt.Fprintf(w.out, "%s is not restored; nothing was changed.\n", backupFile)
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
	fmt.Fprintf(w.out, "%s is checked and now in the place of %s.\n", backupFile, s.database())
	fmt.Fprintln(w.out, done)
	if aside != "" {
		fmt.Fprintf(w.out, "What was there is kept as %s.\n", aside)
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
	return fmt.Sprintf("Tables in play that were ended, all stakes given back: %d. Tables in the lobby with a new "+
		"seed, where everybody is to agree again: %d.", done.Ended, done.Sealed), err
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
		Short: "Copy the database, also while Knobel runs, consistently into a new file",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return s.withReadOnly(c.Context(), func(st *store.Store) error {
				p, end := w.progress("backup")
				err := st.Backup(c.Context(), args[0], p.set)
				end()
				if err != nil && c.Context().Err() != nil {
					return fmt.Errorf("stopped %s: no copy was made", p.stateText())
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
