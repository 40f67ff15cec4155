package main

// Filters of the log: they limit repetitions and errors of a database outage, hide ids, and escape control characters.

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

// filter is a log handler that passes on only the records for which allow returns true. allow may change the record.
type filter struct {
	slog.Handler
	attrs string // attributes and groups of the logger, as text
	allow func(attrs string, r *slog.Record) bool
}

// Handle passes a record on if f.allow returns true for it.
func (f filter) Handle(ctx context.Context, r slog.Record) error {
	if !f.allow(f.attrs, &r) {
		return nil
	}
	return f.Handler.Handle(ctx, r)
}

// WithAttrs returns a filter with the same allow function and additional attributes.
func (f filter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return filter{f.Handler.WithAttrs(attrs), f.attrs + fmt.Sprint(attrs), f.allow}
}

// WithGroup returns a filter with the same allow function and an additional group.
func (f filter) WithGroup(name string) slog.Handler {
	return filter{f.Handler.WithGroup(name), f.attrs + name, f.allow}
}

// newDeduplicator returns a log handler that passes records on to h. Of warnings and errors with the same text it logs
// the first at once and later ones at growing intervals, with their number since the last line, stored in counts.
func newDeduplicator(h slog.Handler, counts *troubleCounts) slog.Handler {
	return filter{Handler: h, allow: func(attrs string, r *slog.Record) bool {
		if r.Level < slog.LevelWarn {
			return true
		}
		text := attrs + r.Message
		if err := errorAttr(*r); err != nil { // only the innermost: outer errors name tables or chats, so they vary
			text += innermost(err).Error()
		}
		due, times := counts.count(text)
		if times > 1 {
			*r = r.Clone()
			r.AddAttrs(slog.Int("times", times))
		}
		return due
	}}
}

// errorAttr returns the first error among the attributes of a record, or nil.
func errorAttr(r slog.Record) (err error) {
	r.Attrs(func(a slog.Attr) bool {
		err, _ = a.Value.Any().(error)
		return err == nil
	})
	return err
}

// innermost returns the last error in the chain that err wraps, or err if it wraps none; of joined errors, the first
// counts. The outer errors of an unreachable server contain port numbers, which would be different each time.
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

// Intervals between log lines with the same text, and the largest number of texts that troubleCounts counts.
const (
	firstPause  = time.Minute
	maxPause    = time.Hour
	maxTroubles = 256
)

// troubleCounts counts recent warnings and errors by their text, for newDeduplicator.
type troubleCounts struct {
	mu     sync.Mutex
	counts map[string]*troubleCount // by text
	now    func() time.Time
}

func newTroubleCounts() *troubleCounts {
	return &troubleCounts{counts: map[string]*troubleCount{}, now: time.Now}
}

// troubleCount holds the state of one warning or error that may be repeated.
type troubleCount struct {
	until time.Time // earliest time of its next line
	pause time.Duration
	times int // how often it occurred since its latest line
}

// count counts a warning or error by its text. If due, log it now; times is how often it occurred since the last line.
func (t *troubleCounts) count(text string) (due bool, times int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	entry := t.counts[text]
	switch {
	case entry == nil && len(t.counts) >= maxTroubles && !t.dropExpired(now):
		return true, 1
	case entry == nil:
		t.counts[text] = &troubleCount{until: now.Add(firstPause), pause: firstPause}
		return true, 1
	}
	entry.times++
	if now.Before(entry.until) {
		return false, 0
	}
	if times = entry.times; times > 1 {
		entry.pause = min(2*entry.pause, maxPause)
	} else {
		entry.pause = firstPause
	}
	entry.times, entry.until = 0, now.Add(entry.pause)
	return true, times
}

// dropExpired deletes counts whose pause is over, and reports whether there is room for another. The caller holds t.mu.
func (t *troubleCounts) dropExpired(now time.Time) bool {
	for text, entry := range t.counts {
		if !now.Before(entry.until) {
			delete(t.counts, text)
		}
	}
	return len(t.counts) < maxTroubles
}

