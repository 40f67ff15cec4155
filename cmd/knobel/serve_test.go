package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
	"knobel/bot/scenario"
)

// leave sends SIGTERM, as service managers do, and fails unless the program ends without an error. The image's own test
// checks that this takes less than ten seconds.
func (s *serving) leave() {
	s.t.Helper()
	asked := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatalf("SIGTERM: %v\n%s", err, s.said)
	}
	select {
	case <-s.ended:
		if s.err != nil {
			s.t.Errorf("after SIGTERM it ends with %v\n%s", s.err, s.said)
		}
	case <-time.After(fakes.Patience):
		s.t.Errorf("it is still there %v after SIGTERM\n%s", time.Since(asked), s.said)
	}
}

// waitForOutput waits until the program has printed part.
func (s *serving) waitForOutput(part string) {
	s.t.Helper()
	s.until(fmt.Sprintf("it says %q", part), func() bool { return strings.Contains(s.said.String(), part) })
}

// refused runs the program, fails unless it ends on its own with exit code 1, and returns its output.
func refused(t *testing.T, program string, env []string, args ...string) string {
	t.Helper()
	s := launch(t, program, env, args...)
	select {
	case <-s.ended:
	case <-time.After(fakes.Patience):
		t.Fatalf("it does not end\n%s", s.said)
	}
	var exit *exec.ExitError
	if !errors.As(s.err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("it ends with %v, not with exit code 1\n%s", s.err, s.said)
	}
	return s.said.String()
}

// telegramToken is a token for tests, in the form of a real one.
const telegramToken = "4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhac60qcK"

// The program ends on SIGTERM even while pages follow the event stream and platforms are away or do not answer.
func TestItLeavesWhenItIsTold(t *testing.T) {
	t.Parallel()
	program, listen := build(t), freePort(t)
	l, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections but never answers
	check(t, err)
	defer l.Close()
	for _, away := range []string{"http://" + nobody, "http://" + l.Addr().String()} {
		s := start(t, program, listen, filepath.Join(t.TempDir(), "knobel.db"), tokens(away, away)...)
		s.waitForOutput("The browser page is open: http://" + listen + "/\n")
		for range 3 {
			v := newVisitor(t, listen)
			followed := make(chan struct{})
			go func() {
				defer close(followed)
				v.follow(t.Context())
			}()
			t.Cleanup(func() { <-followed })
			<-v.news // the stream is open
		}
		s.leave()
	}
}

// browser returns an HTTP client that keeps cookies.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	check(t, err)
	return &http.Client{Jar: jar}
}

// status returns the status of a GET request.
func status(t *testing.T, c *http.Client, url string) int {
	t.Helper()
	got, _ := fetch(t, c, url, nil)
	return got
}

// fetch sends a GET request or, if posted is not nil, a POST with a text or with JSON, with pairs of headers. It
// returns the answer.
func fetch(t *testing.T, c *http.Client, url string, posted any, head ...string) (status int, said string) {
	t.Helper()
	method, body := http.MethodGet, new(bytes.Buffer)
	if posted != nil {
		method = http.MethodPost
		if text, ok := posted.(string); ok {
			body.WriteString(text)
		} else {
			check(t, json.NewEncoder(body).Encode(posted))
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), fakes.Patience)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	check(t, err)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(head); i += 2 {
		if r.Header.Set(head[i], head[i+1]); head[i] == "Host" {
			r.Host = head[i+1]
		}
	}
	resp, err := c.Do(r)
	check(t, err)
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	check(t, err)
	return resp.StatusCode, string(all)
}

// postJSON sends a POST with JSON as a visitor and decodes the reply into answer.
func (v *visitor) postJSON(t *testing.T, path string, posted, answer any) {
	t.Helper()
	status, said := fetch(t, v.client, v.base+path, posted)
	if err := json.Unmarshal([]byte(said), answer); status != http.StatusOK || err != nil {
		t.Fatalf("%s: %d %s %v", path, status, said, err)
	}
}

// checkGuarded fails unless strangers get no page and users with the password get all. It returns such a user's
// browser.
func checkGuarded(t *testing.T, base, secret string) *http.Client {
	t.Helper()
	for _, path := range []string{"/table", "/events", "/me", "/fair", "/record?table=1", "/?secret=",
		"/?secret=wrong"} {
		if got := status(t, browser(t), base+path); got != http.StatusUnauthorized {
			t.Errorf("a stranger gets %d from %s", got, path)
		}
	}
	friend := browser(t)
	resp, err := friend.PostForm(base+"/sign-in", url.Values{"secret": {secret}})
	check(t, err)
	resp.Body.Close()
	for _, path := range []string{"/?secret=" + secret, "/", "/table", "/me"} {
		if got := status(t, friend, base+path); got != http.StatusOK {
			t.Errorf("who knows the secret gets %d from %s", got, path)
		}
	}
	return friend
}

// allInterfaces returns the address of all interfaces with the port of listen.
func allInterfaces(t *testing.T, listen string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(listen)
	check(t, err)
	return ":" + port
}

func TestASecretBeyondLoopback(t *testing.T) {
	t.Parallel()
	program, local, db := build(t), freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	s := start(t, program, allInterfaces(t, local), db)
	s.waitForOutput("?secret=")
	_, rest, _ := strings.Cut(s.said.String(), "?secret=")
	secret, _, _ := strings.Cut(rest, "\n")
	if len(secret) < 20 || strings.Count(s.said.String(), "shown only once") != 1 {
		t.Fatalf("no secret is told once:\n%s", s.said)
	}
	friend := checkGuarded(t, "http://"+local, secret)
	s.leave()
	s = start(t, program, allInterfaces(t, local), db)
	if got := status(t, friend, "http://"+local+"/me"); got != http.StatusOK {
		t.Errorf("after a restart a friend gets %d", got)
	}
	checkGuarded(t, "http://"+local, secret)
	s.waitForOutput("The browser page is open: ")
	s.leave()
	if strings.Contains(s.said.String(), secret) {
		t.Errorf("the secret is told again:\n%s", s.said)
	}
}

