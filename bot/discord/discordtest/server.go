package discordtest

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"knobel/bot/fakes"
)

// Options say how a Server differs from the usual.
type Options struct {
	// Spec is the description to hold requests against; nil: only the rules
	// that are written here.
	Spec *Spec
	// Token is the bot's token, without "Bot "; "" is one made for tests.
	Token string
	// Pace is how many posts, and how many edits, a channel takes in five
	// seconds before it answers 429; 0 is 5, less than 0 no limit.
	Pace int
	// Whole is how many requests it takes in a second of a bot, whatever they are
	// for, before it answers 429; answers to interactions do not count. 0 is no
	// limit.
	Whole int
	// Heartbeat is what the gateway tells to the bot; 0 is 41.25 seconds.
	Heartbeat time.Duration
	// Shards is how many connections it recommends, and AtOnce how many of them
	// may begin within five seconds; 0 is 1.
	Shards, AtOnce int
	// Uploads is how many emoji it takes in five seconds before it answers 429; 0 is
	// no limit.
	Uploads int
	// English has it refuse commands with names or descriptions in other languages.
	English bool
	// Within is how long an interaction may stay unanswered; 0 is Discord's 3
	// seconds. More is for a bot that works while others need the processors.
	Within time.Duration
	// Repeats lets a bot give the same answer once more, as one does that has
	// heard nothing of it in time: for a bot that goes by its usual times while
	// others need the processors.
	Repeats bool
	// Forget keeps no record of requests, nor of presses once their board was
	// drawn in answer, for long loads.
	Forget bool
	// Listener is where it serves, such as a fakes.Wire; nil is a free port
	// of the loopback.
	Listener net.Listener
	// Trouble is asked at every request, by its method and path, what goes
	// wrong with it, before the faults of Fail; nil: nothing. The request waits
	// until it returns.
	Trouble func(what string) (Fault, bool)
}

// Server is a Discord of one's own. All methods are safe for concurrent use.
type Server struct {
	o        Options
	listener net.Listener
	http     *http.Server
	closing  chan struct{}

	mu           sync.Mutex
	news         fakes.News
	ahead        time.Duration
	lastID       int64
	guilds       []*Guild
	channels     map[string]*Channel
	interactions map[string]*Interaction // by token
	commands     []byte
	creates      int
	emoji        emojis
	faults       []Fault
	away         bool
	requests     []Request
	violations   []Violation
	pace         map[string]*window
	ended        map[net.Conn]bool // connections that the bot has closed
	gateway      gateway
	endpoint     *endpoint // nil: interactions come over the gateway
	refused      []int
	lately       []time.Time // when the bot asked for something in the last second
	writes       int         // posts and edits in channels
	often        int         // answers 429
}

// Request is one request of the bot and how it was answered.
type Request struct {
	Method string
	// Path stands without host, /api and version, Query without "?".
	Path  string
	Query string
	Body  []byte
	At    time.Time
	// Status is the HTTP status of the answer, 0 when there was none.
	Status int
}

// Violation is a request that no bot should have made.
type Violation struct {
	What string
	Why  string
}

// String says what was wrong.
func (v Violation) String() string { return v.What + ": " + v.Why }

// applicationID is the bot's own id, as a user and as an application.
const applicationID = "1198622483471925248"

// URL is what stands in place of Discord's scheme and host.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Token is the bot's token.
func (s *Server) Token() string { return s.o.Token }

// Now is the time here: the real one and what Advance has added.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now()
}

func (s *Server) now() time.Time { return time.Now().Add(s.ahead) }

// Advance moves the time here: messages grow older, tokens expire.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead += d
	s.tell()
}

// Requests returns all requests so far, or those whose method and path begin
// as said: "PATCH /channels".
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

// Writes says how many posts and edits channels have had, and how many requests
// came too often.
func (s *Server) Writes() (writes, often int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes, s.often
}

// Violations returns what the bot did wrong so far.
func (s *Server) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// Unanswered returns what people did, and the bot heard, that has no answer.
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

// Wait returns once the condition holds, asking anew whenever something
// happened here, or returns ctx's error. The condition may use all methods.
func (s *Server) Wait(ctx context.Context, holds func() bool) error {
	return s.news.Wait(ctx, holds)
}

// tell wakes all who wait.
func (s *Server) tell() { s.news.Tell() }

// violate remembers a violation. The caller holds the lock.
func (s *Server) violate(what, format string, args ...any) {
	s.violations = append(s.violations, Violation{what, fmt.Sprintf(format, args...)})
}

// epoch is the beginning of Discord's time, from which ids are counted.
const epoch = 1420070400000

// snowflake makes an id that tells when it was made. The caller holds the lock.
func (s *Server) snowflake() string {
	s.lastID = max(s.lastID+1, (s.now().UnixMilli()-epoch)<<22)
	return strconv.FormatInt(s.lastID, 10)
}

// age is how old a thing is, by its id. The caller holds the lock.
func (s *Server) age(id string) time.Duration {
	n, _ := strconv.ParseInt(id, 10, 64)
	return s.now().Sub(time.UnixMilli(n>>22 + epoch))
}

// call is a request while it is answered.
type call struct {
	method string
	path   string
	parts  []string
	query  map[string][]string
	body   []byte   // JSON, also where it came in a form
	files  []upload // that came with it
	conn   net.Conn
}

// what names the call for violations.
func (c call) what() string { return c.method + " " + c.path }

// bad answers that a request breaks a rule and remembers it. The caller holds
// the lock.
func (s *Server) bad(w http.ResponseWriter, c call, why string) {
	s.violate(c.what(), "%s, in %s", why, c.body)
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

// Fault is something that goes wrong with one request, as it does with the
// real Discord or on the way to it.
type Fault struct {
	// On begins as the request's method and path do: "PATCH /channels"; ""
	// strikes any.
	On string
	// Status and Code are the answer's HTTP status and Discord's own code.
	Status int
	Code   int
	// Message is the answer's text.
	Message string
	// RetryAfter, with status 429, is told in seconds; Global says that it
	// holds for the whole bot.
	RetryAfter float64
	Global     bool
	// HTML answers with a page in HTML, as proxies do.
	HTML bool
	// Hang does not answer until the bot gives up.
	Hang bool
	// Cut closes the connection without an answer.
	Cut bool
	// Slow is how long the request is under way; who has given it up by then
	// has not made it. With Status 0 nothing else is wrong.
	Slow time.Duration
	// After does what was asked before the fault strikes: the answer is lost.
	After bool
}

// window counts requests to one route of one channel.
type window struct {
	begun time.Time
	count int
	// shut is until when the bot was told to wait.
	shut time.Time
}

// endpoint is where interactions are delivered by HTTP.
type endpoint struct {
	url string
	key ed25519.PrivateKey
}
