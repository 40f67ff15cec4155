package main

// Command move.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"knobel/bot/review"
	"knobel/store"
)

// moveCommand returns the command that moves all data into another database.
func moveCommand(w world, s *settings) *cobra.Command {
	undo := false
	c := &cobra.Command{
		Use:   "move FROM TO",
		Short: "Move all data from a file to PostgreSQL, or back",
		Long: "Copies all data into an empty database and proves that both are equal: the rows and a digest of\n" +
			"every table, the balances, the checks of doctor, and the output of export, byte for byte. Then it\n" +
			"marks the old database as moved, and Knobel no longer uses it. Stop Knobel first.\n\n" +
			"FROM and TO are database files, or @FILE: a file with a URL such as\n" +
			"postgres://name:password@host/database. Both use the key in KNOBEL_KEY_FILE. You can stop the\n" +
			"copy at any time; nothing is moved then.\n\n" +
			"--undo FROM removes the mark.",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if want := map[bool]int{true: 1, false: 2}[undo]; len(args) != want {
				return errors.New("use knobel move FROM TO, or knobel move --undo FROM")
			}
			var names []string
			for _, arg := range args {
				name, err := databaseNamed(arg)
				if err != nil {
					return err
				}
				names = append(names, name)
			}
			if undo {
				return unmove(c.Context(), w, s.withDB(names[0]))
			}
			return move(c.Context(), w, s.withDB(names[0]), s.withDB(names[1]))
		},
	}
	c.Flags().BoolVar(&undo, "undo", false, "use a database again that was marked as moved")
	return c
}

// databaseNamed returns the database that arg, a command line argument, names: a file, a URL without a password or, for
// "@FILE", the URL in that file. A URL with a password is an error.
func databaseNamed(arg string) (string, error) {
	if file, is := strings.CutPrefix(arg, "@"); is {
		content, err := readSmall(file)
		if err != nil {
			return "", fmt.Errorf("read file with a database URL: %w", err)
		}
		name := strings.TrimSpace(string(content))
		if store.IsFile(name) {
			return "", fmt.Errorf("%s contains no URL such as postgres://name:password@host/database", file)
		}
		return name, nil
	}
	if store.IsFile(arg) {
		return arg, nil
	}
	u, err := url.Parse(arg)
	if err == nil && u.Scheme != "" && !strings.Contains(arg, "password") {
		if _, secret := u.User.Password(); !secret {
			return arg, nil
		}
	}
	return "", errors.New("all users of this computer can read a command: write the URL with its password into a " +
		"file, and use @FILE")
}

// withDB returns a copy of the settings with another database: a file name or URL.
func (s settings) withDB(name string) *settings {
	s.db = name
	return &s
}

// settingMoved is the name of the setting, in the old database, that says where and when the database was moved.
const settingMoved = "moved"

// movedTo returns where and when the database was moved, such as "new.db on 2026-11-01", or "" if it was not moved.
func movedTo(ctx context.Context, st *store.Store) (target string, err error) {
	err = st.View(ctx, func(tx *store.Tx) error {
		target, err = tx.Chats.Setting(settingMoved)
		return err
	})
	return target, err
}

// checkServable returns an error if the database is an unfinished copy or was moved.
func checkServable(ctx context.Context, st *store.Store) error {
	unfinished, err := st.Unfinished(ctx)
	if err != nil {
		return err
	}
	if unfinished {
		return fmt.Errorf("database %s is %w", st.File(), store.ErrUnfinished)
	}
	to, err := movedTo(ctx, st)
	if err == nil && to != "" {
		err = fmt.Errorf("database %s was moved to %s: use that one, or run knobel move --undo",
			st.File(), to)
	}
	return err
}

