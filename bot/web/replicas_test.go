package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	dice "math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/storetest"
)

// served is a bot with a browser table of its own on a database that it shares.
type served struct {
	*Web
	at   string
	ends func() // as on a signal
}

// house is what replicas share.
type house struct {
	db    *store.Store
	clock chat.Clock
}

// begin has one more replica serve. draws: it draws boards for all; the others show what stands in the database.
func (h house) begin(t *testing.T, draws bool) *served {
	t.Helper()
	log := slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	said := wordstest.Of(t, shutbox.Game{})
	b := wiring.New(bot.Config{Store: h.db, Games: []games.Game{shutbox.Game{}}, Words: said, Log: log,
		Clock: h.clock, Same: Same, Rand: dice.NewChaCha8([32]byte{1})})
	at := make(chan string, 1)
	w := New(Config{Listen: "127.0.0.1:0", Key: make([]byte, 32), Log: log, Words: said,
		Store: h.db, Call: b.Calls.Sent, Alone: func() bool { return false },
		Listening: func(url string) { at <- url }})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if draws {
			b.Run(ctx, w)
		} else if err := w.Run(ctx, b.Core); err != nil {
			t.Error(err)
		}
	})
	ends := sync.OnceFunc(func() {
		stop()
		running.Wait()
	})
	t.Cleanup(ends)
	return &served{w, strings.TrimSuffix(<-at, "/"), ends}
}

// onlooker is a page that follows a room on one replica, and what it shows.
type onlooker struct {
	*testing.T
	name    string
	browser *http.Client
	at      string // the room there

	mu      sync.Mutex
	changed chan struct{}
	ended   bool
	shown   news
	boards  map[chat.Ref]posted
	signs   []string
	moved   string
}

// comes opens a page of a room for a browser, at one replica.
func (h house) comes(t *testing.T, name string, browser *http.Client, at string) *onlooker {
	t.Helper()
	p := &onlooker{T: t, name: name, browser: browser, at: at, changed: make(chan struct{}),
		boards: map[chat.Ref]posted{}}
	res, _ := do(t, browser, "POST", at+"/me", "")
	want(t, res, http.StatusOK)
	go p.follow(listen(t, browser, at, ""))
	return p
}

// isCalled gives the one person of the page's browser a name.
func (p *onlooker) isCalled(name string) *onlooker {
	p.Helper()
	send[self](p.T, p.browser, p.at+"/people", change{Rename: &person{0, name}})
	return p
}

