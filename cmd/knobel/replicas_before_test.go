package main

import (
	"archive/zip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
)

// firstShared is the first commit whose replicas share a database: nothing older runs beside another version.
const firstShared = "303cbe3cfa9130be7e3949c934f8a624b0ece2e6"

// TestTheVersionBeforeBesideThisOne has people play on Telegram, on Discord and in browsers with the program of the
// last commit, while the present one takes its place.
func TestTheVersionBeforeBesideThisOne(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	p := newParty(t, newFleet(t, 2), false)
	defer p.end()
	p.upgraded(versionBefore(t), p.program)
	p.check()
}

// upgraded has people play with a program that makes the database. Another version's comes beside it, and brings the
// database up to date while they play on; they play with both at once, until the old one ends and the new one takes its
// place. In the end all has come to rest.
func (p *party) upgraded(before, after string) {
	old, present := p.all[0], p.all[1]
	old.program, present.program = before, after
	p.begin(old)
	stop := p.play()
	defer stop()
	p.goesOn(10)
	p.start(present)
	st := p.reads() // while the schema is that of this version
	p.until("both share the leases", func() bool { return len(holders(p.held(st))) == 2 })
	for _, g := range p.guests {
		g.client.CloseIdleConnections() // so that guests go to the new replica
	}
	p.goesOn(10)
	old.program = after
	p.replaced(st, old)
	p.goesOn(10)
	stop()
	p.rest(st)
}

// versionBefore builds the version before the present one from the repository's history, and returns its program. That
// is the last commit with another program than the files as they are now: one that differs in tests or pages only shows
// nothing, and uncommitted changes run beside the last commit.
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
	check(t, err)
	defer files.Close()
	check(t, os.CopyFS(source, files))
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

// git returns the output of git in this repository.
func git(t *testing.T, args ...string) string {
	t.Helper()
	run := exec.Command("git", append([]string{"-C", "../.."}, args...)...)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", run, err, out)
	}
	return strings.TrimSpace(string(out))
}
