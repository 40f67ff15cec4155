package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes/needs"
	"knobel/bot/telegram/telegramtest"
)

// discordToken is a token for tests, in the form of a real one.
const discordToken = "MTI3ODQwNTU5MDE4NjUyNjc3MQ.GhYw2k.ZQq8tV0mYx3nJb7sLr5cUe9wAk1fDh6gPiNo4E"

// clientSecret is a client secret of Discord for tests, in the form of a real one.
const clientSecret = "q8tYw2kVb_7sLr5cUe9wAk1fDh6gPxN4"

// secrets holds parts of the tokens and of clientSecret, which no output may contain.
var secrets = []string{"AAFD39kk", "rZergyOLMaJ", "MTI3ODQwNTU5", "GhYw2k", "ZQq8tV0mYx3n", "PiNo4E", "q8tYw2kVb",
	"gPxN4"}

// checkNoToken fails if text contains a part of a token.
func checkNoToken(t *testing.T, text string) {
	t.Helper()
	for _, part := range secrets {
		if strings.Contains(text, part) {
			t.Errorf("a token shows (%s):\n%s", part, text)
			return
		}
	}
}

// broken is a fake of both platforms that fails in a certain way.
type broken struct {
	http.Handler
	url      string
	telegram atomic.Int64 // number of requests
	discord  atomic.Int64
}

func (b *broken) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/bot") {
		b.telegram.Add(1)
	} else {
		b.discord.Add(1)
	}
	b.Handler.ServeHTTP(w, r)
}

// echo returns a request's URL and token, as a careless platform would repeat them in an error.
func echo(r *http.Request) string {
	return r.URL.String() + " " + r.Header.Get("Authorization")
}

// withStatus returns a handler that answers with status code, content type kind, and body, with echo for %s.
func withStatus(code int, kind, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		fmt.Fprintf(w, body, echo(r))
	})
}

// raw returns a handler that sends the text of answer in place of an HTTP response, and closes the connection.
func raw(answer func(*http.Request) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, out, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = out.WriteString(answer(r)) // fails if the client is gone
		_ = out.Flush()
	})
}

// failures returns the ways in which a platform can fail, by name; nil means that nothing listens. Redirects lead to
// elsewhere, which must get no request.
func failures(elsewhere string) map[string]http.Handler {
	const kind = "application/json"
	return map[string]http.Handler{
		"refused": nil,
		"unauthorized": withStatus(401, kind,
			`{"ok":false,"error_code":401,"code":0,"message":"401: %[1]s","description":"Unauthorized: %[1]s"}`),
		"not found": withStatus(404, kind,
			`{"ok":false,"error_code":404,"code":0,"message":"404: %[1]s","description":"Not Found: %[1]s"}`),
		"broken": withStatus(500, kind,
			`{"ok":false,"error_code":500,"code":0,"message":"500: %[1]s","description":"Internal Server Error: %[1]s"}`),
		"too many": withStatus(429, kind,
			`{"ok":false,"error_code":429,"retry_after":1,"message":"429: %[1]s","description":"Too Many Requests: %[1]s","parameters":{"retry_after":1}}`),
		"a page":       withStatus(502, "text/html", `<html><body>Cannot reach %s</body></html>`),
		"fine, a page": withStatus(200, "text/html", `<html><body>Log in to reach %s</body></html>`),
		"no JSON":      withStatus(200, kind, `{"ok":true,"url":"%[1]s","result":{"%[1]s"`),
		"another JSON": withStatus(200, kind, `{"ok":true,"url":["%[1]s"],"result":"%[1]s"}`),
		"closed":       raw(func(*http.Request) string { return "" }),
		"no HTTP":      raw(func(r *http.Request) string { return echo(r) + "\r\n\r\n" }),
		"cut off": raw(func(r *http.Request) string {
			return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{\"ok\":\"" +
				echo(r)
		}),
		"elsewhere": http.RedirectHandler(elsewhere+"/bot"+telegramToken+"/getMe", http.StatusFound),
		"moved":     http.RedirectHandler(elsewhere, http.StatusPermanentRedirect),
		"silent":    http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
		"no TLS":    http.NotFoundHandler(),
	}
}

// TestNoTokenIsTold runs serve and doctor while the platforms fail in each way, and searches all output for tokens.
func TestNoTokenIsTold(t *testing.T) {
	program := build(t)
	var strayed atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strayed.Add(1) }))
	t.Cleanup(func() {
		elsewhere.Close()
		if n := strayed.Load(); n > 0 {
			t.Errorf("%d requests followed a redirect to somebody else", n)
		}
	})
	for name, how := range failures(elsewhere.URL) {
		for _, format := range []string{"text", "json"} {
			t.Run(name+" in "+format, func(t *testing.T) {
				if name+format != "unauthorizedtext" && name+format != "elsewherejson" && name+format != "refusedtext" {
					needs.Long(t)
				}
				t.Parallel()
				away := &broken{Handler: how, url: "http://" + nobody}
				if how != nil {
					server := httptest.NewServer(away)
					t.Cleanup(server.Close)
					t.Cleanup(server.CloseClientConnections)
					away.url = server.URL
				}
				if name == "no TLS" {
					away.url = strings.Replace(away.url, "http", "https", 1)
				}
				serveWithout(t, program, away, format)
				examineWithout(t, program, away, format)
			})
		}
	}
}

