package main

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
	"knobel/store"
	"knobel/store/engine/postgrestest"
)

// fleet holds replicas of the program that share a database on a server, or one with a file. Each is started again
// whenever it has ended, as a service manager does.
type fleet struct {
	t       *testing.T
	program string               // of this version
	server  *postgrestest.Server // nil: the database is a file
	db      string               // the address of the database, past the proxies
	env     []string             // of all replicas
	secret  string               // of the browser table
	outside string               // the address of a proxy that leads pages to all replicas, "": they go to each
	all     []*peer
	next    atomic.Int64 // who gets what comes to the door
	away    outage       // of the database itself
	keeping sync.WaitGroup
	closed  atomic.Bool
}

// peer is one of a fleet. It reaches the database by a proxy of its own, unless that is nil.
type peer struct {
	fleet   *fleet
	program string // may be of another version
	listen  string
	proxy   *postgrestest.Proxy

	gate sync.Mutex // held as long as it is not to be started again

	mu     sync.Mutex
	s      *serving // the newest process
	began  time.Time
	killed bool   // it was ended by the test
	away   outage // it is cut off from the database
	said   []*serving
	unruly []string // how processes have ended by themselves
}

// webSecret is the secret of the browser table of a fleet, unless it has another.
const webSecret = "three replicas, one database"

// alone returns one program with a file.
func alone(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{t: t, program: build(t), secret: webSecret, env: []string{"KNOBEL_WEB_SECRET=" + webSecret},
		db: filepath.Join(t.TempDir(), "knobel.db")}
	f.all = []*peer{{fleet: f, program: f.program, listen: freePort(t)}}
	return f
}

// newFleet makes replicas, each of which runs from when it is started to the end of all.
func newFleet(t *testing.T, n int) *fleet {
	t.Helper()
	f := alone(t)
	f.server = postgrestest.New(t, nil)
	f.db, f.all = f.server.Address(f.server.Database(t, "")), nil
	for range n {
		f.all = append(f.all, &peer{fleet: f, program: f.program, listen: freePort(t),
			proxy: f.server.Proxy(t)})
	}
	return f
}

// start starts replicas and waits until they are ready.
func (f *fleet) start(some ...*peer) {
	f.t.Helper()
	for _, r := range some {
		r.launch()
		f.keeping.Go(r.keep)
	}
	for _, r := range some {
		f.until("all replicas are ready", r.ready)
	}
}

// end ends all replicas, for good.
func (f *fleet) end() {
	f.closed.Store(true)
	for _, r := range f.all {
		r.kill()
	}
	f.keeping.Wait()
}

// reads opens the database, to read only, until the test ends.
func (f *fleet) reads() *store.Store {
	f.t.Helper()
	st, err := store.OpenReadOnly(f.t.Context(), f.db)
	check(f.t, err)
	f.t.Cleanup(func() { _ = st.Close() })
	return st
}

// opened is the database as the test itself asks it, past the store: to be closed.
func (f *fleet) opened() *sql.DB {
	f.t.Helper()
	db, err := sql.Open("pgx", f.db)
	check(f.t, err)
	return db
}

// orderly fails if a replica has ended by itself.
func (f *fleet) orderly() {
	f.t.Helper()
	for i, r := range f.all {
		for _, how := range r.unruly {
			f.t.Errorf("replica %d has ended by itself: %s", i, how)
		}
	}
}

// number returns what a query of the database counts.
func (f *fleet) number(query string, args ...any) (n int) {
	f.t.Helper()
	db := f.opened()
	defer db.Close()
	check(f.t, db.QueryRowContext(f.t.Context(), query, args...).Scan(&n))
	return n
}

// until waits for a condition.
func (f *fleet) until(what string, holds func() bool) {
	f.t.Helper()
	awaits(f.t, what, nil, holds, f.log)
}

// log returns the last output of all processes.
func (f *fleet) log() (all string) {
	for i, r := range f.all {
		r.mu.Lock()
		for _, s := range r.said[max(len(r.said)-2, 0):] {
			all += fmt.Sprintf("replica %d:\n%s\n", i, s.said)
		}
		r.mu.Unlock()
	}
	return all
}

// env returns its environment.
func (r *peer) env() []string {
	db := r.fleet.db
	if r.proxy != nil {
		db = r.proxy.Address(db)
	}
	return append([]string{"KNOBEL_LISTEN=" + r.listen, "KNOBEL_DB=" + db}, r.fleet.env...)
}

