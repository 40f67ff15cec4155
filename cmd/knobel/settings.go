package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"knobel/bot/discord"
	"knobel/bot/review"
	"knobel/bot/telegram"
	"knobel/bot/web"
	"knobel/store"
	"knobel/store/seal"
)

// settings are what the environment and the flags say.
type settings struct {
	db            string
	listen        string
	log           string
	webSecret     string
	behind        string
	proxies       web.Proxies // read from behind
	discordURL    string
	telegramURL   string
	telegramHook  string
	shards        string
	discordShards int // read from shards
	publicKey     string
	discordKey    ed25519.PublicKey // read from publicKey, nil: there is none
	discordToken  string            // from the environment or a file, never a flag
	telegramToken string
	keyFile       string
	key           store.Sealer // nil: names, ids and secrets are not encrypted
	keepMoves     string
	profile       string        // where profiles are served, "" nowhere
	keep          time.Duration // how long moves of games that have ended are kept, 0: for ever
	unread        []string      // variables that look like ours and are not
	zone          string        // what TZ names, where that is no time zone
}

// flags declares a flag for each setting but the tokens; its default is what
// the environment says.
func (s *settings) flags(f *pflag.FlagSet, w world) {
	env := func(name, otherwise string) string {
		if v := w.getenv(name); v != "" {
			return v
		}
		return otherwise
	}
	f.StringVar(&s.db, "db", env("KNOBEL_DB", "knobel.db"), "database file (KNOBEL_DB)")
	f.StringVar(&s.keyFile, "key-file", w.getenv("KNOBEL_KEY_FILE"), "file with the key by which names, ids and secrets in the database are encrypted (KNOBEL_KEY_FILE)")
	f.StringVar(&s.profile, "profile", w.getenv("KNOBEL_PROFILE"), "address on this machine where profiles are served (KNOBEL_PROFILE)")
	f.StringVar(&s.keepMoves, "keep-moves", env("KNOBEL_KEEP_MOVES", forever), "how long the moves of finished games are kept, such as 365d (KNOBEL_KEEP_MOVES)")
	f.StringVar(&s.listen, "listen", w.getenv("KNOBEL_LISTEN"), "address of the browser table and the health check (KNOBEL_LISTEN); with no token at all "+web.DefaultListen)
	f.StringVar(&s.log, "log", env("KNOBEL_LOG", "text"), "log format: text or json (KNOBEL_LOG)")
	f.StringVar(&s.discordURL, "discord-api-url", w.getenv("KNOBEL_DISCORD_API_URL"), "scheme and host in place of Discord's (KNOBEL_DISCORD_API_URL)")
	f.StringVar(&s.telegramURL, "telegram-api-url", w.getenv("KNOBEL_TELEGRAM_API_URL"), "scheme and host in place of Telegram's (KNOBEL_TELEGRAM_API_URL)")
	f.StringVar(&s.shards, "discord-shards", w.getenv("KNOBEL_DISCORD_SHARDS"), "how many connections to Discord share the servers: a number, or auto for as many as Discord recommends (KNOBEL_DISCORD_SHARDS)")
	f.StringVar(&s.publicKey, "discord-public-key", w.getenv("KNOBEL_DISCORD_PUBLIC_KEY"), "public key of the application, for interactions that Discord delivers to "+discord.HookPath+" of --listen; without it they come over the gateway (KNOBEL_DISCORD_PUBLIC_KEY)")
	f.StringVar(&s.telegramHook, "telegram-webhook-url", w.getenv("KNOBEL_TELEGRAM_WEBHOOK_URL"), "https address at which Telegram reaches "+telegram.HookPath+" of --listen; without it Telegram is polled (KNOBEL_TELEGRAM_WEBHOOK_URL)")
	f.StringVar(&s.behind, "proxies", w.getenv("KNOBEL_PROXIES"), "addresses or networks of the proxies before --listen that are believed who asks, such as 127.0.0.1 or 172.16.0.0/12 (KNOBEL_PROXIES)")
	f.StringVar(&s.webSecret, "web-secret", "", "secret of the browser table beyond loopback (KNOBEL_WEB_SECRET)")
}

// readSecrets takes tokens and the secret from the environment or the files
// that it names, and checks the other settings.
func (s *settings) readSecrets(w world) error {
	var err error
	if s.discordToken, err = secret(w, "KNOBEL_DISCORD_TOKEN"); err != nil {
		return err
	}
	if s.telegramToken, err = secret(w, "KNOBEL_TELEGRAM_TOKEN"); err != nil {
		return err
	}
	if s.webSecret == "" {
		if s.webSecret, err = secret(w, "KNOBEL_WEB_SECRET"); err != nil {
			return err
		}
	}
	for _, t := range []struct{ name, token string }{{"KNOBEL_DISCORD_TOKEN", s.discordToken}, {"KNOBEL_TELEGRAM_TOKEN", s.telegramToken}} {
		if odd := unlike(t.token, true); odd != "" {
			return fmt.Errorf("%s holds %s, as no token does: copy it again, as one line", t.name, odd)
		}
	}
	if odd := unlike(s.webSecret, false); odd != "" {
		return fmt.Errorf("KNOBEL_WEB_SECRET holds %s: give letters and digits, in one line", odd)
	}
	s.zone = unknownZone(w.getenv("TZ"))
	if s.key, err = readKey(w, s.keyFile); err != nil {
		return err
	}
	if s.listen == "" && s.discordToken == "" && s.telegramToken == "" {
		s.listen = web.DefaultListen
	}
	return s.check()
}

