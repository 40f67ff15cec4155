package main

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/games"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// TestARestartDoesNotSolveAgain solves what takes long for a bot, and again for the next one on the same database.
func TestARestartDoesNotSolveAgain(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	db := filepath.Join(t.TempDir(), "knobel.db")
	p, err := games.ProblemOf(wuerfelpoker.New(), games.Rules{"order": "free"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	var kept os.FileInfo
	long := time.Now().Add(-time.Hour)
	for range 2 {
		var log bytes.Buffer
		solveOnce(t, db, p, &log)
		if log.Len() > 0 {
			t.Errorf("it was logged: %s", &log)
		}
		files, err := filepath.Glob(db + ".cache/*")
		if err != nil || len(files) != 1 {
			t.Fatalf("%q are kept: %v", files, err)
		}
		now, err := os.Stat(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if kept != nil && (!os.SameFile(kept, now) || !now.ModTime().After(long.Add(time.Minute))) {
			t.Error("it was solved again, or its use not noted")
		}
		kept = now
		if err := os.Chtimes(files[0], long, long); err != nil {
			t.Fatal(err)
		}
	}
}

// solveOnce has a bot on a database solve a problem.
func solveOnce(t *testing.T, db string, p games.Problem, log io.Writer) {
	t.Helper()
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s := settings{db: db}
	logger := slog.New(slog.NewTextHandler(log, nil))
	if s.kept, err = s.ownShelf(t.Context(), st, logger); err != nil {
		t.Fatal(err)
	}
	b, err := s.newBot(st, logger, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	<-b.Tables.Solutions.Ask(p)
	if _, there, err := b.Tables.Solutions.Look(p); !there || err != nil {
		t.Fatalf("it is there: %v, %v", there, err)
	}
}

// TestWhereSolutionsAreKept reads the setting.
func TestWhereSolutionsAreKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	folder, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	system := filepath.Join(folder, "knobel")
	for _, c := range []struct {
		said, db string
		want     []string
	}{
		{"", "/data/knobel.db", []string{"/data/knobel.db.cache", system}},
		{"", "postgres://db.example/knobel", []string{system}},
		{"/var/cache/dice", "/data/knobel.db", []string{"/var/cache/dice"}},
		{"off", "/data/knobel.db", nil},
	} {
		s := settings{cache: c.said, db: c.db}
		kept := s.shelf(slog.New(slog.DiscardHandler), nil)
		if kept == nil && c.want != nil || kept != nil && !slices.Equal(kept.Folders, c.want) {
			t.Errorf("%q beside %s: %+v", c.said, c.db, kept)
		}
	}
}

// TestCommandsKeepNothing has a command solve what takes long: it makes no folder for it.
func TestCommandsKeepNothing(t *testing.T) {
	folder := t.TempDir()
	var out, err bytes.Buffer
	w := world{out: &out, err: &err, getenv: func(string) string { return "" }}
	if code := run(t.Context(), w, []string{"simulate", "wuerfelpoker", "--order", "free", "--games", "1",
		"--seats", "house:perfect", "--cache", filepath.Join(folder, "made")}); code != 0 {
		t.Fatalf("%d: %s", code, err.String())
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("%d files are there: %v", len(entries), err)
	}
	if strings.Contains(err.String(), "kept") {
		t.Error(err.String())
	}
}

// TestProgramsOfOneVersionAreToldApart compares what two files of a version are called by.
func TestProgramsOfOneVersionAreToldApart(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"one", "other"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commit := made{version: "v1.2.0", commit: "0123456789abcdef", goes: "go1.26"}
	modified := commit
	modified.modified = true
	for b, same := range map[made]bool{
		commit:                              true,
		modified:                            false,
		{version: "v1.2.0", goes: "go1.26"}: true,  // a release, of the module proxy
		{version: devel, goes: "go1.26"}:    false, // go run
	} {
		called := func(name string) string { return b.program(filepath.Join(folder, name))() }
		if (called("one") == called("other")) != same {
			t.Errorf("%v: %q, %q", b, called("one"), called("other"))
		}
		if once := called("nowhere"); (once == called("nowhere")) != same {
			t.Errorf("%v: without its file it is called %q", b, once)
		}
	}
}

// TestDoctorSaysWhereSolutionsAre asks about folders of every kind.
func TestDoctorSaysWhereSolutionsAre(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "kept.solution")
	if err := os.WriteFile(file, make([]byte, 2_340_000), 0o600); err != nil {
		t.Fatal(err)
	}
	for cache, want := range map[string]string{
		folder:                         "ok     solutions are kept in " + folder + ": 1, of 2.3 MB\n",
		filepath.Join(folder, "none"):  "where there is none yet\n",
		filepath.Join(file, "beneath"): "warn   solutions cannot be kept, so they are solved again after each start: ",
		noCache:                        "off    solutions are not kept: KNOBEL_CACHE is off\n",
	} {
		env := map[string]string{"KNOBEL_CACHE": cache, "KNOBEL_DB": filepath.Join(t.TempDir(), "none.db")}
		if code, out, err := typed(t, env, nil, "doctor"); code != 0 || !strings.Contains(out, want) {
			t.Errorf("of %s doctor says with %d: %s%s", cache, code, out, err)
		}
	}
}
