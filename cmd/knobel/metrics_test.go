package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/telegram/telegramtest"
)

// getText returns the status and the body of the answer to a GET request. head holds pairs of header names and values.
func getText(t *testing.T, url string, head ...string) (status int, text string) {
	t.Helper()
	return fetch(t, http.DefaultClient, url, nil, head...)
}

// A running program with both platforms is connected and ready. Its metrics include those of the dashboard and name no
// person.
func TestMetricsOfARunningInstance(t *testing.T) {
	t.Parallel()
	meeting, _, env := bothPlatforms(t)
	listen, anna := freePort(t), telegramtest.Person{ID: 4711471147, First: "Anna"}
	page, operator := "http://"+listen, []string{"Authorization", "Bearer only-ours"}
	env = append(env, "KNOBEL_WEB_SECRET=only-ours", "KNOBEL_PUBLIC_URL="+page, "KNOBEL_TELEGRAM_APP=dice")
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), env...)
	s.until("both platforms are connected", func() bool {
		status, _ := getText(t, page+"/readyz")
		return status == http.StatusOK
	})
	if status, _ := getText(t, page+"/embed/events"); status != http.StatusUnauthorized {
		t.Errorf("a stream without a ticket is %d", status)
	}
	if _, said := getText(t, page+"/readyz", operator...); strings.Count(said, "connected since") != 2 ||
		!strings.Contains(said, "database: writable") {
		t.Errorf("ready: %s", said)
	}
	private := meeting.Private(anna)
	private.Say(anna, "/shutbox 3 tiles=3")
	var told string
	s.until("the command is counted", func() bool {
		_, told = getText(t, page+"/metrics", operator...)
		return strings.Contains(told, `knobel_events_total{came="done",did="command",platform="telegram"} 1`)
	})
	alerts := regexp.MustCompile("`[^`]*\\bknobel_[a-z_]+").FindAllString(document(t, "../../docs/operation.md"), -1)
	if len(alerts) < 5 {
		t.Errorf("the manual speaks of %q only", alerts)
	}
	for i, a := range alerts {
		alerts[i] = a[strings.LastIndex(a, "knobel_"):]
	}
	shown := metricNames(t, document(t, "../../deploy/grafana.json"))
	for _, held := range regexp.MustCompile(`(?m)^# TYPE (knobel_\w+)`).FindAllStringSubmatch(told, -1) {
		if !slices.ContainsFunc(shown, func(name string) bool { return strings.HasPrefix(name, held[1]) }) {
			t.Errorf("/metrics holds %s, and the dashboard does not show it", held[1])
		}
		for _, page := range handbooks {
			if !strings.Contains(document(t, "../../"+page), "\n| `"+held[1]+"` | ") {
				t.Errorf("%s does not say what %s means", page, held[1])
			}
		}
	}
	if !strings.Contains(told, `knobel_log_lines_total{level="ERROR"} 0`) {
		t.Error("errors are not counted from 0 on, so that the first would not be seen as a growth")
	}
	for _, name := range append(shown, alerts...) {
		if !regexp.MustCompile(`(?m)^` + name + `(_count)?(\{[^}]*\})? `).MatchString(told) {
			t.Errorf("the dashboard or the manual speaks of %s, and /metrics does not hold it", name)
		}
	}
	for _, secret := range []string{"4711471147", "Anna", "telegram:", "discord:"} {
		if strings.Contains(told, secret) {
			t.Errorf("the metrics hold %q", secret)
		}
	}
	checkNoToken(t, told)
	s.leave()
}

