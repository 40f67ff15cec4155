package fakes

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server is the common part of the fake platforms: HTTP, faults and violations. They call its Tell at each event.
type Server struct {
	News
	HTTP    http.Server
	Closing chan struct{} // closed by End

	listener   net.Listener
	ended      sync.Once
	mu         sync.Mutex
	faults     []Fault
	away       bool
	violations []Violation
}

// Listen serves HTTP on l; nil: on a free local port.
func (s *Server) Listen(l net.Listener) (err error) {
	if l == nil {
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return err
		}
	}
	s.listener, s.Closing = l, make(chan struct{})
	go func() { _ = s.HTTP.Serve(l) }()
	return nil
}

// Addr returns the server's host and port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// URL returns the address that replaces the platform's scheme and host.
func (s *Server) URL() string { return "http://" + s.Addr() }

// End ends all requests and the server. It may be called twice.
func (s *Server) End() {
	s.ended.Do(func() { close(s.Closing) })
	_ = s.HTTP.Close()
}

// Violation is a request that no bot should make.
type Violation struct {
	What string
	Why  string
}

// String returns the violation in one line.
func (v Violation) String() string { return v.What + ": " + v.Why }

// Violate records that a request breaks a rule; format and args describe it.
func (s *Server) Violate(request, format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, Violation{request, fmt.Sprintf(format, args...)})
}

// Violations returns the violations so far.
func (s *Server) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// Forgive returns the violations so far and deletes them.
func (s *Server) Forgive() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	violations := s.violations
	s.violations = nil
	return violations
}

// Fault is a failure of one request, as of the real platform or the network.
type Fault struct {
	// On is a method of Telegram, or the beginning of a method and path of Discord: "PATCH /channels"; "" is any
	// request.
	On string
	// Status is the answer's HTTP status, Code Discord's code, Message the answer's text.
	Status  int
	Code    int
	Message string
	// RetryAfter is in seconds; Global means that the limit is for the whole bot.
	RetryAfter float64
	Global     bool
	// HTML means that the answer is an HTML page, as proxies send it.
	HTML bool
	// Hang means that no answer comes until the bot gives up.
	Hang bool
	// Cut means that the connection is closed without an answer.
	Cut bool
	// Slow delays the request, or drops it if the client gives up before. With Status 0 it then succeeds.
	Slow time.Duration
	// After means that the request is carried out before the fault: only the answer is lost.
	After bool
}

// Fail makes the next requests fail, one fault each, in this order.
func (s *Server) Fail(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Away makes all requests fail from now on, as without a network, or if on is false, succeed again.
func (s *Server) Away(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = on
}

// IsAway reports whether Away is on.
func (s *Server) IsAway() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.away
}

// Exchange is one request to a fake platform.
type Exchange struct {
	What string // as in Fault.On
	// Trouble returns a fault for this request, and whether there is one. It takes priority over faults set by Fail.
	Trouble func() (Fault, bool)
	// Do carries out the request and writes the answer.
	Do func(http.ResponseWriter)
	// Refuse writes a fault as an answer of the platform.
	Refuse func(http.ResponseWriter, Fault)
	// Ended is called before an answer is sent or lost. f is the request's fault, nil: none. status is the answer's
	// HTTP status, even if the answer is then lost; 0: there is no answer.
	Ended func(f *Fault, status int)
}

// Serve carries out the request e and answers it, or makes it fail if it has a fault.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request, e Exchange) {
	f, faulty := e.Trouble()
	if !faulty {
		f, faulty = s.takeFault(e.What)
	}
	faulty = faulty && !s.delay(&f, r)
	answer := httptest.NewRecorder()
	if !faulty || f.After {
		e.Do(answer)
	}
	if !faulty {
		e.Ended(nil, answer.Code)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
		return
	}
	if !f.After {
		answer.Code = f.Status
	}
	e.Ended(&f, answer.Code)
	switch {
	case f.Hang:
		select {
		case <-r.Context().Done():
		case <-s.Closing:
		}
	case f.Cut:
		panic(http.ErrAbortHandler)
	case f.HTML:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte("<html><body><h1>Bad Gateway</h1></body></html>"))
	default:
		e.Refuse(w, f)
	}
}

// takeFault removes and returns the next fault for a request; ok is false if there is none.
func (s *Server) takeFault(request string) (f Fault, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away {
		return Fault{Cut: true}, true
	}
	i := slices.IndexFunc(s.faults, func(f Fault) bool {
		return f.On == "" || f.On == request || strings.Contains(f.On, " ") && strings.HasPrefix(request, f.On)
	})
	if i < 0 {
		return f, false
	}
	f = s.faults[i]
	s.faults = slices.Delete(s.faults, i, i+1)
	return f, true
}

// delay waits for f.Slow and reports whether the request then succeeds. If the client gives up before, f becomes a Cut.
func (s *Server) delay(f *Fault, r *http.Request) bool {
	if f.Slow <= 0 {
		return false
	}
	select {
	case <-time.After(f.Slow):
		return f.Status == 0 && !f.HTML && !f.Hang && !f.Cut
	case <-r.Context().Done():
	case <-s.Closing:
	}
	*f = Fault{Cut: true}
	return false
}

// Ends calls stop at the end of the test, and fails the test if there are violations that Forgive has not deleted.
func (s *Server) Ends(t TB, stop func()) {
	t.Cleanup(func() {
		stop()
		for _, v := range s.Violations() {
			t.Errorf("the platform would not take this: %v", v)
		}
	})
}

// Wire is a network in memory: a listener and connections to it. It works in a synctest bubble.
type Wire struct {
	calls chan net.Conn
	gone  chan struct{}
	once  sync.Once
	name  wireName
}

// wireName is the address of a wire, such as "telegram:80".
type wireName string

// Network returns the kind of network.
func (wireName) Network() string { return "memory" }

// String returns the address as in URLs.
func (n wireName) String() string { return string(n) }

// NewWire returns a network with one address, such as "telegram:80".
func NewWire(name string) *Wire {
	return &Wire{calls: make(chan net.Conn), gone: make(chan struct{}), name: wireName(name)}
}

// Dial connects to the listener, regardless of the address. It is a chat.Dialer.
func (w *Wire) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	mine, theirs := net.Pipe()
	select {
	case w.calls <- theirs:
		return mine, nil
	case <-w.gone:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for the next connection.
func (w *Wire) Accept() (net.Conn, error) {
	select {
	case conn := <-w.calls:
		return conn, nil
	case <-w.gone:
		return nil, net.ErrClosed
	}
}

// Close refuses new connections. Open connections stay.
func (w *Wire) Close() error {
	w.once.Do(func() { close(w.gone) })
	return nil
}

// Addr returns the name given to NewWire.
func (w *Wire) Addr() net.Addr { return w.name }
