package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store/storetest"
)

// nginx runs a real nginx that passes requests to the address to. lines are its proxy_… directives; at is its address.
func nginx(t *testing.T, to string, lines ...string) (at string) {
	t.Helper()
	if !strings.Contains(strings.Join(lines, " "), "proxy_http_version ") {
		t.Fatal("which version of HTTP nginx speaks inwards depends on how old it is: say one")
	}
	folder, at := t.TempDir(), freePort(t)
	if err := os.Chmod(folder, 0o777); err != nil { // run by root, nginx works as another user
		t.Fatal(err)
	}
	config := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/error.log;
events { }
http {
	access_log off;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	server {
		listen %[2]s;
		location / {
			proxy_pass http://%[3]s;
			%[4]s
		}
	}
}
`, folder, at, to, strings.Join(lines, "\n\t\t\t"))
	runNginx(t, folder, at, config, "")
	return at
}

// runNginx runs nginx in folder at address at until the test ends. config is its file's text; beside is for option -g.
func runNginx(t *testing.T, folder, at, config, beside string) {
	t.Helper()
	file := filepath.Join(folder, "nginx.conf")
	writePrivate(t, file, []byte(config))
	var said fakes.Journal
	log := filepath.Join(folder, "error.log")
	run := exec.Command(needs.Nginx(t), "-p", folder, "-e", log, "-c", file, "-g", beside)
	run.Stdout, run.Stderr = &said, &said
	check(t, run.Start())
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait() // it was killed, so there is an error
	})
	defer func() {
		if t.Failed() {
			t.Log(said.String())
		}
	}()
	eventually(t, "nginx answers", func() bool {
		resp, err := http.Get("http://" + at + "/healthz")
		if err == nil {
			resp.Body.Close()
		}
		return err == nil
	})
}

// Behind a proxy that adds no headers and calls the program by its own address, as nginx does by default, strangers
// cannot reach the page without the password.
func TestNginxAsItComesLeadsNobodyIn(t *testing.T) {
	t.Parallel()
	needs.Nginx(t)
	program := build(t)
	for name, c := range map[string]struct {
		env    []string
		status int
	}{
		"nothing is configured": {nil, http.StatusMisdirectedRequest},
		"Telegram's webhook": {[]string{"KNOBEL_TELEGRAM_TOKEN=" + telegramToken,
			"KNOBEL_TELEGRAM_API_URL=http://" + nobody,
			"KNOBEL_TELEGRAM_WEBHOOK_URL=https://dice.example.org/telegram"}, http.StatusUnauthorized},
		"Discord's interactions by HTTP": {[]string{"KNOBEL_DISCORD_TOKEN=" + discordToken,
			"KNOBEL_DISCORD_API_URL=http://" + nobody, "KNOBEL_DISCORD_PUBLIC_KEY=" + strings.Repeat("0a", 32)},
			http.StatusUnauthorized},
		"a proxy is named": {[]string{"KNOBEL_PROXIES=127.0.0.1"}, http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listen := freePort(t)
			s := start(t, program, listen, filepath.Join(t.TempDir(), "knobel.db"), c.env...)
			s.waitForOutput("The browser page is open: ")
			for _, version := range []string{"1.0", "1.1"} { // the default version depends on nginx's age
				outside := nginx(t, listen, "proxy_http_version "+version+";")
				// Without headers, HTTP/1.1 looks like a browser on this machine.
				if version == "1.0" || c.env != nil {
					checkStrangers(t, outside, c.status)
				}
				for _, path := range []string{"/me", "/command", "/people"} {
					if got := postStatus(t, "http://"+outside+path, "https://dice.example.org"); got != c.status &&
						got != http.StatusForbidden {
						t.Errorf("by HTTP/%s a stranger's page gets %d from POST %s", version, got, path)
					}
				}
			}
			if made := strings.Contains(s.said.String(), "?secret="); made != (c.env != nil) {
				t.Errorf("a secret was made: %v\n%s", made, s.said)
			}
			s.leave()
		})
	}
}

// checkStrangers fails unless all protected pages at outside, a proxy's address, answer a stranger with status wanted.
func checkStrangers(t *testing.T, outside string, wanted int) {
	t.Helper()
	for _, path := range []string{"/table", "/fair", "/me", "/events", "/games", "/record?table=1", "/metrics"} {
		if got := status(t, browser(t), "http://"+outside+path); got != wanted {
			t.Errorf("a stranger gets %d from %s, want %d", got, path, wanted)
		}
	}
	front := wanted
	if wanted == http.StatusUnauthorized {
		front = http.StatusOK // guests may see it, too
	}
	if got := status(t, browser(t), "http://"+outside+"/"); got != front {
		t.Errorf("a stranger gets %d from /, want %d", got, front)
	}
	if _, said := getText(t, "http://"+outside+"/readyz"); said != "ready\n" && said != "not ready\n" {
		t.Errorf("a stranger reads of /readyz:\n%s", said)
	}
}

// With the headers of docs/operation.md and a password, nginx lets users with the password in, and limits apply to
// each.
func TestNginxAsTheHandbookSetsItUp(t *testing.T) {
	t.Parallel()
	needs.Nginx(t)
	var lines []string
	for line := range strings.Lines(document(t, "../../docs/operation.md")) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "proxy_") && !strings.HasPrefix(line, "proxy_pass") {
			lines = append(lines, line)
		}
	}
	if len(lines) < 4 {
		t.Fatalf("the handbook sets %q", lines)
	}
	listen := freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), "KNOBEL_WEB_SECRET=three-swans-in-a-row",
		"KNOBEL_PROXIES=127.0.0.1")
	outside := nginx(t, listen, lines...)
	checkGuarded(t, "http://"+outside, "three-swans-in-a-row")
	if strings.Contains(s.said.String(), "X-Forwarded-For") {
		t.Errorf("the proxy is taken for one that nobody has named:\n%s", s.said)
	}
	s.leave()
}

// postStatus returns the status of a POST to the URL address with the headers of a same-origin request of origin.
func postStatus(t *testing.T, address, origin string) int {
	t.Helper()
	host := strings.TrimPrefix(strings.TrimPrefix(origin, "https://"), "http://")
	got, _ := fetch(t, http.DefaultClient, address, map[string]any{"id": "1", "as": 0, "text": "/unit tea"},
		"Host", host, "Origin", origin, "Sec-Fetch-Site", "same-origin")
	return got
}

// TestNginxLeadsToBothReplicas runs nginx, configured as for deployment, before two replicas. If one was just killed or
// has not opened the database yet, the other answers. nginx passes events on at once, not at the end of the stream.
func TestNginxLeadsToBothReplicas(t *testing.T) {
	t.Parallel()
	needs.Nginx(t)
	const secret = "three-swans-in-a-row"
	address, program := storetest.OnServer(t), build(t)
	env := []string{"KNOBEL_WEB_SECRET=" + secret, "KNOBEL_PROXIES=127.0.0.1"}
	listen := []string{freePort(t), freePort(t)}
	var replicas []*serving
	for _, at := range listen {
		replicas = append(replicas, start(t, program, at, address, env...))
	}
	outside := "http://" + startBalancer(t, listen)
	friend := checkGuarded(t, outside, secret)
	for _, path := range []string{"/metrics", "/readyz"} {
		if got := status(t, friend, outside+path); got != http.StatusNotFound {
			t.Errorf("nginx passes %s on: %d", path, got)
		}
	}
	checkStream(t, friend, outside)
	for i := range replicas {
		replicas[i].kill()
		for range 6 { // nginx would try each replica in turn
			if got := status(t, friend, outside+"/me"); got != http.StatusOK {
				t.Errorf("while one is dead a page gets %d", got)
			}
		}
		checkStream(t, friend, outside)
		l, err := net.Listen("tcp", listen[i])
		check(t, err)
		notYet := &httptest.Server{Listener: l, Config: &http.Server{Handler: new(startupServer).handler()}}
		notYet.Start()
		for n := range 12 { // a stranger is refused by either replica
			path := []string{"/press", "/command", "/r/" + strings.Repeat("A", 26) + "/press"}[n%3]
			if got := postStatus(t, outside+path, outside); got == http.StatusServiceUnavailable {
				t.Errorf("while one is not open yet %s gets %d", path, got)
			}
		}
		notYet.Close()
		replicas[i] = start(t, program, listen[i], address, env...)
	}
	for _, s := range replicas {
		s.leave()
	}
}

// startBalancer runs nginx, configured as in deploy, before replicas at the addresses listen. It returns its address.
func startBalancer(t *testing.T, listen []string) (address string) {
	t.Helper()
	config, folder, address := document(t, "../../deploy/nginx.conf"), t.TempDir(), freePort(t)
	replace := []string{"/tmp/", folder + "/", "listen 8080;", "listen " + address + ";",
		"/dev/stderr", filepath.Join(folder, "errors")}
	for i, to := range listen {
		replace = append(replace, fmt.Sprintf("server 172.30.77.%d:8080 ", i+3), "server "+to+" ")
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(config, replace[i]) {
			t.Fatalf("nginx.conf does not say %s", replace[i])
		}
	}
	config = strings.NewReplacer(replace...).Replace(config) // in one pass: replacements are not replaced again
	runNginx(t, folder, address, config, "daemon off; master_process off;")
	return address
}

// checkStream opens the event stream of a page, which never ends, and fails unless something arrives.
func checkStream(t *testing.T, friend *http.Client, base string) {
	t.Helper()
	resp, err := friend.Get(base + "/events")
	check(t, err)
	defer resp.Body.Close()
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if resp.StatusCode != http.StatusOK || err != nil || line == "" {
		t.Errorf("the stream: %d %q %v", resp.StatusCode, line, err)
	}
}
