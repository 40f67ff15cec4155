package main

// The platforms, such as Discord: for each, its settings, its constructor, and its checks by doctor.

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
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/discord"
	"knobel/bot/push"
	"knobel/bot/review"
	"knobel/bot/telegram"
	"knobel/bot/web"
	"knobel/bot/words"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/store"
)

// platformEntry describes a platform. From it the program derives flags and environment variables with their checks,
// the platforms to serve, the findings of doctor and the labels of metrics.
type platformEntry struct {
	name   string        // prefix of its ids, before the colon
	title  string        // name in messages for operators
	spells chat.Spelling // spelling of commands in messages; nil means with a "/"
	sealed bool          // its terms require encrypted names in the database
	// settings are the operator's settings. The platform is served if its first setting has a value.
	settings []setting
	// made builds the platform from its settings.
	made func(m *platformBuilder) (chat.Platform, error)
	// check prints the findings of doctor. If it is nil, doctor builds the platform and calls its method Consult.
	check func(d *doctor, ctx context.Context, s *settings)
}

// platformBuilder holds what building platforms needs. doctor sets only settings, ctx, log, hooks and messages.
type platformBuilder struct {
	settings
	ctx      context.Context // done when serving ends
	log      *slog.Logger
	answered func(time.Duration) // records the time that an answer took; may be nil
	// hooks holds the handlers of the platforms' webhooks by path. They are served at --listen without a password.
	hooks    map[string]http.Handler
	messages *words.Words // messages of the bot and its games

	// The following fields are for the browser page, which shows the state of all platforms.
	world  world
	store  *store.Store
	bot    *wiring.Bot
	meter  *meter
	outage *databaseOutage
	// listener is not nil if health checks were answered before the database was open. Then the page listens on it.
	listener net.Listener
	others   []chat.Platform          // platforms built so far, in the order of platformEntries
	stop     context.CancelCauseFunc  // ends serving with an error
	opened   atomic.Pointer[[]string] // URLs of the page for other machines, since it was opened to the network
	localURL string                   // of the page on this machine
	doors    []chat.Door              // platforms whose clients embed the page
	page     *web.Web                 // the browser page, nil until it is built
}

// platformEntries returns all platforms. The browser page is last because it serves the webhooks of the others.
func platformEntries() []platformEntry {
	return []platformEntry{
		{
			name: "discord", title: "Discord", spells: discord.Spell,
			settings: []setting{
				{env: "KNOBEL_DISCORD_TOKEN", holds: token},
				{env: "KNOBEL_DISCORD_API_URL", holds: address, usage: "scheme and host to use instead of Discord's"},
				{env: "KNOBEL_DISCORD_SHARDS", check: checkBy(discord.ParseShards),
					usage: "number of connections to Discord, or auto for as many as Discord recommends"},
				{env: "KNOBEL_DISCORD_PUBLIC_KEY", check: checkBy(discord.ParseKey),
					leads: "the Interactions Endpoint URL",
					usage: "public key of the application, for interactions by webhook at " +
						discord.HookPath +
						" of --listen; without it they come over the gateway"},
				{env: "KNOBEL_DISCORD_CLIENT_SECRET", holds: token},
				{env: "KNOBEL_DISCORD_EMOJI", check: checkBy(parseOnOff),
					usage: "uploaded emoji on boards in Discord: on or off"},
			},
			made: func(m *platformBuilder) (chat.Platform, error) {
				shards, err1 := discord.ParseShards(m.value("KNOBEL_DISCORD_SHARDS"))
				key, err2 := discord.ParseKey(m.value("KNOBEL_DISCORD_PUBLIC_KEY"))
				emoji, err3 := parseOnOff(cmp.Or(m.value("KNOBEL_DISCORD_EMOJI"), "on"))
				d := discord.New(discord.Options{
					Activity: discord.Activity{Secret: m.value("KNOBEL_DISCORD_CLIENT_SECRET"),
						URL: m.value("KNOBEL_PUBLIC_URL"), Words: m.messages},
					Token: m.value("KNOBEL_DISCORD_TOKEN"), URL: m.value("KNOBEL_DISCORD_API_URL"), Key: key,
					Shards: shards, Letters: !emoji, Leases: m.leases(),
					Log: m.log, Answered: m.answered,
				})
				if key != nil {
					m.hooks[discord.HookPath] = d.Hook()
				}
				if d.Traits("").Embeds {
					m.doors = append(m.doors, d)
				}
				return d, errors.Join(err1, err2, err3)
			},
		},
		{
			name: "telegram", title: "Telegram", sealed: true,
			settings: []setting{
				{env: "KNOBEL_TELEGRAM_TOKEN", holds: token},
				{env: "KNOBEL_TELEGRAM_API_URL", holds: address, usage: "scheme and host to use instead of Telegram's"},
				{env: "KNOBEL_TELEGRAM_WEBHOOK_URL", leads: itself,
					check: func(_, url string) error { return telegram.CheckWebhook(url) },
					usage: "https address at which Telegram reaches " + telegram.HookPath +
						" of --listen; without it Telegram is polled"},
				{env: "KNOBEL_TELEGRAM_APP", check: checkBy(telegram.ParseApp),
					usage: "short name of the Mini App that shows tables, or main for the bot's main one"},
				{env: "KNOBEL_TELEGRAM_EPHEMERAL", check: checkBy(parseOnOff),
					usage: "private answers as ephemeral messages, if the Bot API has them (10.2): on or off"},
			},
			made: func(m *platformBuilder) (chat.Platform, error) {
				hook := m.value("KNOBEL_TELEGRAM_WEBHOOK_URL")
				ephemeral, err := parseOnOff(m.value("KNOBEL_TELEGRAM_EPHEMERAL"))
				err = errors.Join(err, m.storeState(settingEphemeral, ""))
				app := telegram.App{Name: m.value("KNOBEL_TELEGRAM_APP"), Words: m.messages}
				if at := m.value("KNOBEL_PUBLIC_URL"); at != "" {
					app.URL = at + telegram.AppPath
				}
				t := telegram.New(telegram.Options{
					App:       app,
					Ephemeral: ephemeral, NoEphemeral: func() { _ = m.storeState(settingEphemeral, "off") },
					Token: m.value("KNOBEL_TELEGRAM_TOKEN"), URL: m.value("KNOBEL_TELEGRAM_API_URL"),
					Webhook: hook, Log: m.log, Answered: m.answered, Leases: m.leases(),
				})
				if hook != "" {
					m.hooks[telegram.HookPath] = t.Hook()
				}
				if t.Traits("").Embeds {
					m.doors = append(m.doors, t)
				}
				return t, err
			},
		},
		{
			name: "web", title: "browser page",
			settings: []setting{
				{env: "KNOBEL_LISTEN", alone: web.DefaultListen, check: checkListen,
					usage: "address of the browser page and the health check"},
				{env: "KNOBEL_PUBLIC_URL", leads: itself, check: checkBy(parsePublicURL),
					usage: "https address of --listen for the world, for tables inside Discord and Telegram"},
				{env: "KNOBEL_PROXIES", check: checkBy(web.ParseProxies),
					usage: "addresses of your proxies in front of --listen, such as 127.0.0.1"},
				{env: "KNOBEL_WEB_SECRET", holds: password, usage: "password of the browser page for other computers"},
				{env: "KNOBEL_WEB_ROOMS", check: checkBy(parseRooms),
					usage: "access to private rooms: open (with the link) or secret (with the link and the password)"},
			},
			made:  newBrowserPage,
			check: (*doctor).checkBrowserPage,
		},
	}
}

