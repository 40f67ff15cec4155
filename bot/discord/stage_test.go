package discord

import (
	"bytes"
	"context"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/discord/discordtest"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

// stage is a bot on a Discord of its own, with a database in a file.
type stage struct {
	*testing.T
	server  *discordtest.Server
	discord *Discord
	bot     *bot.Bot
	store   *store.Store
	guild   *discordtest.Guild
	hall    *discordtest.Channel
	log     *loud
	ctx     context.Context
	stop    func() // ends the bot and waits for its end
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
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
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

// open starts a bot and waits until it listens.
func open(t *testing.T, o discordtest.Options) *stage {
	t.Helper()
	if o.Pace == 0 {
		o.Pace = 5
	}
	s := &stage{T: t, server: discordtest.Start(t, o), log: &loud{}}
	s.guild = s.server.Guild("The Dice")
	s.hall = s.guild.Channel("table")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	s.ctx = ctx
	var err error
	if s.store, err = store.Open(ctx, filepath.Join(t.TempDir(), "knobel.db")); err != nil {
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
	shut := shutbox.Game{}
	said, err := words.New(fs.FS(shut.Words()))
	if err != nil {
		s.Fatal(err)
	}
	log := s.log.logger()
	s.bot = bot.New(bot.Config{Store: s.store, Games: []games.Game{shut}, Words: said, Log: log})
	s.discord = New(Options{Token: s.server.Token(), URL: s.server.URL(), Log: log})
	s.discord.times.patience = 2 * time.Second
	ctx, cancel := context.WithCancel(s.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.bot.Run(ctx, s.discord)
	}()
	s.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
		s.until("no connection is left", func() bool { return s.server.Sockets() == 0 })
		s.secret()
	})
	s.Cleanup(func() { s.stop() })
	s.until("the bot listens", s.server.Listening)
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
	ctx, cancel := context.WithTimeout(s.ctx, 20*time.Second)
	defer cancel()
	if err := s.server.Wait(ctx, holds); err != nil {
		s.Fatalf("%s: %v\n%s", what, err, s.log)
	}
}

// answer waits for the answer to an interaction.
func (s *stage) answer(i *discordtest.Interaction) discordtest.Answer {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, 10*time.Second)
	defer cancel()
	a, err := i.Answer(ctx)
	if err != nil {
		s.Fatalf("no answer: %v\n%s", err, s.log)
	}
	return a
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

// play presses whatever is to be pressed, everybody every button's first, until
// the game is over. It returns the last board.
func (s *stage) play(people ...*discordtest.Person) discordtest.Message {
	s.Helper()
	for range 400 {
		m := s.board()
		if _, over := m.Button("Rematch"); over {
			return m
		}
		if _, over := m.Button("Revanche"); over {
			return m
		}
		first := m.Buttons()[0]
		moved := false
		for _, p := range people {
			if a := s.answer(s.hall.Press(p, m.ID, first.CustomID)); a.Type == 7 {
				moved = true
				break
			}
		}
		if !moved {
			s.Fatalf("nobody can press %q on:\n%s\n%s", first.Label, m.Text(), s.log)
		}
	}
	s.Fatal("the game does not end")
	return discordtest.Message{}
}

// private says whether an answer is for the person alone and holds a text.
func private(a discordtest.Answer, part string) bool {
	return a.Type == 4 && a.Message.Private() && strings.Contains(a.Message.Text(), part)
}
