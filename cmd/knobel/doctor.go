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
	"strings"
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
		Short: "Check the configuration, the connections and the database",
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
		"first correct leaderboard totals that differ from the results; stop Knobel before")
	return c
}

// runDoctor checks configuration, database and platforms, and prints findings. For faults it returns errFound.
func (s *settings) runDoctor(ctx context.Context, w world) error {
	messages, err := s.messages()
	if err != nil {
		return err
	}
	d := &doctor{world: w, log: s.logger(w), messages: messages}
	d.fine("version: knobel %s", thisBuild())
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
		return fmt.Errorf("stopped; %s so far", d.problems())
	}
	if d.faults > 0 {
		fmt.Fprintf(d.out, "%s found.\n", d.problems())
		return errFound
	}
	fmt.Fprintln(d.out, "Everything is fine.")
	return nil
}

// doctor prints findings and counts those that are faults.
type doctor struct {
	world
	log      *slog.Logger
	messages *words.Words
	faults   int
}

// problems returns the number of faults in words: "1 problem".
func (d *doctor) problems() string {
	if d.faults == 1 {
		return "1 problem"
	}
	return fmt.Sprint(d.faults, " problems")
}

// fine prints a finding that is as it should be.
func (d *doctor) fine(format string, args ...any) {
	fmt.Fprintf(d.out, "ok     "+format+"\n", args...)
}

// wrong prints a fault and counts it.
func (d *doctor) wrong(format string, args ...any) {
	d.faults++
	fmt.Fprintf(d.out, "FAIL   "+format+"\n", args...)
}

// failed prints err as a fault, unless ctx is done: then Ctrl-C caused it.
func (d *doctor) failed(ctx context.Context, err error) {
	if ctx.Err() == nil {
		d.wrong("%v", err)
	}
}

// warn prints a finding that is not a fault but should be changed.
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
			d.off("database %s: does not exist yet; knobel serve creates it", s.database())
		}
		d.checkKey(s)
		return nil
	}
	st, err := store.OpenReadOnly(ctx, s.db, store.SealedBy(s.key))
	if err != nil {
		d.failed(ctx, err)
		return nil
	}
	d.fine("database %s: readable", s.database())
	if err := checkServable(ctx, st); err != nil {
		d.failed(ctx, err)
	}
	d.checkKey(s)
	return st
}

