package main

import (
	"runtime/debug"
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
