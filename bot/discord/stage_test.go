package discord

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/bot/standin"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
	"knobel/store/storetest"
)

// stage is a bot on a Discord of its own, with a database in a file.
type stage struct {
	*testing.T
	server  *discordtest.Server
	discord *Discord
	bot     *wiring.Bot
	store   *store.Store
	guild   *discordtest.Guild
	hall    *discordtest.Channel
	log     *loud
	said    *words.Words // nil: in the languages that there are
	ctx     context.Context
	stop    func()     // ends the bot and waits for its end
	house   chat.Clock // what the bot goes by
}

// loud is a log that tests can read.
type loud struct {
	mu      sync.Mutex
	b       bytes.Buffer
	written chan struct{} // closed and replaced by every line
}

// logger is a log of everything.
func (l *loud) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// waitFor waits until something was logged so many times.
func (l *loud) waitFor(ctx context.Context, part string, times int) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		l.mu.Lock()
		if l.written == nil {
			l.written = make(chan struct{})
		}
		found, written := strings.Count(l.b.String(), part) >= times, l.written
		l.mu.Unlock()
		if found {
			return true
		}
		select {
		case <-written:
		case <-ctx.Done():
			return false
		}
	}
}

func (l *loud) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.written != nil {
		close(l.written)
		l.written = nil
	}
	return l.b.Write(p)
}

func (l *loud) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// houses are the bots with a database that may be at work at once: unlike the
// tests that wait, they need a processor.
var houses = make(chan struct{}, 2)

// unhurried are the times of a bot on a stage, whose Discord waits longer than
// the real one: what is played there does not turn on how busy the machine is.
// What happens when an answer takes too long is tried on scenes.
var unhurried = timing{
	answer: 55 * time.Second, putOff: 50 * time.Second, try: 20 * time.Second,
	patience: 20 * time.Second, silence: usual.silence, linger: 20 * time.Second,
}

// open starts a bot and waits until it listens.
func open(t *testing.T, o discordtest.Options) *stage { return openIn(t, o, nil) }

// openIn is open with words of other languages.
func openIn(t *testing.T, o discordtest.Options, said *words.Words) *stage {
	t.Helper()
	houses <- struct{}{}
	t.Cleanup(func() { <-houses })
	if o.Pace == 0 {
		o.Pace = 5
	}
	o.Within = time.Minute
	s := &stage{T: t, server: discordtest.Start(t, o), log: &loud{}, said: said, house: &standin.Restless{}}
	s.guild = s.server.Guild("The Dice")
	s.hall = s.guild.Channel("table")
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	s.ctx = ctx
	var err error
	if s.store, err = store.Open(ctx, storetest.Empty(t), store.SealedBy(storetest.Key(t))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.store.Close(); err != nil {
			t.Error(err)
		}
	})
	s.start()
	return s
}

// start runs a bot on the stage until its end or stop.
func (s *stage) start() {
	s.Helper()
	all := []games.Game{shutbox.Game{}, coin.Game{}, wuerfelpoker.Game{}}
	said := s.said
	if said == nil {
		said = wordstest.Of(s, all...)
	}
	log := s.log.logger()
	config := bot.Config{Store: s.store, Games: all, Words: said, Log: log, Clock: s.house}
	s.bot = wiring.New(config)
	s.discord = New(Options{Token: s.server.Token(), URL: s.server.URL(), Log: log})
	s.discord.times = unhurried
	ctx, cancel := context.WithCancel(s.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.bot.Run(ctx, s.discord)
	}()
	s.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
		s.disconnected()
		s.secret()
	})
	s.Cleanup(func() { s.stop() })
	s.until("the bot listens", s.server.Listening)
}

// disconnected waits until no connection is left. It may be called when a test
// has failed already, and does not end it.
func (s *stage) disconnected() {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), time.Minute)
	defer cancel()
	if err := s.server.Wait(ctx, func() bool { return s.server.Sockets() == 0 }); err != nil {
		s.Errorf("%d connections are left: %v", s.server.Sockets(), err)
	}
}

// secret checks that no token stands in the log.
func (s *stage) secret() {
	s.Helper()
	for _, token := range []string{s.server.Token(), discordtest.TokenMark} {
		if strings.Contains(s.log.String(), token) {
			s.Errorf("a token stands in the log:\n%s", s.log)
		}
	}
}

// until waits for something to hold.
func (s *stage) until(what string, holds func() bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
	defer cancel()
	if err := s.server.Wait(ctx, holds); err != nil {
		for _, m := range s.hall.Messages() {
			s.Logf("message %s: %s\n%v", m.ID, m.Text(), labels(m))
		}
		s.Fatalf("%s: %v\n%s", what, err, s.log)
	}
}

// answer waits for the answer to an interaction.
func (s *stage) answer(i *discordtest.Interaction) discordtest.Answer {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
	defer cancel()
	a, err := i.Answer(ctx)
	if err != nil {
		s.Fatalf("no answer: %v\n%s", err, s.log)
	}
	return a
}

