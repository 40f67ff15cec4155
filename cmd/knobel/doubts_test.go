package main

import (
	"maps"
	"net/netip"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A file that has no end, or more than any secret, is refused in a sentence.
func TestSecretsOfEndlessFilesAreRefused(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large")
	writes(t, large, []byte(strings.Repeat("a", maxSecretFile+1)))
	files := []string{large}
	if runtime.GOOS == "linux" {
		files = append(files, "/dev/zero", "/dev/urandom")
	}
	for _, file := range files {
		for name, says := range map[string]string{
			"KNOBEL_KEY_FILE":            "the key file " + file + " holds more than 64 KB",
			"KNOBEL_TELEGRAM_TOKEN_FILE": "which holds more than 64 KB",
			"KNOBEL_DISCORD_TOKEN_FILE":  "which holds more than 64 KB",
			"KNOBEL_WEB_SECRET_FILE":     "which holds more than 64 KB",
		} {
			env := map[string]string{name: file, "KNOBEL_DB": filepath.Join(t.TempDir(), "none.db")}
			for _, command := range [][]string{{"doctor"}, {"serve"}} {
				code, out, complained := reallyTyped(t, env, command...)
				if code != 1 || out != "" || !strings.Contains(complained, says) ||
					strings.Count(complained, "\n") != 1 {
					t.Errorf("%s=%s, %s: ends with %d, %q and %q", name, file, command, code, out, complained)
				}
			}
		}
		code, _, complained := reallyTyped(t, map[string]string{"KNOBEL_DB": filepath.Join(t.TempDir(), "none.db")},
			"rekey", "--from", file)
		if code != 1 || !strings.Contains(complained, "holds more than 64 KB") {
			t.Errorf("rekey --from %s: ends with %d and %q", file, code, complained)
		}
	}
}

// reallyTyped runs one command line with the files of this machine.
func reallyTyped(t *testing.T, env map[string]string, args ...string) (code int, out, err string) {
	t.Helper()
	var said, complained strings.Builder
	w := world{in: strings.NewReader(""), out: &said, err: &complained,
		getenv: func(name string) string { return env[name] }, fs: readSmall}
	code = run(t.Context(), w, args)
	return code, said.String(), complained.String()
}

// A token that was broken when it was copied is refused before anything begins,
// and does not show.
func TestBrokenTokensAreRefused(t *testing.T) {
	for odd, says := range map[string]string{
		"\n": "a line break", "\r\n": "a line break", "\x00": "a control character", "\x1b": "a control character",
		"\u0085": "a control character",
		" ":      "a space", "\u00a0": "a space", "…": "the character '…'", "\u200b": `the character '\u200b'`,
		"\xff": "a control character",
	} {
		for name, token := range map[string]string{"KNOBEL_TELEGRAM_TOKEN": telegramToken,
			"KNOBEL_DISCORD_TOKEN": discordToken} {
			broken := token[:20] + odd + token[20:]
			for how, env := range map[string]map[string]string{"variable": {name: broken},
				"file": {name + "_FILE": "token"}} {
				env["KNOBEL_DB"] = filepath.Join(t.TempDir(), "none.db")
				for _, command := range []string{"serve", "doctor"} {
					code, out, complained := typed(t, env, map[string]string{"token": broken + "\n"}, command)
					if code != 1 || out != "" || complained != "knobel: "+name+" holds "+says+
						", as no token does: copy it again, as one line\n" {
						t.Errorf("%s with %q in the %s, %s: ends with %d, %q and %q", name, odd, how, command, code,
							out, complained)
					}
					secretive(t, complained)
				}
			}
		}
	}
	for _, env := range []map[string]string{{"KNOBEL_WEB_SECRET": "two\nlines of it"},
		{"KNOBEL_WEB_SECRET_FILE": "secret"}} {
		code, _, complained := typed(t, env, map[string]string{"secret": "two\nlines of it"}, "doctor")
		if code != 1 || !strings.Contains(complained, "KNOBEL_WEB_SECRET holds a line break") ||
			strings.Contains(complained, "two") {
			t.Errorf("ends with %d and %q", code, complained)
		}
	}
}

// Settings that let in more than was meant are told by doctor and at the start.
func TestDoubtfulSettingsAreTold(t *testing.T) {
	t.Parallel()
	const zone, weak, wide = "is no time zone that is known here", "so that it can be guessed", "can pass for anybody"
	for _, c := range []struct {
		env   map[string]string
		doubt string // "" there is none
	}{
		{map[string]string{"TZ": "Mars/Phobos"}, "TZ=Mars/Phobos " + zone},
		{map[string]string{"TZ": "CET-1CEST"}, zone}, {map[string]string{"TZ": "/no/such/zone"}, zone},
		{map[string]string{"TZ": ":Nowhere"}, zone},
		{map[string]string{"TZ": "Europe/Berlin"}, ""}, {map[string]string{"TZ": ":Europe/Berlin"}, ""},
		{map[string]string{"TZ": "UTC"}, ""},
		{map[string]string{"TZ": ""}, ""},
		{map[string]string{"KNOBEL_LISTEN": "0.0.0.0:1", "KNOBEL_WEB_SECRET": "a"}, "has 1 characters, " + weak},
		{map[string]string{"KNOBEL_LISTEN": "0.0.0.0:1", "KNOBEL_WEB_SECRET": strings.Repeat("ä", 15)}, weak},
		{map[string]string{"KNOBEL_LISTEN": "0.0.0.0:1", "KNOBEL_WEB_SECRET": strings.Repeat("a", 16)}, ""},
		{map[string]string{"KNOBEL_LISTEN": "0.0.0.0:1"}, ""}, // it is made
		{map[string]string{"KNOBEL_LISTEN": "127.0.0.1:1", "KNOBEL_WEB_SECRET": "a"}, ""},
		{map[string]string{"KNOBEL_LISTEN": "127.0.0.1:1", "KNOBEL_WEB_SECRET": "a",
			"KNOBEL_PROXIES": "127.0.0.1"}, weak},
		{map[string]string{"KNOBEL_PROXIES": "0.0.0.0/0"}, "0.0.0.0/0 is more than proxies of yours"},
		{map[string]string{"KNOBEL_PROXIES": "127.0.0.1, ::/0"}, wide},
		{map[string]string{"KNOBEL_PROXIES": "128.0.0.0/1"}, wide},
		{map[string]string{"KNOBEL_PROXIES": "127.0.0.1, 10.0.0.0/8"}, "10.0.0.0/8 is more than proxies of yours"},
		{map[string]string{"KNOBEL_PROXIES": "172.30.77.0/28,10.1.2.3,fd00::7,127.0.0.0/8,::1"}, ""},
	} {
		env := maps.Clone(c.env)
		env["KNOBEL_DB"] = filepath.Join(t.TempDir(), "none.db")
		_, out, complained := typed(t, env, nil, "doctor")
		if complained != "" || (c.doubt != "") != (strings.Contains(out, "\nwarn   ")) ||
			!strings.Contains(out, c.doubt) {
			t.Errorf("%v: %s%s", c.env, out, complained)
		}
	}
	_, out, _ := typed(t, map[string]string{"KNOBEL_DB": filepath.Join(t.TempDir(), "none.db")}, nil, "doctor",
		"--web-secret", "correct-horse-battery")
	if !strings.Contains(out, "--web-secret stands in the list of processes") ||
		!strings.Contains(out, "KNOBEL_WEB_SECRET_FILE") {
		t.Errorf("a secret on the command line: %s", out)
	}
	listen := freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), "TZ=Mars/Phobos",
		"KNOBEL_WEB_SECRET=short", "KNOBEL_PROXIES=0.0.0.0/0")
	s.until("all is told at the start", func() bool {
		said := s.said.String()
		return strings.Contains(said, zone) && strings.Contains(said, weak) && strings.Contains(said, wide)
	})
	s.leave()
}

func TestWideNetworks(t *testing.T) {
	for network, is := range map[string]bool{
		"0.0.0.0/0": true, "8.0.0.0/8": true, "104.16.0.0/11": true, "104.16.0.0/13": false, "10.0.0.0/8": true,
		"10.0.0.0/7":  true,
		"192.0.0.0/8": true, "192.168.0.0/24": true, "192.168.0.0/28": false,
		"203.0.113.7/32": false, "::/0": true, "2000::/3": true,
		"2a06:98c0::/29": false,
		"fc00::/7":       true, "fd00::/64": true, "fd00::1/128": false, "127.0.0.0/8": false,
		"::ffff:0:0/96": true, "::1/128": false,
	} {
		if wide(netip.MustParsePrefix(network)) != is {
			t.Errorf("%s: %v", network, !is)
		}
	}
	for s := range allSettings() {
		if s.env == "KNOBEL_PROXIES" && strings.Contains(s.usage, "/") {
			t.Errorf("its help recommends a network: %s", s.usage)
		}
	}
}