// newBrowserPage returns the browser page. If serving the page fails later, such as on a port in use, it calls m.stop.
func newBrowserPage(m *platformBuilder) (chat.Platform, error) {
	c := web.Config{
		Listen: m.listen(), Listener: m.listener, Secret: m.webSecret(), Proxies: m.proxies(), Log: m.log,
		Also: m.hooks, Answered: m.answered, Broke: m.countFailure, Words: m.messages,
		Ready: (&readiness{store: m.store, platforms: m.others}).ready, Record: m.record, Store: m.store,
		Call:     m.bot.Calls.Sent,
		Pages:    m.bot.Pages(),
		Operator: map[string]http.Handler{"GET /metrics": metrics(m)},
		Failed:   m.stop,
	}
	if !store.IsFile(m.settings.db) { // a file has a single replica
		c.Alone = func() bool { return m.bot.Leases.Part("").Replicas == 1 }
	}
	unshown := false
	var err error
	if c.GuardRooms, err = parseRooms(m.value("KNOBEL_WEB_ROOMS")); err != nil {
		return nil, err
	}
	err = changeSetting(m.ctx, m.store, settingKey, func(text string) (string, error) {
		if c.Key, err = hex.DecodeString(text); err != nil || len(c.Key) != 32 {
			c.Key = make([]byte, 32)
			rand.Read(c.Key) // returns no error: a failure ends the program
		}
		return hex.EncodeToString(c.Key), nil
	})
	if err != nil {
		return nil, err
	}
	sender, err := m.pushSender()
	if err != nil {
		return nil, err
	}
	if c.Secret == "" && (m.behindProxy() || !web.Loopback(c.Listen)) {
		if c.Secret, unshown, err = pagePassword(m.ctx, m.store); err != nil {
			return nil, err
		}
	}
	c.Command = lanCommand(m.world.args, len(m.onCommandLine) > 0)
	if c.Secret == "" && store.IsFile(m.db) { // other replicas would not know of it
		c.Open = m.openNow
	}
	c.Reach = m.networkURLs
	c.Listening = func(url string) {
		m.localURL = url
		m.printURL(url, c.Secret, unshown)
	}
	m.page = web.New(c)
	m.page.Notify(sender, m.bot.Calls.Muted)
	m.page.Embed(web.Embedding{Origin: m.value("KNOBEL_PUBLIC_URL"), Doors: m.doors, Refused: m.meter.countRefused})
	if len(m.doors) > 0 {
		m.bot.Outbox.Embed(m.page)
	}
	return m.page, nil
}