// checkDatabase checks the content of the database and prints findings. It returns an error if a check has failed to
// run.
func (d *doctor) checkDatabase(ctx context.Context, st *store.Store, b *wiring.Bot) error {
	_, end := d.progress("checking the balances")
	faults, err := st.Check(ctx)
	end()
	if err := printFaults(d, faults, err, "balances: they add up to zero, and nothing is missing or left "+
		"over"); err != nil {
		return err
	}
	// Older versions accepted payments that only one person had confirmed. They are valid until an admin undoes them.
	err = st.View(ctx, func(tx *store.Tx) error {
		doubtful, err := tx.Books.Doubtful()
		for _, p := range doubtful {
			word := "only one person confirmed it"
			if p.Perhaps {
				word = "perhaps only one person confirmed it, and the other was forgotten"
			}
			d.warn("payment %d in chat %s: %d %s from %s to %s increased or reversed a balance, and %s; an admin "+
				"of the chat can undo it with /settle back %d", p.ID, p.Chat, p.Amount, p.Unit, p.Payer, p.Payee, word,
				p.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	p, end := d.progress("replaying every table")
	stale, err := b.Check(ctx, p.set)
	end()
	if err := printFaults(d, stale, err, "tables: each one matches its seed and moves"); err != nil {
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
			d.warn("telegram: the Bot API has no ephemeral messages; KNOBEL_TELEGRAM_EPHEMERAL has no effect until " +
				"the next start")
		}
		if bare, err = tx.Tables.CountWithoutMoves(); err == nil {
			failed, err = tx.Reviews.GivenUp(20)
		}
		return err
	})
	for _, table := range failed {
		d.warn("table %d: its review failed; the log has the reason", table)
	}
	if err == nil {
		err = d.checkPushes(ctx, st)
	}
	if bare > 0 {
		d.off("%d older games: their moves were deleted, so only seeds and results were checked", bare)
	}
	return err
}

// checkPushes prints how many browsers have subscribed to Web Push and what became of pushes, if there were any.
func (d *doctor) checkPushes(ctx context.Context, st *store.Store) error {
	return st.View(ctx, func(tx *store.Tx) error {
		did, subscriptions, err := tx.Rooms.PushCounts()
		if err == nil && subscriptions+did["sent"]+did["refused"]+did["removed"] > 0 {
			d.fine("notifications by Web Push: %d subscriptions; %d sent, %d refused, %d removed", subscriptions,
				did["sent"], did["refused"], did["removed"])
		}
		return err
	})
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
		d.fine("encryption: on, with the key in %s; keep it apart from the backups", s.keyFile)
		return
	}
	for _, e := range s.served() {
		if e.sealed {
			d.warn("encryption: off, but %s's terms for bots require it: run openssl rand -hex 64 > knobel.key, set "+
				"KNOBEL_KEY_FILE to that file, and run knobel rekey", e.title)
			return
		}
	}
	d.off("encryption: KNOBEL_KEY_FILE is not set")
}

// checkSecretFiles warns about files with a key, password, token or database URL that other users can read.
func (d *doctor) checkSecretFiles(s *settings) {
	if runtime.GOOS == "windows" { // file modes do not show readers there
		return
	}
	files := [][2]string{{"key file", s.keyFile}}
	if !store.IsFile(s.db) && d.getenv("KNOBEL_DB") == "" {
		files = append(files, [2]string{"database URL file", d.getenv("KNOBEL_DB_FILE")})
	}
	for _, t := range allSettings() {
		if (t.holds == token || t.holds == password) && d.getenv(t.env) == "" {
			files = append(files, [2]string{t.env + "_FILE", d.getenv(t.env + "_FILE")})
		}
	}
	for _, f := range files {
		if info, err := os.Stat(f[1]); err == nil && f[1] != "" && info.Mode().Perm()&0o044 != 0 {
			d.warn("%s %s: other users can read it; run chmod 600 %[2]s", f[0], f[1])
		}
	}
}

// checkPlatforms prints the state of each platform. If b is nil, there is no database, and chats are not checked.
func (d *doctor) checkPlatforms(ctx context.Context, s *settings, b *wiring.Bot) {
	for _, e := range platformEntries() {
		subject := strings.ToLower(e.title)
		switch on := e.settings[0].env; {
		case s.value(on) == "":
			d.off("%s: %s is not set", subject, on)
		case e.check != nil:
			e.check(d, ctx, s)
		default:
			p, err := e.made(&platformBuilder{settings: *s, ctx: ctx, log: d.log, hooks: map[string]http.Handler{},
				messages: d.messages})
			if err != nil {
				d.wrong("%s: %v", subject, err)
				continue
			}
			d.checkPlatform(ctx, subject, p, b)
		}
	}
}

// checkPlatform prints what platform p finds about itself and, unless b is nil, about the chats with unfinished tables.
// subject is the name of p in the output.
func (d *doctor) checkPlatform(ctx context.Context, subject string, p chat.Platform, b *wiring.Bot) {
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
		d.fine("%s: configured", subject)
	}
	for _, f := range found {
		if f.Wrong {
			d.wrong("%s: %s", subject, help.Said(d.messages, f))
			continue
		}
		d.fine("%s: %s", subject, help.Said(d.messages, f))
	}
}

// mendTotals replaces leaderboard totals that differ from the results of games, and prints each. Knobel must not run.
func (s *settings) mendTotals(ctx context.Context, w world) error {
	return s.withDatabase(ctx, func(st *store.Store) error {
		if _, err := newUpdatedBot(ctx, st, s.logger(w)); err != nil {
			return err
		}
		p, end := w.progress("comparing the totals")
		wrong, err := st.MendTotals(ctx, p.set)
		end()
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("stopped %s chats; nothing was changed", p.stateText())
		}
		for _, f := range wrong {
			fmt.Fprintf(w.out, "mended %s\n", f)
		}
		return err
	})
}