// A configured password is not printed. With KNOBEL_WEB_ROOMS=secret the URL of a room is not enough to enter it.
func TestASecretThatIsGiven(t *testing.T) {
	t.Parallel()
	program := build(t)
	const secret = "three-swans-in-a-row"
	file := filepath.Join(t.TempDir(), "secret")
	writePrivate(t, file, []byte(secret+"\n"))
	for _, c := range []struct {
		given, rooms string
		friend       int
	}{
		{"KNOBEL_WEB_SECRET=" + secret, "", http.StatusOK},
		{"KNOBEL_WEB_SECRET=" + secret, roomsOpen, http.StatusOK},
		{"KNOBEL_WEB_SECRET_FILE=" + file, roomsSecret, http.StatusUnauthorized},
	} {
		local := freePort(t)
		s := start(t, program, allInterfaces(t, local), filepath.Join(t.TempDir(), "knobel.db"), c.given,
			"KNOBEL_WEB_ROOMS="+c.rooms)
		host := &visitor{client: checkGuarded(t, "http://"+local, secret), base: "http://" + local}
		if got := status(t, browser(t), host.base+host.createRoom(t)); got != c.friend {
			t.Errorf("KNOBEL_WEB_ROOMS=%s: a friend gets %d", c.rooms, got)
		}
		s.waitForOutput("The browser page is open: ")
		s.leave()
		if strings.Contains(s.said.String(), "secret") {
			t.Errorf("a secret that was given is talked about:\n%s", s.said)
		}
	}
}

func TestVisitorsAndBoardsComeThroughARestart(t *testing.T) {
	t.Parallel()
	program, listen, db := build(t), freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	s := start(t, program, listen, db)
	v := newVisitor(t, listen)
	if _, err := v.post("/people", map[string]any{"rename": map[string]any{"n": 0, "name": "Anna"}}); err != nil {
		t.Fatal(err)
	}
	before := v.identity(t)
	var link struct{ Code string } // lets another browser become the visitor
	v.postJSON(t, "/way", map[string]any{"make": true}, &link)
	v.opens(t, "/shutbox 7 tiles=12")
	open := v.until(t, "Start")
	s.leave()

	s = start(t, program, listen, db)
	if after := v.identity(t); after != before {
		t.Errorf("before the restart the visitor was %s, then %s", before, after)
	}
	elsewhere := newVisitor(t, listen)
	if _, err := elsewhere.post("/take", map[string]any{"code": link.Code, "yes": true}); err != nil {
		t.Error(err)
	}
	if after := elsewhere.identity(t); after != before {
		t.Errorf("who opens the link of %s is %s", before, after)
	}
	if a, err := v.press("old", open); err != nil || a.Refused {
		t.Errorf("an old button does not work any more: %v %+v", err, a)
	}
	v.until(t, "Roll")
	s.leave()
	examine(t, program, db)
}

// identity returns the visitor's identity as the page shows it.
func (v *visitor) identity(t *testing.T) string {
	t.Helper()
	_, said := fetch(t, v.client, v.base+"/me", nil)
	people, _, _ := strings.Cut(said, `,"full"`)
	return people
}

// until follows the event stream until the board has a button with a label, and returns the data that the button sends.
func (v *visitor) until(t *testing.T, label string) string {
	t.Helper()
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		v.follow(t.Context())
	}()
	late, stop := context.WithTimeout(t.Context(), fakes.Patience)
	defer stop()
	for {
		for _, b := range slices.Concat(v.newest().Buttons...) {
			if strings.Contains(b.Label, label) {
				return b.Press
			}
		}
		select {
		case <-v.news:
		case <-followed:
			t.Fatalf("the feed has ended, and no button says %q", label)
		case <-late.Done():
			t.Fatalf("no button says %q on %+v", label, v.newest())
		}
	}
}

// createRoom makes a room and returns its path.
func (v *visitor) createRoom(t *testing.T) string {
	t.Helper()
	var made struct{ Path string }
	v.postJSON(t, "/rooms", map[string]any{}, &made)
	return made.Path
}

// TestDiscordOverHTTP lets two people play a whole game with the running program by webhook, without the gateway.
func TestDiscordOverHTTP(t *testing.T) {
	t.Parallel()
	patient := discordtest.Options{Token: discordToken, Pace: -1, Within: fakes.Patience, Repeats: true}
	channel := scenario.OnDiscord(t, scenario.Net{Discord: patient})
	server := channel.Server
	key, env := discordKey(t)
	listen := freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), "KNOBEL_DISCORD_TOKEN="+discordToken,
		"KNOBEL_DISCORD_API_URL="+server.URL(), env)
	ctx, stop := context.WithTimeout(t.Context(), fakes.Patience)
	defer stop()
	check(t, server.Wait(ctx, server.Listening))
	if err := server.Endpoint("http://"+listen+"/discord", key); err != nil {
		t.Fatal(err)
	}
	there := scenario.At(t, channel)
	there.Until("the commands are known", func() bool { return there.Menu("de") != "" })
	anna, ben := there.Person("Anna", "en"), there.Person("Ben", "en")
	there.Sit("/shutbox stake=5 tiles=7-7 one-die=never", anna, ben)
	there.Says(there.Play(anna, ben).Text, "Anna", "Ben", "Dice seal")
	checkNoToken(t, s.said.String())
	s.leave()
}
