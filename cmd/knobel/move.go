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
				return unmove(c.Context(), w, s.of(names[0]))
			}
			return move(c.Context(), w, s.of(names[0]), s.of(names[1]))
		},
	}
	c.Flags().BoolVar(&undo, "undo", false, "have a database be served again that was marked as moved")
	return c
}

// databaseNamed returns the database of an argument: a file, a URL without a password, or the URL in the file after
// "@".
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

// of returns a copy of the settings for another database.
func (s settings) of(name string) *settings {
	s.db = name
	return &s
}

// settingMoved is the name of the setting that stores where and when a database was moved.
const settingMoved = "moved"

// movedTo returns where and when the database was moved, or "".
func movedTo(ctx context.Context, st *store.Store) (to string, err error) {
	err = st.View(ctx, func(tx *store.Tx) error {
		to, err = tx.Chats.Setting(settingMoved)
		return err
	})
	return to, err
}

// servable returns an error if the database is an unfinished copy or was moved.
func servable(ctx context.Context, st *store.Store) error {
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

func unmove(ctx context.Context, w world, s *settings) error {
	return s.alone(ctx, func(st *store.Store) error {
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

// move copies a database to an empty one, proves that the copy is equal, and marks the old one as moved.
func move(ctx context.Context, w world, from, to *settings) error {
	if same, err := sameDatabase(from.db, to.db); err != nil || same {
		return errors.Join(err, fmt.Errorf("%s cannot be moved to itself", from.database()))
	}
	return from.changing(ctx, func(st *store.Store) error {
		if _, err := changingBot(ctx, st, from.logger(w)); err != nil {
			return err
		}
		m := moving{world: w, from: from, to: to, st: st}
		p, end := w.progress("copying rows")
		copied, err := st.CopyTo(ctx, to.db, func(done, all int64) {
			p.tell(done, all)
			if done == all { // servers then check references, which takes time
				end()
				_, end = w.progress("finishing the copy")
			}
		})
		end()
		switch {
		case errors.Is(err, store.ErrThere):
			return fmt.Errorf("the database %s is not empty: take one in which there is nothing", to.database())
		case err != nil:
			return brokenOff(ctx, err)
		}
		proved, err := m.prove(ctx, copied)
		if err != nil || !proved {
			if left := copied.GiveUp(); err != nil || left != nil {
				return errors.Join(brokenOff(ctx, err), left)
			}
			fmt.Fprintf(w.out, "Nothing was moved: %s is as it was, and the copy is removed.\n", from.database())
			return errFound
		}
		// From here on an interruption no longer stops the move.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
		defer cancel()
		return m.end(ending, copied)
	})
}

// sameDatabase reports whether two names mean the same database.
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

// moving holds the data of a move.
type moving struct {
	world
	from, to *settings
	st       *store.Store // the old database
}

// endWithin is the timeout for marking the old database and finishing the copy.
const endWithin = time.Minute

// brokenOff returns err, or a message for the user if the move was interrupted.
func brokenOff(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.New("broken off: nothing was moved")
	}
	return err
}

// end marks the old database as moved, after checking that both are still locked by this process, and finishes the
// copy. Between the two steps neither database is servable.
func (m moving) end(ctx context.Context, copied *store.Copying) error {
	note := fmt.Sprintf("%s on %s", m.to.database(), time.Now().Format(time.DateOnly))
	err := errors.Join(m.st.There(), copied.To.There())
	if err == nil {
		if err = m.mark(ctx, note); store.Uncertain(err) {
			err = m.takeBack(ctx, err)
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
		return m.takeBack(ctx, err)
	}
	fmt.Fprintf(m.out, "All is in %s: serve that from now on. %s stays as it was, is marked as moved, and is served "+
		"no more.\n", m.to.database(), m.from.database())
	return nil
}

// mark stores in the old database where it was moved; "" clears that. It retries if the server does not answer, because
// the change is idempotent.
func (m moving) mark(ctx context.Context, note string) (err error) {
	var unsure error
	for range 3 {
		err = m.st.Update(ctx, func(tx *store.Tx) error { return tx.Chats.SaveSetting(settingMoved, note) })
		if !store.Uncertain(err) {
			break
		}
		unsure = err
	}
	if err != nil && unsure != nil {
		return unsure
	}
	return err
}

// takeBack clears the mark after the error why. It returns why, with a hint if the mark could not be cleared.
func (m moving) takeBack(ctx context.Context, why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	if err := m.mark(ctx, ""); err != nil {
		return fmt.Errorf("nothing was moved, but %s may still be marked as moved: knobel move --undo has it be "+
			"served again: %w", m.from.database(), errors.Join(why, err))
	}
	return fmt.Errorf("nothing was moved: %w", why)
}

// maxFaults is the maximum number of faults of a copy that are printed.
const maxFaults = 20

// prove compares the copy with the old database, prints the result, and reports whether they are equal.
func (m moving) prove(ctx context.Context, c *store.Copying) (bool, error) {
	p, end := m.progress("comparing rows")
	differ, err := c.Differences(ctx, p.tell)
	end()
	if err != nil {
		return false, err
	}
	for _, d := range c.Digests {
		fmt.Fprintf(m.out, "%-14s %9d rows  %s\n", d.Table, d.Rows, d.Sum[:16])
	}
	for _, table := range differ {
		fmt.Fprintf(m.out, "WRONG  %s differs in the copy\n", table)
	}
	if len(differ) > 0 {
		return false, nil
	}
	var balances [2]store.Digest // of the old database and the copy
	var records [2]string        // digests of their exports
	for i, st := range []*store.Store{m.st, c.To} {
		where := []*settings{m.from, m.to}[i].database()
		_, end = m.progress("adding up the balances of " + where)
		balances[i], err = st.Balances(ctx)
		end()
		if err != nil {
			return false, err
		}
		_, end = m.progress("playing the games of " + where + " for their records")
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
	faults, err := examined(ctx, m.world, m.from, c.To, p.tell)
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
