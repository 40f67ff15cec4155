package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// An error that occurs ten times a second for an hour causes a few log lines, which contain the number of occurrences.
// Other errors are logged as usual.
func TestOneTroubleHasFewLines(t *testing.T) {
	var out bytes.Buffer
	met, now := newTroubleCounts(), time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC)
	met.now = func() time.Time { return now }
	log := slog.New(newDeduplicator(slog.NewTextHandler(&out, nil), met))
	full := errors.New("the disk is full")
	for i := range 36_000 {
		log.Error("not carried out", "event", i, "error", fmt.Errorf("table %d: %w", i, full))
		now = now.Add(100 * time.Millisecond)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) > 7 || !strings.Contains(lines[0], "event=0 ") || strings.Contains(lines[0], "times=") ||
		!strings.Contains(lines[1], "times=600") {
		t.Errorf("%d lines:\n%s", len(lines), out.String())
	}
	out.Reset()
	log.Error("not carried out", "error", errors.New("another reason"))
	log.With("platform", "telegram").Error("not carried out", "error", full)
	for range 3 {
		log.Info("a table is open")
	}
	if n := strings.Count(out.String(), "\n"); n != 5 {
		t.Errorf("%d lines:\n%s", n, out.String())
	}
	out.Reset()
	now = now.Add(3 * time.Hour) // the error occurs again after a pause
	log.Error("not carried out", "error", full)
	if n := strings.Count(out.String(), "\n"); n != 1 {
		t.Errorf("%d lines:\n%s", n, out.String())
	}
}

// Errors of an unreachable server are one trouble, even if the port numbers differ.
func TestAServerThatIsAwayHasOneLine(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(newDeduplicator(slog.NewTextHandler(&out, nil), newTroubleCounts()))
	for port := range 100 {
		refused := func(port int) error {
			return &net.OpError{Op: "read", Net: "tcp", Source: &net.TCPAddr{Port: 40_000 + port},
				Err: syscall.ECONNRESET}
		}
		log.Error("boards wait", "error", fmt.Errorf("begin: %w", errors.Join(refused(port), refused(1000+port))))
	}
	if n := strings.Count(out.String(), "\n"); n != 1 {
		t.Errorf("%d lines:\n%s", n, out.String())
	}
}

func TestTroublesAreForgotten(t *testing.T) {
	met, now := newTroubleCounts(), time.Now()
	met.now = func() time.Time { return now }
	for i := range 3 * maxTroubles {
		if told, _ := met.count(fmt.Sprint(i)); !told {
			t.Fatalf("%d is not told", i)
		}
		now = now.Add(time.Second)
	}
	if len(met.counts) > maxTroubles {
		t.Errorf("%d are known", len(met.counts))
	}
}

// During an outage of the database, errors that result from it are not logged. The metric of log lines counts only
// lines that are written. The outage begins with the first error that indicates it.
func TestAnOutageHasTwoLines(t *testing.T) {
	var out bytes.Buffer
	away, other := errors.New("connection refused"), errors.New("another trouble")
	isAway := func(err error) bool { return errors.Is(err, away) }
	m := newMeter()
	lines := newLogCounter(slog.NewTextHandler(&out, nil), m.logged)
	o := &databaseOutage{log: slog.New(lines), isOutage: isAway}
	log := slog.New(newSilencer(newDeduplicator(lines, newTroubleCounts()), o, isAway))
	for range 2 { // both outages within a minute are logged
		log.Warn("calls wait", "error", fmt.Errorf("begin: %w", away))
		log.With("platform", "web").Error("look for a room", "error", away)
		o.update(away, 0)
		log.Info("closed", "error", away)
		o.update(nil, time.Second)
	}
	log.Error("not carried out", "error", other)
	for range 3 {
		log.Error("not carried out", "error", other)
	}
	if n := strings.Count(out.String(), "\n"); n != 7 || strings.Count(out.String(), "database is read-only") != 2 {
		t.Errorf("%d lines:\n%s", n, out.String())
	}
	families, err := m.registry.Gather()
	check(t, err)
	if errors := families[0].GetMetric()[0]; errors.GetLabel()[0].GetValue() != "ERROR" ||
		errors.GetCounter().GetValue() != 3 {
		t.Errorf("counted are %v", families)
	}
}

// A token damaged by copying is refused before anything starts, and is not printed.
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
			writePrivate(t, file, []byte(broken+"\n"))
			for how, env := range map[string]map[string]string{"variable": {name: broken},
				"file": {name + "_FILE": file}} {
				env["KNOBEL_DB"] = filepath.Join(t.TempDir(), "none.db")
				for _, command := range []string{"serve", "doctor"} {
					code, out, complained := runCommand(t, env, command)
					if code != 1 || out != "" || complained != "knobel: "+name+" contains "+says+
						", which no token does: copy it again, in one line\n" {
						t.Errorf("%s with %q in the %s, %s: ends with %d, %q and %q", name, odd, how, command, code,
							out, complained)
					}
					checkNoToken(t, complained)
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
		if isTooWide(netip.MustParsePrefix(network)) != is {
			t.Errorf("%s: %v", network, !is)
		}
	}
	for _, s := range allSettings() {
		if s.env == "KNOBEL_PROXIES" && strings.Contains(s.usage, "/") {
			t.Errorf("its help recommends a network: %s", s.usage)
		}
	}
}

