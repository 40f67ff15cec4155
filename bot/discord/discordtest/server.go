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
	// Spec is the description of the API for checks; nil: only the rules in the code are checked.
	Spec *Spec
	// Token is the bot's token, without "Bot "; "" is an invented one.
	Token string
	// Pace is how many posts, and how many edits, a channel accepts in five seconds; 0 is 5, negative is no limit.
	Pace int
	// Whole is how many requests a second the bot may make, not counting answers to interactions; 0 is no limit.
	Whole int
	// Heartbeat is the gateway's heartbeat interval; 0 is 41.25 seconds.
	Heartbeat time.Duration
	// Shards is the recommended number of connections, and AtOnce how many may begin within five seconds; 0 is 1.
	Shards, AtOnce int
	// Uploads is how many emoji are accepted in five seconds; 0 is no limit.
	Uploads int
	// Secret is the application's client secret for OAuth; "": it has none.
	Secret string
	// Embedded means that the operator has enabled activities.
	Embedded bool
	// Accounts means that people can add the bot to their account (user install).
	Accounts bool
	// English refuses commands with translations.
	English bool
	// Within is how long an interaction may wait for its answer; 0 is Discord's 3 seconds. Busy machines need more.
	Within time.Duration
	// Repeats allows the bot to repeat an answer after a timeout, which is common on a busy machine.
	Repeats bool
	// Forget saves memory in long load tests: requests are not recorded, and presses only until their board is drawn.
	Forget bool
	// Listener accepts the connections, such as a fakes.Wire; nil is a free port of the loopback.
	Listener net.Listener
	// Trouble returns the fault of a request, or false; what is the request's method and path. It takes priority over
	// Fail, and the request waits until it returns. nil is like a function that returns false.
	Trouble func(what string) (Fault, bool)
}

// Server is a fake Discord. All methods are safe for concurrent use.
type Server struct {
	fakes.Server
	o Options

	mu             sync.Mutex
	ahead          time.Duration // how far Advance has moved the time
	lastID         int64
	guilds         []*Guild
	channels       map[string]*Channel
	people         map[string]*Person
	interactions   map[string]*Interaction // by token
	activities     []*Activity             // oldest first, those that have ended too
	codes          map[string]access       // of OAuth, by themselves
	tokens         map[string]*access      // of OAuth, by themselves
	commands       []byte
	commandWrites  int // how often the bot has written its commands
	emoji          emojis
	requests       []Request
	pace           map[string]*window
	ended          map[net.Conn]bool // connections that are closed
	gateway        gateway
	endpoint       *endpoint   // nil: interactions are sent over the gateway
	refused        []int       // statuses with which the bot has refused deliveries
	recent         []time.Time // the times of the last second's requests
	writes         int         // number of posts and edits in channels
	refusedTooMany int         // responses with the status 429
}

// Request is one request of the bot and the status of the response.
type Request struct {
	Method string
	// Path has no host, /api and version; Query has no "?".
	Path  string
	Query string
	Body  []byte
	At    time.Time
	// Status is the HTTP status of the response, 0 if there was none.
	Status int
}

// applicationID is the bot's id, as a user and as an application.
const applicationID = "1198622483471925248"

// Token returns the bot's token.
func (s *Server) Token() string { return s.o.Token }

// Now returns the server's time: the real time plus what Advance has added.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now()
}

// now is Now for callers that hold the lock.
func (s *Server) now() time.Time { return time.Now().Add(s.ahead) }

// Advance moves the server's time by d: messages grow older, tokens expire.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead += d
	s.Tell()
}

// Requests returns the requests so far whose method and path begin with prefix, such as "PATCH /channels"; "": all.
func (s *Server) Requests(prefix string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var requests []Request
	for _, r := range s.requests {
		if strings.HasPrefix(r.Method+" "+r.Path, prefix) {
			requests = append(requests, r)
		}
	}
	return requests
}

// Writes returns the number of posts and edits in channels, and of requests refused with the status 429.
func (s *Server) Writes() (writes, tooMany int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes, s.refusedTooMany
}

// Unanswered returns descriptions of the delivered interactions without an answer.
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

// epoch is the time from which Discord's ids count, in Unix milliseconds.
const epoch = 1420070400000

// snowflake returns a new id, which contains the current time. The caller holds the lock.
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
	parts  []string // the path, split at slashes
	query  map[string][]string
	body   []byte   // the JSON, also from a form
	isForm bool     // body has the fields of a form
	files  []upload // the files of the form, nil: the request has none
	conn   net.Conn

	request *http.Request
}

// what returns the call's method and path, as violations name it.
func (c call) what() string { return c.method + " " + c.path }

// bad refuses a request that breaks a rule and records the violation. The caller holds the lock.
func (s *Server) bad(w http.ResponseWriter, c call, fault string) {
	s.Violate(c.what(), "%s, in %s", fault, c.body)
	refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body: "+fault)
}

// refuse responds with one of Discord's errors: HTTP status, Discord's code and message.
func refuse(w http.ResponseWriter, status, code int, message string) {
	answer(w, status, map[string]any{"code": code, "message": message})
}

// answer responds with value as JSON, or without a body for nil.
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

// window counts the requests of one route in one channel within windowLength.
type window struct {
	begun time.Time
	count int
	// retryAt is the end of the Retry-After.
	retryAt time.Time
}

// endpoint is the URL to which interactions are delivered, with the key that signs them.
type endpoint struct {
	url string
	key ed25519.PrivateKey
}

// Start starts a server for a test. At the test's end it closes the server and fails the test for violations that
// Forgive has not accepted, and for unanswered interactions.
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
		for _, left := range s.unrevoked() {
			t.Errorf("%s", left)
		}
		s.Close()
	})
	return s
}

// Forgive returns and clears the violations so far. Interactions that are unanswered now no longer need an answer, and
// tokens of people need not be revoked.
func (s *Server) Forgive() []fakes.Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.interactions {
		i.forgiven = true
	}
	s.forgiveTokens(nil)
	return s.Server.Forgive()
}
