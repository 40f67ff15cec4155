package main

import (
	"archive/zip"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"knobel/bot/fakes/needs"
	"knobel/bot/lease"
	"knobel/store"
)

// TestUpgradeWithoutAGap plays Shut the Box to the end in one page with two replicas, while each is stopped in turn as
// by a service manager and restarted. Each press is answered, none is lost, and the other replica takes all leases
// before the stopped one is gone. Behind the deployed proxy no press is sent twice; long runs also test without a
// proxy.
func TestUpgradeWithoutAGap(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	for way, two := range map[string]func(*testing.T) *fleet{"as deployed": startDeployed,
		"before both": func(t *testing.T) *fleet { return newFleet(t, 2) }} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			f := two(t)
			defer f.end()
			f.start(f.all...)
			for _, r := range f.all {
				runOnce(t, r.program, r.env(), "health", "--ready") // the check in the head of replicas.yaml
			}
			f.upgradeReplicas()
		})
	}
}

// upgradeReplicas plays while each replica is stopped and restarted.
func (f *fleet) upgradeReplicas() {
	t, st := f.t, f.openReadOnly()
	g, stop := f.startGuest()
	defer stop()
	ended, heard := 0, 0
	for ended < 4 || f.games(st) < 2 {
		before := g.good.Load()
		f.until("people play on", func() bool { return g.good.Load() >= before+5 })
		if ended < 4 {
			heard += f.replaceReplica(st, f.all[ended%2])
			ended++
		}
	}
	stop()
	// Nothing is killed: a replica that stops answers pending requests, and the page then uses the other.
	if f.outside != "" && g.again > 0 {
		t.Errorf("%d presses had to be sent again", g.again)
	}
	if g.streams.Load() < 2 {
		t.Error("whoever had the page's feed was not ended")
	}
	if heard == 0 && len(f.hears()) > 0 {
		t.Error("nobody was ended who had heard people")
	}
	read(t, f.db).check(t, g.sent)
	examine(t, f.program, f.db)
	t.Logf("%d presses, %d games, %d times a replica was ended, the feed opened %d times; the slowest answer took %v",
		g.good.Load(), verifyAll(t, f.db), ended, g.streams.Load(), g.slowest)
	f.checkOrderly()
}

// games returns the number of finished games.
func (f *fleet) games(st *store.Store) (n int) {
	f.t.Helper()
	err := st.View(f.t.Context(), func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			table, err := tx.Tables.Table(id)
			if table.State == store.Over {
				n++
			}
			return err
		})
	})
	check(f.t, err)
	return n
}

// replaceReplica stops a replica, and restarts it once the other has all leases: of chats, of polling and of the
// connection to Discord. The stopped replica must return its leases before its process ends; unreturned ones would
// block for ten seconds. It returns the number of leases by which that replica received events.
func (f *fleet) replaceReplica(st *store.Store, r *peer) (heard int) {
	f.t.Helper()
	var before map[string]string
	f.until("both share the leases", func() bool {
		before = f.held(st)
		return len(before) == lease.Shares+len(f.hears()) && len(holders(before)) == 2 && f.all[0].ready() &&
			f.all[1].ready()
	})
	r.gate.Lock()
	defer r.gate.Unlock()
	r.mu.Lock()
	s := r.s
	r.killed = true
	r.mu.Unlock()
	since := f.logLeases()
	check(f.t, s.cmd.Process.Signal(syscall.SIGTERM))
	var left string // the holder of all leases in the end
	for gone := false; left == "" || !gone; {
		select {
		case <-s.ended:
			gone = true
		case <-time.After(5 * time.Millisecond):
		case <-f.t.Context().Done():
			f.t.Fatal("the other replica does not take over")
		}
		held := f.held(st)
		if who := holders(held); len(who) == 2 && gone {
			f.t.Fatalf("the process is gone, and its leases are not given back: %v", held)
		} else if len(who) == 1 && len(held) == len(before) {
			left = who[0]
		}
	}
	if s.err != nil {
		f.t.Errorf("after SIGTERM it ends with %v\n%s", s.err, s.said)
	}
	return f.checkHandover(since, before, left)
}

// hears returns the names of the leases by which replicas receive events, without platforms that use webhooks.
func (f *fleet) hears() (names []string) {
	for _, set := range f.env {
		if strings.HasPrefix(set, "KNOBEL_TELEGRAM_TOKEN") {
			names = append(names, polling+" 0")
		}
		if strings.HasPrefix(set, "KNOBEL_TELEGRAM_WEBHOOK_URL") { // comes after the token in f.env
			names = slices.DeleteFunc(names, func(name string) bool { return name == polling+" 0" })
		}
		if strings.HasPrefix(set, "KNOBEL_DISCORD_TOKEN") {
			names = append(names, connecting+" 0")
		}
	}
	return names
}

// held returns the holders of the leases of chats and of those in hears, by lease.
func (f *fleet) held(st *store.Store) map[string]string {
	f.t.Helper()
	held, hears := map[string]string{}, f.hears()
	err := st.View(f.t.Context(), func(tx *store.Tx) error {
		all, err := tx.Leases.Leases(time.Now().UnixMilli())
		for _, l := range all {
			if !l.Ended && (strings.HasPrefix(l.Name, "chats ") || slices.Contains(hears, l.Name)) {
				held[l.Name] = l.Holder
			}
		}
		return err
	})
	check(f.t, err)
	return held
}

// holders returns the different holders of leases, sorted.
func holders(held map[string]string) []string {
	return slices.Compact(slices.Sorted(maps.Values(held)))
}

// firstShared is the first commit with replicas that share a database. Older versions cannot run beside another one.
const firstShared = "303cbe3cfa9130be7e3949c934f8a624b0ece2e6"

// TestTheVersionBeforeBesideThisOne lets people play on Telegram, Discord and in browsers with the previous version
// while the present one replaces it.
func TestTheVersionBeforeBesideThisOne(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	p := newParty(t, newFleet(t, 2), false)
	defer p.end()
	p.upgradeDuringPlay(versionBefore(t), p.program)
	p.check()
}

// upgradeDuringPlay lets people play with an old program (path before), which creates the database. Then a new one
// (path after) starts beside it and migrates the database; people play with both, until the new one replaces the old.
func (p *party) upgradeDuringPlay(before, after string) {
	old, present := p.all[0], p.all[1]
	old.program, present.program = before, after
	p.begin(old)
	stop := p.play()
	defer stop()
	p.waitForProgress(10)
	p.start(present)
	st := p.openReadOnly() // opened after the migration
	p.until("both share the leases", func() bool { return len(holders(p.held(st))) == 2 })
	for _, g := range p.guests {
		g.client.CloseIdleConnections() // new connections go to the new replica
	}
	p.waitForProgress(10)
	old.program = after
	p.replaceReplica(st, old)
	p.waitForProgress(10)
	stop()
	p.waitIdle(st)
}

// versionBefore builds the previous version from the repository's history and returns its program: the last commit that
// differs from the present files in code of the program. Commits that differ only in tests or pages are skipped.
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

// differs reports whether the code of the program at a commit differs from the present files.
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