// evil is text by which a stranger tries to control terminals: a colour and a title (in two encodings), a bell, a
// carriage return, reversed text, extra lines, and an invalid byte.
const evil = "\x1b[31m\x1b]0;evil\x07\u009b2J\rtwo\u202eturned\u2028\x7f\xff\na line of my own"

// checkHarmless fails if a text could control a terminal.
func checkHarmless(t *testing.T, subject, text string) {
	t.Helper()
	for i, r := range strings.ToValidUTF8(text, "\x7f") {
		if isUnsafe(r) {
			t.Errorf("%s: %U is written: %q", subject, r, text[max(0, i-40):min(len(text), i+40)])
			return
		}
	}
}

// verify and review print any text of a record safely, also its keys.
func TestRecordsOfStrangersAreShownAsText(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "records.jsonl")
	code, _, complained := runCommand(t, nil, "simulate", "shutbox", "--seats", "house:random,house:fewest", "--tiles",
		"9", "--games", "1", "--seed", "1", "--records", file)
	line, err := os.ReadFile(file)
	if code != 0 || err != nil {
		t.Fatal(complained, err)
	}
	look := func(what string, text []byte) {
		writePrivate(t, file, append(text, '\n'))
		for _, command := range []string{"verify", "review"} {
			_, out, complained := runCommand(t, nil, command, file)
			checkHarmless(t, command+what, out+complained)
			for line := range strings.Lines(complained + out) {
				if strings.HasPrefix(line, "a line of") {
					t.Errorf("%s%s: a line of the stranger's own: %s", command, what, out+complained)
				}
			}
		}
		_, out, complained := runCommand(t, nil, "review", "--json", file)
		checkHarmless(t, "review --json"+what, out+complained)
		if out != "" && !json.Valid([]byte(out)) {
			t.Errorf("%s: no JSON: %s", what, out)
		}
	}
	odd, err := json.Marshal(evil)
	check(t, err)
	tried := map[string]int{}
	for _, at := range regexp.MustCompile(`"[^"\\]*"`).FindAllIndex(line, -1) {
		if text := string(line[at[0]:at[1]]); tried[text] < 2 {
			tried[text]++
			look(" of "+text, slices.Concat(line[:at[0]], odd, bytes.TrimSpace(line[at[1]:])))
		}
	}
	if len(tried) < 30 {
		t.Errorf("only %d texts were tried", len(tried))
	}
	for _, broken := range []string{evil, `{"` + evil + `":1}`,
		strings.Replace(string(line), `"stake"`, `"`+evil+`"`, 1), `{"record":"` + evil + `"}`} {
		look(" of a broken line", []byte(broken))
	}
}

// Every command prints its input safely: arguments, flags and names of missing files.
func TestEveryCommandShowsForeignTextAsText(t *testing.T) {
	db := filepath.Join(t.TempDir(), "none.db")
	var try func(c *cobra.Command, path []string)
	try = func(c *cobra.Command, path []string) {
		for _, odd := range [][]string{{evil}, {"--" + evil}, {"--db", evil + "/x/y", evil}, {"-" + evil},
			{"--log", evil}, {"--stake", evil}, {"--help", evil}} {
			_, out, complained := runCommand(t, map[string]string{"KNOBEL_DB": db}, append(path, odd...)...)
			checkHarmless(t, strings.Join(path, " "), out+complained)
		}
		for _, below := range c.Commands()[:min(len(c.Commands()), 1)] { // commands of games are alike
			try(below, append(path, below.Name()))
		}
	}
	for _, c := range commandLine().Commands() {
		if c.Name() != "serve" {
			try(c, []string{c.Name()})
		}
	}
}

// Characters stay whole, in whatever pieces they are written, and JSON keeps its meaning.
func TestShownTextIsNotTorn(t *testing.T) {
	const text = "Jürgen 🎲 – “Kniffel”\n\tein\u202e Würfel\u0085 \xf0\x9f"
	for size := 1; size < 9; size++ {
		var b strings.Builder
		s := &escapingWriter{out: &b}
		for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
			if n, err := s.Write(rest[:min(size, len(rest))]); err != nil || n != min(size, len(rest)) {
				t.Fatal(n, err)
			}
		}
		s.flush()
		if want := "Jürgen 🎲 – “Kniffel”\n\tein\\u202e Würfel\\u0085 \\xf0\\x9f"; b.String() != want {
			t.Errorf("%d bytes at a time: %q", size, b.String())
		}
	}
	name := "a\u202eb\u009bc\x1bd"
	line, err := json.Marshal(name)
	check(t, err)
	var b strings.Builder
	if _, err := (&escapingWriter{out: &b}).Write(line); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != name {
		t.Errorf("%s is %q (%v)", b.String(), back, err)
	}
}
