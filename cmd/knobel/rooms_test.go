package main

import (
	"encoding/json"
	"net/http"
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
}
