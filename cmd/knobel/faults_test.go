package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
	"knobel/store/storetest"
)

// A second instance reports that another one runs, and ends; the first continues. A lock ends with its process.
func TestTheSecondInstanceLeaves(t *testing.T) {
	t.Parallel()
	program, listen, db := build(t), freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	first := start(t, program, listen, db)
	said := refused(t, program, []string{"KNOBEL_DB=" + db, "KNOBEL_LISTEN=" + freePort(t)})
	if !strings.Contains(said, "knobel: another instance of Knobel is using "+db) {
		t.Errorf("it says %s", said)
	}
	newVisitor(t, listen).opens(t, "/shutbox 7 tiles=5")
	first.kill()
	start(t, program, freePort(t), db).leave()
	examine(t, program, db)
}

// While the disk is full, commands are refused with a message, and the program is not ready. Once there is room, the
// program continues, and no change is half done.
func TestADiskThatIsFull(t *testing.T) {
	var full atomic.Bool
	storetest.Use(t, storetest.Disk{Write: func(bool) bool { return !full.Load() }})
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	env := map[string]string{"KNOBEL_LISTEN": listen, "KNOBEL_DB": db}
	said, end := startServe(t, env)
	defer end()
	eventually(t, "it is well", func() bool { return checkHealth(t.Context(), listen) == nil })
	v := newVisitor(t, listen)
	open := map[string]any{"id": "one", "as": 0, "text": "/shutbox 7 tiles=5"}
	full.Store(true)
	for range 20 {
		if a, err := v.post("/command", open); err != nil || !a.Refused || a.Toast == "" {
			t.Errorf("while the disk is full: %v %+v", err, a)
		}
	}
	eventually(t, "it says that it is not ready", func() bool {
		status, text := getText(t, "http://"+listen+"/readyz")
		return status == http.StatusServiceUnavailable && strings.Contains(text, "not writable")
	})
	if checkHealth(t.Context(), listen) != nil {
		t.Error("it is not alive any more")
	}
	full.Store(false)
	eventually(t, "it is ready again", func() bool {
		status, _ := getText(t, "http://"+listen+"/readyz")
		return status == http.StatusOK
	})
	if a, err := v.post("/command", open); err != nil || a.Refused {
		t.Errorf("the same press, once there is room: %v %+v", err, a)
	}
	if code := end(); code != 0 {
		t.Errorf("it ends with %d: %s", code, said)
	}
	for line, times := range map[string]int{"database is read-only": 1, "event failed": 0,
		"database is writable again": 1} {
		if n := strings.Count(said.String(), line); n != times {
			t.Errorf("%d times %q in the log:\n%s", n, line, said)
		}
	}
	if code, told, _ := runCommand(t, env, "doctor", "--listen", "127.0.0.1:1"); code != 0 {
		t.Errorf("doctor: %s", told)
	}
}

// A database file moved away while the program runs accepts no changes, and the program is unhealthy until the file is
// back. All changes that were confirmed are in it.
func TestADatabaseThatIsMovedAway(t *testing.T) {
	t.Parallel()
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	s := start(t, build(t), listen, db)
	v := newVisitor(t, listen)
	check(t, os.Rename(db, db+".moved"))
	open := map[string]any{"id": "one", "as": 0, "text": "/shutbox 7 tiles=5"}
	s.until("it is not well", func() bool { return checkHealth(t.Context(), listen) != nil })
	if status, said := getText(t, "http://"+listen+"/healthz?database=off"); status != http.StatusOK {
		t.Errorf("its process: %d %s", status, said)
	}
	s.until("it is not ready", func() bool {
		status, said := getText(t, "http://"+listen+"/readyz")
		return status == http.StatusServiceUnavailable && strings.Contains(said, "moved, deleted or replaced")
	})
	if a, err := v.post("/command", open); err != nil || !a.Refused || a.Toast == "" {
		t.Errorf("without its database: %v %+v", err, a)
	}
	check(t, os.Rename(db+".moved", db))
	if err := checkHealth(t.Context(), listen); err != nil {
		t.Error(err)
	}
	if a, err := v.post("/command", open); err != nil || a.Refused {
		t.Errorf("the same, once it is back: %v %+v", err, a)
	}
	s.leave()
	if n := strings.Count(s.said.String(), "moved, deleted or replaced"); n > 2 {
		t.Errorf("%d lines in the log:\n%s", n, s.said)
	}
	examine(t, s.cmd.Path, db)
}

// A token that Discord rejects is tried once. The operator reads the reason, and the other platform continues.
func TestATokenThatIsRefusedStopsNothingElse(t *testing.T) {
	t.Parallel()
	meeting, gateway, env := bothPlatforms(t)
	gateway.Open(discordtest.Opening{Close: 4004})
	listen := freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), env...)
	s.until("it says so, and that Telegram is there", func() bool {
		status, said := getText(t, "http://"+listen+"/readyz")
		return status == http.StatusServiceUnavailable &&
			strings.Contains(said, "restart required: the token is refused") &&
			strings.Contains(said, "telegram: connected")
	})
	anna := telegramtest.Person{ID: 500, First: "Anna"}
	meeting.Private(anna).Say(anna, "/shutbox 3 tiles=3")
	s.until("a table is open on Telegram", func() bool {
		_, told := getText(t, "http://"+listen+"/metrics")
		return strings.Contains(told, `knobel_tables{state="lobby"} 1`)
	})
	s.leave()
	if opened, _, _ := gateway.Connections(); opened != 1 ||
		strings.Count(s.said.String(), "discord rejected the connection") != 1 {
		t.Errorf("%d connections:\n%s", opened, s.said)
	}
	if strings.Contains(s.said.String(), "platform stopped; restarting") {
		t.Errorf("it is tried again:\n%s", s.said)
	}
	checkNoToken(t, s.said.String())
}

// An outage of both platforms with boards to draw causes only a few log lines, at its beginning and end.
func TestAnOutageIsAFewLines(t *testing.T) {
	t.Parallel() // it mostly waits
	meeting, gateway, env := bothPlatforms(t)
	listen := freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), env...)
	ready := func() bool {
		status, _ := getText(t, "http://"+listen+"/readyz")
		return status == http.StatusOK
	}
	s.until("both are connected", ready)
	for i := range 8 {
		p := telegramtest.Person{ID: int64(500 + i), First: "Anna"}
		meeting.Private(p).Say(p, "/shutbox 3 tiles=3")
	}
	s.until("all tables are open", func() bool {
		_, told := getText(t, "http://"+listen+"/metrics")
		return strings.Contains(told, `knobel_tables{state="lobby"} 8`)
	})
	before := strings.Count(s.said.String(), "\n")
	meeting.Away(true)
	gateway.Away(true)
	polls := len(meeting.Calls("getUpdates"))
	s.until("all was tried over and over", func() bool { return len(meeting.Calls("getUpdates")) > polls+1 })
	if ready() {
		t.Error("it is ready without a platform")
	}
	meeting.Away(false)
	gateway.Away(false)
	s.until("both are connected again", ready)
	var lines []string
	since := func(said string) int {
		lines = strings.Split(strings.TrimSpace(s.said.String()), "\n")[before:]
		return strings.Count(strings.Join(lines, "\n"), said)
	}
	s.until("it says that Telegram is back", func() bool { return since("telegram polling resumed") > 0 })
	if begun := since("poll telegram failed"); begun != 1 || since("telegram polling resumed") != 1 ||
		len(lines) < 4 || len(lines) > 12 {
		t.Errorf("the outage has %d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	checkNoToken(t, s.said.String())
	s.leave()
}