// metricNames returns the names of the metrics in a dashboard's queries.
func metricNames(t *testing.T, dashboard string) (names []string) {
	t.Helper()
	var d struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	check(t, json.Unmarshal([]byte(dashboard), &d))
	metric := regexp.MustCompile(`\b(knobel|process|go)_[a-z0-9_]+\b`)
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			found := metric.FindAllString(target.Expr, -1)
			if len(found) == 0 {
				t.Errorf("%q asks for nothing of ours", target.Expr)
			}
			names = append(names, found...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// If other machines can reach the program, metrics need the password, and strangers only learn whether it is ready.
func TestMetricsAreTheOperators(t *testing.T) {
	t.Parallel()
	listen := freePort(t)
	_, port, _ := strings.Cut(listen, ":")
	s := launch(t, build(t), []string{
		"KNOBEL_LISTEN=0.0.0.0:" + port, "KNOBEL_DB=" + filepath.Join(t.TempDir(), "knobel.db"),
		"KNOBEL_WEB_SECRET=only-ours",
		"KNOBEL_TELEGRAM_TOKEN=" + telegramToken, "KNOBEL_TELEGRAM_API_URL=http://" + nobody,
	})
	s.until("it is well", func() bool { return checkHealth(t.Context(), listen) == nil })
	page := "http://" + listen
	for _, test := range []struct {
		path   string
		head   []string
		status int
		says   string
	}{
		{"/metrics", nil, 401, "secret"},
		{"/metrics", []string{"Authorization", "Bearer guessed"}, 401, "secret"},
		{"/metrics", []string{"Authorization", "only-ours"}, 401, "secret"},
		{"/metrics?secret=only-ours", nil, 401, "secret"},
		{"/metrics", []string{"Authorization", "Bearer only-ours"}, 200, "knobel_tables"},
		{"/healthz", nil, 200, "ok"},
		{"/readyz", nil, 503, "not ready\n"},
		{"/readyz?platforms=off", nil, 200, "ready\n"},
		{"/readyz?platforms=off", []string{"Host", "10.1.2.3:8080"}, 200, "ready\n"}, // as Kubernetes asks
		{"/readyz", []string{"Authorization", "Bearer only-ours"}, 503, "telegram: not connected since"},
	} {
		status, said := getText(t, page+test.path, test.head...)
		if status != test.status || !strings.Contains(said, test.says) {
			t.Errorf("%s %v: %d %s", test.path, test.head, status, said)
		}
	}
	for secret, want := range map[string]string{"only-ours": "telegram: not connected since", "": "not ready"} {
		code, out, complained := runCommand(t, map[string]string{"KNOBEL_LISTEN": "0.0.0.0:" + port,
			"KNOBEL_WEB_SECRET": secret}, "health", "--ready")
		if code != 1 || !strings.Contains(out+complained, want) {
			t.Errorf("health --ready with the secret %q: %d %s%s", secret, code, out, complained)
		}
	}
	s.leave()
	checkNoToken(t, s.said.String())
}

// Without a password, metrics are only for requests from this machine with a local host name, as profiles always are.
func TestMetricsAndProfilesOnLoopback(t *testing.T) {
	t.Parallel()
	listen, profiles := freePort(t), freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), "KNOBEL_PROFILE="+profiles)
	s.until("serving profiles", func() bool { return strings.Contains(s.said.String(), "serving profiles") })
	if status, text := getText(t, "http://"+profiles+"/debug/pprof/goroutine?debug=1"); status != http.StatusOK ||
		!strings.Contains(text, "goroutine profile") {
		t.Errorf("from here: %d %s", status, text)
	}
	if status, _ := getText(t, "http://"+profiles+"/debug/pprof/", "Host", "knobel.example"); status == http.StatusOK {
		t.Error("profiles by another's name")
	}
	if status, text := getText(t, "http://"+listen+"/debug/pprof/"); status == 200 &&
		strings.Contains(text, "profile") {
		t.Error("profiles at the browser table")
	}
	if status, _ := getText(t, "http://"+listen+"/metrics"); status != http.StatusOK {
		t.Errorf("from here: %d", status)
	}
	if status, said := getText(t, "http://"+listen+"/metrics", "Host", "knobel.example"); status == http.StatusOK {
		t.Errorf("by another's name: %s", said)
	}
	if status, said := getText(t, "http://"+listen+"/readyz", "Host", "knobel.example"); status != http.StatusOK ||
		said != "ready\n" {
		t.Errorf("by another's name: %d %s", status, said)
	}
	s.leave()
}

// Counting allocates no memory, so it delays no press.
func TestCountingAllocatesNothing(t *testing.T) {
	m := newMeter("telegram")
	answered := m.answerRecorder("telegram")
	n := testing.AllocsPerRun(100, func() {
		m.Handled("telegram", bot.Pressed, bot.Done, time.Millisecond)
		m.Handled("elsewhere", bot.Pressed, bot.Done, time.Millisecond)
		answered(time.Millisecond)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