// turned waits until the message whose button was pressed is another page, at
// once or later: a large picture takes its time. It is false for an answer of
// any other kind.
func (s *stage) turned(i *discordtest.Interaction) (discordtest.Answer, bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
	defer cancel()
	a, turned, err := i.Turned(ctx)
	if err != nil {
		s.Fatalf("no page: %v\n%s", err, s.log)
	}
	return a, turned
}

// board is the newest message in the hall.
func (s *stage) board() discordtest.Message {
	s.Helper()
	m, ok := s.hall.Last()
	if !ok {
		s.Fatalf("no board\n%s", s.log)
	}
	return m
}

// press presses the button with a label on the newest board.
func (s *stage) press(p *discordtest.Person, label string) discordtest.Answer {
	s.Helper()
	m := s.board()
	b, ok := m.Button(label)
	if !ok {
		s.Fatalf("no button %q on:\n%s\n%v", label, m.Text(), labels(m))
	}
	return s.answer(s.hall.Press(p, m.ID, b.CustomID))
}

func labels(m discordtest.Message) []string {
	var all []string
	for _, b := range m.Buttons() {
		all = append(all, b.Label)
	}
	return all
}

// sound checks the books and every table.
func (s *stage) sound() {
	s.Helper()
	faults, err := s.store.Check(s.ctx)
	if err != nil {
		s.Fatal(err)
	}
	for _, f := range faults {
		s.Error(f)
	}
	stale, err := s.bot.Check(s.ctx)
	if err != nil {
		s.Fatal(err)
	}
	for _, f := range stale {
		s.Error(f)
	}
}

// in is the same stage, seen in another channel.
func (s *stage) in(channel *discordtest.Channel) *stage {
	there := *s
	there.hall = channel
	return &there
}

// next is the button that somebody who wants to go on presses: the one that
// plays what is picked, else the first that is not picked.
func next(m discordtest.Message) (first discordtest.Component, over bool) {
	for _, b := range m.Buttons() {
		switch {
		case strings.HasSuffix(b.CustomID, ":!rematch"):
			return b, true
		case strings.HasSuffix(b.CustomID, ":!play"):
			return b, false
		case first.CustomID == "" && !(picks(b) && b.Style == 3):
			first = b
		}
	}
	return first, false
}

// picks reports whether a button only picks something: pressed again, it puts it
// back.
func picks(b discordtest.Component) bool { return strings.Contains(b.CustomID, ":!pick") }

// play plays to the end. At every turn everybody presses at the same time,
// one of them twice, and somebody presses what the last board had shown. It
// returns the last board.
func (s *stage) play(people ...*discordtest.Person) discordtest.Message {
	s.Helper()
	last := discordtest.Component{}
	for range 600 {
		m, b, over := s.turn(last.CustomID)
		if over {
			return m
		}
		var done []*discordtest.Interaction
		for _, p := range people {
			done = append(done, s.hall.Press(p, m.ID, b.CustomID))
		}
		if !picks(b) {
			done = append(done, s.hall.Press(people[0], m.ID, b.CustomID))
		}
		if last.CustomID != "" && !picks(last) {
			done = append(done, s.hall.Press(people[len(people)-1], m.ID, last.CustomID))
		}
		moved := 0
		for _, i := range done {
			if a := s.answer(i); a.Type == 7 {
				moved++
			}
		}
		if moved > 1 {
			s.Errorf("%d presses of %q count", moved, b.Label)
		}
		last = b
	}
	s.Fatal("the game does not end")
	return discordtest.Message{}
}

// turn waits for a board whose first button is another than the last one.
func (s *stage) turn(last string) (m discordtest.Message, b discordtest.Component, over bool) {
	s.Helper()
	s.until("the board moves on", func() bool {
		m, _ = s.hall.Last()
		b, over = next(m)
		return over || b.CustomID != "" && b.CustomID != last
	})
	return m, b, over
}

// sit opens a table, seats people and starts.
func (s *stage) sit(opener *discordtest.Person, command string, options []discordtest.Option, others ...*discordtest.Person) {
	s.Helper()
	if a := s.answer(s.hall.Slash(opener, command, options...)); a.Type != 4 || a.Message.Private() {
		s.Fatalf("the table is not opened: %q", a.Message.Text())
	}
	for _, p := range others {
		s.carries(p, ":!join")
	}
	if a := s.carries(opener, ":!start"); a.Type != 7 {
		s.Fatalf("the game does not start: %q", a.Message.Text())
	}
}

// carries presses the button of the newest message that carries something
// that ends so.
func (s *stage) carries(p *discordtest.Person, ends string) discordtest.Answer {
	s.Helper()
	m := s.board()
	for _, b := range m.Buttons() {
		if strings.HasSuffix(b.CustomID, ends) {
			return s.answer(s.hall.Press(p, m.ID, b.CustomID))
		}
	}
	s.Fatalf("no button carries %q on:\n%s\n%v", ends, m.Text(), labels(m))
	return discordtest.Answer{}
}

func with(name string, value any) []discordtest.Option {
	return []discordtest.Option{{Name: name, Value: value}}
}

// private reports whether an answer is for the person alone and holds a text.
func private(a discordtest.Answer, part string) bool {
	return a.Type == 4 && a.Message.Private() && strings.Contains(a.Message.Text(), part)
}
