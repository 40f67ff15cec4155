package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"knobel/bot/chat"
)

// newClient returns a browser without a screen: it keeps cookies and follows no redirects.
func newClient(t *testing.T) *http.Client {
	t.Helper()
	jar := must(cookiejar.New(nil))
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// do sends a request and returns the answer with its body; head are pairs of header name and value.
func do(t *testing.T, c *http.Client, method, url, body string, head ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	done(t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(head); i += 2 {
		if head[i] == "Host" {
			r.Host = head[i+1]
		}
		r.Header.Set(head[i], head[i+1])
	}
	res, err := c.Do(r)
	done(t, err)
	defer res.Body.Close()
	text := must(io.ReadAll(res.Body))
	return res, string(text)
}

// done ends the test if err is not nil.
func done(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want fails the test unless the answer has that status.
func want(t *testing.T, res *http.Response, status int) {
	t.Helper()
	if res.StatusCode != status {
		t.Errorf("%s %s: %d, want %d", res.Request.Method, res.Request.URL.Path, res.StatusCode, status)
	}
}

// signIn posts secret to the server with the URL at, with the header fields head. The answer must have that status.
func signIn(t *testing.T, c *http.Client, at, secret string, status int, head ...string) *http.Response {
	t.Helper()
	res, _ := do(t, c, "POST", at+"/sign-in", url.Values{"secret": {secret}}.Encode(), append([]string{"Content-Type",
		"application/x-www-form-urlencoded"}, head...)...)
	want(t, res, status)
	return res
}

// Sign-in forms have a maximum size, even with the right secret.
func TestFormsAtTheDoorAreBounded(t *testing.T) {
	url := serve(t, New(Config{Secret: "open sesame"}), &fakeBot{})
	for size, status := range map[int]int{4 << 10: http.StatusSeeOther, 4<<10 + 1: http.StatusBadRequest} {
		form := "secret=open+sesame&more="
		form += strings.Repeat("x", size-len(form))
		res, _ := do(t, newClient(t), "POST", url+"/sign-in", form, "Content-Type", "application/x-www-form-urlencoded")
		if in := res.Header.Get("Set-Cookie") != ""; res.StatusCode != status || in != (status == http.StatusSeeOther) {
			t.Errorf("a form of %d bytes is answered %d, want %d, and in: %v", size, res.StatusCode, status, in)
		}
	}
}

// Unused limiters are dropped for new addresses. If all are in use, a new address is refused.
func TestLimitsForgetWhoHasRested(t *testing.T) {
	l := newLimits(1e9, 1)
	for i := range 3 * maxAddresses {
		if !l.limiter(strings.Repeat("x", i%7) + string(rune(i+256))).Allow() {
			t.Fatalf("address %d is refused though all others have rested", i)
		}
	}
	if len(l.byAddress) > maxAddresses {
		t.Errorf("%d addresses are remembered", len(l.byAddress))
	}
	full := newLimits(0, 1)
	for i := range maxAddresses {
		full.limiter(string(rune(i + 256))).Allow()
	}
	if full.limiter("one more").Allow() {
		t.Error("a stranger passes though everybody is known and tired")
	}
}

func TestNothingSecretIsLogged(t *testing.T) {
	var log bytes.Buffer
	w := New(Config{Secret: "open sesame",
		Log:    slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Record: func(context.Context, chat.Chat, int64) ([]byte, error) { return nil, errors.New("disk is gone") }})
	url := serve(t, w, &fakeBot{})
	c := newClient(t)
	signIn(t, c, url, "open sesame", http.StatusSeeOther)
	do(t, c, "GET", url+"/?secret=open+sesame", "")
	res, body := do(t, c, "GET", url+"/record?table=1", "")
	want(t, res, http.StatusInternalServerError)
	if strings.Contains(body, "disk") || !strings.Contains(log.String(), "disk is gone") {
		t.Errorf("the fault is told to the wrong people: %q, log %q", body, log.String())
	}
	if strings.Contains(log.String(), "sesame") {
		t.Errorf("the log tells the secret: %s", log.String())
	}
}

func TestAddressesBehindProxies(t *testing.T) {
	for _, c := range []struct{ proxies, remote, forwarded, want string }{
		{"", "203.0.113.7:4000", "", "203.0.113.7"},
		{"", "203.0.113.7:4000", "198.51.100.1", "203.0.113.7"}, // forgeable without a proxy
		{"127.0.0.1", "203.0.113.7:4000", "198.51.100.1", "203.0.113.7"},
		{"127.0.0.1", "127.0.0.1:4000", "", "127.0.0.1"},
		{"127.0.0.1", "127.0.0.1:4000", "198.51.100.1", "198.51.100.1"},
		// the client may have forged the first part
		{"127.0.0.1", "127.0.0.1:4000", "192.0.2.9, 198.51.100.1", "198.51.100.1"},
		{"127.0.0.1, 10.0.0.0/8", "127.0.0.1:4000", "192.0.2.9, 198.51.100.1,10.1.2.3", "198.51.100.1"},
		{"127.0.0.1,10.0.0.0/8", "127.0.0.1:4000", "10.9.9.9", "10.9.9.9"},
		{"127.0.0.1", "127.0.0.1:4000", "nobody", "127.0.0.1"},
		{"127.0.0.1", "127.0.0.1:4000", "198.51.100.1, nobody", "127.0.0.1"},
		{"127.0.0.1", "[::ffff:127.0.0.1]:4000", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"},
		{"::1", "[::1]:4000", "::ffff:198.51.100.1", "198.51.100.1"},
		{"", "@", "198.51.100.1", "@"},
	} {
		proxies, err := ParseProxies(c.proxies)
		done(t, err)
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		for part := range strings.SplitSeq(c.forwarded, ", ") {
			r.Header.Add("X-Forwarded-For", part)
		}
		if got := New(Config{Proxies: proxies}).clientKey(r); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	for _, wrong := range []string{"proxy", "10.0.0.0/40", "127.0.0.1;10.0.0.1", "127.0.0.1:80"} {
		if _, err := ParseProxies(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// An unknown proxy is logged once, without the addresses behind it.
func TestAProxyThatNobodyHasNamedIsToldOf(t *testing.T) {
	for _, c := range []struct {
		proxies Proxies
		lines   int
	}{{nil, 1}, {must(ParseProxies("127.0.0.1")), 0}} {
		var log bytes.Buffer
		url := serve(t, New(Config{Secret: "s", Proxies: c.proxies, Log: slog.New(slog.NewTextHandler(&log, nil))}),
			&fakeBot{})
		for range 5 {
			do(t, newClient(t), "POST", url+"/sign-in", "secret=guess", "Content-Type",
				"application/x-www-form-urlencoded", "X-Forwarded-For", "198.51.100.1")
		}
		if n := strings.Count(log.String(), "unknown proxy"); n != c.lines ||
			strings.Contains(log.String(), "198.51.100.1") {
			t.Errorf("with the proxies %v the log says %d times:\n%s", c.proxies, n, log.String())
		}
	}
}

// Without a secret, a client that uses HTTP/1.0 is taken for a proxy and refused.
func TestWithoutASecretHTTP10IsRefused(t *testing.T) {
	at := serve(t, New(Config{}), &fakeBot{})
	port := at[strings.LastIndex(at, ":")+1:]
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	done(t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "GET / HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n", port)
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.Contains(string(answer), " 421 ") {
		t.Errorf("what speaks HTTP/1.0 gets %v %s", err, answer)
	}
}

// No address, visitor, room or larger network takes all streams. Guests leave some for hosts and seated people.
func TestStreamsOfOneAddressLeaveRoomForOthers(t *testing.T) {
	w := New(Config{Proxies: must(ParseProxies("192.0.2.1"))})
	follow := func(from, id string, leads bool) bool {
		r := httptest.NewRequest("GET", "/events", nil)
		r.RemoteAddr = "192.0.2.1:99"
		r.Header.Set("X-Forwarded-For", from)
		return w.streams.acquire(w.claimsOf(r, visitor{ID: id}), leads) != nil
	}
	for name, c := range map[string]struct {
		from, id string // the page's address and visitor id, with its number for %d or %x
		most     int
	}{
		"an IPv4 address": {"198.51.100.7", "v%d", maxStreamsEach},
		"a /64":           {"2001:db8::%x", "v%d", maxStreamsEach},
		"a /56":           {"2001:db8:0:%x::1", "v%d", maxStreams56},
		"a /48":           {"2001:db8:0:%x00::1", "v%d", maxStreams48},
		"a visitor":       {"198.51.100.%d", "v", maxStreamsVisitor},
		"a room":          {"2001:db8:%x::1", "v%d", maxStreamsRoom},
	} {
		for _, leads := range []bool{false, true} {
			w.streams = newStreams(maxStreams, maxStreamsEach)
			n := 0
			for n <= maxStreams && follow(withNumber(c.from, n), withNumber(c.id, n), leads) {
				n++
			}
			if n != c.most {
				t.Errorf("%s has %d places", name, n)
			}
			if !leads && !follow(withNumber(c.from, n), withNumber(c.id, n), true) {
				t.Errorf("%s leaves none for hosts", name)
			}
		}
	}
}

// withNumber returns text formatted with n, or text itself if it has no verb.
func withNumber(text string, n int) string {
	if !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, n)
}

// A closed stream makes room for another one. One in eight streams is reserved for hosts and seated people.
func TestStreamsThatLeaveMakeRoom(t *testing.T) {
	s := newStreams(16, 64)
	one := []claim{{"a", 64}}
	var all []*slot
	for _, leads := range []bool{false, true} {
		for place := s.acquire(one, leads); place != nil; place = s.acquire(one, leads) {
			all = append(all, place)
		}
		if want := map[bool]int{false: 14, true: 16}[leads]; len(all) != want {
			t.Errorf("%d have places, not %d", len(all), want)
		}
	}
	for _, place := range all {
		place.release()
	}
	if s.all != 0 || len(s.counts) != 0 {
		t.Errorf("%d are left: %v", s.all, s.counts)
	}
}

// If a viewer leaves their seat, their stream counts as a guest's: it is closed if guests have no stream left.
func TestWhoGetsUpLeavesThePlaceOfThoseWhoSit(t *testing.T) {
	w := New(Config{})
	w.streams = newStreams(16, 1) // one guest and one seated person have this address
	url := serve(t, w, &fakeBot{})
	anna, a := openPage(t, w, url)
	ben, b := openPage(t, w, url)
	m := board(1, "x")
	m.People = []chat.Person{{User: a.user(0), Name: "Anna"}}
	ref := must(w.Post(t.Context(), roomPlace, m))
	sits := func(people ...chat.Person) {
		m.People = people
		done(t, w.Edit(t.Context(), roomPlace, ref, m))
	}
	first := openStream(t, anna, url, "")
	first.next()
	sits(chat.Person{User: b.user(0), Name: "Ben"})
	first.next()
	second := openStream(t, ben, url, "")
	if _, _, ok := second.next(); !ok {
		t.Fatal("who sits there now has no place")
	}
	sits()
	for ok := true; ok; {
		_, _, ok = second.next()
	}
	first.next()
}

func TestATakenPortIsNamedWithAWayOut(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	done(t, err)
	defer l.Close()
	addr := l.Addr().String()
	err = New(withStore(t, Config{Listen: addr})).Run(t.Context(), nil)
	if err == nil {
		t.Fatal("two programs listen on one port")
	}
	for _, word := range []string{addr, "taken", "--listen", "KNOBEL_LISTEN"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %s", err, word)
		}
	}
}

func TestBeyondThisMachineASecretIsDemanded(t *testing.T) {
	ended, stop := context.WithCancel(t.Context())
	stop()
	for _, addr := range []string{":8080", "0.0.0.0:0", "[::]:0", "192.0.2.1:80", "knobel.example:80"} {
		err := New(Config{Listen: addr}).Run(ended, nil)
		if err == nil || !strings.Contains(err.Error(), "KNOBEL_WEB_SECRET") {
			t.Errorf("%s: %v", addr, err)
		}
	}
	for _, addr := range []string{"127.0.0.1:80", "localhost:80", "[::1]:80", "127.8.9.1:80"} {
		if !Loopback(addr) {
			t.Errorf("%s counts as reachable from elsewhere", addr)
		}
	}
}
