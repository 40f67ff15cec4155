package simulation

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// trouble is how much goes wrong in a town, and other properties of it.
type trouble struct {
	hasty    bool          // all tables have a minute for each turn
	lengthy  float64       // share of tables with long games
	requests float64       // share of requests that fail
	disk     float64       // share of seconds in which the disk is full
	deaths   float64       // share of requests, and of seconds with a commit, in which the bot dies
	sweep    time.Duration // pause between passes of the bot's loops; 0: the default
	app      bool          // boards open as a Mini App
	together bool          // simultaneous requests run concurrently: a seed does not give the same events again
}

// fate decides on the faults. For a request, this depends only on the seed, its kind and how many of this kind there
// were before; for a write, only on the seed and the second.
type fate struct {
	seed    uint64
	trouble trouble
	trace   *trace
	gate    *gate

	mu     sync.Mutex
	counts map[string]int
	stop   context.CancelFunc // ends the running bot, nil: it does not run
	dead   bool
	died   time.Time // the last time, if dead
	calm   bool
	quiet  map[int64]bool // groups with quiet hours from 20:00 to 10:00
	lost   int            // messages that may have been sent
	mute   []string       // requests that were carried out without an answer
	asked  int            // requests, without those that wait for updates
	kept   int            // commits
}

func newFate(seed uint64, t trouble, trace *trace) *fate {
	return &fate{seed: seed, trouble: t, trace: trace, gate: newGate(seed, t.together), counts: map[string]int{},
		quiet: map[int64]bool{}}
}

// revive records that the bot runs again; stop ends it.
func (f *fate) revive(stop context.CancelFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stop, f.dead = stop, false
}

// setStopped records that the bot has ended.
func (f *fate) setStopped() { f.revive(nil) }

// calmDown ends all trouble.
func (f *fate) calmDown() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calm = true
}

func (f *fate) isDead() bool { // whether the bot was ended by die and has not run since
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dead
}

// lastAlive returns when the bot died, else the present time.
func (f *fate) lastAlive() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return f.died
	}
	return time.Now()
}

// maybeSent returns how many messages may have been sent without the bot knowing.
func (f *fate) maybeSent() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lost
}

// die ends the bot: it no longer reaches disk or platforms. where is for the trace. The caller holds f.mu.
func (f *fate) die(where string) {
	if f.dead || f.calm || f.stop == nil {
		return
	}
	f.dead, f.died = true, time.Now()
	f.trace.event("the bot dies at", where)
	f.stop()
}

// randomFor returns the random source for a name.
func (f *fate) randomFor(name string) *rand.Rand {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name))
	return rand.New(rand.NewPCG(f.seed, sum.Sum64()))
}

// chanceNow returns a random number from 0 to 1 for a purpose and the current second.
func (f *fate) chanceNow(purpose string) float64 {
	return f.randomFor(purpose + decimal(time.Now().Unix())).Float64()
}

// mayWrite reports whether a write to the disk succeeds. log means a write to the database's log.
func (f *fate) mayWrite(log bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead || log && !f.calm && f.stop != nil && f.chanceNow("disk") < f.trouble.disk {
		f.trace.note("the disk is full")
		return false
	}
	return true
}

// mayFlush reports whether a flush of the disk succeeds. log means one of the database's log.
func (f *fate) mayFlush(log bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if log {
		f.kept++
	}
	if log && f.chanceNow("death") < f.trouble.deaths {
		f.die("a commit")
	}
	return !f.dead
}

// requestFault is the fault of a request.
type requestFault struct {
	status int // HTTP status; 0: no answer
	after  bool
	html   bool
	hang   bool
	slow   time.Duration
	wait   int // seconds to wait that the platform asks for
}

// request waits until f.gate lets the request through, and returns its fault; false: none. details are for the trace.
func (f *fate) request(kind, details string) (requestFault, bool) {
	f.gate.pass(kind + details)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[kind]++
	d := f.randomFor(fmt.Sprint(kind, " ", f.counts[kind]))
	if !strings.Contains(kind, "getUpdates") {
		f.asked++
		f.trace.event(kind, details)
		if d.Float64() < f.trouble.deaths {
			f.die(kind)
		}
	}
	if f.dead || f.calm || d.Float64() >= f.trouble.requests {
		return requestFault{}, f.dead
	}
	if strings.Contains(kind, "sendMessage") {
		f.lost++
	}
	s := requestFault{status: http.StatusInternalServerError, after: d.IntN(2) == 0}
	switch d.IntN(7) {
	case 0:
		s.status, s.after, s.wait = http.StatusTooManyRequests, false, 1+d.IntN(40)
	case 1:
		s.status, s.html = http.StatusBadGateway, true
	case 2, 3:
		s.status = 0
	case 4:
		s.status, s.hang = 0, true
	case 5:
		s.status, s.slow, s.after = 0, time.Duration(d.IntN(20_000))*time.Millisecond, false
	}
	if s.after {
		f.mute = append(f.mute, kind)
	}
	f.trace.note("trouble", kind, fmt.Sprintf("%+v", s))
	return s, true
}

