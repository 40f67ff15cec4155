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
	// Token is the bot's token; "" is an invented one.
	Token string
	// Now is the clock of budgets and messages; nil is time.Now.
	Now func() time.Time
	// Batch is the largest number of updates in a response; 0 is 100.
	Batch int
	// Forget turns off the recording of requests, for long loads.
	Forget bool
	// Listener accepts the connections, such as a fakes.Wire; nil is a free port of the loopback.
	Listener net.Listener
	// Ephemeral is the known version of ephemeral messages, "10.2" or "10.3"; "": none, their parameters are ignored.
	Ephemeral string
	// Guest and Inline switch on the bot's guest mode and inline mode.
	Guest, Inline bool
	// API is the server's version of the Bot API, such as "7.0"; "" is the newest.
	API string
	// Trouble returns the fault of a request, before those of Fail; nil or false: none. The request waits for Trouble.
	Trouble func(method string, params map[string]string) (Fault, bool)
}

// Server is a fake Telegram. All methods are safe for concurrent use.
type Server struct {
	fakes.Server
	spec      *Spec
	token     string
	now       func() time.Time
	batchSize int // the largest number of updates in a response
	api       apiVersion
	whispers  string // the known version of ephemeral messages, "": none
	trouble   func(method string, params map[string]string) (Fault, bool)

	mu             sync.Mutex
	chats          map[int64]*Chat
	lastChat       int64
	lastQuery      int64
	queries        map[string]*Query
	guests         map[string]*guestQuery // mentions and inline queries
	inline         map[string]*Chat       // chats of one message: those of the bot in foreign chats, by inline id
	modes          [2]bool                // guest mode, inline mode
	updates        updates
	commands       map[string]string
	profile        map[string]string // texts by key and language, and the menu button
	hook           webhook
	proxy          string
	calls          []Call
	budget         budget
	forget         bool
	writes         int // number of sends and edits
	refusedTooMany int // responses with the status 429
}

// Call is one request of the bot and the response to it.
type Call struct {
	Method string
	Params map[string]string
	At     time.Time
	// Status is the HTTP status of the response, 0 if there was none.
	Status int
	// Error is the description of a refusal.
	Error string
}

// New starts a server. It checks requests against spec; nil: it checks none. The caller must close it.
func New(spec *Spec, o Options) (*Server, error) {
	s := &Server{
		spec: spec, token: o.Token, now: o.Now, trouble: o.Trouble,
		forget: o.Forget, batchSize: cmp.Or(o.Batch, 100), api: apiVersion(o.API), whispers: o.Ephemeral,
		chats: map[int64]*Chat{}, lastChat: 1000, queries: map[string]*Query{}, commands: map[string]string{},
		guests: map[string]*guestQuery{}, inline: map[string]*Chat{}, modes: [2]bool{o.Guest, o.Inline},
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

// username is the bot's user name.
const username = "KnobelBot"

// Token returns the bot's token.
func (s *Server) Token() string { return s.token }

// Username returns the bot's user name, without the @.
func (s *Server) Username() string { return username }

// Close ends all requests and the server. It may be called twice.
func (s *Server) Close() {
	s.mu.Lock()
	s.unhook()
	s.mu.Unlock()
	s.End()
}

// Calls returns all requests so far, or only those of the named methods.
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

// Writes returns the number of sends and edits in all chats, and of requests refused with the status 429.
func (s *Server) Writes() (writes, tooMany int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes, s.refusedTooMany
}

// Commands returns the bot's list of commands in JSON for a scope ("all_group_chats", "chat -1001") and a language ("":
// all others); "" if there is none.
func (s *Server) Commands(scope, language string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands[scope+"|"+language]
}

// violate records that a call of method with params has this fault.
func (s *Server) violate(method, fault string, params map[string]string) {
	s.Violate(method, "%s, in %v", fault, params)
}

// Start starts a server for a test, which fails at its end for violations that Forgive has not accepted.
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

// Away cuts every connection while on, as without a network.
func (s *Server) Away(on bool) {
	s.Server.Away(on)
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.updates.release()
	}
	s.Tell()
}