// pushSender returns what sends Web Push, with the key that the database holds. The first start makes the key.
func (m *platformBuilder) pushSender() (s *push.Sender, err error) {
	err = changeSetting(m.ctx, m.store, settingPush, func(key string) (string, error) {
		key = cmp.Or(key, push.NewKey())
		s, err = push.New(push.Config{Key: key, Log: m.log})
		return key, err
	})
	return s, err
}

// parsePublicURL returns an error unless text is scheme and host, https except for a loopback name.
func parsePublicURL(text string) (string, error) {
	at, err := url.Parse(text)
	secure := err == nil && (at.Scheme == "https" || at.Scheme == "http" && web.Loopback(at.Host))
	if !secure || at.Hostname() == "" || at.Scheme+"://"+at.Host != text {
		return "", fmt.Errorf("%q: use https and a host without a path, such as https://dice.example.org", text)
	}
	return text, nil
}

// record returns the record of a table in a chat as a line of JSON, or nil if the table has no record.
func (m *platformBuilder) record(ctx context.Context, chatID chat.Chat, table int64) ([]byte, error) {
	r, err := m.bot.Record(ctx, chatID, table)
	if _, refused := games.Refused(err); refused || errors.Is(err, store.ErrNotFound) ||
		errors.Is(err, review.ErrMovesDropped) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.Encode()
}

// countFailure counts r, a request to the browser page that failed before it reached the bot, as failed in the metrics.
func (m *platformBuilder) countFailure(r *http.Request) {
	deed := bot.Came
	switch {
	case strings.HasSuffix(r.URL.Path, "/press"):
		deed = bot.Pressed
	case strings.HasSuffix(r.URL.Path, "/command"):
		deed = bot.Commanded
	}
	m.meter.Handled("web", deed, bot.Failed, 0)
}

// leases returns the leases of this replica. It returns nil if there can be no other replicas, or no bot is built.
func (m *platformBuilder) leases() chat.Leases {
	if m.bot == nil || !m.bot.Leases.Shared() {
		return nil
	}
	return m.bot.Leases
}

// printURL prints the URLs of the page. If unshown, it adds the password secret, and stores that it has been shown.
func (m *platformBuilder) printURL(localURL, secret string, unshown bool) {
	if !unshown {
		secret = ""
	}
	if m.settings.log == "json" {
		logLinks(m.world.out, localURL, secret, m.networkURLs(localURL))
	} else {
		printLinks(m.world.out, m.world.columns, localURL, secret, m.networkURLs(localURL))
	}
	if unshown {
		err := m.store.Update(m.ctx, func(tx *store.Tx) error { return tx.Chats.SaveSetting(settingUnshown, "") })
		if err != nil {
			m.log.Error("store password state failed", "error", err)
		}
	}
}

// networkURLs returns the URLs of the page for other machines. localURL is its URL on this machine.
func (m *platformBuilder) networkURLs(localURL string) []string {
	if opened := m.opened.Load(); opened != nil {
		return *opened
	}
	found, err := interfaces()
	if err != nil {
		m.log.Error("list network addresses failed", "error", err)
	}
	return networkURLs(m.listen(), localURL, reachableAddrs(found))
}

// checkBrowserPage prints whether a running program answers health checks at the address of the browser page.
func (d *doctor) checkBrowserPage(ctx context.Context, s *settings) {
	if err := checkHealth(ctx, s.listen()); err != nil {
		d.off("browser page on %s: not running (%v)", s.listen(), err)
		return
	}
	d.fine("browser page on %s: healthy", s.listen())
	at := s.value("KNOBEL_PUBLIC_URL")
	if at == "" {
		return
	}
	if err := checkPublic(ctx, at); err != nil {
		d.wrong("KNOBEL_PUBLIC_URL %s does not reach this program: %v", at, err)
		return
	}
	d.fine("KNOBEL_PUBLIC_URL %s reaches this program", at)
}

// served returns the configured platforms: those whose first setting has a value.
func (s settings) served() (all []platformEntry) {
	for _, e := range platformEntries() {
		if s.value(e.settings[0].env) != "" {
			all = append(all, e)
		}
	}
	return all
}

// configured returns the names of the configured platforms.
func (s settings) configured() []string { return platformNames(s.served()) }

// platformNames returns the names of the platforms in entries, such as "discord".
func platformNames(entries []platformEntry) (names []string) {
	for _, e := range entries {
		names = append(names, e.name)
	}
	return names
}

// platforms builds the configured platforms, stores them in m.others and returns them, in the order of platformEntries.
func (m *platformBuilder) platforms() ([]chat.Platform, error) {
	for _, e := range m.served() {
		m.answered = m.meter.answerRecorder(e.name)
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

// parseRooms parses KNOBEL_WEB_ROOMS. secret reports whether rooms require the password. "" means roomsOpen.
func parseRooms(text string) (secret bool, err error) {
	switch text {
	case "", roomsOpen:
		return false, nil
	case roomsSecret:
		return true, nil
	}
	return false, fmt.Errorf("%q is neither %s nor %s", text, roomsOpen, roomsSecret)
}