// unmove clears the mark of a database that was moved, so that the database can be served again.
func unmove(ctx context.Context, w world, s *settings) error {
	return s.withAnyDatabase(ctx, func(st *store.Store) error {
		to, err := movedTo(ctx, st)
		if err != nil {
			return err
		}
		if to == "" {
			return fmt.Errorf("database %s was not moved", s.database())
		}
		err = st.Update(ctx, func(tx *store.Tx) error { return tx.Chats.SaveSetting(settingMoved, "") })
		if err == nil {
			to, _, _ = strings.Cut(to, " on ")
			fmt.Fprintf(w.out, "%s can be used again. Do not use %s as well: their games would differ.\n",
				s.database(), to)
		}
		return err
	})
}

// move copies the database of source into the empty database of target, compares both, and marks the first as moved. If
// they differ, it prints the differences, deletes the copy and returns errFound.
func move(ctx context.Context, w world, source, target *settings) error {
	if same, err := sameDatabase(source.db, target.db); err != nil || same {
		return errors.Join(err, fmt.Errorf("%s cannot be moved to itself", source.database()))
	}
	return source.withDatabase(ctx, func(st *store.Store) error {
		if _, err := newUpdatedBot(ctx, st, source.logger(w)); err != nil {
			return err
		}
		m := moveJob{world: w, from: source, to: target, st: st}
		p, end := w.progress("copying rows")
		copied, err := st.CopyTo(ctx, target.db, func(done, all int64) {
			p.set(done, all)
			if done == all { // all rows are copied; a server now checks foreign keys, which takes time
				end()
				_, end = w.progress("finishing the copy")
			}
		})
		end()
		switch {
		case errors.Is(err, store.ErrThere):
			return fmt.Errorf("database %s is not empty: use an empty one", target.database())
		case err != nil:
			return orInterrupted(ctx, err)
		}
		proved, err := m.prove(ctx, copied)
		if err != nil || !proved {
			if left := copied.GiveUp(); err != nil || left != nil {
				return errors.Join(orInterrupted(ctx, err), left)
			}
			fmt.Fprintf(w.out, "Nothing was moved: %s is unchanged, and the copy was deleted.\n", source.database())
			return errFound
		}
		// From here on, Ctrl-C no longer stops the move.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
		defer cancel()
		return m.finish(ending, copied)
	})
}

// sameDatabase reports whether one and other, files or URLs of databases, are the same file or the same URL.
func sameDatabase(one, other string) (bool, error) {
	if store.IsFile(one) != store.IsFile(other) || !store.IsFile(one) {
		return one == other, nil
	}
	first, err := filepath.Abs(one)
	if err != nil {
		return false, err
	}
	second, err := filepath.Abs(other)
	return first == second, err
}

// moveJob holds the old and the new database of a move.
type moveJob struct {
	world
	from, to *settings    // of the old and the new database
	st       *store.Store // the old database, open
}

// finishTimeout is the timeout for marking the old database as moved and finishing the copy.
const finishTimeout = time.Minute

// orInterrupted returns err, or a message for the operator if ctx is done: then Ctrl-C has caused err.
func orInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.New("stopped; nothing was moved")
	}
	return err
}

// finish marks the old database as moved and then the copy as finished, unless another process has taken one of them.
// Between the two steps neither can be served. If the first step fails, it deletes the copy; if the second, the mark.
func (m moveJob) finish(ctx context.Context, copied *store.Copying) error {
	note := fmt.Sprintf("%s on %s", m.to.database(), time.Now().Format(time.DateOnly))
	err := errors.Join(m.st.There(), copied.To.There())
	if err == nil {
		if err = m.mark(ctx, note); store.Uncertain(err) {
			err = m.clearMark(ctx, err)
		}
	}
	if err != nil {
		return errors.Join(err, copied.GiveUp())
	}
	switch err := copied.Finish(ctx); {
	case store.Uncertain(err):
		return fmt.Errorf("the copy in %s may be unfinished, and %s is marked as moved: use the copy if knobel "+
			"doctor finds no problem in it, or else run knobel move --undo for the old one: %w", m.to.database(),
			m.from.database(), err)
	case err != nil:
		return m.clearMark(ctx, err)
	}
	fmt.Fprintf(m.out, "All data is now in %s: use that from now on. %s is unchanged, but marked as moved, and "+
		"Knobel no longer uses it.\n", m.to.database(), m.from.database())
	return nil
}