// tokens returns an environment with both tokens and the URLs of the platforms.
func tokens(telegram, discord string, more ...string) []string {
	return append([]string{"KNOBEL_TELEGRAM_TOKEN=" + telegramToken, "KNOBEL_TELEGRAM_API_URL=" + telegram,
		"KNOBEL_DISCORD_TOKEN=" + discordToken, "KNOBEL_DISCORD_API_URL=" + discord}, more...)
}

// bothPlatforms starts both fake platforms, and returns an environment for them.
func bothPlatforms(t *testing.T) (*telegramtest.Server, *discordtest.Server, []string) {
	t.Helper()
	telegram := telegramtest.Start(t, telegramtest.Options{Token: telegramToken})
	discord := discordtest.Start(t, discordtest.Options{Token: discordToken})
	return telegram, discord, tokens(telegram.URL(), discord.URL())
}

// serveWithout runs serve, logging in format, until each platform of away has failed. The output must hold no token.
func serveWithout(t *testing.T, program string, away *broken, format string) {
	s := start(t, program, freePort(t), filepath.Join(t.TempDir(), "knobel.db"),
		tokens(away.url, away.url, "KNOBEL_LOG="+format)...)
	met := func(platform string, asked int64) bool {
		said := s.said.String()
		return strings.Contains(said, "platform="+platform) || strings.Contains(said, `"platform":"`+platform+`"`) ||
			asked > 1 || asked > 0 && isSilent(t) // the first request failed, or gets no answer
	}
	s.until("it has met both platforms", func() bool {
		return met("telegram", away.telegram.Load()) && met("discord", away.discord.Load())
	})
	s.leave()
	checkNoToken(t, s.said.String())
}

// examineWithout runs doctor, logging in format, which must find both platforms of away faulty. If these never answer,
// it stops doctor, which must have found no fault before. The output must hold no token.
func examineWithout(t *testing.T, program string, away *broken, format string) {
	asked := away.telegram.Load() + away.discord.Load()
	wants := []string{"FAIL   telegram: ", "FAIL   discord: "}
	d := launch(t, program, tokens(away.url, away.url, "KNOBEL_LOG="+format,
		"KNOBEL_DB="+filepath.Join(t.TempDir(), "none.db")), "doctor")
	if isSilent(t) {
		d.until("it has asked", func() bool { return away.telegram.Load()+away.discord.Load() > asked })
		check(t, d.cmd.Process.Signal(syscall.SIGTERM))
		wants = []string{"knobel: stopped; 0 problems so far"}
	}
	<-d.ended
	said := d.said.String()
	for _, want := range wants {
		if d.err == nil || !strings.Contains(said, want) {
			t.Errorf("doctor does not say %q (%v):\n%s", want, d.err, said)
		}
	}
	checkNoToken(t, said)
}

// isSilent reports whether the platforms in the test of that name never answer.
func isSilent(t *testing.T) bool { return strings.Contains(t.Name(), "silent") }

// An invalid token is not printed either.
func TestTokenThatIsNone(t *testing.T) {
	for _, token := range []string{"%zzAAFD39kk", "AAFD39kk/../rZergyOLMaJ?#", "AAFD39kk{}rZergyOLMaJ"} {
		const away = "http://" + nobody
		checkDoctor(t, map[string]string{
			"KNOBEL_TELEGRAM_TOKEN": token, "KNOBEL_TELEGRAM_API_URL": away,
			"KNOBEL_DISCORD_TOKEN": token, "KNOBEL_DISCORD_API_URL": away,
		}, false, "FAIL   telegram: ", "FAIL   discord: ", "2 problems found.\n")
	}
}
