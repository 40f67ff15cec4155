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

// done ends a test where something could not be done.
func done(t testing.TB, err error) {
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

// signIn sends the form.
func signIn(t *testing.T, c *http.Client, at, secret string, status int, head ...string) *http.Response {
	t.Helper()
	res, _ := do(t, c, "POST", at+"/sign-in", url.Values{"secret": {secret}}.Encode(), append([]string{"Content-Type",
		"application/x-www-form-urlencoded"}, head...)...)
	want(t, res, status)
	return res
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
		if !l.of(strings.Repeat("x", i%7) + string(rune(i+256))).Allow() {
			t.Fatalf("address %d is refused though all others have rested", i)
		}
	}
	if len(l.by) > maxAddresses {
		t.Errorf("%d addresses are remembered", len(l.by))
	}
	full := newLimits(0, 1)
	for i := range maxAddresses {
		full.of(string(rune(i + 256))).Allow()
	}
	if full.of("one more").Allow() {
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
