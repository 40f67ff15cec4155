package main

// What the log leaves out: repetitions, consequences of an outage of the database, ids, and control characters.

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

// filter is a log handler that passes on the records for which a function returns true, which may change them.
type filter struct {
	slog.Handler
	about string // what all lines of this log are about
	lets  func(about string, r *slog.Record) bool
}

// Handle passes a record on if it is let through.
func (f filter) Handle(ctx context.Context, r slog.Record) error {
	if !f.lets(f.about, &r) {
		return nil
	}
	return f.Handler.Handle(ctx, r)
}

// WithAttrs returns a handler with the same function.
func (f filter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return filter{f.Handler.WithAttrs(attrs), f.about + fmt.Sprint(attrs), f.lets}
}

// WithGroup returns a handler with the same function.
func (f filter) WithGroup(name string) slog.Handler {
	return filter{f.Handler.WithGroup(name), f.about + name, f.lets}
}

// deduplicated returns a log handler that drops repetitions: the same warning or error, for the same
// reason, is logged at once, then after a minute at the earliest and ever more seldom while it goes
// on, with the number of times.
func deduplicated(h slog.Handler, met *troubles) slog.Handler {
	return filter{Handler: h, lets: func(about string, r *slog.Record) bool {
		if r.Level < slog.LevelWarn {
			return true
		}
		what := about + r.Message
		if err := failure(*r); err != nil { // without the tables and places that wrap it
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

// failure returns the error in a line, or nil.
func failure(r slog.Record) (err error) {
	r.Attrs(func(a slog.Attr) bool {
		err, _ = a.Value.Any().(error)
		return err == nil
	})
	return err
}

// innermost returns the error at the bottom of another, the first of several: a server that is away refuses each
// connection of each try, and only the reason has no ports in its text.
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

// The pauses between lines of one trouble, and the most troubles known at once.
const (
	firstPause  = time.Minute
	maxPause    = time.Hour
	maxTroubles = 256
)

// troubles holds the recent warnings and errors by their text.
type troubles struct {
	mu  sync.Mutex
	by  map[string]*repeated
	now func() time.Time
}

func newTroubles() *troubles { return &troubles{by: map[string]*repeated{}, now: time.Now} }

// repeated is one trouble.
type repeated struct {
	until time.Time // when it may be told again
	pause time.Duration
	times int // how often it was met since it was told
}

// meet counts a trouble. It reports whether to log it now, and how often it was met since it was logged.
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

// forget drops troubles that may be logged again anyway, and reports whether there is room now.
func (t *troubles) forget(now time.Time) bool {
	for what, one := range t.by {
		if !now.Before(one.until) {
			delete(t.by, what)
		}
	}
	return len(t.by) < maxTroubles
}

// blackout is a time in which the database cannot be reached or takes no changes, or none. The log has a line when it
// begins and one when it ends.
type blackout struct {
	log  *slog.Logger     // takes the two lines
	away func(error) bool // reports whether an error shows that an outage has begun

	mu    sync.Mutex
	since time.Time // zero: there is none
}

// began notes an error that shows that the database is away.
func (o *blackout) began(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = time.Now()
		o.log.Error("database is read-only", "error", err)
	}
}

// ended notes that the database works.
func (o *blackout) ended() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.since.IsZero() {
		o.log.Info("database is writable again", "after", time.Since(o.since))
		o.since = time.Time{}
	}
}

// lasts reports whether there is an outage.
func (o *blackout) lasts() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.since.IsZero()
}

// troubled begins an outage with an error, and ends it with nil.
func (o *blackout) troubled(err error, _ time.Duration) {
	if err != nil {
		o.began(err)
		return
	}
	o.ended()
}

// probeAgain is the pause between probes of the database in an outage.
const probeAgain = time.Second

// every calls look again and again, until ctx is done.
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

// silenced returns a log handler that drops the database's errors while an outage lasts. fails reports whether an error
// is one.
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

// ids matches ids of people, chats, places, messages and presses: the name of a platform, a colon,
// and text with a digit in it. "web:room", the browser's only place, has no digit and identifies no
// person.
var ids = regexp.MustCompile(`\b(` + strings.Join(append(namesOf(entries()), "terminal"), "|") +
	`):[-@:\w]*\d(?:[-@:\w]*\w)?`)

// veil, for slog.HandlerOptions.ReplaceAttr, removes all ids from a log record, in errors too: a
// log may outlive a person's data in the database.
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

// shown is a writer to a terminal that spells out control characters and marks of direction instead
// of passing them on. Names, records, errors of damaged files and arguments come from strangers, so
// every command writes through it. Characters are spelled as in JSON, so that JSON keeps its
// meaning.
type shown struct {
	mu  sync.Mutex
	out io.Writer
	cut []byte // the beginning of a character whose end has not come yet
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

// obeyed reports whether a character does something to a terminal or to the text
// around it, but for the ends of lines and tabs.
func obeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' ||
		r == '\u2029'
}
