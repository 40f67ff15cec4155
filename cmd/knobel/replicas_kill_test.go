package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/bot/telegram/telegramtest"
	"knobel/store/engine/postgrestest"
)

// TestKillReplicas lets people play on Telegram, Discord and in browsers with three replicas on one PostgreSQL
// database. Every few seconds one replica is killed and restarted, others are cut off from the database, and the
// database server is killed, too. In the end no confirmed press is lost, nothing happened twice, and players see the
// current state.
func TestKillReplicas(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	for _, way := range []string{"polled", "delivered"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := newParty(t, newFleet(t, 3), way == "delivered")
			defer p.end()
			p.begin(p.all...)
			p.trouble(kills(t, 250))
			p.waitIdle(p.openReadOnly())
			p.check()
		})
	}
}

// party is a group of players on all platforms, with the replicas that serve them.
type party struct {
	*fleet
	telegram  *telegramtest.Server
	discord   *discordtest.Server
	delivers  bool // Telegram and Discord deliver by webhook, instead of polling and gateway
	chance    *rand.Rand
	guild     *discordtest.Guild
	people    []*player // on Telegram and on Discord
	waiting   int       // number of people who play with an absent friend
	guests    []*guest
	killed    int // number of kills of replicas
	cuts      int // number of times a replica was cut off from the database
	longest   time.Duration
	answered  atomic.Int64 // moves on Discord that were answered with a board
	turned    atomic.Int64 // tables at which it is an absent friend's turn
	following sync.WaitGroup
}

// newParty creates players for replicas, but starts nothing. If these use a database server, some have absent friends.
func newParty(t *testing.T, replicas *fleet, delivers bool) *party {
	t.Helper()
	p := &party{fleet: replicas, delivers: delivers, chance: rand.New(rand.NewPCG(2026, 15)), longest: time.Minute}
	began := time.Now()
	p.telegram = telegramtest.Start(t, telegramtest.Options{Token: telegramToken, Now: func() time.Time {
		if replicas.server != nil {
			return time.Now()
		}
		// A program that crashes ten times a minute and writes at once each time uses up a minute's rate limit. This
		// test is not about that, so the platform's time runs faster.
		return began.Add(3 * time.Since(began))
	}})
	p.discord = discordtest.Start(t, discordtest.Options{Token: discordToken, Within: fakes.Patience, Repeats: true,
		Pace: -1})
	p.guild = p.discord.Guild("The Dice")
	for i := range int64(12) {
		p.people = append(p.people, p.onTelegram(100+i, i%3 == 0, false))
	}
	for i := range int64(8) {
		waits := replicas.server != nil && i >= 6
		p.people = append(p.people, p.onDiscord(i, waits))
	}
	for i := int64(0); i < 4 && replicas.server != nil; i++ {
		p.people = append(p.people, p.onTelegram(200+i, true, true))
	}
	p.waiting = len(p.friends())
	return p
}

// begin starts replicas and lets the players open their chats and pages.
func (p *party) begin(replicas ...*peer) {
	p.t.Helper()
	p.connect(p.telegram, p.discord, p.delivers, replicas...)
	for _, c := range p.people {
		c.opens()
	}
	for i := range 3 {
		g := p.guest(i)
		p.following.Go(func() { g.watch(p.t.Context()) })
		p.guests = append(p.guests, g)
	}
	if a, _, err := p.guests[0].mustPress(p.t.Context(), "/command",
		map[string]any{"id": "open", "as": 0, "text": "/shutbox 7 tiles=5"}); err != nil || a.Refused {
		p.t.Fatalf("no table: %v %+v", err, a)
	}
	for _, c := range p.people {
		p.until("a board is at "+c.place(), func() bool { return c.board().id != "" })
		if c.waiting {
			c.seatFriend(p)
		}
	}
}

// play lets everyone play until stop is called.
func (p *party) play() (stop func()) {
	ctx, stopped := context.WithCancel(p.t.Context())
	var playing sync.WaitGroup
	for i, g := range p.guests {
		playing.Go(func() { g.play(ctx, p.t.Context(), rand.New(rand.NewPCG(2026, uint64(i)))) })
	}
	for _, c := range p.people {
		playing.Go(func() {
			if c.play(ctx, p); c.waiting {
				p.turned.Add(1)
			}
		})
	}
	return func() {
		stopped()
		playing.Wait()
	}
}

