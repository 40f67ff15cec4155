package simulation

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// trouble says how much goes wrong in a town.
type trouble struct {
	requests float64 // the share of requests that fail
	writes   float64 // the share of writes of the database that find the disk full
	deaths   int     // the bot dies after so many requests and commits on average, 0: never
}

// fate decides what goes wrong. What happens to a request depends on the seed,
// on what it is for and on how many of the kind there were before, and not on
// the order in which requests for different places come.
type fate struct {
	seed    uint64
	trouble trouble
	trace   *trace

	mu     sync.Mutex
	counts map[string]int
	stop   context.CancelFunc
	dead   bool
	full   int // writes that still find the disk full
	left   int // requests and flushes until the bot dies
	chance *rand.Rand
	calm   bool
}

func newFate(seed uint64, t trouble, trace *trace) *fate {
	return &fate{seed: seed, trouble: t, trace: trace, counts: map[string]int{}, chance: rand.New(rand.NewPCG(seed, 2))}
}

// revive begins a life of the bot, which stop ends.
func (f *fate) revive(stop context.CancelFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stop, f.dead, f.left = stop, false, 0
	if f.trouble.deaths > 0 && !f.calm {
		f.left = 1 + f.chance.IntN(2*f.trouble.deaths)
	}
}

// rest ends a life of the bot.
func (f *fate) rest() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stop, f.dead, f.left, f.full = nil, false, 0, 0
}

// relent ends all trouble.
func (f *fate) relent() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calm, f.left, f.full = true, 0, 0
}

func (f *fate) isDead() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dead
}

// step counts down to the death of the bot and says whether it is dead: from
// then on nothing of it reaches the disk or a platform. The caller holds the
// lock.
func (f *fate) step() bool {
	if f.left > 0 && !f.dead {
		if f.left--; f.left == 0 {
			f.dead = true
			f.trace.tell("the bot dies")
			f.stop()
		}
	}
	return f.dead
}

// drawn is a number from 0 to 1 for the next request of a kind.
func (f *fate) drawn(kind string) *rand.Rand {
	f.counts[kind]++
	sum := fnv.New64a()
	_, _ = fmt.Fprint(sum, kind, " ", f.counts[kind])
	return rand.New(rand.NewPCG(f.seed, sum.Sum64()))
}

// write says whether a write to the disk succeeds.
func (f *fate) write(log bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return false
	}
	if f.full > 0 {
		f.full--
		return false
	}
	if log && !f.calm && f.stop != nil && f.trouble.writes > 0 && f.chance.Float64() < f.trouble.writes {
		f.full = f.chance.IntN(4)
		f.trace.note("the disk is full")
		return false
	}
	return true
}

// flush says whether a flush succeeds.
func (f *fate) flush(log bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if log && f.step() {
		return false
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

// request decides what goes wrong with a request.
func (f *fate) request(kind string, share float64) (strike, bool) {
	if f.step() {
		return strike{}, true
	}
	d := f.drawn(kind)
	if f.calm || d.Float64() >= share {
		return strike{}, false
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
		s.slow, s.after = time.Duration(d.IntN(20_000))*time.Millisecond, false
	}
	f.trace.note("trouble", kind, fmt.Sprintf("%+v", s))
	return s, true
}

// telegram decides about a request to Telegram.
func (f *fate) telegram(method string, params map[string]string) (telegramtest.Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if method != "getUpdates" {
		f.trace.tell("telegram", method, params["chat_id"], params["message_id"], params["text"], params["callback_query_id"])
	}
	s, struck := f.request("telegram "+method+params["chat_id"], f.trouble.requests)
	fault := telegramtest.Fault{Code: s.status, HTML: s.html, Hang: s.hang, RetryAfter: s.wait, After: s.after, Slow: s.slow}
	fault.Cut = s.status == 0 && !s.hang && s.slow == 0
	if s.slow > 0 {
		fault.Code = 0
	}
	if s.status == http.StatusInternalServerError {
		fault.Text = "Internal Server Error"
	}
	return fault, struck
}

// discord decides about a request to Discord.
func (f *fate) discord(what string) (discordtest.Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	parts := strings.Split(what, "/")
	kind := strings.Join(parts[:min(3, len(parts))], "/")
	share := f.trouble.requests
	f.trace.tell("discord", kind)
	s, struck := f.request("discord "+kind, share)
	fault := discordtest.Fault{Status: s.status, HTML: s.html, Hang: s.hang, RetryAfter: float64(s.wait), After: s.after}
	fault.Cut = s.status == 0 && !s.hang
	if s.slow > 0 {
		return fault, false
	}
	return fault, struck
}
