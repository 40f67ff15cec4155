package main

// Settings from the environment and flags, and their validation.

import (
	"cmp"
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

	"knobel/bot/review"
	"knobel/bot/web"
	"knobel/store"
	"knobel/store/seal"
)

// settings holds the values of the flags and environment variables.
type settings struct {
	db            string             // a file name, or a URL with a password
	dbFlag        *pflag.Flag        // --db of the running command
	log           string             // format of the log: text or json
	keyFile       string             // file with the key of the database, or ""
	key           store.Sealer       // nil if names, ids and secrets are not encrypted
	keepMoves     string             // value of --keep-moves
	gamesText     string             // value of --games
	drafts        string             // draft languages to offer, separated by commas
	games         gameList           // the served games and their titles
	profile       string             // listen address for profiles, or ""
	keep          time.Duration      // how long moves of finished games are kept; 0: forever
	unread        []string           // variables that start with KNOBEL_ but have no meaning
	zone          string             // the value of TZ if it is not a known time zone, else ""
	values        map[string]*string // values of the platforms' settings by variable
	lan           bool               // --lan: the browser page listens on the whole network
	onCommandLine []setting          // passwords on the command line, which other users can read
}

// setting describes one setting of a platform.
type setting struct {
	env   string // environment variable; the flag is the same name without KNOBEL_
	holds valueKind
	usage string
	// check returns an error for an invalid value. If it is nil, every value is valid.
	check func(flag, value string) error
	// leads describes the public URL that must lead to --listen if this setting has a value, or is "" if there is no
	// such URL. If leads is the constant that is named "itself", the setting's value is that URL.
	leads string
	alone string // default if no platform is configured
}

// valueKind is what kind of value a setting has.
type valueKind int

const (
	plain    valueKind = iota
	address            // scheme and host of a server in place of the platform's own
	token              // from the variable, or the file in NAME_FILE, never a flag
	password           // from the variable, the file in NAME_FILE, or a flag
)

// itself, in setting.leads, means that the value of the setting is the public URL.
const itself = "itself"

// flag returns the name of the setting's flag, without dashes: "web-secret" for KNOBEL_WEB_SECRET.
func (t setting) flag() string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(t.env, "KNOBEL_"), "_", "-"))
}

// value returns the value of the platform setting whose environment variable is env, "" if it is unset.
func (s settings) value(env string) string {
	if v := s.values[env]; v != nil {
		return *v
	}
	return ""
}

// listen, webSecret and proxies return settings of the page: the listen address, the password or "", trusted proxies.

func (s settings) listen() string    { return s.value("KNOBEL_LISTEN") }
func (s settings) webSecret() string { return s.value("KNOBEL_WEB_SECRET") }
func (s settings) proxies() web.Proxies {
	all, _ := web.ParseProxies(s.value("KNOBEL_PROXIES")) // check has found no error in it
	return all
}

// behindProxy reports whether requests reach --listen through a proxy: a proxy or a webhook is configured.
func (s settings) behindProxy() bool {
	for _, t := range allSettings() {
		if t.leads != "" && s.value(t.env) != "" {
			return true
		}
	}
	return len(s.proxies()) > 0
}