func (r *peer) launch() {
	began := time.Now()
	s := launch(r.fleet.t, r.program, r.env())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.s, r.began, r.killed, r.said = s, began, false, append(r.said, s)
	if r.fleet.closed.Load() {
		_ = s.cmd.Process.Kill()
	}
}

// keep starts the replica again whenever it has ended.
func (r *peer) keep() {
	for {
		r.mu.Lock()
		s := r.s
		r.mu.Unlock()
		<-s.ended
		if r.fleet.closed.Load() {
			return
		}
		r.mu.Lock()
		// Who comes to work while the database is away says so and ends; who is at work goes on.
		excused := r.away.lately(r.began) || r.fleet.away.lately(r.began)
		if excused = excused && !strings.Contains(s.said.String(), "The browser table is open"); !r.killed && !excused {
			r.unruly = append(r.unruly, fmt.Sprintf("%v\n%s", s.err, s.said))
		}
		r.mu.Unlock()
		if excused {
			time.Sleep(restarts) // as a service manager does
		}
		r.gate.Lock()
		r.launch()
		r.gate.Unlock()
	}
}

// restarts is how long a service manager waits before it starts a program again that has ended by itself.
const restarts = 300 * time.Millisecond

// outage is a time in which a database cannot be reached.
type outage struct {
	mu   sync.Mutex
	on   bool
	last time.Time // when it was over
}

// turn begins it, or ends it.
func (o *outage) turn(on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.on, o.last = on, time.Now()
}

// lately reports whether it has been at any time since a moment.
func (o *outage) lately(since time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.on || o.last.After(since)
}

// kill ends the present process as a power cut would.
func (r *peer) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.killed = true
	if r.s != nil {
		_ = r.s.cmd.Process.Kill() // it may have ended already
	}
}

func (r *peer) well() bool { return healthy(context.Background(), r.listen) == nil }

// ready reports whether all that is configured works, by the replica's own words.
func (r *peer) ready() bool {
	status, _, err := ask(context.Background(), r.listen, "/readyz", r.fleet.secret)
	return err == nil && status == http.StatusOK
}

// dial connects to the proxy, or to the replica that is preferred or the next one that is there, whatever the address.
func (f *fleet) dial(prefer func() int64) func(ctx context.Context, network, _ string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		if f.outside != "" {
			return new(net.Dialer).DialContext(ctx, network, f.outside)
		}
		first := int(prefer())
		for i := range f.all {
			r := f.all[(first+i)%len(f.all)]
			if c, err := new(net.Dialer).DialContext(ctx, network, r.listen); err == nil {
				return c, nil
			}
		}
		return nil, errors.New("no replica is there")
	}
}

// door is the address of a proxy before all replicas, which takes one after the other.
func (f *fleet) door() string {
	to, err := url.Parse("http://" + f.all[0].listen)
	check(f.t, err)
	s := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) },
		Transport: &http.Transport{DisableKeepAlives: true,
			DialContext: f.dial(func() int64 { return f.next.Add(1) })},
		ErrorLog: log.New(io.Discard, "", 0), // replicas die
	})
	f.t.Cleanup(s.Close)
	return s.URL
}

// discordKey is a key of Discord's, and what tells it to replicas.
func discordKey(t *testing.T) (key ed25519.PrivateKey, env string) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	check(t, err)
	return key, "KNOBEL_DISCORD_PUBLIC_KEY=" + hex.EncodeToString(public)
}

// connect starts replicas with both platforms, which deliver over HTTP where that is wanted, and are listened to
// otherwise.
func (f *fleet) connect(telegram *telegramtest.Server, discord *discordtest.Server, delivers bool, some ...*peer) {
	f.t.Helper()
	f.env = append(f.env, tokens(telegram.URL(), discord.URL())...)
	door := f.door()
	telegram.Proxy(door)
	key, env := discordKey(f.t)
	if delivers {
		f.env = append(f.env, "KNOBEL_TELEGRAM_WEBHOOK_URL=https://dice.example.org/telegram", env)
	}
	f.start(some...)
	f.until("Discord is listened to", discord.Listening)
	if delivers {
		check(f.t, discord.Endpoint(door+"/discord", key))
	}
}
