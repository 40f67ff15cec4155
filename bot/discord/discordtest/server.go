// Package discordtest is a strict Discord server on the loopback.
//
// It plays Discord for tests and for load: real HTTP, a real gateway over WebSocket that can be dropped, resumed,
// invalidated and asked to reconnect, servers with channels and threads, people who type commands and press buttons.
// It checks each request against our description of Discord's API first (Spec, api.txt) and then against the rules
// that it cannot express: one answer to an interaction, within three seconds; forty components; no two buttons alike;
// limited edits of old messages. An invalid request gets Discord's answer and is recorded as a Violation.
//
// A test acts for people (Channel.Slash, Channel.Press), waits for what they see (Interaction.Answer, Server.Wait,
// Channel.Messages), and fails at its end on any Violation.
package discordtest

import (
	"crypto/ed25519"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"knobel/bot/fakes"
)

// Options configure a Server.
type Options struct {
	// Spec is the description for checks; nil: only the rules in the code.
	Spec *Spec
	// Token is the bot's token, without "Bot "; "" is one made for tests.
	Token string
	// Pace is how many posts, and how many edits, a channel takes in five seconds before it answers 429; 0 is 5,
	// negative no limit.
	Pace int
	// Whole is how many requests it takes in a second of a bot before it answers 429; answers to interactions do not
	// count. 0 is no limit.
	Whole int
	// Heartbeat is the gateway's heartbeat interval; 0 is 41.25 seconds.
	Heartbeat time.Duration
	// Shards is the recommended number of connections, and AtOnce how many may begin within five seconds; 0 is 1.
	Shards, AtOnce int
	// Uploads is how many emoji it takes in five seconds before it answers 429; 0 is no limit.
	Uploads int
	// English refuses commands with translations.
	English bool
	// Within is how long an interaction may be unanswered; 0 is Discord's 3 seconds. More is for busy machines.
	Within time.Duration
	// Repeats allows the same answer again after a timeout, for a bot with its usual times on a busy machine.
	Repeats bool
	// Forget records no requests, nor presses after their board was drawn, for long loads.
	Forget bool
	// Listener is where it serves, such as a fakes.Wire; nil is a free port of the loopback.
	Listener net.Listener
	// Trouble returns the fault of a request by its method and path, before those of Fail; nil: none. The request
	// waits for it.
	Trouble func(what string) (Fault, bool)
}

// Server is a fake Discord. All methods are safe for concurrent use.
type Server struct {
	fakes.Server
	o Options

	mu           sync.Mutex
	ahead        time.Duration
	lastID       int64
	guilds       []*Guild
	channels     map[string]*Channel
	interactions map[string]*Interaction // by token
	commands     []byte
	creates      int
	emoji        emojis
	requests     []Request
	pace         map[string]*window
	ended        map[net.Conn]bool // closed by the bot
	gateway      gateway
	endpoint     *endpoint // nil: interactions come over the gateway
	refused      []int
	lately       []time.Time // the requests of the last second
	writes       int         // posts and edits in channels
	often        int         // answers 429
}

// Request is one request of the bot with its answer.
type Request struct {
	Method string
	// Path is without host, /api and version, Query without "?".
	Path  string
	Query string
	Body  []byte
	At    time.Time
	// Status is the HTTP status of the answer, 0 if there was none.
	Status int
}

// applicationID is the bot's id, as a user and as an application.
const applicationID = "1198622483471925248"

// Token is the bot's token.
func (s *Server) Token() string { return s.o.Token }

// Now returns the server's time: the real one plus Advance's.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now()
}

func (s *Server) now() time.Time { return time.Now().Add(s.ahead) }

// Advance moves the time: messages grow older, tokens expire.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead += d
	s.Tell()
}

// Requests returns all requests so far, or those whose method and path begin like "PATCH /channels".
func (s *Server) Requests(begin string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var requests []Request
	for _, r := range s.requests {
		if strings.HasPrefix(r.Method+" "+r.Path, begin) {
			requests = append(requests, r)
		}
	}
	return requests
}

// Writes returns the posts and edits in channels, and how many requests came too often.
func (s *Server) Writes() (writes, often int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes, s.often
}

// Unanswered returns the delivered interactions without an answer.
func (s *Server) Unanswered() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var open []string
	for _, i := range s.interactions {
		if i.delivered && i.acked.IsZero() && !i.forgiven {
			open = append(open, i.what)
		}
	}
	slices.Sort(open)
	return open
}

// epoch is the zero of Discord's ids.
const epoch = 1420070400000

// snowflake returns an id of the present time. The caller holds the lock.
func (s *Server) snowflake() string {
	s.lastID = max(s.lastID+1, (s.now().UnixMilli()-epoch)<<22)
	return strconv.FormatInt(s.lastID, 10)
}

// age returns an object's age by its id. The caller holds the lock.
func (s *Server) age(id string) time.Duration {
	n, _ := strconv.ParseInt(id, 10, 64)
	return s.now().Sub(time.UnixMilli(n>>22 + epoch))
}

// call is a request in progress.
type call struct {
	method string
	path   string
	parts  []string
	query  map[string][]string
	body   []byte   // JSON, from a form too
	files  []upload // of the form
	conn   net.Conn
}

// what returns the call's name for violations.
func (c call) what() string { return c.method + " " + c.path }

// bad answers that a request breaks a rule and records the violation. The caller holds the lock.
func (s *Server) bad(w http.ResponseWriter, c call, why string) {
	s.Violate(c.what(), "%s, in %s", why, c.body)
	refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body: "+why)
}

// refuse answers with one of Discord's errors.
func refuse(w http.ResponseWriter, status, code int, message string) {
	answer(w, status, map[string]any{"code": code, "message": message})
}

// answer writes a JSON answer; nil is none.
func answer(w http.ResponseWriter, status int, value any) {
	if value == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

// Fault is a failure of one request.
type Fault = fakes.Fault

// window counts requests to one route of one channel.
type window struct {
	begun time.Time
	count int
	// shut is the end of Retry-After.
	shut time.Time
}

// endpoint is where interactions are delivered by HTTP.
type endpoint struct {
	url string
	key ed25519.PrivateKey
}

// Start starts a server for a test, closes it at the test's end, and fails on violations that Forgive has not taken
// and on unanswered interactions.
func Start(t fakes.TB, o Options) *Server {
	t.Helper()
	if o.Spec == nil {
		o.Spec = Described()
	}
	s, err := New(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	s.Ends(t, func() {
		for _, i := range s.Unanswered() {
			t.Errorf("nobody answered %s", i)
		}
		s.Close()
	})
	return s
}

// Forgive returns and clears the violations so far, and clears unanswered interactions.
func (s *Server) Forgive() []fakes.Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.interactions {
		i.forgiven = true
	}
	return s.Server.Forgive()
}
