package main

// Filters of the log: repetitions, consequences of a database outage, ids, and control characters.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// filter is a log handler that passes on the records for which lets returns true. lets may change the record.
type filter struct {
	slog.Handler
	about string // attributes and groups of the logger, as text
	lets  func(about string, r *slog.Record) bool
}

// Handle passes a record on if lets allows it.
func (f filter) Handle(ctx context.Context, r slog.Record) error {
	if !f.lets(f.about, &r) {
		return nil
	}
	return f.Handler.Handle(ctx, r)
}

// WithAttrs returns a filter with the same function and additional attributes.
func (f filter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return filter{f.Handler.WithAttrs(attrs), f.about + fmt.Sprint(attrs), f.lets}
}

// WithGroup returns a filter with the same function and an additional group.
func (f filter) WithGroup(name string) slog.Handler {
	return filter{f.Handler.WithGroup(name), f.about + name, f.lets}
}

// deduplicated returns a log handler that drops repetitions. A warning or error with the same reason is logged at once,
// then after a minute or later, at growing intervals, with the number of times it occurred.
func deduplicated(h slog.Handler, met *troubles) slog.Handler {
	return filter{Handler: h, lets: func(about string, r *slog.Record) bool {
		if r.Level < slog.LevelWarn {
			return true
		}
		what := about + r.Message
		if err := failure(*r); err != nil { // the wrapping differs by table and place
			what += innermost(err).Error()
		}
		told, times := met.meet(what)
		if times > 1 {
			*r = r.Clone()
			r.AddAttrs(slog.Int("times", times))
		}
		return told
	}}
}

// failure returns the error among the attributes of a record, or nil.
func failure(r slog.Record) (err error) {
	r.Attrs(func(a slog.Attr) bool {
		err, _ = a.Value.Any().(error)
		return err == nil
	})
	return err
}

// innermost returns the error at the bottom of a chain, taking the first of several. An unreachable server gives an
// error for each connection, and only the innermost has a text without port numbers, which differ.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if several, ok := err.(interface{ Unwrap() []error }); ok && len(several.Unwrap()) > 0 {
			inner = several.Unwrap()[0]
		}
		if inner == nil {
			return err
		}
		err = inner
	}
}

// Intervals between log lines of one trouble, and the maximum number of troubles that are tracked.
const (
	firstPause  = time.Minute
	maxPause    = time.Hour
	maxTroubles = 256
)

// troubles counts recent warnings and errors by their text.
type troubles struct {
	mu  sync.Mutex
	by  map[string]*repeated
	now func() time.Time
}

func newTroubles() *troubles { return &troubles{by: map[string]*repeated{}, now: time.Now} }

// repeated holds the state of one repeated warning or error.
type repeated struct {
	until time.Time // earliest time of its next line
	pause time.Duration
	times int // occurrences since its latest line
}

// meet counts an occurrence. told reports whether to log it now; times is the number of occurrences since the latest
// line.
func (t *troubles) meet(what string) (told bool, times int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	one := t.by[what]
	switch {
	case one == nil && len(t.by) >= maxTroubles && !t.forget(now):
		return true, 1
	case one == nil:
		t.by[what] = &repeated{until: now.Add(firstPause), pause: firstPause}
		return true, 1
	}
	one.times++
	if now.Before(one.until) {
		return false, 0
	}
	if times = one.times; times > 1 {
		one.pause = min(2*one.pause, maxPause)
	} else {
		one.pause = firstPause
	}
	one.times, one.until = 0, now.Add(one.pause)
	return true, times
}

// forget deletes entries that may be logged again anyway, and reports whether there is room for another.
func (t *troubles) forget(now time.Time) bool {
	for what, one := range t.by {
		if !now.Before(one.until) {
			delete(t.by, what)
		}
	}
	return len(t.by) < maxTroubles
}

// blackout is the state of the database connection: working, or unreachable or read-only. It logs one line when an
// outage begins and one when it ends.
type blackout struct {
	log  *slog.Logger     // receives the two lines
	away func(error) bool // reports whether an error indicates an outage

	mu    sync.Mutex
	since time.Time // start of the outage, zero if there is none
}

// began starts an outage with its error. During an outage it is a no-op.
func (o *blackout) began(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = time.Now()
		o.log.Error("database is read-only", "error", err)
	}
}

// ended ends an outage, if there is one.
func (o *blackout) ended() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.since.IsZero() {
		o.log.Info("database is writable again", "after", time.Since(o.since))
		o.since = time.Time{}
	}
}

// lasts reports whether there is an outage now.
func (o *blackout) lasts() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.since.IsZero()
}

// troubled starts an outage if err is not nil, else ends it.
func (o *blackout) troubled(err error, _ time.Duration) {
	if err != nil {
		o.began(err)
		return
	}
	o.ended()
}

// probeAgain is the interval between probes of the database during an outage.
const probeAgain = time.Second

// every calls look at the given interval until ctx is done.
func every(ctx context.Context, pause time.Duration, look func()) {
	ticks := time.NewTicker(pause)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			look()
		case <-ctx.Done():
			return
		}
	}
}

// silenced returns a log handler that drops errors of the database during an outage. fails reports whether an error
// comes from the database.
func silenced(h slog.Handler, outage *blackout, fails func(error) bool) slog.Handler {
	return filter{Handler: h, lets: func(_ string, r *slog.Record) bool {
		err := failure(*r)
		if r.Level < slog.LevelWarn || err == nil || !fails(err) {
			return true
		}
		if outage.away(err) {
			outage.began(err)
		}
		return !outage.lasts()
	}}
}

// ids matches ids of people, chats, places, messages and presses: the name of a platform, a colon, and text with a
// digit. "web:room", the main room, has no digit and identifies no person.
var ids = regexp.MustCompile(`\b(` + strings.Join(append(namesOf(entries()), "terminal"), "|") +
	`):[-@:\w]*\d(?:[-@:\w]*\w)?`)

// veil replaces all ids in a log attribute, also in errors, because logs may outlive people's data in the database. It
// is for slog.HandlerOptions.ReplaceAttr.
func veil(_ []string, a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	var text string
	switch v := a.Value.Any().(type) {
	case string:
		text = v
	case error:
		text = v.Error()
	case fmt.Stringer:
		text = v.String()
	default:
		if a.Value.Kind() != slog.KindAny {
			return a
		}
		text = fmt.Sprint(v)
	}
	if hidden := ids.ReplaceAllString(text, "$1:…"); hidden != text {
		a.Value = slog.StringValue(hidden)
	}
	return a
}

// shown is a writer that escapes control characters and direction marks, which could disturb a terminal. Every command
// writes through it, because names, records, errors and arguments come from strangers. Escapes are those of JSON, so
// that JSON output keeps its meaning.
type shown struct {
	mu  sync.Mutex
	out io.Writer
	cut []byte // first bytes of a character whose rest is still missing
}

func (s *shown) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.cut, p...)
	s.cut = nil
	var b bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1 && !utf8.FullRune(text):
			s.cut, size = bytes.Clone(text), len(text)
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case obeyed(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(text[:size])
		}
		text = text[size:]
	}
	if _, err := s.out.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// end writes the bytes of an incomplete character as escapes.
func (s *shown) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.cut {
		fmt.Fprintf(s.out, `\x%02x`, b)
	}
	s.cut = nil
}

// obeyed reports whether a character could affect a terminal or the direction of text. Newlines and tabs are harmless.
func obeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' ||
		r == '\u2029'
}
