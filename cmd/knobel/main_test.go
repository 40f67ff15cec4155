package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// TestMain lets scripts run this program as "knobel", in processes of its own.
func TestMain(m *testing.M) {
	testscript.Main(waiting{m}, map[string]func(){"knobel": main})
}

// waiting are tests of which more run at once than there are processors: those
// that run beside others wait most of the time.
type waiting struct{ *testing.M }

func (w waiting) Run() int {
	fakes.AtOnce(8)
	return w.M.Run()
}

// TestScripts plays the transcripts of the command line: what is typed, what
// is answered.
func TestScripts(t *testing.T) { runScripts(t, "script", nil) }

// TestScriptsOnPostgreSQL plays those of a database that is on a server.
func TestScriptsOnPostgreSQL(t *testing.T) {
	server := postgrestest.Need(t)
	// address makes an empty database, has DB be its address, and writes that to a file: address FILE.
	runScripts(t, "postgres", func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 1 {
			ts.Fatalf("usage: address FILE")
		}
		made := server.Address(server.Database(t, ""))
		ts.Setenv("DB", made)
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(made+"\n"), 0o600))
	})
}

// runScripts plays the transcripts of a folder.
func runScripts(t *testing.T, folder string, address func(*testscript.TestScript, bool, []string)) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", folder),
		RequireExplicitExec: true,
		ContinueOnError:     true,
		Setup: func(e *testscript.Env) error {
			for _, name := range os.Environ() {
				if name, _, _ := strings.Cut(name, "="); strings.HasPrefix(name, "KNOBEL_") {
					e.Setenv(name, "")
				}
			}
			e.Setenv("LANG", "en_GB.UTF-8")
			sources, err := filepath.Abs("../..")
			e.Setenv("SOURCES", sources)
			return err
		},
		// [long] stands before what only long runs do.
		Condition: func(cond string) (bool, error) { return cond == "long" && needs.IsLong(), nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"replace": replace, "enter": enter, "evening": evening, "tamper": tamper,
			"address": address, "here": here,
		},
	})
}

// here runs the program in this process, where the database is none unless a script says otherwise: here ARGS.
// Arguments name files by their whole paths.
func here(ts *testscript.TestScript, neg bool, args []string) {
	w := worldOf(ts.Stdout(), ts.Stderr(), nil)
	w.getenv = func(name string) string {
		if name == "KNOBEL_DB" {
			return cmp.Or(ts.Getenv(name), ts.MkAbs("none.db"))
		}
		return ts.Getenv(name)
	}
	if code := run(context.Background(), w, args); (code != 0) != neg {
		ts.Fatalf("it ends with %d", code)
	}
}

// replace changes the first place where a file holds a text: replace FILE OLD NEW.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o600))
}

// enter writes a file with so many line breaks, followed by
// what another file holds: enter FILE N [MORE].
func enter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: enter FILE N [MORE]")
	}
	more := ""
	if len(args) == 3 {
		more = ts.ReadFile(args[2])
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat("\n", n)+more), 0o600))
}

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
