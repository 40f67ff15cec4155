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

// doctorCommand returns the command that checks the configuration, the platforms and the database.
func doctorCommand(w world, s *settings) *cobra.Command {
	var mend bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is configured, reachable and permitted, and check the books; exit 1 when something is wrong",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if mend {
				if err := s.mendTotals(c.Context(), w); err != nil {
					return err
				}
			}
			return s.runDoctor(c.Context(), w)
		},
	}
	c.Flags().BoolVar(&mend, "mend", false,
		"first add up again the leaderboards' totals that differ from the results, while Knobel does not run")
	return c
}

// runDoctor checks configuration, database and platforms, and prints findings. For faults it returns errFound.
func (s *settings) runDoctor(ctx context.Context, w world) error {
	messages, err := s.messages()
	if err != nil {
		return err
	}
	d := &doctor{world: w, log: s.logger(w), messages: messages}
	d.fine("knobel %s", thisBuild())
	for _, warning := range s.warnings() {
		d.warn("%s", warning)
	}
	d.checkSecretFiles(s)
	var b *wiring.Bot
	if st := d.openDatabase(ctx, s); st != nil {
		defer st.Close()
		if b, err = newBot(st, d.log); err != nil {
			return err
		}
		if err = d.checkDatabase(ctx, st, b); err != nil {
			d.failed(ctx, err)
		}
	}
	if ctx.Err() == nil {
		d.checkPlatforms(ctx, s, b)
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
	log      *slog.Logger
	messages *words.Words
	faults   int
}

// fine prints a finding that is as it should be.
func (d *doctor) fine(format string, args ...any) {
	fmt.Fprintf(d.out, "ok     "+format+"\n", args...)
}

// wrong prints a fault and counts it.
func (d *doctor) wrong(format string, args ...any) {
	d.faults++
	fmt.Fprintf(d.out, "WRONG  "+format+"\n", args...)
}

// failed prints err as a fault, unless ctx is done: then Ctrl-C caused it.
func (d *doctor) failed(ctx context.Context, err error) {
	if ctx.Err() == nil {
		d.wrong("%v", err)
	}
}

// warn prints a finding that is no fault but should be changed.
func (d *doctor) warn(format string, args ...any) {
	fmt.Fprintf(d.out, "warn   "+format+"\n", args...)
}

// off prints a finding about something that is not configured or not checked.
func (d *doctor) off(format string, args ...any) {
	fmt.Fprintf(d.out, "off    "+format+"\n", args...)
}

// openDatabase returns the database, opened read-only, or prints why it cannot be opened and returns nil.
func (d *doctor) openDatabase(ctx context.Context, s *settings) *store.Store {
	if s.isDatabaseMissing(ctx) {
		if err := store.Creatable(s.db); err != nil {
			d.wrong("%v", err)
		} else {
			d.off("database %s: not there yet, knobel serve makes it", s.database())
		}
		d.checkKey(s)
		return nil
	}
	st, err := store.OpenReadOnly(ctx, s.db, store.SealedBy(s.key))
	if err != nil {
		d.failed(ctx, err)
		return nil
	}
	d.fine("database %s can be read", s.database())
	if err := checkServable(ctx, st); err != nil {
		d.failed(ctx, err)
	}
	d.checkKey(s)
	return st
}

// checkDatabase checks the content of the database and prints findings. It returns an error if a check has failed to
// run.
func (d *doctor) checkDatabase(ctx context.Context, st *store.Store, b *wiring.Bot) error {
	_, end := d.progress("checking the books")
	faults, err := st.Check(ctx)
	end()
	if err := printFaults(d, faults, err, "the books add up to zero, and nothing is missing or left over"); err != nil {
		return err
	}
	// Older versions accepted payments that only one person had confirmed. They are valid until an admin undoes them.
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
	stale, err := b.Check(ctx, p.set)
	end()
	if err := printFaults(d, stale, err, "every table is what its seed and moves play to"); err != nil {
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

// printFaults prints faults, which a check has found, and returns err, the error of the check itself. If there are no
// faults and err is nil, it prints the sentence in the parameter well.
func printFaults[Fault any](d *doctor, faults []Fault, err error, well string) error {
	for _, f := range faults {
		d.wrong("%v", f)
	}
	if err == nil && len(faults) == 0 {
		d.fine("%s", well)
	}
	return err
}

// checkKey prints whether names, ids and secrets in the database are encrypted. If they are not, although the terms of
// service of a configured platform require it, it prints a warning.
func (d *doctor) checkKey(s *settings) {
	if s.key != nil {
		d.fine("names, ids and secrets in the database are encrypted with the key in %s: keep it elsewhere than the "+
			"backups", s.keyFile)
		return
	}
	for _, e := range s.served() {
		if e.sealed {
			d.warn("names, ids and secrets in the database are not encrypted, as %s's terms for bots demand: "+
				"openssl rand -hex 64 > knobel.key, let KNOBEL_KEY_FILE name that file, and run knobel rekey", e.title)
			return
		}
	}
	d.off("names, ids and secrets in the database are not encrypted: KNOBEL_KEY_FILE is not set")
}

// checkSecretFiles warns about files with a key, password, token or database URL that other users can read.
func (d *doctor) checkSecretFiles(s *settings) {
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

// checkPlatforms prints the state of each platform. If b is nil, there is no database, and chats are not checked.
func (d *doctor) checkPlatforms(ctx context.Context, s *settings, b *wiring.Bot) {
	for _, e := range platformEntries() {
		switch on := e.settings[0].env; {
		case s.value(on) == "":
			d.off("%s: %s is not set", e.title, on)
		case e.check != nil:
			e.check(d, ctx, s)
		default:
			p, err := e.made(&platformBuilder{settings: *s, ctx: ctx, log: d.log, hooks: map[string]http.Handler{},
				messages: d.messages})
			if err != nil {
				d.wrong("%s: %v", e.title, err)
				continue
			}
			d.checkPlatform(ctx, e.title, p, b)
		}
	}
}

// checkPlatform prints what platform p finds about itself and, unless b is nil, about the chats with unfinished tables.
// title is the name of p in the output.
func (d *doctor) checkPlatform(ctx context.Context, title string, p chat.Platform, b *wiring.Bot) {
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
		d.fine("%s: is configured", title)
	}
	for _, f := range found {
		if f.Wrong {
			d.wrong("%s: %s", title, help.Said(d.messages, f))
			continue
		}
		d.fine("%s: %s", title, help.Said(d.messages, f))
	}
}

// mendTotals replaces leaderboard totals that differ from the results of games, and prints each. Knobel must not run.
func (s *settings) mendTotals(ctx context.Context, w world) error {
	return s.withDatabase(ctx, func(st *store.Store) error {
		if _, err := newUpdatedBot(ctx, st, s.logger(w)); err != nil {
			return err
		}
		p, end := w.progress("comparing the totals of chats")
		wrong, err := st.MendTotals(ctx, p.set)
		end()
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("stopped %s chats: nothing was changed", p.stateText())
		}
		for _, f := range wrong {
			fmt.Fprintf(w.out, "mended %s\n", f)
		}
		return err
	})
}
