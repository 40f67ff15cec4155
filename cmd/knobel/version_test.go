package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionsInALine(t *testing.T) {
	for want, info := range map[string]*debug.BuildInfo{
		"(devel), go1.26": {GoVersion: "go1.26"},
		"v1.2.3, commit 0123456789ab of 2026-11-01T10:00:00Z, go1.26": {
			GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
				{Key: "vcs.time", Value: "2026-11-01T10:00:00Z"},
				{Key: "vcs.modified", Value: "false"},
			},
		},
		"v1.2.3+dirty, with changes that are not committed, go1.26": {
			GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3+dirty"},
			Settings: []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}},
		},
	} {
		if got := buildOf(info).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What used to be a part of the program, and is a program of its own now, is said
// where it went.
func TestWhatWentElsewhereIsTold(t *testing.T) {
	for args, says := range map[string]string{
		"load": "go run ./cmd/knobel-load", "load --chats 1000 --for 60s": "go run ./cmd/knobel-load",
		"version --sbom": "go run ./cmd/knobel-sbom FILE",
	} {
		code, out, complained := typed(t, nil, nil, strings.Fields(args)...)
		if code == 0 || out != "" || !strings.Contains(complained, says) {
			t.Errorf("%s: ends with %d, %q and %q", args, code, out, complained)
		}
	}
	if _, out, _ := typed(t, nil, nil, "--help"); strings.Contains(out, "\n  load ") {
		t.Error("load stands in the help")
	}
}