// mark stores note in the old database: where and when that database was moved, "" to clear it. If the server does not
// answer, mark tries again, since storing the same note twice does no harm.
func (m moveJob) mark(ctx context.Context, note string) (err error) {
	var uncertain error
	for range 3 {
		err = m.st.Update(ctx, func(tx *store.Tx) error { return tx.Chats.SaveSetting(settingMoved, note) })
		if !store.Uncertain(err) {
			break
		}
		uncertain = err
	}
	if err != nil && uncertain != nil {
		return uncertain
	}
	return err
}

// clearMark clears the mark of the old database, because the move failed with cause. It returns cause with a sentence
// for the operator: that nothing was moved and, if clearing fails, that the mark may still be set.
func (m moveJob) clearMark(ctx context.Context, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
	defer cancel()
	if err := m.mark(ctx, ""); err != nil {
		return fmt.Errorf("nothing was moved, but %s may still be marked as moved: run knobel move --undo: %w",
			m.from.database(), errors.Join(cause, err))
	}
	return fmt.Errorf("nothing was moved: %w", cause)
}

// maxFaults is how many faults of a copy prove prints at most.
const maxFaults = 20

// prove compares the copy c with the old database, prints the result, and reports whether both are equal and sound.
func (m moveJob) prove(ctx context.Context, c *store.Copying) (bool, error) {
	p, end := m.progress("comparing rows")
	differing, err := c.Differences(ctx, p.set)
	end()
	if err != nil {
		return false, err
	}
	for _, d := range c.Digests {
		fmt.Fprintf(m.out, "%-14s %9d rows  %s\n", d.Table, d.Rows, d.Sum[:16])
	}
	for _, table := range differing {
		fmt.Fprintf(m.out, "FAIL   %s differs in the copy\n", table)
	}
	if len(differing) > 0 {
		return false, nil
	}
	var balances [2]store.Digest // of the old database and the copy
	var records [2]string        // digests of the records that each exports
	for i, st := range []*store.Store{m.st, c.To} {
		name := []*settings{m.from, m.to}[i].database()
		_, end = m.progress("adding up balances in " + name)
		balances[i], err = st.Balances(ctx)
		end()
		if err != nil {
			return false, err
		}
		_, end = m.progress("exporting records from " + name)
		sum, w := sha256.New(), m.world
		w.out, w.err = sum, io.Discard
		err = export(ctx, w, m.from, st, review.Wanted{})
		end()
		if err != nil {
			return false, err
		}
		records[i] = hex.EncodeToString(sum.Sum(nil))
	}
	p, end = m.progress("checking the copy")
	faults, err := findFaults(ctx, m.world, m.from, c.To, p.set)
	end()
	if err != nil {
		return false, err
	}
	for _, f := range faults[:min(len(faults), maxFaults)] {
		fmt.Fprintf(m.out, "FAIL   %s\n", f)
	}
	if more := len(faults) - maxFaults; more > 0 {
		fmt.Fprintf(m.out, "FAIL   and %d more: knobel doctor lists all\n", more)
	}
	if balances[0] != balances[1] || records[0] != records[1] {
		fmt.Fprintf(m.out, "FAIL   the balances or the records of the copy differ\n")
		return false, nil
	}
	if len(faults) > 0 {
		return false, nil
	}
	fmt.Fprintf(m.out, "All tables are equal, row by row. The balances of %d accounts are equal, and so is knobel "+
		"export, byte for byte (SHA-256 %s). knobel doctor finds no problem.\n",
		balances[0].Rows, records[0][:16])
	return true, nil
}