// setQuiet records that a group has quiet hours from 20:00 to 10:00.
func (f *fate) setQuiet(group int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.quiet[group] = true
}

// isQuiet reports whether a group certainly has quiet hours now.
func (f *fate) isQuiet(group int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	begun, awake := time.Now().Add(-tolerance).Hour(), time.Now().Hour()
	return f.quiet[group] && (begun >= 20 || awake < 10)
}

// telegram returns the fault of a request to Telegram; false: none.
func (f *fate) telegram(method string, params map[string]string) (telegramtest.Fault, bool) {
	kind := fmt.Sprint("telegram ", method, " ", params["chat_id"], params["callback_query_id"])
	if strings.Contains(params["text"], "tg://user") && f.isQuiet(parseInt(params["chat_id"])) {
		f.trace.addError("somebody is called in quiet hours: " + params["text"])
	}
	s, faulty := f.request(kind, fmt.Sprintf(" %s %q %s", params["message_id"], params["text"],
		params["language_code"]))
	fault := telegramtest.Fault{Status: s.status, HTML: s.html, Hang: s.hang, RetryAfter: float64(s.wait),
		After: s.after, Slow: s.slow}
	fault.Cut = s.status == 0 && !s.hang && s.slow == 0
	if s.status == http.StatusInternalServerError {
		fault.Message = "Internal Server Error"
	}
	return fault, faulty
}

// discord returns the fault of a request to Discord; false: none.
func (f *fate) discord(path string) (discordtest.Fault, bool) {
	s, faulty := f.request("discord "+path, "")
	fault := discordtest.Fault{Status: s.status, HTML: s.html, Hang: s.hang, RetryAfter: float64(s.wait),
		After: s.after, Slow: s.slow}
	fault.Cut = s.status == 0 && !s.hang && s.slow == 0
	return fault, faulty
}

// oneSeed returns the only seed to test, from KNOBEL_SEED, or "".
func oneSeed() string { return os.Getenv("KNOBEL_SEED") }

// trace holds all events in a town. Simultaneous events have no order.
type trace struct {
	loud bool // print events as they happen

	mu    sync.Mutex
	lines []line
	notes []string // text of all events and log lines
	wrong []string // errors in the log that no fault explains
}

type line struct {
	at   time.Time
	said string
}

// event adds an event.
func (t *trace) event(about ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := line{time.Now(), strings.TrimSuffix(fmt.Sprintln(about...), "\n")}
	t.lines = append(t.lines, l)
	t.keep(l.said)
}

// note adds text that is shown only if the test fails.
func (t *trace) note(about ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(strings.TrimSuffix(fmt.Sprintln(about...), "\n"))
}

// keep adds a line to t.notes. The caller holds t.mu.
func (t *trace) keep(text string) {
	text = time.Now().Format("02 15:04:05.000 ") + text
	t.notes = append(t.notes, text)
	if t.loud {
		fmt.Println(text)
	}
}

// explained are texts of errors that a full disk or a dying bot causes.
var explained = []string{"database or disk is full", "disk I/O error"}

// Write adds a line of the bot's log.
func (t *trace) Write(p []byte) (int, error) {
	said := strings.TrimSpace(string(p))
	t.note("log:", said)
	if strings.Contains(said, "level=ERROR") &&
		!slices.ContainsFunc(explained, func(e string) bool { return strings.Contains(said, e) }) {
		t.addError("the log has " + said)
	}
	return len(p), nil
}

// addError adds an error that fails the test at the end.
func (t *trace) addError(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong = append(t.wrong, text)
}

// last returns the newest lines.
func (t *trace) last(lines int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.notes[max(0, len(t.notes)-lines):])
}

// sum returns a hash of all events, which is equal for towns with the same events.
func (t *trace) sum() string {
	h := sha256.New()
	for _, l := range t.story() {
		_, _ = fmt.Fprintln(h, l)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// story returns all events as lines, sorted by time and text.
func (t *trace) story() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	sorted := slices.Clone(t.lines)
	slices.SortFunc(sorted, func(a, b line) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return strings.Compare(a.said, b.said)
	})
	var all []string
	for _, l := range sorted {
		all = append(all, fmt.Sprintf("%s %q", l.at.Format("02 15:04:05.000000000"), l.said))
	}
	return all
}