// flags adds a flag to f for each setting except tokens. Its default is the environment variable, "" for passwords.
func (s *settings) flags(f *pflag.FlagSet, w world) {
	// A database URL contains a password, so it is neither a flag nor a default, which help would show.
	file := w.getenv("KNOBEL_DB")
	if file == "" || !store.IsFile(file) {
		file = "knobel.db"
	}
	f.StringVar(&s.db, "db", file, "database file (KNOBEL_DB, also for a postgres:// URL)")
	f.StringVar(&s.keyFile, "key-file", w.getenv("KNOBEL_KEY_FILE"),
		"file with the encryption key for names, IDs and secrets (KNOBEL_KEY_FILE)")
	f.StringVar(&s.profile, "profile", w.getenv("KNOBEL_PROFILE"),
		"local address for serving profiles (KNOBEL_PROFILE)")
	f.StringVar(&s.keepMoves, "keep-moves", cmp.Or(w.getenv("KNOBEL_KEEP_MOVES"), forever),
		"time to keep the moves of finished games, such as 365d (KNOBEL_KEEP_MOVES)")
	f.StringVar(&s.gamesText, "games", w.getenv("KNOBEL_GAMES"),
		"games to leave out or rename: -shutbox,zehntausend=Macke (KNOBEL_GAMES)")
	f.StringVar(&s.drafts, "drafts", w.getenv("KNOBEL_DRAFTS"),
		"unfinished languages to offer: fr,it (KNOBEL_DRAFTS)")
	f.String("cache", w.getenv("KNOBEL_CACHE"), "") // from an earlier version; ignored
	_ = f.MarkHidden("cache")
	f.StringVar(&s.log, "log", cmp.Or(w.getenv("KNOBEL_LOG"), "text"), "log format: text or json (KNOBEL_LOG)")
	s.values = map[string]*string{}
	for _, t := range allSettings() {
		value, usage := new(string), t.usage+" ("+t.env+")"
		s.values[t.env] = value
		if t.alone != "" {
			usage += "; default without tokens: " + t.alone
		}
		switch t.holds {
		case token:
		case password:
			f.StringVar(value, t.flag(), "", usage)
		default:
			f.StringVar(value, t.flag(), w.getenv(t.env), usage)
		}
	}
}

// serveFlags adds to f the flags that only the command serve has.
func (s *settings) serveFlags(f *pflag.FlagSet) {
	f.BoolVar(&s.lan, "lan", false, "let other devices in your network open the browser page")
}

// allSettings returns the settings of all platforms.
func allSettings() (all []setting) {
	for _, e := range platformEntries() {
		all = append(all, e.settings...)
	}
	return all
}

// readSecrets reads the database URL, tokens and passwords from the environment or files, and then validates all
// settings. used reports whether the command uses the setting whose flag is called flag; readSecrets skips the others.
func (s *settings) readSecrets(w world, used func(flag string) bool) (err error) {
	if used("db") {
		if err := s.readDatabase(w); err != nil {
			return err
		}
	}
	for _, t := range allSettings() {
		if !used("listen") { // commands without --listen need no tokens; the others do, if only for its default
			break
		}
		value := s.values[t.env]
		if t.holds == password && *value != "" {
			s.onCommandLine = append(s.onCommandLine, t)
		}
		if t.holds != token && t.holds != password || *value != "" {
			continue
		}
		if *value, err = readSecret(w, t.env); err != nil {
			return err
		}
	}
	s.zone = unknownZone(w.getenv("TZ"))
	if s.key, err = readKey(s.keyFile); err != nil {
		return err
	}
	if s.lan {
		s.openToNetwork()
	}
	if len(s.configured()) == 0 {
		for _, t := range allSettings() {
			*s.values[t.env] = cmp.Or(s.value(t.env), t.alone)
		}
	}
	return s.check()
}

// readSecret returns the value of the variable name without spaces around it. If it is unset, it returns the content of
// the file that the variable name_FILE names, or "" if both are unset.
func readSecret(w world, name string) (string, error) {
	if v := strings.TrimSpace(w.getenv(name)); v != "" {
		return v, nil
	}
	file := w.getenv(name + "_FILE")
	if file == "" {
		return "", nil
	}
	subject := fmt.Sprintf("%s_FILE names %s, which", name, file)
	b, err := readSecretFile(file, subject, "this is neither a token nor a password")
	v := strings.TrimSpace(string(b))
	if err == nil && v == "" {
		err = fmt.Errorf("%s is empty", subject)
	}
	return v, err
}

// readSecretFile returns the content of a small file. Its errors begin with subject, such as "the key file x". If the
// file is too large, the error ends with hint.
func readSecretFile(file, subject, hint string) ([]byte, error) {
	b, err := readSmall(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s does not exist", subject)
	case errors.Is(err, errTooLarge):
		return nil, fmt.Errorf("%s has more than %d KB: %s", subject, maxSecretFile>>10, hint)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", subject, err)
	}
	return b, nil
}

