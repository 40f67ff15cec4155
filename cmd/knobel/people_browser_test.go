package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
)

// sent is a press that was sent.
type sent struct {
	by       *visitor
	id       string
	press    string
	answered bool // an answer came
	refused  bool
}

// guest is a visitor of the browser table, whose page goes to another replica when its own does not answer.
type guest struct {
	*visitor
	name    string
	at      atomic.Int64 // the replica that it prefers
	sent    []*sent
	good    atomic.Int64 // presses that were carried out
	again   int          // presses that had to be sent again
	streams atomic.Int64 // how often the feed was opened
	slowest time.Duration
}

// guest opens the page at a replica.
func (f *fleet) guest(at int) *guest {
	f.t.Helper()
	g := &guest{name: fmt.Sprint("guest-", at), visitor: &visitor{client: browser(f.t),
		base: "http://" + f.all[0].listen, news: make(chan struct{}, 1)}}
	g.at.Store(int64(at))
	g.client.Transport = &http.Transport{DialContext: f.dial(g.at.Load), ResponseHeaderTimeout: patience}
	said, err := g.client.PostForm(g.base+"/sign-in", url.Values{"secret": {f.secret}})
	check(f.t, err)
	_ = said.Body.Close()
	if status, text := fetched(f.t, g.client, g.base+"/me", struct{}{}); status != http.StatusOK {
		f.t.Fatalf("%s is not let in: %d %s", g.name, status, text)
	}
	return g
}

// patience is how long a page waits for an answer before it asks again.
const patience = 15 * time.Second

// watch reads the feed until ctx is done or the feed ends for good, from another replica where one does not answer.
func (g *guest) watch(ctx context.Context) {
	for ctx.Err() == nil {
		g.streams.Add(1)
		g.follow(ctx)
		g.at.Add(1)
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// insist sends a press until there is an answer, as a page does, and reports whether that took more than one time.
func (g *guest) insist(ctx context.Context, path string, body map[string]any) (a told, again bool, err error) {
	began := time.Now()
	for {
		a, err = g.post(path, body)
		if err == nil {
			g.slowest = max(g.slowest, time.Since(began))
			return a, again, nil
		}
		again = true
		g.at.Add(1)
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return a, again, fmt.Errorf("%s %v: %w", path, body, err)
		}
	}
}

// play presses whatever there is to press until ctx is done.
func (g *guest) play(ctx, late context.Context, chance *rand.Rand) {
	for n := 0; ctx.Err() == nil; n++ {
		g.mu.Lock()
		on := g.ref
		g.mu.Unlock()
		button, ok := choose(g.newest(), chance)
		if ok {
			g.try(late, fmt.Sprint(g.name, "-", n), button, on)
		}
		select {
		case <-g.news:
		case <-time.After(leisure / 2): // to look at the board
		case <-ctx.Done():
		}
	}
}

// try presses a button once, however often that has to be sent.
func (g *guest) try(ctx context.Context, id, button string, on chat.Ref) {
	p := &sent{by: g.visitor, id: id, press: button}
	a, again, err := g.insist(ctx, "/press", map[string]any{"id": id, "as": 0, "press": button, "on": on})
	p.answered = err == nil
	if again {
		g.again++
	}
	// Where it was sent again, an answer without a board says that it was dealt with before, well or badly.
	p.refused = a.Refused || again && a.Board == 0
	if p.answered && !p.refused {
		g.good.Add(1)
	}
	g.sent = append(g.sent, p)
}

// playsAlone has a guest open a table and press whatever there is to press until it is stopped.
func (f *fleet) playsAlone() (g *guest, stop func()) {
	f.t.Helper()
	g = f.guest(0)
	go g.watch(f.t.Context())
	g.opens(f.t, "/shutbox 7")
	ctx, stopped := context.WithCancel(f.t.Context())
	var playing sync.WaitGroup
	playing.Go(func() { g.play(ctx, f.t.Context(), rand.New(rand.NewPCG(2026, 17))) })
	return g, func() {
		stopped()
		playing.Wait()
	}
}
