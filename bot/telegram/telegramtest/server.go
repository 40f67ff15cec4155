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

// Options say how a Server differs from the usual.
type Options struct {
	// Token is the bot's token; "" is a token made for tests.
	Token string
	// Now is the clock of the budget and of messages; nil is the real one.
	Now func() time.Time
	// Batch is how many updates an answer holds at most; 0 is 100.
	Batch int
	// Forget keeps no record of requests, for long loads.
	Forget bool
	// Listener is where it serves, such as a fakes.Wire; nil is a free port
	// of the loopback.
	Listener net.Listener
	// Ephemeral is the form in which it knows ephemeral messages, "10.2" or "10.3"; "": it does not,
	// and passes over what asks for one.
	Ephemeral string
	// API is the version of the Bot API that it knows, such as "7.0"; "": today's.
	API string
	// Trouble is asked at every request what goes wrong with it, before the
	// faults of Fail; nil: nothing. The request waits until it returns.
	Trouble func(method string, params map[string]string) (Fault, bool)
}

// Server is a Telegram of one's own. All methods are safe for concurrent use.
type Server struct {
	spec     *Spec
	token    string
	now      func() time.Time
	most     int // updates of an answer
	api      known
	whispers string // how it knows ephemeral messages
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

// Call is one request of the bot and how it was answered.
type Call struct {
	Method string
	Params map[string]string
	At     time.Time
	// Status is the HTTP status of the answer, 0 when there was none.
	Status int
	// Error is the description of a refusal.
	Error string
}

// Violation is a request that no bot should have made.
type Violation struct {
	Method string
	Why    string
	Params map[string]string
}

// String says what was wrong in one line.
func (v Violation) String() string { return fmt.Sprintf("%s: %s, in %v", v.Method, v.Why, v.Params) }

// New starts a server, which checks requests against a spec, nil: not at all.
// Close it after use.
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

// URL is what stands in place of Telegram's scheme and host.
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

// Calls returns all requests so far, or those of the methods named.
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

// Writes says how many sends and edits chats have had, and how many requests
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

// Commands returns the JSON list of commands that the bot has set for a scope
// ("all_group_chats", "chat -1001") and a language ("" for all others), or "".
func (s *Server) Commands(scope, language string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands[scope+"|"+language]
}

// Wait returns once the condition holds, asking anew whenever something
// happened here, or returns ctx's error. The condition may use all methods.
func (s *Server) Wait(ctx context.Context, holds func() bool) error {
	return s.news.Wait(ctx, holds)
}

// tell wakes all who wait.
func (s *Server) tell() { s.news.Tell() }

// violate remembers a violation. The caller holds the lock.
func (s *Server) violate(method, why string, params map[string]string) {
	s.violations = append(s.violations, Violation{method, why, params})
}