// follow takes what the stream tells until it ends.
func (p *onlooker) follow(s *stream) {
	event := ""
	for s.lines.Scan() {
		line := s.lines.Text()
		if text, is := strings.CutPrefix(line, "event: "); is {
			event = text
		}
		if text, is := strings.CutPrefix(line, "data: "); is {
			p.takes(event, text)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.wake()
}

func (p *onlooker) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// takes takes one event.
func (p *onlooker) takes(event, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.wake()
	switch event {
	case "sign":
		p.signs = append(p.signs, text)
		return
	case "moved":
		p.moved = text
		return
	case "feed":
	default:
		return
	}
	var n news
	if err := json.Unmarshal([]byte(text), &n); err != nil {
		p.Errorf("%s is told %s: %v", p.name, text, err)
		return
	}
	for _, e := range n.Entries {
		p.boards[e.Ref] = e
	}
	p.shown = n
}

// until waits until what the page shows is so.
func (p *onlooker) until(what string, is func() bool) {
	p.Helper()
	late := time.After(fakes.Patience)
	for {
		p.mu.Lock()
		yes, next := is(), p.changed
		p.mu.Unlock()
		if yes {
			return
		}
		select {
		case <-next:
		case <-late:
			p.mu.Lock()
			defer p.mu.Unlock()
			p.Fatalf("%s never sees that %s: %v, here %+v, calls %+v", p.name, what, p.feed(), p.shown.Here,
				p.shown.Calls)
		}
	}
}

// feed is what stands in the feed, in order; the lock is held.
func (p *onlooker) feed() (heads []string) {
	for _, ref := range p.shown.All {
		heads = append(heads, string(ref)+" "+p.boards[ref].Message.Head)
	}
	return heads
}

// board is the newest table's board as the page shows it, and its name; the lock is held.
func (p *onlooker) board() (ref chat.Ref, m chat.Message) {
	for _, ref := range slices.Backward(p.shown.All) {
		if e := p.boards[ref]; e.Message.Table != 0 {
			return ref, e.Message
		}
	}
	return "", chat.Message{}
}

// presses presses a button that the page shows on the newest board, at any replica.
func (p *onlooker) presses(at, press string) answer {
	p.Helper()
	p.mu.Lock()
	ref, _ := p.board()
	p.mu.Unlock()
	return send[answer](p.T, p.browser, at+"/press", act{ID: rand.Text(), Press: press, On: ref})
}

// says writes a command.
func (p *onlooker) says(text string) answer {
	p.Helper()
	return send[answer](p.T, p.browser, p.at+"/command", act{ID: rand.Text(), Text: text})
}

// button is what a button that does something carries on the newest board, "": none does; the lock is held.
func (p *onlooker) button(does string) string {
	_, m := p.board()
	for _, b := range slices.Concat(m.Buttons...) {
		if press, _ := chat.ParsePress(b.Press); strings.HasPrefix(press.What+" ", does+" ") {
			return b.Press
		}
	}
	return ""
}

// move returns the press by which a person of the page's browser moves, or ""; the lock is held.
func (p *onlooker) move() string {
	_, m := p.board()
	if m.Record != 0 {
		return ""
	}
	if m.Pick != nil && len(m.Pick.Choices) > 0 {
		return m.Pick.Choices[0].Press
	}
	for _, b := range slices.Concat(m.Buttons...) {
		if _, is := chat.ParsePress(b.Press); is && (b.Style == games.Primary || b.Style == games.Success) {
			return b.Press
		}
	}
	return ""
}

// alike waits until two pages show the same feed under the same names.
func alike(p, q *onlooker) {
	p.Helper()
	late := time.After(fakes.Patience)
	for {
		p.mu.Lock()
		mine, changed := p.feed(), p.changed
		p.mu.Unlock()
		q.mu.Lock()
		theirs, other := q.feed(), q.changed
		q.mu.Unlock()
		if len(mine) > 0 && slices.Equal(mine, theirs) {
			return
		}
		select {
		case <-changed:
		case <-other:
		case <-late:
			p.Fatalf("%s and %s never see the same: %v, %v", p.name, q.name, mine, theirs)
		}
	}
}

// someone waits until it is a person's turn on one of two pages, or the game is over on both.
func someone(anna, ben *onlooker) (mover *onlooker, press string, turn int64) {
	anna.Helper()
	late := time.After(fakes.Patience)
	for {
		var next []<-chan struct{}
		over := 0
		for _, p := range []*onlooker{anna, ben} {
			p.mu.Lock()
			next = append(next, p.changed)
			_, m := p.board()
			if m.Record != 0 {
				over++
			}
			if it := p.move(); it != "" && m.Turn >= turn {
				mover, press, turn = p, it, m.Turn
			}
			turn = max(turn, m.Turn)
			p.mu.Unlock()
		}
		if over == 2 || mover != nil {
			return mover, press, turn
		}
		select {
		case <-next[0]:
		case <-next[1]:
		case <-late:
			anna.Fatalf("nobody is to move: %v, %v", anna.feed(), ben.feed())
		}
	}
}

// play has two pages play a game to its end; at gives where each presses.
func play(t *testing.T, anna, ben *onlooker, at func(*onlooker, int) string) {
	t.Helper()
	for n := range 400 {
		mover, press, turn := someone(anna, ben)
		if mover == nil {
			return
		}
		if got := mover.presses(at(mover, n), press); got.Refused {
			t.Logf("%s is refused %q: %s", mover.name, press, got.Toast)
		}
		mover.until("the press is seen", func() bool {
			_, m := mover.board()
			return m.Turn > turn || mover.move() != press
		})
	}
	t.Fatal("the game does not end")
}

// twoRooms are two replicas with pages of one room: Anna's on the first, which draws, and Ben's on the second.
func (h house) twoRooms(t *testing.T) (a, b *served, anna, ben *onlooker, path string) {
	t.Helper()
	a, b = h.begin(t, true), h.begin(t, false)
	first := client(t)
	path = makes(t, first, a.at)
	anna = h.comes(t, "Anna", first, a.at+path).isCalled("Anna")
	ben = h.comes(t, "Ben", client(t), b.at+path).isCalled("Ben")
	return a, b, anna, ben, path
}

// newHouse is one without anything in it, whose replicas tell each other what they do.
func newHouse(t *testing.T) house {
	t.Helper()
	return house{storetest.Open(t), &fakes.Restless{}}
}

// startGame has Anna open a table, Ben sit down there and Anna start the game.
func startGame(anna, ben *onlooker) {
	anna.Helper()
	anna.says("/shutbox")
	ben.until("a table is open", func() bool { return ben.button("!join") != "" })
	alike(anna, ben)
	ben.presses(ben.at, ben.button("!join"))
	anna.until("Ben sits", func() bool {
		_, m := anna.board()
		return len(m.People) == 2 && anna.button("!start") != ""
	})
	anna.presses(anna.at, anna.button("!start"))
	someone(anna, ben)
}
