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

// trouble says how much goes wrong in a town, and what it is like otherwise.
type trouble struct {
	hasty    bool          // everybody agrees on a minute for each turn
	lengthy  float64       // the share of tables that are played for long
	requests float64       // the share of requests that fail
	disk     float64       // the share of seconds in which the disk is full
	deaths   float64       // the share of requests, and of seconds with a commit, in which the bot dies
	sweep    time.Duration // how often the bot looks for what it has overlooked, 0: as usual
	together bool          // what happens at an instant happens at once; it is no more the same each time
}

// fate decides what goes wrong. It depends on the seed, on what a request is for and how many of the kind there were
// before, and on the second in which something is written; and not on what else happens.
type fate struct {
	seed    uint64
	trouble trouble
	trace   *trace
	gate    *gate

	mu     sync.Mutex
	counts map[string]int
	stop   context.CancelFunc // ends the present life of the bot, nil: it does not live
	dead   bool
	calm   bool
	quiet  map[int64]bool // groups that are not to be called from eight to ten
	lost   int            // messages that were perhaps sent
	asked  int            // requests, but for those that wait for updates
	kept   int            // commits
}

func newFate(seed uint64, t trouble, trace *trace) *fate {
	return &fate{seed: seed, trouble: t, trace: trace, gate: newGate(seed, t.together), counts: map[string]int{},
		quiet: map[int64]bool{}}
}

// revive begins a life of the bot, which stop ends.
func (f *fate) revive(stop context.CancelFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stop, f.dead = stop, false
}

// rest ends a life of the bot.
func (f *fate) rest() { f.revive(nil) }

// relent ends all trouble.
func (f *fate) relent() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calm = true
}

func (f *fate) isDead() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dead
}

// unknown is how many messages may have been sent that the bot does not know of.
func (f *fate) unknown() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lost
}

// die ends the bot: from now on nothing of it reaches the disk or a platform. The caller holds the lock.
func (f *fate) die(where string) {
	if f.dead || f.calm || f.stop == nil {
		return
	}
	f.dead = true
	f.trace.tell("the bot dies at", where)
	f.stop()
}

// drawn is the chance of something by its name.
func (f *fate) drawn(name string) *rand.Rand {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name))
	return rand.New(rand.NewPCG(f.seed, sum.Sum64()))
}

// second is the chance of the present second for a purpose.
func (f *fate) second(purpose string) float64 {
	return f.drawn(purpose + decimal(time.Now().Unix())).Float64()
}

// write reports whether a write to the disk succeeds.
func (f *fate) write(log bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead || log && !f.calm && f.stop != nil && f.second("disk") < f.trouble.disk {
		f.trace.note("the disk is full")
		return false
	}
	return true
}

// flush reports whether a flush succeeds.
func (f *fate) flush(log bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if log {
		f.kept++
	}
	if log && f.second("death") < f.trouble.deaths {
		f.die("a commit")
	}
	return !f.dead
}

// strike is what goes wrong with a request.
type strike struct {
	status int // 0: no answer
	after  bool
	html   bool
	hang   bool
	slow   time.Duration
	wait   int // seconds that the platform asks for
}

// request decides what goes wrong with a request, once it is its turn.
func (f *fate) request(kind, what string) (strike, bool) {
	f.gate.pass(kind + what)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[kind]++
	d := f.drawn(fmt.Sprint(kind, " ", f.counts[kind]))
	if !strings.Contains(kind, "getUpdates") {
		f.asked++
		f.trace.tell(kind, what)
		if d.Float64() < f.trouble.deaths {
			f.die(kind)
		}
	}
	if f.dead || f.calm || d.Float64() >= f.trouble.requests {
		return strike{}, f.dead
	}
	if strings.Contains(kind, "sendMessage") {
		f.lost++
	}
	s := strike{status: http.StatusInternalServerError, after: d.IntN(2) == 0}
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
	f.trace.note("trouble", kind, fmt.Sprintf("%+v", s))
	return s, true
}

