package web

import (
	"net/http"
	"strings"
	"testing"
)

// Unknown addresses show a page in the visitor's language with a link to the front page: in a room, without the secret,
// and after too many tries. Programs get a line of text.
func TestNothingThereIsAPage(t *testing.T) {
	w := New(Config{Secret: "four and twenty blackbirds"})
	url := serve(t, w, &pretend{})
	guest := client(t)
	signIn(t, guest, url, "four and twenty blackbirds", http.StatusSeeOther)
	room := makes(t, guest, url)
	for _, asked := range []struct {
		who          *http.Client
		path, accept string
		status       int
		says         string
	}{
		{guest, "/nonsense", "text/html,*/*", 404, "<h1>Unter dieser Adresse gibt es nichts</h1>"},
		{client(t), "/nonsense", "text/html", 404, "<h1>Unter dieser Adresse gibt es nichts</h1>"},
		{client(t), room + "/nonsense", "text/html", 404, "<h1>Unter dieser Adresse gibt es nichts</h1>"},
		{client(t), "/r", "text/html", 404, "<h1>Unter dieser Adresse gibt es nichts</h1>"},
		{client(t), "/r/nonsense", "text/html", 404, "<h1>Hier ist kein Raum</h1>"},
		{guest, "/nonsense", "*/*", 404, "404 page not found\n"},
		{client(t), "/nonsense", "*/*", 401, "the secret is needed\n"},
		{client(t), room + "/nonsense", "", 404, "404 page not found\n"},
		{client(t), "/table", "text/html", 401, `name="secret"`},
		{guest, "/table", "text/html", 200, `id="entries"`},
		{guest, room + "/fair", "text/html", 200, "Sind diese Würfel ehrlich?"},
		{guest, "/press", "*/*", 405, "Method Not Allowed\n"},
	} {
		res, body := do(t, asked.who, "GET", url+asked.path, "", "Accept", asked.accept, "Accept-Language", "de")
		want(t, res, asked.status)
		page := strings.HasPrefix(res.Header.Get("Content-Type"), "text/html")
		if !strings.Contains(body, asked.says) || page && res.Header.Get("Content-Security-Policy") != policy ||
			page && asked.status == 404 && !strings.Contains(body, `<a href="/">`) {
			t.Errorf("%s for %q says\n%s", asked.path, asked.accept, body)
		}
	}
	for w.guesses.allow("127.0.0.1") {
	}
	for accept, says := range map[string]string{"text/html": `<h1>Zu viele Versuche. Warte ein wenig`, "*/*": "Zu viele"} {
		res, body := do(t, client(t), "GET", url+"/r/nonsense", "", "Accept", accept, "Accept-Language", "de")
		want(t, res, http.StatusTooManyRequests)
		page := strings.Contains(body, "<a href=")
		if !strings.Contains(body, says) || page != (accept == "text/html") || res.Header.Get("Retry-After") == "" {
			t.Errorf("for %q after too many tries:\n%s", accept, body)
		}
	}
}
