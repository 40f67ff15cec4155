package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// made describes a build.
type made struct {
	version  string // a release, such as v1.2.0, or "(devel)"
	commit   string // "" where it was built without
	time     string // of the commit
	modified bool   // something was not committed
	goes     string // the version of Go
}

// devel is the version of a build that is no release.
const devel = "(devel)"

// thisBuild describes the running program.
func thisBuild() made {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return made{version: devel, goes: runtime.Version()}
	}
	return buildOf(info)
}

func buildOf(info *debug.BuildInfo) made {
	b := made{version: cmp.Or(info.Main.Version, devel), goes: info.GoVersion}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.time = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

// String returns it in one line: "v1.2.0, commit 0123456789ab of
// 2026-11-01T10:00:00Z, go1.26".
func (b made) String() string {
	parts := []string{b.version}
	if b.commit != "" {
		parts = append(parts, fmt.Sprintf("commit %.12s of %s", b.commit, b.time))
	}
	if b.modified {
		parts = append(parts, "with changes that are not committed")
	}
	return strings.Join(append(parts, b.goes), ", ")
}

func versionCommand(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is, and the commit it was built from",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(w.out, "knobel %s\n", thisBuild())
			return err
		},
	}
}
