package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"knobel/bot"
	"knobel/bot/discord"
	"knobel/bot/telegram"
	"knobel/store"
)

func doctorCommand(w world, s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say what is configured, reachable and permitted, and check the books; exit 1 when something is wrong",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d := doctor{out: w.out}
			d.fine("knobel %s", thisBuild())
			d.database(c.Context(), w, s)
			d.key(s)
			d.platforms(c.Context(), w, s)
			if d.faults > 0 {
				fmt.Fprintf(w.out, "%d found wrong.\n", d.faults)
				return errFound
			}
			fmt.Fprintln(w.out, "All is well.")
			return nil
		},
	}
}

// examineWithin bounds how long a platform may take to answer.
const examineWithin = 20 * time.Second

// doctor tells findings and counts those that are wrong.
type doctor struct {
	out    io.Writer
	faults int
}

func (d *doctor) fine(format string, args ...any) {
	fmt.Fprintf(d.out, "ok     "+format+"\n", args...)
}

func (d *doctor) wrong(format string, args ...any) {
	d.faults++
	fmt.Fprintf(d.out, "WRONG  "+format+"\n", args...)
}

// warn tells of what is not wrong, but ought to be otherwise.
func (d *doctor) warn(format string, args ...any) {
	fmt.Fprintf(d.out, "warn   "+format+"\n", args...)
}

func (d *doctor) off(format string, args ...any) {
	fmt.Fprintf(d.out, "off    "+format+"\n", args...)
}

// database opens the database for reading and checks everything in it.
func (d *doctor) database(ctx context.Context, w world, s *settings) {
	if _, err := os.Stat(s.db); errors.Is(err, fs.ErrNotExist) {
		d.off("database %s: not there yet, knobel serve makes it", s.db)
		return
	}
	err := s.reading(ctx, func(st *store.Store) error {
		d.fine("database %s can be read", s.db)
		faults, err := st.Check(ctx)
		if err != nil {
			return err
		}
		for _, f := range faults {
			d.wrong("%s", f)
		}
		if len(faults) == 0 {
			d.fine("the books add up to zero, and nothing is missing or left over")
		}
		b, err := newBot(st, s.logger(w))
		if err != nil {
			return err
		}
		stale, err := b.Check(ctx)
		if err != nil {
			return err
		}
		for _, f := range stale {
			d.wrong("%s", f)
		}
		if len(stale) == 0 {
			d.fine("every table is what its seed and moves play to")
		}
		var bare int64
		err = st.View(ctx, func(tx *store.Tx) (err error) { bare, err = tx.Bare(); return err })
		if bare > 0 {
			d.off("%d older games keep no moves any longer, so that only their seeds and results were checked", bare)
		}
		return err
	})
	if err != nil {
		d.wrong("%v", err)
	}
}

// key says whether names and ids are encrypted. Telegram's terms for bots demand
// that they are.
func (d *doctor) key(s *settings) {
	switch {
	case s.key != nil:
		d.fine("names and ids in the database are encrypted with the key in %s: keep it elsewhere than the backups", s.keyFile)
	case s.telegramToken != "":
		d.warn("names and ids in the database are not encrypted, as Telegram's terms for bots demand: " +
			"openssl rand -hex 64 > knobel.key, let KNOBEL_KEY_FILE name that file, and run knobel rekey")
	default:
		d.off("names and ids in the database are not encrypted: KNOBEL_KEY_FILE is not set")
	}
}

// platforms asks each platform that is configured how it stands.
func (d *doctor) platforms(ctx context.Context, w world, s *settings) {
	log := s.logger(w)
	if s.discordToken == "" {
		d.off("Discord: KNOBEL_DISCORD_TOKEN is not set")
	} else {
		d.examine(ctx, "Discord", discord.New(discord.Options{Token: s.discordToken, URL: s.discordURL, Log: log}), s, log)
	}
	if s.telegramToken == "" {
		d.off("Telegram: KNOBEL_TELEGRAM_TOKEN is not set")
	} else {
		d.examine(ctx, "Telegram", telegram.New(telegram.Options{Token: s.telegramToken, URL: s.telegramURL, Webhook: telegram.Webhook{URL: s.telegramHook}, Log: log}), s, log)
	}
	if s.listen == "" {
		d.off("browser table: KNOBEL_LISTEN is not set")
		return
	}
	if err := healthy(ctx, s.listen); err != nil {
		d.off("browser table on %s: does not run at present (%v)", s.listen, err)
		return
	}
	d.fine("browser table on %s is open and well", s.listen)
}

// consulted is a platform that tells how it stands, and how the bot stands in its
// chats.
type consulted interface {
	Name() string
	bot.Examined
	bot.Consulted
}

// examine asks a platform; of the chats it asks where the database tells of
// tables that go on in them.
func (d *doctor) examine(ctx context.Context, called string, p consulted, s *settings, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, examineWithin)
	defer cancel()
	found := p.Examine(ctx)
	if slices.ContainsFunc(found, func(f bot.Finding) bool { return f.Wrong && f.Line.Key == "" }) {
		d.tell(called, found) // the platform itself
		return
	}
	if _, err := os.Stat(s.db); err == nil {
		err = s.reading(ctx, func(st *store.Store) error {
			b, err := newBot(st, log)
			if err != nil {
				return err
			}
			more, err := b.ConsultAll(ctx, p.Name(), p)
			found = append(found, more...)
			return err
		})
		if err != nil {
			found = append(found, bot.Finding{Text: err.Error(), Wrong: true})
		}
	}
	d.tell(called, found)
}

// tell tells what a platform says.
func (d *doctor) tell(called string, found []bot.Finding) {
	said, err := sentences()
	if err != nil {
		d.wrong("%v", err)
		return
	}
	for _, f := range found {
		if f.Wrong {
			d.wrong("%s: %s", called, f.Said(said))
			continue
		}
		d.fine("%s: %s", called, f.Said(said))
	}
}
