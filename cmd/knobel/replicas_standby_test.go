package main

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
)

// TestAStandbyTakesOver plays Shut the Box at the browser table of two replicas whose database has a synchronous
// standby. The server is killed in the middle of it and the standby takes over: what was answered is there, and the
// replicas find the new server by themselves.
func TestAStandbyTakesOver(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	f := newFleet(t, 2)
	defer f.end()
	standby := f.server.Standby(t)
	first, second := fmt.Sprint("127.0.0.1:", f.server.Port), fmt.Sprint("127.0.0.1:", standby.Port)
	f.db = strings.Replace(f.db, first, first+","+second, 1) + "?target_session_attrs=read-write"
	for _, r := range f.all {
		r.proxy = nil
	}
	f.start(f.all...)
	g, stop := f.playsAlone()
	plays := func(presses int64) int64 {
		from := g.good.Load()
		f.until("people play", func() bool { return g.good.Load() >= from+presses })
		return g.good.Load()
	}
	before := plays(15)
	f.away.turn(true)
	f.server.Crash(t)
	standby.Promote(t)
	f.away.turn(false)
	after := plays(15) - before
	stop()
	t.Logf("%d presses before the standby has taken over, %d after it; the slowest answer took %v", before, after,
		g.slowest)
	read(t, f.db).check(t, g.sent)
	examine(t, f.program, f.db)
	if games := verifyAll(t, f.db); games < 1 {
		t.Error("no game has come to its end")
	}
	f.orderly()
}