// secret reads a variable, or the file that NAME_FILE names.
func secret(w world, name string) (string, error) {
	if v := strings.TrimSpace(w.getenv(name)); v != "" {
		return v, nil
	}
	file := w.getenv(name + "_FILE")
	if file == "" {
		return "", nil
	}
	b, err := w.fs(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s_FILE names %s, which does not exist", name, file)
	}
	if errors.Is(err, errTooLarge) {
		return "", fmt.Errorf("%s_FILE names %s, which holds more than %d KB: that is no token and no secret", name, file, maxSecretFile>>10)
	}
	if err != nil {
		return "", fmt.Errorf("%s_FILE: %w", name, err)
	}
	v := strings.TrimSpace(string(b))
	if v == "" {
		return "", fmt.Errorf("%s_FILE names %s, which is empty", name, file)
	}
	return v, nil
}

// readKey reads a key file, nil where none is named.
func readKey(w world, file string) (store.Sealer, error) {
	if file == "" {
		return nil, nil
	}
	b, err := w.fs(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the key file %s does not exist", file)
	}
	if errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("the key file %s holds more than %d KB: that is no key, which openssl rand -hex 64 makes", file, maxSecretFile>>10)
	}
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	key, err := seal.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", file, err)
	}
	return key, nil
}

// forever is how long moves are kept where nothing else is said.
const forever = "forever"

// days reads how long moves are kept, 0 for ever.
func days(said string) (time.Duration, error) {
	if said == forever {
		return 0, nil
	}
	number, ok := strings.CutSuffix(said, "d")
	n, err := strconv.Atoi(number)
	least := int(review.LeastKept / (24 * time.Hour))
	if !ok || err != nil || n < least || n > 36500 {
		return 0, fmt.Errorf("keep-moves %q: give days, such as 365d, %d at least, or %s", said, least, forever)
	}
	return time.Duration(n) * 24 * time.Hour, nil
}

func (s *settings) check() (err error) {
	if s.keep, err = days(s.keepMoves); err != nil {
		return err
	}
	if s.log != "text" && s.log != "json" {
		return fmt.Errorf("log format %q: choose text or json", s.log)
	}
	if s.listen != "" {
		if _, _, err := net.SplitHostPort(s.listen); err != nil {
			return fmt.Errorf("listen address %q: give host:port, such as %s or :8080", s.listen, web.DefaultListen)
		}
	}
	for name, v := range map[string]string{"discord-api-url": s.discordURL, "telegram-api-url": s.telegramURL} {
		if v == "" {
			continue
		}
		u, err := url.Parse(v)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return fmt.Errorf("%s %q: give scheme and host, such as http://127.0.0.1:9000", name, v)
		}
	}
	if s.proxies, err = web.ParseProxies(s.behind); err != nil {
		return fmt.Errorf("proxies: %w", err)
	}
	if s.profile != "" && !web.Loopback(s.profile) {
		return fmt.Errorf("profile address %q: profiles are for this machine alone, such as 127.0.0.1:6060", s.profile)
	}
	if s.discordKey, err = discord.ParseKey(s.publicKey); err != nil {
		return fmt.Errorf("discord-public-key: %w", err)
	}
	if s.discordShards, err = discord.ParseShards(s.shards); err != nil {
		return fmt.Errorf("discord-shards: %w", err)
	}
	if s.discordKey != nil && s.listen == "" {
		return errors.New("discord-public-key needs an address to listen on: set KNOBEL_LISTEN to where the Interactions Endpoint URL leads")
	}
	if s.telegramHook != "" && s.listen == "" {
		return fmt.Errorf("telegram-webhook-url needs an address to listen on: set KNOBEL_LISTEN to where %s leads", s.telegramHook)
	}
	return telegram.Webhook{URL: s.telegramHook}.Check()
}

// logger writes to the error stream in the chosen format. No id of anybody stands
// in it.
func (s *settings) logger(w world) *slog.Logger {
	veiled := &slog.HandlerOptions{ReplaceAttr: veil}
	if s.log == "json" {
		return slog.New(slog.NewJSONHandler(w.err, veiled))
	}
	return slog.New(slog.NewTextHandler(w.err, veiled))
}