// readKey returns the encryption key in file, or nil if file is "".
func readKey(file string) (store.Sealer, error) {
	if file == "" {
		return nil, nil
	}
	b, err := readSecretFile(file, "the key file "+file, "this is not a key; create one with openssl rand -hex 64")
	if err != nil {
		return nil, err
	}
	key, err := seal.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", file, err)
	}
	return key, nil
}

// forever is the default of --keep-moves: no moves are dropped.
const forever = "forever"

// check validates the settings. It also sets s.keep from --keep-moves and s.games from --games.
func (s *settings) check() (err error) {
	if keepMoves := cmp.Or(s.keepMoves, forever); keepMoves != forever {
		number, ok := strings.CutSuffix(keepMoves, "d")
		days, err := strconv.Atoi(number)
		minDays := int(review.LeastKept / (24 * time.Hour))
		if !ok || err != nil || days < minDays || days > 36500 {
			return fmt.Errorf("keep-moves %q: use days, such as 365d, at least %d, or %s", keepMoves, minDays, forever)
		}
		s.keep = time.Duration(days) * 24 * time.Hour
	}
	if s.games, err = parseGameList(s.gamesText); err != nil {
		return err
	}
	if s.log != "" && s.log != "text" && s.log != "json" {
		return fmt.Errorf("log format %q: choose text or json", s.log)
	}
	if s.profile != "" && !web.Loopback(s.profile) {
		return fmt.Errorf("profile address %q: use a local address, such as 127.0.0.1:6060", s.profile)
	}
	for _, t := range allSettings() {
		if value := s.value(t.env); value != "" {
			if err := t.checkValue(value, s.listen()); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkValue returns an error if value is invalid for the setting t. listen is the value of --listen, "" if unset.
func (t setting) checkValue(value, listen string) error {
	forbidden := ""
	if t.holds == token || t.holds == password {
		forbidden = forbiddenCharacter(value, t.holds == token)
	}
	u, err := url.Parse(value)
	switch {
	case forbidden != "" && t.holds == token:
		return fmt.Errorf("%s contains %s, which no token does: copy it again, in one line", t.env, forbidden)
	case forbidden != "":
		return fmt.Errorf("%s contains %s: use letters and digits, in one line", t.env, forbidden)
	case t.holds == address && (err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https")):
		return fmt.Errorf("%s %q: use scheme and host, such as http://127.0.0.1:9000", t.flag(), value)
	}
	if t.check != nil {
		if err := t.check(t.flag(), value); err != nil {
			return err
		}
	}
	if t.leads != "" && listen == "" {
		return fmt.Errorf("%s needs a listen address: set KNOBEL_LISTEN to the address behind %s",
			t.flag(), strings.Replace(t.leads, itself, value, 1))
	}
	return nil
}

// checkBy returns a function for setting.check that accepts a value if parse returns no error.
func checkBy[T any](parse func(string) (T, error)) func(flag, value string) error {
	return func(flag, value string) error {
		if _, err := parse(value); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
		return nil
	}
}

// parseOnOff returns true for "on", false for "off" and "", and an error for other texts.
func parseOnOff(text string) (on bool, err error) {
	switch strings.ToLower(text) {
	case "on":
		return true, nil
	case "off", "":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither on nor off", text)
}

// checkListen returns an error unless value is host:port.
func checkListen(_, value string) error {
	if _, _, err := net.SplitHostPort(value); err != nil {
		return fmt.Errorf("listen address %q: use host:port, such as %s or :8080", value, web.DefaultListen)
	}
	return nil
}

// logger returns a logger that writes to w.err in the configured format. It hides the ids of people and chats.
func (s *settings) logger(w world) *slog.Logger {
	options := &slog.HandlerOptions{ReplaceAttr: hideIDs}
	if s.log == "json" {
		return slog.New(slog.NewJSONHandler(w.err, options))
	}
	return slog.New(slog.NewTextHandler(w.err, options))
}
