package main

// The platforms: one entry each, which defines its settings, how it is built, and its checks in doctor.

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
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
	"knobel/store"
)

// entry is the description of a platform. The program derives flags, environment variables and their checks, the served
// platforms, the findings of doctor and the labels of metrics from it.
type entry struct {
	name   string        // prefix of its ids, before the colon
	title  string        // name in messages for operators
	spells chat.Spelling // spelling of commands in messages; nil means with a "/"
	sealed bool          // its terms require encrypted names in the database
	// settings are for operators. The platform is served if the first has a value.
	settings []setting
	// made builds the platform from its settings.
	made func(m *making) (chat.Platform, error)
	// look prints doctor's findings. If it is nil, doctor builds the platform and asks it.
	look func(d *doctor, ctx context.Context, s *settings)
}

// making holds the inputs for building the platforms. In doctor only settings, ctx, log, hooks and said are set.
type making struct {
	settings
	ctx      context.Context // done when serving ends
	log      *slog.Logger
	answered func(time.Duration) // records the time that an answer took; may be nil
	// hooks are webhook handlers by path, which platforms add. They are served at --listen without a password.
	hooks map[string]http.Handler
	said  *words.Words // messages of the bot and its games

	// The following fields are for the browser page, which shows the state of all platforms.
	world world
	store *store.Store
	bot   *wiring.Bot
	meter *meter
	away  *blackout
	// listener is the page's if it was opened to answer health checks before the database was open, else nil.
	listener net.Listener
	others   []chat.Platform // platforms built so far, in the order of entries
	stop     context.CancelCauseFunc
}

// entries returns all platforms. The browser page is last because it serves the hooks of the others.
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
					check: func(_, url string) error { return telegram.CheckWebhook(url) },
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
					Webhook: hook, Log: m.log, Answered: m.answered, Leases: m.leases(),
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

// browserTable returns the browser page. If it cannot be served later, such as on a port in use, it calls m.stop.
func browserTable(m *making) (chat.Platform, error) {
	c := web.Config{
		Listen: m.listen(), Listener: m.listener, Secret: m.webSecret(), Proxies: m.proxies(), Log: m.log,
		Also: m.hooks, Answered: m.answered, Broke: m.broke, Words: m.said,
		Ready: (&readiness{store: m.store, platforms: m.others}).ready, Record: m.record, Store: m.store,
		Call:     m.bot.Calls.Sent,
		Operator: map[string]http.Handler{"GET /metrics": metrics(m)},
		Failed:   m.stop,
	}
	if !store.IsFile(m.settings.db) { // a file has a single replica
		c.Alone = func() bool { return m.bot.Leases.Part("").Replicas == 1 }
	}
	made := false
	var err error
	if c.GuardRooms, err = parseRooms(m.value("KNOBEL_WEB_ROOMS")); err != nil {
		return nil, err
	}
	err = changeSetting(m.ctx, m.store, settingKey, func(text string) (string, error) {
		if c.Key, err = hex.DecodeString(text); err != nil || len(c.Key) != 32 {
			c.Key = make([]byte, 32)
			rand.Read(c.Key) // never fails: it would end the program
		}
		return hex.EncodeToString(c.Key), nil
	})
	if err != nil {
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

// record returns the record of a chat's table as a JSON line, nil if it has none.
func (m *making) record(ctx context.Context, of chat.Chat, table int64) ([]byte, error) {
	r, err := m.bot.Record(ctx, of, table)
	if _, refused := games.Refused(err); refused || errors.Is(err, store.ErrNotFound) ||
		errors.Is(err, review.ErrMovesDropped) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.Encode()
}

// broke counts a request to the browser page that failed before it reached the bot.
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

// leases returns the leases of this replica, or nil if there can be no other replica.
func (m *making) leases() chat.Leases {
	if m.bot == nil || !m.bot.Leases.Shared() {
		return nil
	}
	return m.bot.Leases
}

// tell prints the page's URL, with the password if it was not shown before, and stores that it was shown.
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

// reach returns the URLs at which other machines reach the page; own is its URL on this machine.
func (m *making) reach(own string) []string {
	found, err := interfaces()
	if err != nil {
		m.log.Error("list network addresses failed", "error", err)
	}
	return pages(m.listen(), own, reachable(found))
}

// browserTable prints whether the browser page of the running program is healthy.
func (d *doctor) browserTable(ctx context.Context, s *settings) {
	if err := healthy(ctx, s.listen()); err != nil {
		d.off("browser table on %s: does not run at present (%v)", s.listen(), err)
		return
	}
	d.fine("browser table on %s is open and well", s.listen())
}

// served returns the entries of the configured platforms.
func (s settings) served() (all []entry) {
	for _, e := range entries() {
		if s.value(e.settings[0].env) != "" {
			all = append(all, e)
		}
	}
	return all
}

// configured returns the names of the configured platforms, such as "discord".
func (s settings) configured() []string { return namesOf(s.served()) }

func namesOf(all []entry) (names []string) {
	for _, e := range all {
		names = append(names, e.name)
	}
	return names
}

// platforms builds the configured platforms in the order of entries.
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

// Values of KNOBEL_WEB_ROOMS: who may enter a room of the browser page.
const (
	roomsOpen   = "open"   // everyone with the URL of the room
	roomsSecret = "secret" // everyone with the URL and the password
)

// parseRooms reports whether text requires the password for rooms. "" means roomsOpen.
func parseRooms(text string) (secret bool, err error) {
	switch text {
	case "", roomsOpen:
		return false, nil
	case roomsSecret:
		return true, nil
	}
	return false, fmt.Errorf("%q is neither %s nor %s", text, roomsOpen, roomsSecret)
}
