package telegramtest

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"knobel/bot/fakes"
)

// Options configure a Server.
type Options struct {
	// Token is the bot's token; "" is a token made for tests.
	Token string
	// Now is the clock of budgets and messages; nil is the real one.
	Now func() time.Time
	// Batch is the most updates of an answer; 0 is 100.
	Batch int
	// Forget records no requests, for long loads.
	Forget bool
	// Listener is where it serves, such as a fakes.Wire; nil is a free port of the loopback.
	Listener net.Listener
	// Ephemeral is the form of ephemeral messages that it knows, "10.2" or "10.3"; "": none, and it ignores their
	// parameters.
	Ephemeral string
	// API is its version of the Bot API, such as "7.0"; "": today's.
	API string
	// Trouble returns the fault of a request, before those of Fail; nil: none. The request waits for it.
	Trouble func(method string, params map[string]string) (Fault, bool)
}

// Server is a fake Telegram. All methods are safe for concurrent use.
type Server struct {
	spec     *Spec
	token    string
	now      func() time.Time
	most     int // updates of an answer
	api      known
	whispers string // the form of ephemeral messages
	trouble  func(method string, params map[string]string) (Fault, bool)
	listener net.Listener
	http     *http.Server
	closing  chan struct{}

	mu         sync.Mutex
	news       fakes.News
	chats      map[int64]*Chat
	lastChat   int64
	lastQuery  int64
	queries    map[string]*Query
	updates    updates
	commands   map[string]string
	profile    map[string]string // texts by key and language, and the menu button
	faults     []Fault
	away       bool
	hook       webhook
	proxy      string
	calls      []Call
	violations []Violation
	budget     budget
	forget     bool
	writes     int // sends and edits
	often      int // answers 429
}

// Call is one request of the bot with its answer.
type Call struct {
	Method string
	Params map[string]string
	At     time.Time
	// Status is the HTTP status of the answer, 0 if there was none.
	Status int
	// Error is the description of a refusal.
	Error string
}

// Violation is a request that no bot should make.
type Violation struct {
	Method string
	Why    string
	Params map[string]string
}

// String returns the fault in one line.
func (v Violation) String() string { return fmt.Sprintf("%s: %s, in %v", v.Method, v.Why, v.Params) }

// New starts a server that checks requests against a spec, nil: not at all. Close it after use.
func New(spec *Spec, o Options) (*Server, error) {
	if o.Listener == nil {
		var err error
		if o.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, err
		}
	}
	s := &Server{
		spec: spec, token: o.Token, now: o.Now, listener: o.Listener, trouble: o.Trouble,
		forget: o.Forget, most: cmp.Or(o.Batch, 100), api: known(o.API), whispers: o.Ephemeral,
		closing: make(chan struct{}),
		chats:   map[int64]*Chat{}, lastChat: 1000, queries: map[string]*Query{}, commands: map[string]string{},
		profile: map[string]string{},
		updates: updates{next: 700_001}, budget: budget{private: map[int64]time.Time{}, group: map[int64][]time.Time{}},
	}
	if s.token == "" {
		s.token = "4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhac60qcK"
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve)}
	go func() { _ = s.http.Serve(s.listener) }()
	return s, nil
}

// URL replaces Telegram's scheme and host.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// username is the bot's name.
const username = "KnobelBot"

// Token is the bot's token.
func (s *Server) Token() string { return s.token }

// Username is the bot's name in groups, without the @.
func (s *Server) Username() string { return username }

// Close ends all requests and the server. It may be called twice.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.closing:
	default:
		close(s.closing)
		s.unhook()
	}
	s.mu.Unlock()
	_ = s.http.Close()
}

// Calls returns all requests so far, or those of the named methods.
func (s *Server) Calls(methods ...string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var calls []Call
	for _, c := range s.calls {
		if len(methods) == 0 || slices.Contains(methods, c.Method) {
			calls = append(calls, c)
		}
	}
	return calls
}

// Writes returns the sends and edits of all chats, and how many requests came too often.
func (s *Server) Writes() (writes, often int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes, s.often
}

// Violations returns the violations so far.
func (s *Server) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// Commands returns the bot's JSON list of commands for a scope ("all_group_chats", "chat -1001") and a language (""
// for all others), or "".
func (s *Server) Commands(scope, language string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands[scope+"|"+language]
}

// Wait returns once the condition holds, checking after every event here, or returns ctx's error. The condition may
// use all methods.
func (s *Server) Wait(ctx context.Context, holds func() bool) error {
	return s.news.Wait(ctx, holds)
}

// tell wakes all waiters.
func (s *Server) tell() { s.news.Tell() }

// violate records a violation. The caller holds the lock.
func (s *Server) violate(method, why string, params map[string]string) {
	s.violations = append(s.violations, Violation{method, why, params})
}
