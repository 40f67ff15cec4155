package bare

// A platform in memory for tests.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// Stage is a platform in memory that records all requests and fails when the test wants it to.
type Stage struct {
	chat.Basics
	Mu      sync.Mutex
	news    fakes.News // reports every request
	Done    []string   // "post P1 head", "edit …", "retire …"
	Shown   map[chat.Ref]chat.Message
	boards  map[int64]chat.Message // newest board of each table
	places  map[chat.Ref]chat.Place
	refs    int
	Unnoted chat.Ref // an earlier post, which Post edits for a message with Unnoted set; "": none
	Looks   int      // number of posts of a message with Unnoted set

	OnReady func(ctx context.Context, place chat.Place) error
	Fail    func(what string, place chat.Place) error
	OnRun   func(ctx context.Context) error
}

func NewStage() *Stage {
	return &Stage{Shown: map[chat.Ref]chat.Message{}, boards: map[int64]chat.Message{},
		places: map[chat.Ref]chat.Place{}}
}

func (s *Stage) Name() string { return "test" }

func (s *Stage) Run(ctx context.Context, _ chat.Core) error {
	if s.OnRun != nil {
		return s.OnRun(ctx)
	}
	<-ctx.Done()
	return nil
}

func (s *Stage) Ready(ctx context.Context, place chat.Place, _ chat.Need) error {
	if s.OnReady != nil {
		return s.OnReady(ctx, place)
	}
	return ctx.Err()
}

// note records a request and returns the error of s.Fail.
func (s *Stage) note(what string, place chat.Place, ref chat.Ref) error {
	var err error
	if s.Fail != nil {
		err = s.Fail(what, place)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	said := fmt.Sprint(what, " ", ref)
	if err != nil {
		said += " failed"
	}
	s.Done = append(s.Done, said)
	s.news.Tell()
	return err
}

// Post stores m as its table's newest board. It draws an Unnoted m over the message s.Unnoted, if that exists.
func (s *Stage) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	s.Mu.Lock()
	there := s.Unnoted
	if m.Unnoted {
		s.Looks++
	}
	s.Mu.Unlock()
	if m.Unnoted && there != "" && there != m.Below {
		if err := s.Edit(ctx, place, there, m); !errors.Is(err, chat.ErrGone) {
			return there, err
		}
	}
	s.Mu.Lock()
	s.refs++
	ref := chat.Ref(fmt.Sprint("test:m", s.refs))
	s.Shown[ref], s.boards[m.Table], s.places[ref] = m, m, place
	s.Mu.Unlock()
	return ref, s.note("post", place, ref)
}

func (s *Stage) Edit(_ context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	s.Mu.Lock()
	s.Shown[ref], s.boards[m.Table] = m, m
	s.Mu.Unlock()
	return s.note("edit", place, ref)
}

func (s *Stage) Retire(_ context.Context, place chat.Place, ref chat.Ref) error {
	return s.note("retire", place, ref)
}

// Notice returns the newest message that is no board.
func (s *Stage) Notice() chat.Message {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.boards[0]
}

// Requests returns the requests recorded so far.
func (s *Stage) Requests() []string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return slices.Clone(s.Done)
}

// Until waits until met returns true for the recorded requests, and returns these. It checks after every request and
// periodically. what names the condition if it never holds.
func (s *Stage) Until(t testing.TB, what string, met func(done []string) bool) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), fakes.Patience)
	defer cancel()
	var done []string
	err := s.news.Wait(ctx, func() bool {
		done = s.Requests()
		return met(done)
	})
	if err != nil {
		t.Fatalf("never came: %s; done: %q", what, done)
	}
	return done
}

// WantDone waits until the recorded requests are exactly want.
func (s *Stage) WantDone(t testing.TB, want ...string) {
	t.Helper()
	s.Until(t, fmt.Sprintf("%q", want), func(done []string) bool { return slices.Equal(done, want) })
}

// Message returns the current content of a message.
func (s *Stage) Message(ref chat.Ref) chat.Message {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Shown[ref]
}

