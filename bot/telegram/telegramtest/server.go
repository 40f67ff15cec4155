// Package telegramtest is a strict Bot API server on the loopback.
//
// It plays Telegram for tests and for load: real HTTP, real getUpdates with offsets and conflicts, groups that
// migrate, users who block, topics, and a test clock. It checks each request against our description of the Bot API
// first (Spec, api.txt) and then against the rules that it cannot express: HTML that parses, callbacks answered once,
// twenty sends and edits a minute in a group. An invalid request gets Telegram's answer and is recorded as a
// Violation.
//
// A test acts for people (Chat.Say, Chat.Press), waits for what they see (Server.Wait, Chat.Messages), and fails at
// its end on any Violation.
package telegramtest

import (
	"cmp"
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
	fakes.Server
	spec     *Spec
	token    string
	now      func() time.Time
	most     int // updates of an answer
	api      known
	whispers string // the form of ephemeral messages
	trouble  func(method string, params map[string]string) (Fault, bool)

	mu        sync.Mutex
	chats     map[int64]*Chat
	lastChat  int64
	lastQuery int64
	queries   map[string]*Query
	updates   updates
	commands  map[string]string
	profile   map[string]string // texts by key and language, and the menu button
	hook      webhook
	proxy     string
	calls     []Call
	budget    budget
	forget    bool
	writes    int // sends and edits
	often     int // answers 429
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

// New starts a server that checks requests against a spec, nil: not at all. Close it after use.
func New(spec *Spec, o Options) (*Server, error) {
	s := &Server{
		spec: spec, token: o.Token, now: o.Now, trouble: o.Trouble,
		forget: o.Forget, most: cmp.Or(o.Batch, 100), api: known(o.API), whispers: o.Ephemeral,
		chats: map[int64]*Chat{}, lastChat: 1000, queries: map[string]*Query{}, commands: map[string]string{},
		profile: map[string]string{},
		updates: updates{next: 700_001}, budget: budget{private: map[int64]time.Time{}, group: map[int64][]time.Time{}},
	}
	if s.token == "" {
		s.token = "4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhac60qcK"
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.HTTP.Handler = http.HandlerFunc(s.serve)
	return s, s.Listen(o.Listener)
}

// username is the bot's name.
const username = "KnobelBot"

// Token is the bot's token.
func (s *Server) Token() string { return s.token }

// Username is the bot's name in groups, without the @.
func (s *Server) Username() string { return username }

// Close ends all requests and the server. It may be called twice.
func (s *Server) Close() {
	s.mu.Lock()
	s.unhook()
	s.mu.Unlock()
	s.End()
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

// Commands returns the bot's JSON list of commands for a scope ("all_group_chats", "chat -1001") and a language (""
// for all others), or "".
func (s *Server) Commands(scope, language string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands[scope+"|"+language]
}

// violate records a violation.
func (s *Server) violate(method, why string, params map[string]string) {
	s.Violate(method, "%s, in %v", why, params)
}

// Start starts a server for a test, closes it at the test's end, and fails on violations that Forgive has not taken.
func Start(t fakes.TB, o Options) *Server {
	t.Helper()
	s, err := New(Described(), o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	s.Ends(t, s.Close)
	return s
}

// Fault is a failure of one request.
type Fault = fakes.Fault

// Away cuts every connection while it is on, as without a network.
func (s *Server) Away(on bool) {
	s.Server.Away(on)
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.updates.release()
	}
	s.Tell()
}
