package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/lease"
	"knobel/bot/web"
	"knobel/bot/words"
	"knobel/cmd/wiring"
	"knobel/store"
)

// Command serve, and the creation of the bot and its messages for all commands.

func serveCommand(w world, s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve everything that is configured (also without any command)",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return serve(c.Context(), w, *s) },
	}
	s.serveFlags(c.Flags())
	return c
}

// serve runs the bot on all configured platforms until ctx is done.
func serve(ctx context.Context, w world, s settings) (err error) {
	m := newMeter(s.configured()...)
	// The log counts all lines, then drops repetitions and consequences of a database outage.
	lines := countedLog(s.logger(w).Handler(), m.logged)
	away := &blackout{log: slog.New(lines), away: func(err error) bool {
		return !store.IsFile(s.db) && store.Unreached(err)
	}}
	log := slog.New(silenced(deduplicated(lines, newTroubles()), away, store.OfDatabase))
	st, listener, err := s.openToServe(ctx, log, away)
	if listener != nil {
		defer listener.Close() // a no-op if the page has closed it
	}
	if err != nil && ctx.Err() != nil {
		log.Info("stopped while waiting for database")
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if err := servable(ctx, st); err != nil {
		return err
	}
	log.Info("knobel", "version", thisBuild().String(), "database", st.File())
	for _, found := range st.Found() {
		log.Warn(found)
	}
	if u := st.Upgraded(); u.Backup != "" {
		log.Info("database migrated", "from", u.From, "to", u.To, "backup", u.Backup)
	}
	for _, doubt := range s.doubts() {
		log.Warn(doubt)
	}
	var leases *lease.Holder // nil for a file, which has no other replica
	if !store.IsFile(s.db) {
		leases = lease.New(lease.Config{Store: st, Log: log})
	}
	b, err := s.newBot(st, log, m, leases)
	if err != nil {
		return err
	}
	if err := b.CatchUp(ctx); err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	make := &making{settings: s, ctx: ctx, log: log, hooks: map[string]http.Handler{}, said: b.Words, world: w,
		store: st, bot: b, meter: m, away: away, listener: listener, stop: stop}
	platforms, err := make.platforms()
	if err != nil {
		return err
	}
	var watching sync.WaitGroup
	defer watching.Wait()
	defer stop(nil)
	make.watch(&watching)
	b.Run(ctx, platforms...)
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	log.Info("closed")
	return nil
}

// watch starts goroutines that probe the database in an outage, check that this replica may still use it, and serve
// profiles, until m.ctx is done.
func (m *making) watch(watching *sync.WaitGroup) {
	watching.Go(func() {
		every(m.ctx, probeAgain, func() {
			if m.away.lasts() && m.store.Probe(m.ctx) == nil {
				m.away.ended()
			}
		})
	})
	if !store.IsFile(m.db) {
		// If another process used the database alone while this replica was disconnected, this one stops: its state is
		// stale, and the next start reads it again.
		watching.Go(func() {
			every(m.ctx, time.Second, func() {
				if err := m.store.There(); err != nil {
					m.stop(err)
				}
			})
		})
	}
	if m.profile != "" {
		watching.Go(func() {
			if err := profiling(m.ctx, m.profile, m.log); err != nil {
				m.stop(err)
			}
		})
	}
}

// openToServe opens the database for serving, and waits while its server is unreachable. listener is the page's
// listener if it was opened meanwhile for health checks, else nil.
func (s settings) openToServe(ctx context.Context, log *slog.Logger, away *blackout) (
	st *store.Store, listener net.Listener, err error,
) {
	waiting := &opening{log: log, listen: s.listen()}
	defer func() { listener = waiting.end() }()
	for {
		st, err = store.Open(ctx, s.db, store.SealedBy(s.key), store.Shared(), func(o *store.Options) {
			o.Zone, o.Trouble, o.Waiting = time.Local, away.troubled, waiting.waits
			o.Noticed = func(what string) { log.Warn(what) }
		})
		if err == nil {
			away.ended()
		}
		if err == nil || store.IsFile(s.db) || !store.Unreached(err) {
			return st, nil, err
		}
		if unknown, is := errors.AsType[*net.DNSError](err); is && unknown.IsNotFound {
			err = fmt.Errorf("no machine is called %s: it is waited for, in case that its name becomes known: %w",
				unknown.Name, err)
		}
		away.began(err)
		waiting.lost.Store(true)
		waiting.serve()
		select {
		case <-time.After(probeAgain):
		case <-ctx.Done():
			return nil, nil, err
		}
	}
}

// newBot returns the bot with the served games, their messages and the settings.
func (s settings) newBot(
	st *store.Store, log *slog.Logger, m bot.Meter, leases *lease.Holder,
) (*wiring.Bot, error) {
	said, err := s.sentences()
	if err != nil {
		return nil, err
	}
	if err := s.games.say(said); err != nil {
		return nil, err
	}
	spellings := map[string]chat.Spelling{} // by platform name
	for _, e := range entries() {
		spellings[e.name] = e.spells
	}
	commands := map[string]string{} // of renamed games, by name
	for name, title := range s.games.titles {
		commands[name] = slug(title)
	}
	b := wiring.New(bot.Config{Store: st, Games: s.games.of(played()), GameCommands: commands, Words: said, Log: log,
		Version: thisBuild().String(), Meter: m, KeepMoves: s.keep, Same: web.Same, Spellings: spellings,
		Leases: leases})
	for _, name := range slices.Sorted(maps.Keys(s.games.titles)) {
		for _, c := range b.AllCommands { // a title must not become the command of something else
			own := c.Game != nil && (c.Variant == name || c.Variant == "" && c.Game.Name() == name)
			if !own && (c.Name == commands[name] || slices.Contains(c.Aliases, commands[name])) {
				return nil, fmt.Errorf("games %q: /%s is another command already; take another title",
					name+"="+s.games.titles[name], commands[name])
			}
		}
	}
	return b, nil
}

// newBot returns a bot with default settings, for commands that do not serve.
func newBot(st *store.Store, log *slog.Logger) (*wiring.Bot, error) {
	return settings{}.newBot(st, log, nil, nil)
}

// changingBot returns a bot after it has updated data of an older version, as every start does.
func changingBot(ctx context.Context, st *store.Store, log *slog.Logger) (*wiring.Bot, error) {
	b, err := newBot(st, log)
	if err != nil {
		return nil, err
	}
	return b, b.CatchUp(ctx)
}

// sentences returns the shared messages of the bot and its games. Callers that change them use readSentences instead.
var sentences = sync.OnceValues(readSentences)

// readSentences returns a new copy of the messages of the bot and its games.
func readSentences() (*words.Words, error) {
	var systems []fs.FS
	for _, g := range played() {
		systems = append(systems, g.Words())
	}
	return words.New(systems...)
}

// sentences returns the messages of the bot and its games, with the drafts of the settings. It is a copy of the
// caller's own if there are drafts or titles, else shared.
func (s settings) sentences() (*words.Words, error) {
	if s.drafts == "" && len(s.games.titles) == 0 {
		return sentences()
	}
	said, err := readSentences()
	if err != nil || s.drafts == "" {
		return said, err
	}
	drafts := strings.FieldsFunc(s.drafts, func(r rune) bool { return r == ',' || r == ' ' })
	if err := said.Offer(drafts...); err != nil {
		return nil, fmt.Errorf("drafts %q: %w", s.drafts, err)
	}
	return said, nil
}

// Names of settings in the database. settingUntold is "" once the password has been shown.
const (
	settingSecret = "web-secret"
	settingUntold = "web-secret-untold" // "" if the password was shown
	settingKey    = "web-key"
	// settingEphemeral is "off" if the Bot API lacked ephemeral messages in the latest run.
	settingEphemeral = "telegram-ephemeral"
)

// changeSetting replaces the value of a setting by the result of change, in one transaction. "" means unset.
func changeSetting(ctx context.Context, st *store.Store, name string, change func(string) (string, error)) error {
	return st.UpdateOf(ctx, store.OfSetting(name), func(tx *store.Tx) error {
		was, err := tx.Chats.Setting(name)
		if err != nil {
			return err
		}
		changed, err := change(was)
		if err != nil || changed == was {
			return err
		}
		return tx.Chats.SaveSetting(name, changed)
	})
}

// note stores state in a setting, so that doctor can report that a feature of a platform is off.
func (m *making) note(setting, state string) error {
	if m.store == nil {
		return nil // doctor has no store to write to
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(m.ctx), 10*time.Second)
	defer cancel()
	return changeSetting(ctx, m.store, setting, func(string) (string, error) { return state, nil })
}

// madeSecret returns the password of the browser page and generates it at the first call. made reports whether it has
// not been shown yet.
func madeSecret(ctx context.Context, st *store.Store) (secret string, made bool, err error) {
	err = st.UpdateOf(ctx, store.OfSetting(settingSecret), func(tx *store.Tx) error {
		untold, err := tx.Chats.Setting(settingUntold)
		if err == nil {
			secret, err = tx.Chats.Setting(settingSecret)
		}
		if made = untold != "" || secret == ""; err != nil || secret != "" {
			return err
		}
		secret = rand.Text()
		return errors.Join(tx.Chats.SaveSetting(settingUntold, "yes"), tx.Chats.SaveSetting(settingSecret, secret))
	})
	return secret, made, err
}