// Beside returns the messages beside boards except puzzles, each with its place, as text in the order of posting.
func (s *Stage) Beside(t testing.TB) (all []string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for n := range s.refs {
		ref := chat.Ref(fmt.Sprint("test:m", n+1))
		m, there := s.Shown[ref]
		if !there || m.Table != 0 || m.Puzzle != 0 {
			continue
		}
		Proper(t, m)
		said := string(s.places[ref])
		if m.Silent {
			said += ", silent"
		}
		said += ": " + strings.TrimSpace(Show(m))
		if m.Picture != nil {
			said += "\npicture " + m.Picture.Name + ": " + m.Picture.Alt
		}
		all = append(all, said)
	}
	return all
}

// OnStage runs the bot on platforms until stop is called or the test ends.
func (h *House) OnStage(platforms ...chat.Platform) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.Bot.Run(ctx, platforms...)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	h.T.Cleanup(stop)
	return stop
}

// Settled waits until all boards show the newest versions of their tables.
func (h *House) Settled(s *Stage) {
	h.T.Helper()
	s.Until(h.T, "boards that are up to date", func([]string) bool {
		return len(h.Lagging()) == 0
	})
}

// Lagging returns the tables whose boards do not show their newest version.
func (h *House) Lagging() (tables []int64) {
	h.T.Helper()
	h.Reads(func(tx *store.Tx) error {
		lagging, err := tx.Tables.Lagging("test:", h.Clock.Now().UnixMilli(), 100)
		for _, r := range lagging {
			tables = append(tables, r.ID)
		}
		return err
	})
	return tables
}

// A table whose clock the test moves.

// Clocked is a table in a bubble (testing/synctest) in which the bot runs. The test advances the bot's clock (Wait).
type Clocked struct {
	*House
	Stage  *Stage
	People []*Person
}

// NewClocked opens a table, lets people join and starts it.
func NewClocked(t *testing.T, line string, names ...string) *Clocked {
	t.Helper()
	h := New(t, shutbox.Game{}, wuerfelpoker.New())
	c := &Clocked{House: h, Stage: NewStage(), People: h.Gather(line, names...)}
	c.People[0].Presses("▶ Start")
	c.OnStage(c.Stage)
	synctest.Wait()
	return c
}

// Wait advances the clock and waits until all due work is done.
func (c *Clocked) Wait(d time.Duration) { c.Later(d) }

// Awaits waits until met returns true for the table. what names the condition if it never holds.
func (c *Clocked) Awaits(what string, met func(store.Table) bool) store.Table {
	c.T.Helper()
	var last store.Table
	c.Stage.Until(c.T, what, func([]string) bool {
		last = c.People[0].Table()
		return met(last)
	})
	return last
}

// Auto returns the number of moves that were played for absent people.
func (c *Clocked) Auto() int {
	n := 0
	for _, m := range c.Moves(c.People[0].Table().ID) {
		if m.Auto {
			n++
		}
	}
	return n
}

// ToMove returns the seat whose turn it is.
func (c *Clocked) ToMove() int {
	return c.People[0].Board().Accent
}

// Verified fails the test if a record or the database has a fault.
func (c *Clocked) Verified() {
	c.T.Helper()
	c.Export(review.Wanted{})
	c.Sound()
}

// Misses lets the current turn time out and returns the table. It advances the clock in small steps: after a large one
// the bot would believe that it was away.
func (c *Clocked) Misses() store.Table {
	c.T.Helper()
	synctest.Wait()
	before := c.People[0].Table()
	if before.Clock.Due == 0 {
		c.T.Fatalf("no clock runs at %+v\n%s", before, Show(c.People[0].Board()))
	}
	for end := c.Time().Add(time.Hour); c.Time().Before(end); c.Wait(5 * time.Second) {
		if t := c.People[0].Table(); t.Clock.Due != before.Clock.Due && store.Staged(t, c.Time().UnixMilli()) == 0 {
			return t
		}
	}
	c.T.Fatalf("the turn never runs out: %+v", before)
	return store.Table{}
}

// Regulars lets people send a command in the chat, so that they are not new to the bot.
func (h *House) Regulars(names ...string) {
	for _, name := range names {
		h.Person(name).Writes("/privacy")
	}
	h.Wait(time.Second)
}
