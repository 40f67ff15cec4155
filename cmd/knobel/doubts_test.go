package main

import (
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
)

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
			file := filepath.Join(t.TempDir(), "token")
			writes(t, file, []byte(broken+"\n"))
			for how, env := range map[string]map[string]string{"variable": {name: broken},
				"file": {name + "_FILE": file}} {
				env["KNOBEL_DB"] = filepath.Join(t.TempDir(), "none.db")
				for _, command := range []string{"serve", "doctor"} {
					code, out, complained := typed(t, env, command)
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