// hush has a group be quiet from eight in the evening to ten in the morning.
func (f *fate) hush(group int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.quiet[group] = true
}

// sleeps reports whether it is the middle of a group's quiet hours.
func (f *fate) sleeps(group int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	begun, awake := time.Now().Add(-tolerance).Hour(), time.Now().Hour()
	return f.quiet[group] && (begun >= 20 || awake < 10)
}

// telegram decides about a request to Telegram.
func (f *fate) telegram(method string, params map[string]string) (telegramtest.Fault, bool) {
	kind := fmt.Sprint("telegram ", method, " ", params["chat_id"], params["callback_query_id"])
	if strings.Contains(params["text"], "tg://user") && f.sleeps(whole(params["chat_id"])) {
		f.trace.amiss("somebody is called in quiet hours: " + params["text"])
	}
	s, struck := f.request(kind, fmt.Sprintf(" %s %q %s", params["message_id"], params["text"],
		params["language_code"]))
	fault := telegramtest.Fault{Status: s.status, HTML: s.html, Hang: s.hang, RetryAfter: float64(s.wait),
		After: s.after, Slow: s.slow}
	fault.Cut = s.status == 0 && !s.hang && s.slow == 0
	if s.status == http.StatusInternalServerError {
		fault.Message = "Internal Server Error"
	}
	return fault, struck
}

// discord decides about a request to Discord.
func (f *fate) discord(what string) (discordtest.Fault, bool) {
	s, struck := f.request("discord "+what, "")
	fault := discordtest.Fault{Status: s.status, HTML: s.html, Hang: s.hang, RetryAfter: float64(s.wait),
		After: s.after, Slow: s.slow}
	fault.Cut = s.status == 0 && !s.hang && s.slow == 0
	return fault, struck
}

// oneSeed is the seed that KNOBEL_SEED asks for alone, or "".
func oneSeed() string { return os.Getenv("KNOBEL_SEED") }

// trace is what has happened in a town. What happens at the same instant
// happens in no order, and the trace has none there.
type trace struct {
	loud bool // told at once, too

	mu    sync.Mutex
	lines []line
	notes []string // all lines, and those of the log
	wrong []string // lines of the log that nothing explains
}

type line struct {
	at   time.Time
	said string
}

// tell adds to what has happened.
func (t *trace) tell(about ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := line{time.Now(), strings.TrimSuffix(fmt.Sprintln(about...), "\n")}
	t.lines = append(t.lines, l)
	t.keep(l.said)
}

// note adds to what is shown where something is wrong.
func (t *trace) note(about ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(strings.TrimSuffix(fmt.Sprintln(about...), "\n"))
}

func (t *trace) keep(said string) {
	said = time.Now().Format("02 15:04:05.000 ") + said
	t.notes = append(t.notes, said)
	if t.loud {
		fmt.Println(said)
	}
}

// explained are the errors of a disk that is full or of a bot that dies.
var explained = []string{"database or disk is full", "disk I/O error"}

// Write takes a line of the bot's log.
func (t *trace) Write(p []byte) (int, error) {
	said := strings.TrimSpace(string(p))
	t.note("log:", said)
	if strings.Contains(said, "level=ERROR") &&
		!slices.ContainsFunc(explained, func(e string) bool { return strings.Contains(said, e) }) {
		t.amiss("the log has " + said)
	}
	return len(p), nil
}

// amiss notes what must not be.
func (t *trace) amiss(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong = append(t.wrong, what)
}

// last is what was told last.
func (t *trace) last(lines int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.notes[max(0, len(t.notes)-lines):])
}

// sum is the same for towns in which the same has happened.
func (t *trace) sum() string {
	h := sha256.New()
	for _, l := range t.story() {
		_, _ = fmt.Fprintln(h, l)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// story is all that has happened.
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
