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
		Short: "Move everything into another database, while Knobel does not run: from a file to PostgreSQL, or back",
		Long: "Copy everything, in one consistent state, into a database in which there is nothing, and prove that " +
			"it is the same: rows and a digest of every table, balances, what doctor checks, and the records of " +
			"export, byte for byte. Then the old one is marked as moved, and is served no more.\n\n" +
			"FROM and TO are files of databases, or @FILE: the file with the address of a database on PostgreSQL, " +
			"such as postgres://name:password@host/database. Both have the key that KNOBEL_KEY_FILE names. The copy " +
			"may be broken off at any time: nothing has happened then, and the next try begins anew.\n\n" +
			"--undo FROM takes the mark back.",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if want := map[bool]int{true: 1, false: 2}[undo]; len(args) != want {
				return errors.New("say knobel move FROM TO, or knobel move --undo FROM")
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
	c.Flags().BoolVar(&undo, "undo", false, "have a database be served again that was marked as moved")
	return c
}

// databaseNamed returns the database that arg, a command line argument, names: a file, a URL without a password or, for
// "@FILE", the URL in that file. A URL with a password is an error.
func databaseNamed(arg string) (string, error) {
	if file, is := strings.CutPrefix(arg, "@"); is {
		content, err := readSmall(file)
		if err != nil {
			return "", fmt.Errorf("the file with the address of a database: %w", err)
		}
		name := strings.TrimSpace(string(content))
		if store.IsFile(name) {
			return "", fmt.Errorf("%s holds no address such as postgres://name:password@host/database", file)
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
	return "", errors.New("whoever is on this machine reads what stands in a command: write the address with its " +
		"password into a file, and say @ and the name of the file")
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
		return fmt.Errorf("the database %s is %w", st.File(), store.ErrUnfinished)
	}
	to, err := movedTo(ctx, st)
	if err == nil && to != "" {
		err = fmt.Errorf("the database %s was moved to %s: serve that one; knobel move --undo takes that back",
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
			return fmt.Errorf("the database %s was not moved", s.database())
		}
		err = st.Update(ctx, func(tx *store.Tx) error { return tx.Chats.SaveSetting(settingMoved, "") })
		if err == nil {
			to, _, _ = strings.Cut(to, " on ")
			fmt.Fprintf(w.out, "%s can be served again. Do not serve %s, too: each would go on by itself.\n",
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
			return fmt.Errorf("the database %s is not empty: take one in which there is nothing", target.database())
		case err != nil:
			return orInterrupted(ctx, err)
		}
		proved, err := m.prove(ctx, copied)
		if err != nil || !proved {
			if left := copied.GiveUp(); err != nil || left != nil {
				return errors.Join(orInterrupted(ctx, err), left)
			}
			fmt.Fprintf(w.out, "Nothing was moved: %s is as it was, and the copy is removed.\n", source.database())
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
		return errors.New("broken off: nothing was moved")
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
		return fmt.Errorf("it is not known whether the copy in %s is finished, so %s is served no more: serve the "+
			"copy if knobel doctor finds it there and well; if not, knobel move --undo has the old one be served "+
			"again: %w", m.to.database(), m.from.database(), err)
	case err != nil:
		return m.clearMark(ctx, err)
	}
	fmt.Fprintf(m.out, "All is in %s: serve that from now on. %s stays as it was, is marked as moved, and is served "+
		"no more.\n", m.to.database(), m.from.database())
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
		return fmt.Errorf("nothing was moved, but %s may still be marked as moved: knobel move --undo has it be "+
			"served again: %w", m.from.database(), errors.Join(cause, err))
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
		fmt.Fprintf(m.out, "WRONG  %s differs in the copy\n", table)
	}
	if len(differing) > 0 {
		return false, nil
	}
	var balances [2]store.Digest // of the old database and the copy
	var records [2]string        // digests of the records that each exports
	for i, st := range []*store.Store{m.st, c.To} {
		name := []*settings{m.from, m.to}[i].database()
		_, end = m.progress("adding up the balances of " + name)
		balances[i], err = st.Balances(ctx)
		end()
		if err != nil {
			return false, err
		}
		_, end = m.progress("playing the games of " + name + " for their records")
		sum, w := sha256.New(), m.world
		w.out, w.err = sum, io.Discard
		err = export(ctx, w, m.from, st, review.Wanted{})
		end()
		if err != nil {
			return false, err
		}
		records[i] = hex.EncodeToString(sum.Sum(nil))
	}
	p, end = m.progress("looking for faults in the copy")
	faults, err := findFaults(ctx, m.world, m.from, c.To, p.set)
	end()
	if err != nil {
		return false, err
	}
	for _, f := range faults[:min(len(faults), maxFaults)] {
		fmt.Fprintf(m.out, "WRONG  %s\n", f)
	}
	if more := len(faults) - maxFaults; more > 0 {
		fmt.Fprintf(m.out, "WRONG  and %d more: knobel doctor tells of all\n", more)
	}
	if balances[0] != balances[1] || records[0] != records[1] {
		fmt.Fprintf(m.out, "WRONG  the balances or the records of the copy differ\n")
		return false, nil
	}
	if len(faults) > 0 {
		return false, nil
	}
	fmt.Fprintf(m.out, "All tables are the same, row by row. The balances of %d accounts are the same, and so is "+
		"knobel export, byte for byte (SHA-256 %s). knobel doctor finds nothing wrong.\n",
		balances[0].Rows, records[0][:16])
	return true, nil
}
