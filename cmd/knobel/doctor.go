package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"knobel/bot/chat"
	"knobel/bot/help"
	"knobel/bot/words"
	"knobel/cmd/wiring"
	"knobel/store"
)

// Command doctor.

func doctorCommand(w world, s *settings) *cobra.Command {
	var mend bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is configured, reachable and permitted, and check the books; exit 1 when something is wrong",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if mend {
				if err := s.mend(c.Context(), w); err != nil {
					return err
				}
			}
			return s.examine(c.Context(), w)
		},
	}
	c.Flags().BoolVar(&mend, "mend", false,
		"first add up again the leaderboards' totals that differ from the results, while Knobel does not run")
	return c
}

// examine checks configuration, database and platforms, and prints findings. It returns errFound for faults.
func (s *settings) examine(ctx context.Context, w world) error {
	said, err := s.sentences()
	if err != nil {
		return err
	}
	d := &doctor{world: w, log: s.logger(w), said: said}
	d.fine("knobel %s", thisBuild())
	for _, doubt := range s.doubts() {
		d.warn("%s", doubt)
	}
	d.secretFiles(s)
	var b *wiring.Bot
	if st := d.open(ctx, s); st != nil {
		defer st.Close()
		var err error
		if b, err = newBot(st, d.log); err != nil {
			return err
		}
		if err = d.database(ctx, st, b); err != nil {
			d.failed(ctx, err)
		}
	}
	if ctx.Err() == nil {
		d.platforms(ctx, s, b)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("stopped with %d found wrong so far", d.faults)
	}
	if d.faults > 0 {
		fmt.Fprintf(d.out, "%d found wrong.\n", d.faults)
		return errFound
	}
	fmt.Fprintln(d.out, "All is well.")
	return nil
}

// doctor prints findings and counts those that are faults.
type doctor struct {
	world
	log    *slog.Logger
	said   *words.Words
	faults int
}

func (d *doctor) fine(format string, args ...any) {
	fmt.Fprintf(d.out, "ok     "+format+"\n", args...)
}

func (d *doctor) wrong(format string, args ...any) {
	d.faults++
	fmt.Fprintf(d.out, "WRONG  "+format+"\n", args...)
}

// failed prints an error as a fault, unless Ctrl-C caused it.
func (d *doctor) failed(ctx context.Context, err error) {
	if ctx.Err() == nil {
		d.wrong("%v", err)
	}
}

// warn prints a finding that works but should be changed.
func (d *doctor) warn(format string, args ...any) {
	fmt.Fprintf(d.out, "warn   "+format+"\n", args...)
}

func (d *doctor) off(format string, args ...any) {
	fmt.Fprintf(d.out, "off    "+format+"\n", args...)
}

// open returns the database, opened read-only, or prints why it cannot be opened and returns nil.
func (d *doctor) open(ctx context.Context, s *settings) *store.Store {
	if s.missing(ctx) {
		if err := store.Creatable(s.db); err != nil {
			d.wrong("%v", err)
		} else {
			d.off("database %s: not there yet, knobel serve makes it", s.database())
		}
		d.key(s)
		return nil
	}
	st, err := store.OpenReadOnly(ctx, s.db, store.SealedBy(s.key))
	if err != nil {
		d.failed(ctx, err)
		return nil
	}
	d.fine("database %s can be read", s.database())
	if err := servable(ctx, st); err != nil {
		d.failed(ctx, err)
	}
	d.key(s)
	return st
}

