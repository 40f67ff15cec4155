package main

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"knobel/bot/web"
)

// Settings that are valid but probably wrong, for warnings of serve and doctor.

// maxSecretFile is the maximum size of a file with a token, a password or a key, in bytes.
const maxSecretFile = 64 << 10

// errTooLarge is returned by readSmall for a file larger than maxSecretFile.
var errTooLarge = errors.New("is too large")

// readSmall returns the content of file. If that is more than maxSecretFile bytes, it returns errTooLarge and reads no
// more, since some files (/dev/zero) never end.
func readSmall(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSecretFile+1))
	if len(text) > maxSecretFile {
		return nil, errTooLarge
	}
	return text, err
}

// forbiddenCharacter describes the first character that text must not contain, such as "a line break", or returns "" if
// there is none. Control characters are forbidden. In a token, only visible ASCII characters are allowed.
func forbiddenCharacter(text string, isToken bool) string {
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r':
			return "a line break"
		case unicode.IsControl(r) || r == utf8.RuneError:
			return "a control character"
		case isToken && unicode.IsSpace(r):
			return "a space"
		case isToken && (r < '!' || r > '~'):
			return fmt.Sprintf("the character %q", r)
		}
	}
	return ""
}

// warnings returns sentences about settings that are valid but probably not intended, such as a short password, or
// settings of a platform without a token.
func (s *settings) warnings() (all []string) {
	for _, name := range s.unread {
		all = append(all, name+" is set but not used: is it misspelt?")
	}
	for _, e := range platformEntries() {
		enabling := e.settings[0]
		for _, t := range e.settings[1:] {
			if enabling.holds == token && t.holds == plain && s.value(enabling.env) == "" && s.value(t.env) != "" {
				all = append(all, t.flag()+" is set but has no effect without "+enabling.env)
			}
		}
	}
	if s.zone != "" {
		all = append(all, fmt.Sprintf("TZ=%s is an unknown time zone, so UTC is used: set one such as "+
			"Europe/Berlin", s.zone))
	}
	strangers := !web.Loopback(s.listen()) || s.behindProxy()
	if s.listen() != "" && strangers && s.webSecret() != "" && web.Guessable(s.webSecret()) {
		all = append(all, fmt.Sprintf("the password of the browser page has %d characters and can be guessed: give "+
			"KNOBEL_WEB_SECRET at least %d, for example with openssl rand -hex 16",
			utf8.RuneCountInString(s.webSecret()), web.MinSecret))
	}
	for _, t := range s.onCommandLine {
		all = append(all, fmt.Sprintf("--%s is visible to all users of this computer in the list of processes: set "+
			"%s, or %[2]s_FILE to a file", t.flag(), t.env))
	}
	for _, network := range s.proxies() {
		if isTooWide(network) {
			all = append(all, fmt.Sprintf("proxies: %s contains more than your own proxies, and its clients can fake "+
				"their addresses: list your proxies, such as 127.0.0.1", network))
		}
	}
	return all
}

// isTooWide reports whether a network is too large to hold trusted proxies only: a private one with more than 16
// addresses, or a public one larger than those that big providers publish. Loopback is not too large.
func isTooWide(network netip.Prefix) bool {
	addr := network.Addr()
	least4, least6 := 12, 24
	shared := netip.MustParsePrefix("100.64.0.0/10") // shared by customers of a provider (RFC 6598)
	if addr.IsPrivate() || addr.IsLinkLocalUnicast() || shared.Contains(addr) {
		least4, least6 = 28, 124
	}
	switch {
	case addr.IsLoopback():
		return network.Bits() < 8
	case addr.Is4In6():
		return network.Bits() < 96+least4
	case addr.Is6():
		return network.Bits() < least6
	}
	return network.Bits() < least4
}

// unknownZone returns tz if it is not a known time zone: Go would silently use UTC instead. Otherwise it returns "".
func unknownZone(tz string) string {
	name := strings.TrimPrefix(tz, ":")
	if name == "" {
		return ""
	}
	known := func() error { _, err := time.LoadLocation(name); return err }
	if strings.HasPrefix(name, "/") {
		known = func() error { _, err := os.Stat(name); return err }
	}
	if known() != nil {
		return tz
	}
	return ""
}

// trackVariables returns a copy of w whose getenv records the names of the variables that it reads. It also returns a
// function that returns the KNOBEL_ variables that are set but were never read, such as misspelt ones.
func trackVariables(w world) (world, func() []string) {
	asked, getenv := map[string]bool{}, w.getenv
	w.getenv = func(name string) string {
		asked[name] = true
		return getenv(name)
	}
	return w, func() (unread []string) {
		for _, set := range w.environ {
			name, value, _ := strings.Cut(set, "=")
			if strings.HasPrefix(name, "KNOBEL_") && value != "" && !asked[name] {
				unread = append(unread, name)
			}
		}
		slices.Sort(unread)
		return unread
	}
}
