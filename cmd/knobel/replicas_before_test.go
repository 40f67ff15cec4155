package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/migrations"
	"knobel/store"
)

// firstShared is the first commit whose replicas share a database: nothing older runs beside another version.
const firstShared = "303cbe3cfa9130be7e3949c934f8a624b0ece2e6"

// TestTheVersionBeforeBesideThisOne has people play on Telegram, on Discord and in browsers with the program of the
// last commit, while the present one takes its place.
func TestTheVersionBeforeBesideThisOne(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	p := newParty(t, 2, false)
	defer p.end()
	p.upgraded(versionBefore(t), p.program)
	p.check()
}

// TestThisVersionBesideTheNext has people play with the present program, while one of a later version takes its place,
// whose database has a script more.
func TestThisVersionBesideTheNext(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	p := newParty(t, 2, true)
	defer p.end()
	next, version := versionNext(t)
	p.upgraded(p.program, next)
	if n := p.number(`SELECT COUNT(later) FROM tables`); n == 0 {
		t.Error("no table has the column of the later version")
	}
	examine(t, next, p.db)
	// This version is to look at everything, and refuses what a later one has brought up to date.
	if n := p.number(`WITH gone AS (DELETE FROM migrations WHERE version_id = $1 RETURNING 1)
		SELECT COUNT(*) FROM gone`, version); n != 1 {
		t.Fatalf("%d scripts of the number %d were carried out", n, version)
	}
	p.check()
}

// upgraded has people play with a program that makes the database. Another version's comes beside it, and brings the
// database up to date while they play on; they play with both at once, until the old one ends and the new one takes its
// place. In the end all has come to rest.
func (p *party) upgraded(before, after string) {
	old, present := p.all[0], p.all[1]
	old.program, present.program = before, after
	p.begin(old)
	var st *store.Store // is opened while the schema is that of this version
	if before == p.program {
		st = p.reads()
	}
	stop := p.play()
	defer stop()
	p.goesOn(10)
	p.start(present)
	if after == p.program {
		st = p.reads()
	}
	p.until("both share the leases", func() bool { return len(holders(p.held(st))) == 2 })
	for _, g := range p.guests {
		g.client.CloseIdleConnections() // whoever prefers the one that has come goes there now
	}
	p.goesOn(10)
	old.program = after
	p.replaced(st, old)
	p.goesOn(10)
	stop()
	p.rest(st)
}

// versionNext builds a version after the present one, which adds to the schema what a version may add while others are
// at work, and returns its program and the number of its script.
func versionNext(t *testing.T) (program string, script int64) {
	t.Helper()
	newest, err := migrations.Newest()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	later, overlay := filepath.Join(folder, "later.sql"), filepath.Join(folder, "overlay.json")
	program = filepath.Join(folder, "knobel")
	place := filepath.Join(root, "migrations", fmt.Sprintf("%04d_later.sql", newest+1))
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{place: later}})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(os.WriteFile(overlay, replaced, 0o600), os.WriteFile(later, []byte(`-- +goose Up
ALTER TABLE tables ADD COLUMN later BIGINT NOT NULL DEFAULT 0 CHECK (later >= 0);
ALTER TABLE moves ADD COLUMN later TEXT COLLATE "C";
ALTER TABLE leases ADD COLUMN later TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE TABLE later (name TEXT COLLATE "C" NOT NULL PRIMARY KEY, table_id BIGINT NOT NULL REFERENCES tables (id));
CREATE INDEX seats_later ON seats (taker, table_id);
`), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", overlay, "-o", program, "knobel/cmd/knobel")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the next version: %v\n%s", err, out)
	}
	return program, newest + 1
}

// versionBefore builds the version before the present one from the repository's history, and returns its program. That
// is the last commit with another program than the files as they are now: one that differs in tests or pages only shows
// nothing, and whoever has changed something and not committed it yet has it run beside the last commit.
func versionBefore(t *testing.T) (program string) {
	t.Helper()
	needs.History(t, firstShared)
	commit := firstShared
	for _, one := range strings.Fields(git(t, "rev-list", "--ancestry-path", firstShared+"..HEAD")) {
		if differs(t, one) {
			commit = one
			break
		}
	}
	t.Logf("the version before is %s", git(t, "log", "-1", "--format=%h, %s", commit))
	folder := t.TempDir()
	packed, source := filepath.Join(folder, "before.zip"), filepath.Join(folder, "before")
	program = filepath.Join(folder, "knobel")
	git(t, "archive", "--format=zip", "-0", "--output="+packed, commit)
	files, err := zip.OpenReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	if err := os.CopyFS(source, files); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", program, "./cmd/knobel")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the version before: %v\n%s", err, out)
	}
	return program
}

// differs reports whether the program of a commit is another than that of the files as they are now.
func differs(t *testing.T, commit string) bool {
	t.Helper()
	diff := exec.Command("git", "-C", "../..", "diff", "--quiet", commit, "--", "bot", "cmd", "games", "migrations",
		"store", "go.mod", ":!*_test.go", ":!*test/*", ":!*/testdata/*", ":!bot/fakes")
	err := diff.Run()
	if exit := new(exec.ExitError); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatalf("%v: %v", diff, err)
	}
	return err != nil
}

// git is what git says of this repository.
func git(t *testing.T, args ...string) string {
	t.Helper()
	run := exec.Command("git", append([]string{"-C", "../.."}, args...)...)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", run, err, out)
	}
	return strings.TrimSpace(string(out))
}
