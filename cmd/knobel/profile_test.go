package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Profiles are for this machine alone.
func profilesStayHere(t *testing.T, program string) {
	listen, profiles := freePort(t), freePort(t)
	s := start(t, program, listen, filepath.Join(t.TempDir(), "knobel.db"), "KNOBEL_PROFILE="+profiles)
	s.until("serving profiles", func() bool { return strings.Contains(s.said.String(), "serving profiles") })
	if status, text := asked(t, "http://"+profiles+"/debug/pprof/goroutine?debug=1"); status != 200 ||
		!strings.Contains(text, "goroutine profile") {
		t.Errorf("from here: %d %s", status, text)
	}
	if status, _ := asked(t, "http://"+profiles+"/debug/pprof/", "Host", "knobel.example"); status == 200 {
		t.Error("by another's name")
	}
	if status, text := asked(t, "http://"+listen+"/debug/pprof/"); status == 200 && strings.Contains(text, "profile") {
		t.Error("at the browser table")
	}
	s.leave()
}