// trouble lets everyone play while replicas are killed or cut off from the database, and the database is killed.
func (p *party) trouble(kills int) {
	p.t.Helper()
	stop := p.play()
	defer stop()
	var cutting sync.WaitGroup
	ended := make(chan struct{})
	cutting.Go(func() { p.cuts = p.cut(ended, rand.New(rand.NewPCG(2026, 16))) })
	crashes := max(kills/25, 1)
	for n := range kills {
		p.pause(700*time.Millisecond, 1300*time.Millisecond)
		if n%(kills/crashes) == kills/crashes/2 {
			p.away.turn(true)
			p.server.Crash(p.t)
			p.pause(500*time.Millisecond, 3*time.Second)
			p.server.Restart(p.t)
			p.away.turn(false)
		}
		p.kill()
		p.makeRemindersDue()
		if n%5 == 4 {
			p.waitForWrites()
		}
	}
	close(ended)
	cutting.Wait()
	p.waitForProgress(20)
	// A backup made while all replicas run has no faults and includes every game that was over before.
	over, copied := verifyAll(p.t, p.db), filepath.Join(p.t.TempDir(), "copy.db")
	runOnce(p.t, p.program, []string{"KNOBEL_DB=" + p.db}, "backup", copied)
	examine(p.t, p.program, copied)
	if n := verifyAll(p.t, copied); n < over || n == 0 {
		p.t.Errorf("%d games are in the copy, and %d were over before", n, over)
	}
	stop()
	p.t.Logf("%d kills, %d cuts, the server %d times", kills, p.cuts, crashes)
}

// waitForWrites waits until replicas write to Telegram again. After each change of replicas they pause, because the
// used part of its limits is unknown. So the next kill interrupts writes.
func (p *party) waitForWrites() {
	before, _ := p.telegram.Writes()
	ctx, stop := context.WithTimeout(p.t.Context(), 15*time.Second)
	defer stop()
	_ = p.telegram.Wait(ctx, func() bool { // may fail: a replica can be cut off all the time
		now, _ := p.telegram.Writes()
		return now >= before+12
	})
	p.makeRemindersDue()
}

// waitForProgress waits until people play on all platforms again, with the given number of presses in browsers and on
// Discord, and until all players with absent friends wait for these.
func (p *party) waitForProgress(presses int64) {
	p.t.Helper()
	good, answered := p.countDone(), p.answered.Load()
	late := time.Now().Add(fakes.Patience)
	for {
		p.makeRemindersDue()
		more, said, turned := p.countDone()-good, p.answered.Load()-answered, int(p.turned.Load())
		if more >= presses && said >= presses && turned == p.waiting {
			return
		}
		if time.Now().After(late) {
			p.t.Fatalf("the games do not go on: %d presses in browsers, %d on Discord, %d of %d wait for friends\n%s%s",
				more, said, turned, p.waiting, p.describeWaiting(), p.log())
		}
		p.await(nil, 100*time.Millisecond)
	}
}

// countDone returns the number of presses in browsers that were carried out.
func (p *party) countDone() (n int64) {
	for _, g := range p.guests {
		n += g.good.Load()
	}
	return n
}

// pause waits for a random time from least to most.
func (p *party) pause(least, most time.Duration) {
	select {
	case <-time.After(least + time.Duration(p.chance.Int64N(int64(most-least)))):
	case <-p.t.Context().Done():
	}
}

// kill kills a random replica. It first waits until another one is ready, so that people can continue on slow machines,
// but only some seconds, because the others may be cut off or the database down.
func (p *party) kill() {
	at := p.chance.IntN(len(p.all))
	late := time.After(5 * time.Second)
	for waits := true; waits; {
		for i, r := range p.all {
			if i != at && r.isHealthy() {
				waits = false
			}
		}
		select {
		case <-late:
			waits = false
		case <-time.After(20 * time.Millisecond):
		}
	}
	p.all[at].kill()
	p.killed++
}

// cut repeatedly cuts a random replica off from the database for a while, until over is closed. If that is in the
// middle of a commit, the replica does not learn its outcome. It returns the number of cuts.
func (p *party) cut(over <-chan struct{}, chance *rand.Rand) (cuts int) {
	for {
		r := p.all[chance.IntN(len(p.all))]
		if !p.await(over, 500*time.Millisecond+time.Duration(chance.Int64N(int64(3*time.Second)))) {
			return cuts
		}
		cuts++
		r.away.turn(true)
		r.proxy.Cut(cutsAt[chance.IntN(len(cutsAt))])
		goes := p.await(over, 300*time.Millisecond)
		r.proxy.Off()
		goes = goes && p.await(over, p.longest/8+time.Duration(chance.Int64N(int64(p.longest-p.longest/8))))
		r.proxy.On()
		r.proxy.Cut(postgrestest.Nowhere)
		r.away.turn(false)
		if !goes {
			return cuts
		}
	}
}

// cutsAt holds the points at which a running commit is interrupted when a replica is cut off.
var cutsAt = []postgrestest.Cut{postgrestest.Nowhere, postgrestest.BeforeCommit, postgrestest.AfterCommit,
	postgrestest.Silent}

// TestAStandbyTakesOver plays Shut the Box in browsers with two replicas whose database has a synchronous standby. The
// server is killed during the game and the standby takes over: no confirmed press is lost, and the replicas find the
// new server by themselves.
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
	g, stop := f.startGuest()
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
	f.checkOrderly()
}
