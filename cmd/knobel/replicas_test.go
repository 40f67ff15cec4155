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

// fleet is a set of replicas that share a database on a server, or a single one with a file. Each is restarted when it
// ends, as by a service manager.
type fleet struct {
	t       *testing.T
	program string               // built from the present source
	server  *postgrestest.Server // nil for a database file
	db      string               // URL of the database without the proxies
	env     []string             // of all replicas
	secret  string               // password of the browser page
	outside string               // address of a proxy before all replicas, "" for none
	all     []*peer
	next    atomic.Int64 // counter by which startProxy chooses replicas
	away    outage       // outage of the database itself
	keeping sync.WaitGroup
	closed  atomic.Bool
}

// peer is a replica of a fleet. It connects to the database through its own proxy, unless that is nil.
type peer struct {
	fleet   *fleet
	program string // may be another version
	listen  string
	proxy   *postgrestest.Proxy

	gate sync.Mutex // locked while the replica must not restart

	mu     sync.Mutex
	s      *serving // the latest process
	began  time.Time
	killed bool   // the test ended it
	away   outage // its connection to the database is cut
	said   []*serving
	unruly []string // output of processes that ended on their own
}

// webSecret is the default password of the browser page of a fleet.
const webSecret = "three replicas, one database"

// newSingle returns a fleet of one replica with a database file.
func newSingle(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{t: t, program: build(t), secret: webSecret, env: []string{"KNOBEL_WEB_SECRET=" + webSecret},
		db: filepath.Join(t.TempDir(), "knobel.db")}
	f.all = []*peer{{fleet: f, program: f.program, listen: freePort(t)}}
	return f
}

// newFleet returns n replicas, not started yet, with a database server.
func newFleet(t *testing.T, n int) *fleet {
	t.Helper()
	f := newSingle(t)
	f.server = postgrestest.New(t, nil)
	f.db, f.all = f.server.Address(f.server.Database(t, "")), nil
	for range n {
		f.all = append(f.all, &peer{fleet: f, program: f.program, listen: freePort(t),
			proxy: f.server.Proxy(t)})
	}
	return f
}

// start starts replicas and waits until they are ready.
func (f *fleet) start(replicas ...*peer) {
	f.t.Helper()
	for _, r := range replicas {
		r.launch()
		f.keeping.Go(r.keep)
	}
	for _, r := range replicas {
		f.until("all replicas are ready", r.ready)
	}
}

// end stops all replicas for good.
func (f *fleet) end() {
	f.closed.Store(true)
	for _, r := range f.all {
		r.kill()
	}
	f.keeping.Wait()
}

// openReadOnly returns the database, opened read-only until the test ends.
func (f *fleet) openReadOnly() *store.Store {
	f.t.Helper()
	st, err := store.OpenReadOnly(f.t.Context(), f.db)
	check(f.t, err)
	f.t.Cleanup(func() { _ = st.Close() })
	return st
}

// openDirect returns a direct connection to the database. The caller must close it.
func (f *fleet) openDirect() *sql.DB {
	f.t.Helper()
	db, err := sql.Open("pgx", f.db)
	check(f.t, err)
	return db
}

// checkOrderly fails if a replica ended on its own without a reason.
func (f *fleet) checkOrderly() {
	f.t.Helper()
	for i, r := range f.all {
		r.mu.Lock()
		for _, how := range r.unruly {
			f.t.Errorf("replica %d has ended by itself: %s", i, how)
		}
		r.mu.Unlock()
	}
}

// number returns the number that a query selects.
func (f *fleet) number(query string, args ...any) (n int) {
	f.t.Helper()
	db := f.openDirect()
	defer db.Close()
	check(f.t, db.QueryRowContext(f.t.Context(), query, args...).Scan(&n))
	return n
}

// until waits until holds returns true. condition describes the awaited state in error messages.
func (f *fleet) until(condition string, holds func() bool) {
	f.t.Helper()
	awaits(f.t, condition, nil, holds, f.log)
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

// env returns the environment of the replica.
func (r *peer) env() []string {
	db := r.fleet.db
	if r.proxy != nil {
		db = r.proxy.Address(db)
	}
	return append([]string{"KNOBEL_LISTEN=" + r.listen, "KNOBEL_DB=" + db}, r.fleet.env...)
}

// launch starts a process of the replica.
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

// keep restarts the replica whenever it ends, until the fleet is closed.
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
		// A process that starts during an outage of the database may end with an error. One that was serving may not.
		excused := r.away.wasActive(r.began) || r.fleet.away.wasActive(r.began)
		if excused = excused && !strings.Contains(s.said.String(), "The browser page is open"); !r.killed && !excused {
			r.unruly = append(r.unruly, fmt.Sprintf("%v\n%s", s.err, s.said))
		}
		r.mu.Unlock()
		if excused {
			time.Sleep(restarts) // the delay of a service manager
		}
		r.gate.Lock()
		r.launch()
		r.gate.Unlock()
	}
}

// restarts is the time that a service manager waits before it restarts a program.
const restarts = 300 * time.Millisecond

// outage is the state of a database: reachable or not.
type outage struct {
	mu   sync.Mutex
	on   bool
	last time.Time // end of the latest outage
}

// turn starts an outage, or ends it if on is false.
func (o *outage) turn(on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.on, o.last = on, time.Now()
}

// wasActive reports whether there was an outage at any time after since.
func (o *outage) wasActive(since time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.on || o.last.After(since)
}

// kill ends the current process as a power cut would.
func (r *peer) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.killed = true
	if r.s != nil {
		_ = r.s.cmd.Process.Kill() // it may have ended already
	}
}

func (r *peer) isHealthy() bool { return checkHealth(context.Background(), r.listen) == nil }

// ready reports whether the replica's /readyz answers that everything works.
func (r *peer) ready() bool {
	status, _, err := get(context.Background(), r.listen, "/readyz", r.fleet.secret)
	return err == nil && status == http.StatusOK
}

// dial returns a dialer to f.outside or, if that is "", to the replica with index prefer() or, if it is down, the next.
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

// startProxy returns the address of a proxy before all replicas, which uses them in turn.
func (f *fleet) startProxy() string {
	to, err := url.Parse("http://" + f.all[0].listen)
	check(f.t, err)
	s := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) },
		Transport: &http.Transport{DisableKeepAlives: true,
			DialContext: f.dial(func() int64 { return f.next.Add(1) })},
		ErrorLog: log.New(io.Discard, "", 0), // replicas may be killed
	})
	f.t.Cleanup(s.Close)
	return s.URL
}

// discordKey returns a private key for Discord, and the setting with its public key.
func discordKey(t *testing.T) (key ed25519.PrivateKey, env string) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	check(t, err)
	return key, "KNOBEL_DISCORD_PUBLIC_KEY=" + hex.EncodeToString(public)
}

// connect starts replicas with both platforms, which deliver by webhook if delivers is set.
func (f *fleet) connect(telegram *telegramtest.Server, discord *discordtest.Server, delivers bool, replicas ...*peer) {
	f.t.Helper()
	f.env = append(f.env, tokens(telegram.URL(), discord.URL())...)
	door := f.startProxy()
	telegram.Proxy(door)
	key, env := discordKey(f.t)
	if delivers {
		f.env = append(f.env, "KNOBEL_TELEGRAM_WEBHOOK_URL=https://dice.example.org/telegram", env)
	}
	f.start(replicas...)
	f.until("Discord is listened to", discord.Listening)
	if delivers {
		check(f.t, discord.Endpoint(door+"/discord", key))
	}
}
