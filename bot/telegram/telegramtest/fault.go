package telegramtest

import (
	"net/http"
	"time"

	"knobel/bot/fakes"
)

// Fault is a failure of one request, as of the real Telegram or the network.
type Fault struct {
	// Method is the method that fails; "" is any.
	Method string
	// Code and Text are the answer's status and description.
	Code int
	Text string
	// HTML answers with an HTML page, as proxies do, instead of JSON.
	HTML bool
	// RetryAfter, if not 0, is part of the answer.
	RetryAfter int
	// Hang does not answer until the bot gives up.
	Hang bool
	// Cut closes the connection without an answer.
	Cut bool
	// Slow delays the answer; with Code 0 nothing else is wrong.
	Slow time.Duration
	// After carries out the request before the fault: the answer is lost.
	After bool
}

// Fail makes the next requests fail, one fault each, in this order.
func (s *Server) Fail(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Away cuts every connection while it is on, as without a network.
func (s *Server) Away(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = on
	if on {
		s.updates.release()
	}
	s.tell()
}

// fault takes the next fault for a request.
func (s *Server) fault(method string, params map[string]string) (Fault, bool) {
	if s.trouble != nil {
		if f, broken := s.trouble(method, params); broken {
			return f, true
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away {
		return Fault{Cut: true}, true
	}
	return fakes.Take(&s.faults, func(f Fault) bool { return f.Method == "" || f.Method == method })
}

// late waits for Slow, and reports whether nothing else is wrong.
func (f Fault) late(r *http.Request, closing <-chan struct{}) bool {
	if f.Slow <= 0 {
		return false
	}
	fakes.Delay(r, f.Slow, closing)
	return f.Code == 0 && !f.HTML && !f.Hang && !f.Cut
}

// act applies the fault.
func (f Fault) act(w http.ResponseWriter, r *http.Request, closing <-chan struct{}) {
	switch {
	case fakes.Trouble{HTML: f.HTML, Hang: f.Hang, Cut: f.Cut}.Strikes(w, r, f.Code, closing):
	default:
		no := &refusal{code: f.Code, text: f.Text}
		if f.RetryAfter > 0 {
			no.parameters = map[string]any{"retry_after": f.RetryAfter}
		}
		answer(w, nil, no)
	}
}
