package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"knobel/bot/chat"
)

// client is a browser without a screen: it keeps cookies and follows nothing.
func client(t *testing.T) *http.Client {
	t.Helper()
	jar := must(cookiejar.New(nil))
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// do sends a request and returns the answer with its body.
func do(t *testing.T, c *http.Client, method, url, body string, head ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text := must(io.ReadAll(res.Body))
	return res, string(text)
}

// done ends a test where something could not be done.
func done(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks a status.
func want(t *testing.T, res *http.Response, status int) {
	t.Helper()
	if res.StatusCode != status {
		t.Errorf("%s %s: %d, want %d", res.Request.Method, res.Request.URL.Path, res.StatusCode, status)
	}
}

func TestEveryAnswerIsArmoured(t *testing.T) {
	url := serve(t, New(Config{}), &pretend{})
	for _, path := range []string{"/", "/table", "/fair", "/me", staticAt("page.css"), staticAt("js/room.js"),
		"/nowhere", "/healthz", "/static/"} {
		res, body := do(t, client(t), "GET", url+path, "")
		for name, value := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := res.Header.Get(name); got != value {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		for _, inline := range []string{"<style", " style=", " onclick=", "javascript:", "<script>"} {
			if strings.HasSuffix(path, "r") && strings.Contains(body, inline) ||
				(path == "/" || path == "/table") && strings.Contains(body, inline) {
				t.Errorf("%s carries %s", path, inline)
			}
		}
	}
	if strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("the policy is weak: %s", policy)
	}
	for _, path := range []string{"/static/", "/static/js/", "/static/../page.go", "/static/room.html", "/nowhere",
		"/static/page.css", "/static/0123456789abcdef/page.css", staticAt("page.css") + "x",
		strings.Replace(staticAt("page.css"), "page.css", "room.html", 1)} {
		res, _ := do(t, client(t), "GET", url+path, "")
		if res.StatusCode == http.StatusOK {
			t.Errorf("%s is served", path)
		}
	}
}

// Browsers take this header from an origin alone that they trust, and complain of it elsewhere.
func TestAPlainOriginIsToldNothingOfOpeners(t *testing.T) {
	at := serve(t, New(Config{Secret: "s"}), &pretend{})
	for _, asked := range []struct{ host, proto, told string }{
		{"localhost:8080", "", "same-origin"}, {"127.0.0.1:8080", "", "same-origin"}, {"[::1]:8080", "", "same-origin"},
		{"dice.example", "https", "same-origin"}, {"dice.example", "", ""}, {"dice.example", "http", ""},
		{"192.168.1.7:8080", "", ""},
	} {
		for _, path := range []string{"/", "/table", staticAt("page.css")} {
			res, _ := do(t, client(t), "GET", at+path, "", "Host", asked.host, "X-Forwarded-Proto", asked.proto)
			if told := res.Header.Get("Cross-Origin-Opener-Policy"); told != asked.told {
				t.Errorf("%s over %q at %s is told %q", path, asked.proto, asked.host, told)
			}
		}
	}
}

func TestForeignNamesForThisMachineAreRefused(t *testing.T) {
	address := serve(t, New(Config{}), &pretend{})
	guarded := serve(t, New(Config{Secret: "s"}), &pretend{})
	for host, status := range map[string]int{
		"localhost": 200, "localhost:9000": 200, "LOCALHOST": 200, "LocalHost:8080": 200, "127.0.0.1:8080": 200,
		"[::1]:8080": 200, "[::1]": 200,
		"evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421, "192.168.1.7": 421,
	} {
		res, _ := do(t, client(t), "GET", address+"/", "", "Host", host)
		if res.StatusCode != status {
			t.Errorf("Host %s: %d, want %d", host, res.StatusCode, status)
		}
	}
	res, _ := do(t, client(t), "GET", guarded+"/table", "", "Host", "knobel.example")
	want(t, res, http.StatusUnauthorized)
	res, _ = do(t, client(t), "GET", address+"/healthz", "", "Host", "10.0.0.4:8080")
	want(t, res, http.StatusOK)
}

func TestOtherSitesCannotPress(t *testing.T) {
	b := &pretend{}
	url, c := serve(t, New(Config{}), b), client(t)
	do(t, c, "GET", url+"/me", "")
	press := `{"id":"1","as":0,"press":"p"}`
	for _, head := range [][]string{
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"},
		{"Origin", "null"},
	} {
		res, _ := do(t, c, "POST", url+"/press", press, head...)
		want(t, res, http.StatusForbidden)
	}
	if _, n := b.last(); n != 0 {
		t.Errorf("%d presses came through", n)
	}
	for _, head := range [][]string{{"Sec-Fetch-Site", "same-origin"}, {"Origin", url}, {}} {
		res, _ := do(t, c, "POST", url+"/press", press, head...)
		want(t, res, http.StatusOK)
	}
}

func TestNothingIsSeenWithoutTheSecret(t *testing.T) {
	w := New(Config{Secret: "open sesame"})
	w.room.post(board(1, "Anna is to throw."))
	url := serve(t, w, &pretend{})
	c := client(t)
	for _, ask := range []struct{ method, path string }{
		{"GET", "/table"}, {"POST", "/rooms"}, {"GET", "/fair"}, {"GET", "/me"},
		{"GET", "/events"}, {"GET", "/record?table=1"}, {"GET", "/complete?text=/"},
		{"POST", "/press"}, {"POST", "/command"}, {"POST", "/people"}, {"GET", "/nowhere"},
	} {
		res, body := do(t, c, ask.method, url+ask.path, "")
		want(t, res, http.StatusUnauthorized)
		if strings.Contains(body, "Anna") {
			t.Errorf("%s tells of the room", ask.path)
		}
	}
	// The front page is for guests, too: it leads them to their rooms, and whoever wants one to the secret.
	for _, path := range []string{"/", "/sign-in"} {
		res, body := do(t, c, "GET", url+path, "")
		want(t, res, http.StatusOK)
		if strings.Contains(body, "Anna") {
			t.Errorf("%s tells of the room", path)
		}
	}
	// A cookie from before the secret was set, or of another one, is not enough.
	strangers := serve(t, New(Config{Secret: "other", Key: w.config.Key}), &pretend{})
	signIn(t, c, strangers, "other", http.StatusSeeOther)
	res, _ := do(t, c, "GET", url+"/me", "")
	want(t, res, http.StatusUnauthorized)
}

// signIn sends the form.
func signIn(t *testing.T, c *http.Client, at, secret string, status int, head ...string) *http.Response {
	t.Helper()
	res, _ := do(t, c, "POST", at+"/sign-in", url.Values{"secret": {secret}}.Encode(), append([]string{"Content-Type",
		"application/x-www-form-urlencoded"}, head...)...)
	want(t, res, status)
	return res
}

func TestTheSecretOpensTheDoor(t *testing.T) {
	w := New(Config{Secret: "open sesame"})
	url := serve(t, w, &pretend{})
	c := client(t)
	signIn(t, c, url, "wrong", http.StatusUnauthorized)
	res := signIn(t, c, url, "open sesame", http.StatusSeeOther)
	cookie := res.Header.Get("Set-Cookie")
	for _, word := range []string{"HttpOnly", "SameSite=Strict", "Path=/"} {
		if !strings.Contains(cookie, word) {
			t.Errorf("the cookie lacks %s", word)
		}
	}
	if strings.Contains(cookie, "sesame") {
		t.Error("the cookie tells the secret")
	}
	res, _ = do(t, c, "GET", url+"/me", "")
	want(t, res, http.StatusOK)

}

// A link with the secret admits only through a form sent from this page.
func TestALinkWithTheSecretBringsAFormAndNothingElse(t *testing.T) {
	url := serve(t, New(Config{Secret: "open sesame"}), &pretend{})
	for _, secret := range []string{"open+sesame", "no", ""} {
		res, body := do(t, client(t), "GET", url+"/?secret="+secret, "")
		want(t, res, http.StatusUnauthorized)
		if !strings.Contains(body, `action="/sign-in"`) ||
			!strings.Contains(body, `value="`+strings.ReplaceAll(secret, "+", " ")+`"`) {
			t.Errorf("the link does not lead on: %s", body)
		}
		if cookies := res.Header.Values("Set-Cookie"); len(cookies) > 0 {
			t.Errorf("the link sets %q", cookies)
		}
	}
	_, body := do(t, client(t), "GET", url+`/?secret=%22%3E%3Cscript%3E`, "")
	if strings.Contains(body, `"><script>`) {
		t.Errorf("what stands in a link becomes part of the page: %s", body)
	}
}

func TestALinkFromElsewhereAsksAgainForTheCookie(t *testing.T) {
	url := serve(t, New(Config{Secret: "s"}), &pretend{})
	res, body := do(t, client(t), "GET", url+"/table", "", "Sec-Fetch-Site", "cross-site")
	want(t, res, http.StatusUnauthorized)
	if !strings.Contains(body, "refresh") {
		t.Error("somebody who is signed in would be asked for the secret again")
	}
	_, body = do(t, client(t), "GET", url+"/table", "", "Sec-Fetch-Site", "same-origin")
	if strings.Contains(body, "refresh") || !strings.Contains(body, "<form") {
		t.Error("the second request does not ask for the secret")
	}
}

// Forms at the door are bounded, also with the right secret.
func TestFormsAtTheDoorAreBounded(t *testing.T) {
	url := serve(t, New(Config{Secret: "open sesame"}), &pretend{})
	for size, status := range map[int]int{4 << 10: http.StatusSeeOther, 4<<10 + 1: http.StatusBadRequest} {
		form := "secret=open+sesame&more="
		form += strings.Repeat("x", size-len(form))
		res, _ := do(t, client(t), "POST", url+"/sign-in", form, "Content-Type", "application/x-www-form-urlencoded")
		if in := res.Header.Get("Set-Cookie") != ""; res.StatusCode != status || in != (status == http.StatusSeeOther) {
			t.Errorf("a form of %d bytes is answered %d, want %d, and in: %v", size, res.StatusCode, status, in)
		}
	}
}

func TestLimitsForgetWhoHasRested(t *testing.T) {
	l := newLimits(1e9, 1)
	for i := range 3 * maxAddresses {
		if !l.allow(strings.Repeat("x", i%7) + string(rune(i+256))) {
			t.Fatalf("address %d is refused though all others have rested", i)
		}
	}
	if len(l.by) > maxAddresses {
		t.Errorf("%d addresses are remembered", len(l.by))
	}
	full := newLimits(0, 1)
	for i := range maxAddresses {
		full.allow(string(rune(i + 256)))
	}
	if full.allow("one more") {
		t.Error("a stranger passes though everybody is known and tired")
	}
}

func TestNothingSecretIsLogged(t *testing.T) {
	var log bytes.Buffer
	w := New(Config{Secret: "open sesame",
		Log:    slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Record: func(context.Context, chat.Chat, int64) ([]byte, error) { return nil, errors.New("disk is gone") }})
	url := serve(t, w, &pretend{})
	c := client(t)
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

func TestHealth(t *testing.T) {
	w := New(kept(t, Config{Secret: "s"}))
	url := serve(t, w, &pretend{})
	res, body := do(t, client(t), "GET", url+"/healthz", "")
	want(t, res, http.StatusOK)
	if body != "ok\n" {
		t.Errorf("healthz says %q", body)
	}
	done(t, w.config.Store.Close())
	res, body = do(t, client(t), "GET", url+"/healthz", "")
	want(t, res, http.StatusServiceUnavailable)
	if body != "the database does not answer\n" {
		t.Errorf("healthz tells %q", body)
	}
}
