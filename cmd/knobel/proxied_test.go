package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/store/storetest"
)

// TestNginxLeadsToBothReplicas has nginx, as deploy sets it up, lead to two replicas on one server: whichever of them
// has just been killed, or has not opened the database yet, the other answers, and what a page follows comes while it
// goes on.
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
	outside := "http://" + handedOut(t, listen)
	friend := guarded(t, outside, secret)
	for _, path := range []string{"/metrics", "/readyz"} {
		if got := status(t, friend, outside+path); got != http.StatusNotFound {
			t.Errorf("nginx passes %s on: %d", path, got)
		}
	}
	follows(t, friend, outside)
	for i := range replicas {
		replicas[i].kill()
		for range 6 { // each in turn would be asked
			if got := status(t, friend, outside+"/me"); got != http.StatusOK {
				t.Errorf("while one is dead a page gets %d", got)
			}
		}
		follows(t, friend, outside)
		l, err := net.Listen("tcp", listen[i])
		check(t, err)
		notYet := &httptest.Server{Listener: l, Config: &http.Server{Handler: new(opening).answers()}}
		notYet.Start()
		for n := range 12 { // of a stranger: either replica would refuse it
			path := []string{"/press", "/command", "/r/" + strings.Repeat("A", 26) + "/press"}[n%3]
			if got := posted(t, outside+path, outside); got == http.StatusServiceUnavailable {
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

// handedOut runs nginx by the configuration for the replicas of deploy, before two at other addresses, and returns its
// own.
func handedOut(t *testing.T, listen []string) (at string) {
	t.Helper()
	config, folder, at := document(t, "../../deploy/nginx.conf"), t.TempDir(), freePort(t)
	replace := []string{"/tmp/", folder + "/", "listen 8080;", "listen " + at + ";",
		"/dev/stderr", filepath.Join(folder, "errors")}
	for i, to := range listen {
		replace = append(replace, fmt.Sprintf("server 172.30.77.%d:8080 ", i+3), "server "+to+" ")
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(config, replace[i]) {
			t.Fatalf("nginx.conf does not say %s", replace[i])
		}
	}
	config = strings.NewReplacer(replace...).Replace(config) // at once: what is put in is not looked at again
	runNginx(t, folder, at, config, "daemon off; master_process off;")
	return at
}

// follows opens the stream of a page and wants something to come, which never ends.
func follows(t *testing.T, friend *http.Client, base string) {
	t.Helper()
	resp, err := friend.Get(base + "/events")
	check(t, err)
	defer resp.Body.Close()
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if resp.StatusCode != http.StatusOK || err != nil || line == "" {
		t.Errorf("the stream: %d %q %v", resp.StatusCode, line, err)
	}
}
