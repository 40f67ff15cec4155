package main

// The platforms: one entry each, from which serving, settings and doctor follow.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/discord"
	"knobel/bot/review"
	"knobel/bot/telegram"
	"knobel/bot/web"
	"knobel/bot/words"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// entry is a platform as the program knows it. Flags, variables, their checks, what is
// served, what doctor says, the labels of metrics and the handbooks' tests follow from it.
type entry struct {
	name   string        // what its ids begin with
	title  string        // how operators read of it
	spells chat.Spelling // writes commands in sentences; nil: behind "/"
	sealed bool          // its terms demand that names in the database are encrypted
	// settings are what an operator can set. The platform is served where the first has
	// a value.
	settings []setting
	// made makes it of what is set.
	made func(m *making) (chat.Platform, error)
	// look tells doctor's findings in place of asking the platform; nil: it is asked.
	look func(d *doctor, ctx context.Context, s *settings)
}

// making is what a platform can be made of.
type making struct {
	settings
	ctx      context.Context // that of serving
	log      *slog.Logger
	answered func(time.Duration) // counts how long a person waited for an answer; nil: nobody counts
	// hooks are what is served beside the page at --listen, by path, with no questions
	// asked: a platform that is called there adds its own.
	hooks map[string]http.Handler
	said  *words.Words // for what a platform says itself

	// The rest is for the page, which serves all of them.
	world world
	store *store.Store
	bot   *wiring.Bot
	meter *meter
	away  *blackout
	// listener is what has listened for the page while the database was opened; nil: nothing has.
	listener net.Listener
	others   []chat.Platform // that were made before
	stop     context.CancelCauseFunc
}

// entries are all platforms that are served. The page is the last: it serves what others
// have at --listen.
func entries() []entry {
	return []entry{
		{
			name: "discord", title: "Discord", spells: discord.Spell,
			settings: []setting{
				{env: "KNOBEL_DISCORD_TOKEN", holds: token},
				{env: "KNOBEL_DISCORD_API_URL", holds: address, usage: "scheme and host in place of Discord's"},
				{env: "KNOBEL_DISCORD_SHARDS", check: problem(discord.ParseShards),
					usage: "how many connections to Discord share the servers: a number, or auto for as many as " +
						"Discord recommends"},
				{env: "KNOBEL_DISCORD_PUBLIC_KEY", check: problem(discord.ParseKey),
					leads: "the Interactions Endpoint URL",
					usage: "public key of the application, for interactions that Discord delivers to " +
						discord.HookPath +
						" of --listen; without it they come over the gateway"},
				{env: "KNOBEL_DISCORD_EMOJI", check: problem(onOrOff),
					usage: "whether boards on Discord are drawn with emoji of the bot's own, which it " +
						"uploads: on or off"},
			},
			made: func(m *making) (chat.Platform, error) {
				shards, err1 := discord.ParseShards(m.value("KNOBEL_DISCORD_SHARDS"))
				key, err2 := discord.ParseKey(m.value("KNOBEL_DISCORD_PUBLIC_KEY"))
				emoji, err3 := onOrOff(cmp.Or(m.value("KNOBEL_DISCORD_EMOJI"), "on"))
				d := discord.New(discord.Options{
					Token: m.value("KNOBEL_DISCORD_TOKEN"), URL: m.value("KNOBEL_DISCORD_API_URL"), Key: key,
					Shards: shards, Letters: !emoji, Leases: m.leases(),
					Log: m.log, Answered: m.answered,
				})
				if key != nil {
					m.hooks[discord.HookPath] = d.Hook()
				}
				return d, errors.Join(err1, err2, err3)
			},
		},
		{
			name: "telegram", title: "Telegram", sealed: true,
			settings: []setting{
				{env: "KNOBEL_TELEGRAM_TOKEN", holds: token},
				{env: "KNOBEL_TELEGRAM_API_URL", holds: address, usage: "scheme and host in place of Telegram's"},
				{env: "KNOBEL_TELEGRAM_WEBHOOK_URL", leads: itself,
					check: func(_, url string) error { return telegram.Webhook{URL: url}.Check() },
					usage: "https address at which Telegram reaches " + telegram.HookPath +
						" of --listen; without it Telegram is polled"},
				{env: "KNOBEL_TELEGRAM_EPHEMERAL", check: problem(onOrOff),
					usage: "on: answers without buttons that one person alone needs are shown to that person alone, " +
						"where the Bot API knows ephemeral messages (10.2)"},
			},
			made: func(m *making) (chat.Platform, error) {
				hook := m.value("KNOBEL_TELEGRAM_WEBHOOK_URL")
				ephemeral, err := onOrOff(m.value("KNOBEL_TELEGRAM_EPHEMERAL"))
				err = errors.Join(err, m.note(settingEphemeral, ""))
				t := telegram.New(telegram.Options{
					Ephemeral: ephemeral, NoEphemeral: func() { _ = m.note(settingEphemeral, "off") },
					Token: m.value("KNOBEL_TELEGRAM_TOKEN"), URL: m.value("KNOBEL_TELEGRAM_API_URL"),
					Webhook: telegram.Webhook{URL: hook}, Log: m.log, Answered: m.answered, Leases: m.leases(),
				})
				if hook != "" {
					m.hooks[telegram.HookPath] = t.Hook()
				}
				return t, err
			},
		},
		{
			name: "web", title: "browser table",
			settings: []setting{
				{env: "KNOBEL_LISTEN", alone: web.DefaultListen, check: listenable,
					usage: "address of the browser table and the health check"},
				{env: "KNOBEL_PROXIES", check: problem(web.ParseProxies),
					usage: "addresses of the proxies before --listen that are believed who asks, such as 127.0.0.1"},
				{env: "KNOBEL_WEB_SECRET", holds: password, usage: "secret of the browser table beyond loopback"},
				{env: "KNOBEL_WEB_ROOMS", check: problem(parseRooms),
					usage: "who comes into a room that somebody has made: open, whoever has its address, or secret, " +
						"whoever knows the secret as well"},
			},
			made: browserTable,
			look: (*doctor).browserTable,
		},
	}
}

