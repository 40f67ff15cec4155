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

// Command serve, and creating the bot and its messages, which other commands also need.

// serveCommand returns the command that runs the bot.
func serveCommand(w world, s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the bot and the browser page (default)",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return serve(c.Context(), w, *s) },
	}
	s.serveFlags(c.Flags())
	return c
}

// serve runs the bot on all configured platforms until ctx is done, and then returns nil.
func serve(ctx context.Context, w world, s settings) (err error) {
	m := newMeter(s.configured()...)
	// The log first drops errors that a database outage causes, then repetitions. Then it counts the lines that remain.
	lines := newLogCounter(s.logger(w).Handler(), m.logged)
	outage := &databaseOutage{log: slog.New(lines), isOutage: func(err error) bool {
		return !store.IsFile(s.db) && store.Unreached(err)
	}}
	log := slog.New(newSilencer(newDeduplicator(lines, newTroubleCounts()), outage, store.OfDatabase))
	st, listener, err := s.openToServe(ctx, log, outage)
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
	if err := checkServable(ctx, st); err != nil {
		return err
	}
	log.Info("knobel started", "version", thisBuild().String(), "database", st.File())
	for _, found := range st.Found() {
		log.Warn("database repaired", "error", errors.New(found))
	}
	if u := st.Upgraded(); u.Backup != "" {
		log.Info("database migrated", "from", u.From, "to", u.To, "backup", u.Backup)
	}
	for _, warning := range s.warnings() {
		log.Warn("doubtful setting", "error", errors.New(warning)) // repetitions are recognized by their error
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
	make := &platformBuilder{settings: s, ctx: ctx, log: log, hooks: map[string]http.Handler{}, messages: b.Words,
		world: w, store: st, bot: b, meter: m, outage: outage, listener: listener, stop: stop}
	platforms, err := make.platforms()
	if err != nil {
		return err
	}
	var checks sync.WaitGroup
	defer checks.Wait()
	defer stop(nil)
	make.startChecks(&checks)
	b.Run(ctx, platforms...)
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	log.Info("knobel stopped")
	return nil
}

// startChecks starts goroutines in group, until m.ctx is done: one probes the database during an outage, one checks
// that this replica may still use it, and one serves profiles.
func (m *platformBuilder) startChecks(group *sync.WaitGroup) {
	group.Go(func() {
		runEvery(m.ctx, probeAgain, func() {
			if m.outage.isActive() && m.store.Probe(m.ctx) == nil {
				m.outage.end()
			}
		})
	})
	if !store.IsFile(m.db) {
		// If another process had exclusive access while this replica was disconnected, this replica stops:
		// its cached data is outdated, and after a restart it reads the database again.
		group.Go(func() {
			runEvery(m.ctx, time.Second, func() {
				if err := m.store.There(); err != nil {
					m.stop(err)
				}
			})
		})
	}
	if m.profile != "" {
		group.Go(func() {
			if err := serveProfiles(m.ctx, m.profile, m.log); err != nil {
				m.stop(err)
			}
		})
	}
}

// openToServe opens the database for serving, and waits while its server cannot be reached. If it had to answer health
// checks meanwhile, listener is open and then serves the browser page; otherwise it is nil.
func (s settings) openToServe(ctx context.Context, log *slog.Logger, outage *databaseOutage) (
	st *store.Store, listener net.Listener, err error,
) {
	startup := &startupServer{log: log, listen: s.listen()}
	defer func() { listener = startup.stopServing() }()
	for {
		st, err = store.Open(ctx, s.db, store.SealedBy(s.key), store.Shared(), func(o *store.Options) {
			o.Zone, o.Trouble, o.Waiting = time.Local, outage.update, startup.wait
			o.Noticed = func(what string) { log.Warn("database repaired", "error", errors.New(what)) }
		})
		if err == nil {
			outage.end()
		}
		if err == nil || store.IsFile(s.db) || !store.Unreached(err) {
			return st, nil, err
		}
		if unresolved, is := errors.AsType[*net.DNSError](err); is && unresolved.IsNotFound {
			err = fmt.Errorf("host %s not found; waiting for it to appear: %w",
				unresolved.Name, err)
		}
		outage.start(err)
		startup.unreachable.Store(true)
		startup.serve()
		select {
		case <-time.After(probeAgain):
		case <-ctx.Done():
			return nil, nil, err
		}
	}
}

// newBot returns the bot with the served games, their messages and the settings. If m is nil, nothing is measured. If
// leases is nil, there are no other replicas.
func (s settings) newBot(
	st *store.Store, log *slog.Logger, m bot.Meter, leases *lease.Holder,
) (*wiring.Bot, error) {
	messages, err := s.messages()
	if err != nil {
		return nil, err
	}
	if err := s.games.setTitles(messages); err != nil {
		return nil, err
	}
	spellings := map[string]chat.Spelling{} // by platform name
	for _, e := range platformEntries() {
		spellings[e.name] = e.spells
	}
	commands := map[string]string{} // new commands of renamed games, by the game's own name
	for name, title := range s.games.titles {
		commands[name] = slug(title)
	}
	b := wiring.New(bot.Config{Store: st, Games: s.games.filter(allGames()), GameCommands: commands, Words: messages,
		Log: log, Version: thisBuild().String(), Meter: m, KeepMoves: s.keep, Same: web.Same, Spellings: spellings,
		Leases: leases})
	for _, name := range slices.Sorted(maps.Keys(s.games.titles)) {
		for _, c := range b.AllCommands { // a title must not become the command of something else
			isOwn := c.Game != nil && (c.Variant == name || c.Variant == "" && c.Game.Name() == name)
			if !isOwn && (c.Name == commands[name] || slices.Contains(c.Aliases, commands[name])) {
				return nil, fmt.Errorf("games %q: the command /%s already exists; choose another title",
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

// newUpdatedBot returns a bot with default settings after it has updated data of older versions, as every start does.
func newUpdatedBot(ctx context.Context, st *store.Store, log *slog.Logger) (*wiring.Bot, error) {
	b, err := newBot(st, log)
	if err != nil {
		return nil, err
	}
	return b, b.CatchUp(ctx)
}

// sharedMessages returns the messages of the bot and its games, read once. Use readMessages for messages to be changed.
var sharedMessages = sync.OnceValues(readMessages)

// readMessages returns the messages of the bot and its games, in a new copy.
func readMessages() (*words.Words, error) {
	var systems []fs.FS
	for _, g := range allGames() {
		systems = append(systems, g.Words())
	}
	return words.New(systems...)
}

// messages returns the messages of the bot and its games, with the languages in s.drafts. If there are drafts or new
// titles of games, they are a new copy that may be changed. Otherwise they are sharedMessages: do not change these.
func (s settings) messages() (*words.Words, error) {
	if s.drafts == "" && len(s.games.titles) == 0 {
		return sharedMessages()
	}
	messages, err := readMessages()
	if err != nil || s.drafts == "" {
		return messages, err
	}
	drafts := strings.FieldsFunc(s.drafts, func(r rune) bool { return r == ',' || r == ' ' })
	if err := messages.Offer(drafts...); err != nil {
		return nil, fmt.Errorf("drafts %q: %w", s.drafts, err)
	}
	return messages, nil
}

// Names of values that are stored in the database.
const (
	settingSecret  = "web-secret"
	settingUnshown = "web-secret-untold" // "" once the password was shown
	settingKey     = "web-key"
	settingPush    = "push-key"
	// settingEphemeral is "off" if Telegram's Bot API did not know ephemeral messages when Knobel last ran.
	settingEphemeral = "telegram-ephemeral"
)

// changeSetting calls change with the stored value called name, "" if unset, and stores the result, in one transaction.
func changeSetting(ctx context.Context, st *store.Store, name string, change func(string) (string, error)) error {
	return st.UpdateOf(ctx, store.OfSetting(name), func(tx *store.Tx) error {
		old, err := tx.Chats.Setting(name)
		if err != nil {
			return err
		}
		value, err := change(old)
		if err != nil || value == old {
			return err
		}
		return tx.Chats.SaveSetting(name, value)
	})
}

// storeState stores the state of a platform's feature, for doctor, in the database under the name setting.
func (m *platformBuilder) storeState(setting, state string) error {
	if m.store == nil {
		return nil // doctor has no store to write to
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(m.ctx), 10*time.Second)
	defer cancel()
	return changeSetting(ctx, m.store, setting, func(string) (string, error) { return state, nil })
}

// pagePassword returns the password of the browser page that is stored in the database. If there is none, it generates
// one. unshown: the operator has not seen the password yet.
func pagePassword(ctx context.Context, st *store.Store) (password string, unshown bool, err error) {
	err = st.UpdateOf(ctx, store.OfSetting(settingSecret), func(tx *store.Tx) error {
		notShown, err := tx.Chats.Setting(settingUnshown)
		if err == nil {
			password, err = tx.Chats.Setting(settingSecret)
		}
		if unshown = notShown != "" || password == ""; err != nil || password != "" {
			return err
		}
		password = rand.Text()
		return errors.Join(tx.Chats.SaveSetting(settingUnshown, "yes"), tx.Chats.SaveSetting(settingSecret, password))
	})
	return password, unshown, err
}