// database checks the content of the database. The error means that a check could not be completed.
func (d *doctor) database(ctx context.Context, st *store.Store, b *wiring.Bot) error {
	_, end := d.progress("checking the books")
	faults, err := st.Check(ctx)
	end()
	if err := proved(d, faults, err, "the books add up to zero, and nothing is missing or left over"); err != nil {
		return err
	}
	// Older versions booked payments on one person's word. They stay until an admin undoes them.
	err = st.View(ctx, func(tx *store.Tx) error {
		doubtful, err := tx.Books.Doubtful()
		for _, p := range doubtful {
			word := "on one person's word"
			if p.Perhaps {
				word = "perhaps on one person's word, once the other was forgotten"
			}
			d.warn("payment %d in the chat %s: %d %s from %s to %s made a balance grow or turn %s; "+
				"an admin of the chat takes it back by /settle back %d", p.ID, p.Chat, p.Amount, p.Unit, p.Payer,
				p.Payee, word, p.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	p, end := d.progress("playing every table again")
	stale, err := b.Check(ctx, p.tell)
	end()
	if err := proved(d, stale, err, "every table is what its seed and moves play to"); err != nil {
		return err
	}
	var bare int64
	var failed []int64
	err = st.View(ctx, func(tx *store.Tx) (err error) {
		ephemeral, err := tx.Chats.Setting(settingEphemeral)
		if err != nil {
			return err
		}
		if ephemeral != "" {
			d.warn("Telegram: the server knows no ephemeral messages, so KNOBEL_TELEGRAM_EPHEMERAL is without effect " +
				"until the next start")
		}
		if bare, err = tx.Tables.CountWithoutMoves(); err == nil {
			failed, err = tx.Reviews.GivenUp(20)
		}
		return err
	})
	for _, table := range failed {
		d.warn("table %d: its review was given up, as it could not be worked out or kept: the log says why", table)
	}
	if bare > 0 {
		d.off("%d older games keep no moves any longer, so that only their seeds and results were checked", bare)
	}
	return err
}

// proved prints the faults, or well if there are none and err is nil. It returns err.
func proved[Fault any](d *doctor, faults []Fault, err error, well string) error {
	for _, f := range faults {
		d.wrong("%v", f)
	}
	if err == nil && len(faults) == 0 {
		d.fine("%s", well)
	}
	return err
}

// key prints whether names, ids and secrets in the database are encrypted, which some platforms' terms require.
func (d *doctor) key(s *settings) {
	switch {
	case s.key != nil:
		d.fine("names, ids and secrets in the database are encrypted with the key in %s: keep it elsewhere than the "+
			"backups", s.keyFile)
	default:
		for _, e := range s.served() {
			if e.sealed {
				d.warn("names, ids and secrets in the database are not encrypted, as %s's terms for bots demand: "+
					"openssl rand -hex 64 > knobel.key, let KNOBEL_KEY_FILE name that file, and run knobel rekey",
					e.title)
				return
			}
		}
		d.off("names, ids and secrets in the database are not encrypted: KNOBEL_KEY_FILE is not set")
	}
}

// secretFiles warns about files with secrets that other users of the machine can read: a key decrypts backups, and a
// database URL gives access to everything.
func (d *doctor) secretFiles(s *settings) {
	if runtime.GOOS == "windows" { // file modes do not show readers there
		return
	}
	files := [][2]string{{"key file", s.keyFile}}
	if !store.IsFile(s.db) && d.getenv("KNOBEL_DB") == "" {
		files = append(files, [2]string{"file with the address of the database", d.getenv("KNOBEL_DB_FILE")})
	}
	for _, t := range allSettings() {
		if (t.holds == token || t.holds == password) && d.getenv(t.env) == "" {
			files = append(files, [2]string{"file of " + t.env, d.getenv(t.env + "_FILE")})
		}
	}
	for _, f := range files {
		if info, err := os.Stat(f[1]); err == nil && f[1] != "" && info.Mode().Perm()&0o044 != 0 {
			d.warn("the %s %s can be read by others than its owner: chmod 600 %[2]s", f[0], f[1])
		}
	}
}

// platforms prints the state of each platform and, if b is not nil, findings about its chats.
func (d *doctor) platforms(ctx context.Context, s *settings, b *wiring.Bot) {
	for _, e := range entries() {
		switch on := e.settings[0].env; {
		case s.value(on) == "":
			d.off("%s: %s is not set", e.title, on)
		case e.look != nil:
			e.look(d, ctx, s)
		default:
			p, err := e.made(&making{settings: *s, ctx: ctx, log: d.log, hooks: map[string]http.Handler{},
				said: d.said})
			if err != nil {
				d.wrong("%s: %v", e.title, err)
				continue
			}
			d.examine(ctx, e.title, p, b)
		}
	}
}

// examine prints the platform's findings about itself and about the chats with unfinished tables.
func (d *doctor) examine(ctx context.Context, called string, p chat.Platform, b *wiring.Bot) {
	within, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var found []chat.Finding
	note := func(more []chat.Finding, err error) {
		if found = append(found, more...); err != nil {
			found = append(found, chat.Finding{Text: err.Error(), Wrong: true})
		}
	}
	note(p.Consult(within, "", nil))
	reached := !slices.ContainsFunc(found, func(f chat.Finding) bool { return f.Wrong && f.Line.Key == "" })
	if reached && b != nil {
		note(b.Help.ConsultAll(within, p))
	}
	if ctx.Err() != nil {
		return // an interrupted check is not a fault
	}
	if len(found) == 0 { // the platform has nothing to check
		d.fine("%s: is configured", called)
	}
	for _, f := range found {
		if f.Wrong {
			d.wrong("%s: %s", called, help.Said(d.said, f))
			continue
		}
		d.fine("%s: %s", called, help.Said(d.said, f))
	}
}

// mend replaces leaderboard totals that differ from the sums of their results, and prints each. Knobel must not run.
func (s *settings) mend(ctx context.Context, w world) error {
	return s.changing(ctx, func(st *store.Store) error {
		if _, err := changingBot(ctx, st, s.logger(w)); err != nil {
			return err
		}
		p, end := w.progress("comparing the totals of chats")
		wrong, err := st.MendTotals(ctx, p.tell)
		end()
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("stopped %s chats: nothing was changed", p.reached())
		}
		for _, f := range wrong {
			fmt.Fprintf(w.out, "mended %s\n", f)
		}
		return err
	})
}