// browserTable is the page with its room. What ends it, such as a port that is taken, ends everything.
func browserTable(m *making) (chat.Platform, error) {
	c := web.Config{
		Listen: m.listen(), Listener: m.listener, Secret: m.webSecret(), Proxies: m.proxies(), Log: m.log,
		Also: m.hooks, Answered: m.answered, Broke: m.broke, Words: m.said,
		Ready: (&readiness{store: m.store, platforms: m.others}).ready, Record: m.record, Store: m.store,
		Call:     m.bot.Calls.Sent,
		Operator: map[string]http.Handler{"GET /metrics": metrics(m)},
		Failed:   m.stop,
	}
	if !store.IsFile(m.settings.db) { // which has one replica
		c.Alone = func() bool { return m.bot.Leases.Replicas() == 1 }
	}
	made := false
	var err error
	if c.GuardRooms, err = parseRooms(m.value("KNOBEL_WEB_ROOMS")); err != nil {
		return nil, err
	}
	if c.Key, err = cookieKey(m.ctx, m.store); err != nil {
		return nil, err
	}
	if c.Secret == "" && (m.behindProxy() || !web.Loopback(c.Listen)) {
		if c.Secret, made, err = madeSecret(m.ctx, m.store); err != nil {
			return nil, err
		}
	}
	c.Reach = m.reach
	c.Listening = func(url string) { m.tell(url, c.Secret, made) }
	return web.New(c), nil
}

// record returns the record of a chat's table as a line, nil if there is none.
func (m *making) record(ctx context.Context, of chat.Chat, table int64) (line []byte, err error) {
	err = m.bot.Export(ctx, review.Wanted{Chat: of, Table: table}, func(r record.Record) error {
		line, err = r.Encode()
		return err
	})
	if _, refused := games.Refused(err); refused || errors.Is(err, store.ErrNotFound) ||
		errors.Is(err, review.ErrMovesDropped) {
		return nil, nil
	}
	return line, err
}

// broke counts a request that has failed before the bot heard of it.
func (m *making) broke(r *http.Request) {
	did := bot.Came
	switch {
	case strings.HasSuffix(r.URL.Path, "/press"):
		did = bot.Pressed
	case strings.HasSuffix(r.URL.Path, "/command"):
		did = bot.Commanded
	}
	m.meter.Handled("web", did, bot.Failed, 0)
}

// leases are what this replica does while others are there; nil: a file has no other.
func (m *making) leases() chat.Leases {
	if m.bot == nil || store.IsFile(m.settings.db) {
		return nil
	}
	return m.bot.Leases
}

// tell prints where the page is, with its secret where that was made just now.
func (m *making) tell(own, secret string, made bool) {
	if !made {
		secret = ""
	}
	if m.settings.log == "json" {
		tellProgram(m.world.out, own, secret, m.reach(own))
	} else {
		tellNetwork(m.world.out, m.world.columns, own, secret, m.reach(own))
	}
	if made {
		err := m.store.Update(m.ctx, func(tx *store.Tx) error { return tx.Chats.SaveSetting(settingUntold, "") })
		if err != nil {
			m.log.Error("store password state failed", "error", err)
		}
	}
}

// reach are the addresses at which others in this network open a page that this machine opens at own.
func (m *making) reach(own string) []string {
	found, err := interfaces()
	if err != nil {
		m.log.Error("list network addresses failed", "error", err)
	}
	return pages(m.listen(), own, reachable(found))
}

// browserTable says how the browser table of the running program is.
func (d *doctor) browserTable(ctx context.Context, s *settings) {
	if err := healthy(ctx, s.listen()); err != nil {
		d.off("browser table on %s: does not run at present (%v)", s.listen(), err)
		return
	}
	d.fine("browser table on %s is open and well", s.listen())
}

// served are the entries of the platforms that are configured.
func (s settings) served() (all []entry) {
	for _, e := range entries() {
		if s.value(e.settings[0].env) != "" {
			all = append(all, e)
		}
	}
	return all
}

// spellings say how sentences write commands, by platform, where they are not texts behind "/".
func spellings() map[string]chat.Spelling {
	all := map[string]chat.Spelling{}
	for _, e := range entries() {
		all[e.name] = e.spells
	}
	return all
}

// configured are the names of the platforms that are.
func (s settings) configured() []string { return namesOf(s.served()) }

func namesOf(all []entry) (names []string) {
	for _, e := range all {
		names = append(names, e.name)
	}
	return names
}

// platforms are those that are configured.
func (m *making) platforms() ([]chat.Platform, error) {
	for _, e := range m.served() {
		m.answered = m.meter.answering(e.name)
		p, err := e.made(m)
		if err != nil {
			return nil, err
		}
		m.others = append(m.others, p)
	}
	return m.others, nil
}

// Who may enter a room of the browser table.
const (
	roomsOpen   = "open"   // everyone with the address
	roomsSecret = "secret" // everyone with the address and the secret
)

// parseRooms reports whether rooms need the secret; "" is roomsOpen.
func parseRooms(text string) (secret bool, err error) {
	switch text {
	case "", roomsOpen:
		return false, nil
	case roomsSecret:
		return true, nil
	}
	return false, fmt.Errorf("%q is neither %s nor %s", text, roomsOpen, roomsSecret)
}
