package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// makesRoom makes a room and returns where it is.
func (v *visitor) makesRoom(t *testing.T) (path string) {
	t.Helper()
	resp, err := v.client.Post(v.base+"/rooms", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var made struct{ Path string }
	if err := json.NewDecoder(resp.Body).Decode(&made); err != nil || !strings.HasPrefix(made.Path, "/r/") {
		t.Fatalf("no room: %d %v", resp.StatusCode, err)
	}
	return made.Path
}

// tablesOf is what a database holds of the tables of one chat.
func tablesOf(t *testing.T, file, chat string) (all string) {
	t.Helper()
	err := opened(t, file).QueryRow(`SELECT COALESCE(GROUP_CONCAT(id || state || turn || version, ';'), '')
		FROM tables WHERE chat = $1`, chat).Scan(&all)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Whoever is in one room reads and changes nothing of another, whatever they press there or say that they press on;
// a restart keeps rooms, boards and hosts, and no address stands in a file.
func TestNothingOfOneRoomIsSeenInAnother(t *testing.T) {
	t.Parallel()
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	program := build(t)
	s := start(t, program, listen, db)
	anna, err := visit(listen)
	if err != nil {
		t.Fatal(err)
	}
	ben, err := visit(listen)
	if err != nil {
		t.Fatal(err)
	}
	server := anna.base
	hers, other := anna.makesRoom(t), anna.makesRoom(t)
	anna.base, ben.base = server+hers, server+other
	if a, err := anna.post("/command", map[string]any{"id": "open", "as": 0, "text": "/shutbox"}); err != nil ||
		a.Board != 1 {
		t.Fatalf("a table of the room: %v %+v", err, a)
	}
	begins := anna.until(t, "Start")
	on := anna.ref
	before := tablesOf(t, db, "web:r-1")
	if before == "" {
		t.Fatal("the table does not stand in the room's chat")
	}
	presses := 0
	for _, what := range []string{"!join", "!start", "!end yes", "!vote yes", "/fair", "/table", "/abandon",
		"throw 1"} {
		for _, press := range []string{fmt.Sprint("1:1:0:", what), begins} {
			for _, base := range []string{server + other, server} {
				ben.base = base
				presses++
				_, said := ben.hears(t, "/press", map[string]any{"id": fmt.Sprint(presses), "as": 0,
					"press": press, "on": on})
				if strings.Contains(said, "Guest") || !strings.Contains(said, "refused") {
					t.Errorf("%s in %s: %s", press, base, said)
				}
			}
		}
	}
	for _, path := range []string{"/record?table=1", "/complete?text=/history+table="} {
		if _, said := ben.hears(t, path, nil); strings.Contains(said, "Guest") {
			t.Errorf("%s: %s", path, said)
		}
	}
	if after := tablesOf(t, db, "web:r-1"); after != before {
		t.Errorf("the table was %s and is %s", before, after)
	}
	s.leave()
	for _, file := range []string{db, db + "-wal"} {
		if raw, err := os.ReadFile(file); err == nil && strings.Contains(string(raw), strings.TrimPrefix(hers, "/r/")) {
			t.Errorf("%s holds the address of a room", filepath.Base(file))
		}
	}
	s = start(t, program, listen, db)
	if a, err := anna.press("begin", anna.until(t, "Start")); err != nil || a.Refused {
		t.Errorf("after a restart: %v %+v", err, a)
	}
	anna.until(t, "Throw")
	if got := status(t, anna.client, server+"/r/"+strings.Repeat("A", 26)); got != http.StatusNotFound {
		t.Errorf("a room that is not answers %d", got)
	}
	s.leave()
	examine(t, program, db)
}

// With KNOBEL_WEB_ROOMS=secret an address alone opens no room.
func TestRoomsAreGuarded(t *testing.T) {
	t.Parallel()
	const secret = "three-swans-in-a-row"
	program := build(t)
	for rooms, wanted := range map[string]int{"": http.StatusOK, roomsOpen: http.StatusOK,
		roomsSecret: http.StatusUnauthorized} {
		listen := freePort(t)
		env := []string{"KNOBEL_WEB_SECRET=" + secret, "KNOBEL_WEB_ROOMS=" + rooms}
		s := start(t, program, listen, filepath.Join(t.TempDir(), "knobel.db"), slices.Clone(env)...)
		host := &visitor{client: guarded(t, "http://"+listen, secret), base: "http://" + listen}
		if got := status(t, browser(t), host.base+host.makesRoom(t)); got != wanted {
			t.Errorf("KNOBEL_WEB_ROOMS=%s: a friend gets %d", rooms, got)
		}
		s.leave()
	}
	refused(t, program, []string{"KNOBEL_WEB_ROOMS=closed"}, "serve")
}