// databaseOutage records whether there is an outage of the database, and logs its start and its end.
type databaseOutage struct {
	log      *slog.Logger     // logs the start and the end
	isOutage func(error) bool // reports whether an error indicates an outage

	mu    sync.Mutex
	since time.Time // start of the outage, zero if there is none
}

// start starts an outage because of err. During an outage it does nothing.
func (o *databaseOutage) start(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = time.Now()
		o.log.Error("database is read-only", "error", err)
	}
}

// end ends the outage, if there is one.
func (o *databaseOutage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.since.IsZero() {
		o.log.Info("database is writable again", "duration", time.Since(o.since))
		o.since = time.Time{}
	}
}

// isActive reports whether there is an outage now.
func (o *databaseOutage) isActive() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.since.IsZero()
}

// update starts an outage because of err or, if err is nil, ends it. It is for store.Options.Trouble.
func (o *databaseOutage) update(err error, _ time.Duration) {
	if err != nil {
		o.start(err)
		return
	}
	o.end()
}

// probeAgain is the interval between probes of the database during an outage.
const probeAgain = time.Second

// runEvery calls run once in each interval until ctx is done.
func runEvery(ctx context.Context, interval time.Duration, run func()) {
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			run()
		case <-ctx.Done():
			return
		}
	}
}

// newSilencer returns a log handler that passes records on to h. During an outage it drops warnings and errors whose
// error comes from the database. If such an error indicates an outage, it calls outage.start and drops the record, too.
func newSilencer(h slog.Handler, outage *databaseOutage, isDatabaseError func(error) bool) slog.Handler {
	return filter{Handler: h, allow: func(_ string, r *slog.Record) bool {
		err := errorAttr(*r)
		if r.Level < slog.LevelWarn || err == nil || !isDatabaseError(err) {
			return true
		}
		if outage.isOutage(err) {
			outage.start(err)
		}
		return !outage.isActive()
	}}
}

// idPattern matches ids of people, chats, threads, messages and button presses: a platform's name, a colon, and text
// with a digit. "web:room", the main room of the browser page, has no digit and identifies no one.
var idPattern = regexp.MustCompile(`\b(` + strings.Join(append(platformNames(platformEntries()), "terminal"), "|") +
	`):[-@:\w]*\d(?:[-@:\w]*\w)?`)

// hideIDs replaces the ids in a log attribute, even in errors, because logs may be kept longer than people's data in
// the database. It is for slog.HandlerOptions.ReplaceAttr.
func hideIDs(_ []string, a slog.Attr) slog.Attr {
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
	if hidden := idPattern.ReplaceAllString(text, "$1:…"); hidden != text {
		a.Value = slog.StringValue(hidden)
	}
	return a
}

// escapingWriter is a writer that escapes control characters and direction marks, which could disturb a terminal. Every
// command writes through it, because names, records, errors and arguments may come from strangers. It escapes as JSON
// does, so that JSON output keeps its meaning.
type escapingWriter struct {
	mu      sync.Mutex
	out     io.Writer
	partial []byte // first bytes of a character whose rest is still missing
}

// Write writes p with unsafe characters escaped. It keeps an incomplete last character for the next call.
func (s *escapingWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.partial, p...)
	s.partial = nil
	var b bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1 && !utf8.FullRune(text):
			s.partial, size = bytes.Clone(text), len(text)
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case isUnsafe(r):
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

// flush writes the bytes of a last, incomplete character as escapes.
func (s *escapingWriter) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.partial {
		fmt.Fprintf(s.out, `\x%02x`, b)
	}
	s.partial = nil
}

// isUnsafe reports whether r could affect a terminal or the direction of text. Newlines and tabs count as safe.
func isUnsafe(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' ||
		r == '\u2029'
}
