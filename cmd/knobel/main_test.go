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

// TestMain lets scripts run this program as "knobel" in separate processes.
func TestMain(m *testing.M) {
	testscript.Main(waiting{m}, map[string]func(){"knobel": main})
}

// waiting runs more tests at once than there are processors, because parallel tests mostly wait.
type waiting struct{ *testing.M }

func (w waiting) Run() int {
	fakes.AtOnce(8)
	return w.M.Run()
}

// TestScripts runs the command-line transcripts in testdata/script: commands and their expected output.
func TestScripts(t *testing.T) { runScripts(t, "script", nil) }

// TestScriptsOnPostgreSQL runs the transcripts that use a database server.
func TestScriptsOnPostgreSQL(t *testing.T) {
	server := postgrestest.Need(t)
	// address, as in "address FILE", creates an empty database, sets DB to its URL, and writes that to a file.
	runScripts(t, "postgres", func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 1 {
			ts.Fatalf("usage: address FILE")
		}
		made := server.Address(server.Database(t, ""))
		ts.Setenv("DB", made)
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(made+"\n"), 0o600))
	})
}

// runScripts runs the transcripts in a folder under testdata. address is a script command, nil for none.
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
		// [long] marks lines for long runs only.
		Condition: func(cond string) (bool, error) { return cond == "long" && needs.IsLong(), nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"replace": replace, "enter": enter, "evening": evening, "tamper": tamper,
			"address": address, "here": here,
		},
	})
}

// here, as in "here ARGS", runs the program in the test's process, without a database unless a script sets one. File
// arguments must be full paths.
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

// replace, as in "replace FILE OLD NEW", replaces the first occurrence of a text in a file.
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

// enter, as in "enter FILE N [MORE]", writes a file with N line breaks, followed by the content of MORE.
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
		"v1.2.3+dirty, with uncommitted changes, go1.26": {
			GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3+dirty"},
			Settings: []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}},
		},
	} {
		if got := buildInfoOf(info).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
