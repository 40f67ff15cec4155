package discord

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
	"knobel/store/storetest"
)

// TestMain runs more tests at the same time than there are processors, since most of them wait.
func TestMain(m *testing.M) {
	fakes.AtOnce(40)
	os.Exit(storetest.Main(m))
}

// Timings, shorter than unhurried: hasty defers answers soon, stubborn retries soon, brisk gives up soon.
var (
	hasty    = quick(func(t *timing) { t.deferAfter = 400 * time.Millisecond })
	stubborn = quick(func(t *timing) { t.try = 2500 * time.Millisecond })
	brisk    = quick(func(t *timing) {
		t.try, t.deferAfter, t.answer = 2500*time.Millisecond, 5*time.Second, 6*time.Second
	})
)

// quick returns the unhurried timings, changed by shorten.
func quick(shorten func(*timing)) timing {
	times := unhurried
	shorten(&times)
	return times
}

// script is a core whose replies the test sets.
type script struct {
	platformtest.Core

	handle   func(context.Context, chat.Event) chat.Reply
	draw     func(ctx context.Context, by chat.Drawer) error // nil: it draws board and stores the message
	times    timing                                          // zero: hasty if late is set, else unhurried
	shards   int                                             // Options.Shards
	activity Activity                                        // Options.Activity
	commands []chat.Command
	complete func(option, typed string) []chat.CommandChoice

	lose   func()                // called when a place is lost, may be nil
	late   bool                  // the core is slow and answers are deferred
	putOff func(context.Context) // waits until the answer was deferred

	mu     sync.Mutex
	board  chat.Message
	ref    chat.Ref
	permit chat.Permit
	events []chat.Event
	lost   []string
}

func (s *script) Handle(ctx context.Context, ev chat.Event) chat.Reply {
	s.mu.Lock()
	s.events = append(s.events, ev)
	s.mu.Unlock()
	if s.late {
		s.putOff(ctx)
	}
	if s.handle == nil {
		return chat.Reply{}
	}
	return s.handle(ctx, ev)
}

func (s *script) Draw(ctx context.Context, _ int64, _ bool, by chat.Drawer) error {
	if s.draw != nil {
		return s.draw(ctx, by)
	}
	return s.show(ctx, by)
}

func (s *script) DrawPuzzle(ctx context.Context, _ int64, by chat.Drawer) error {
	return s.show(ctx, by)
}

// show draws the board with by and stores its message.
func (s *script) show(ctx context.Context, by chat.Drawer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.board
	m.Permit = s.permit
	ref, permit, err := by(ctx, m, s.ref)
	if err == nil {
		if ref != s.ref || permit.Expires > 0 {
			s.permit = permit
		}
		s.ref = ref
	}
	return err
}

func (s *script) Lost(_ context.Context, chat chat.Chat, place chat.Place) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = append(s.lost, string(chat)+" "+string(place))
	if s.lose != nil {
		s.lose()
	}
	return nil
}

func (s *script) Commands() []chat.Command { return s.commands }

func (s *script) Languages() []chat.Language { return someLanguages() }

func (s *script) Complete(_ context.Context, _ chat.Event, option, typed string) []chat.CommandChoice {
	return s.complete(option, typed)
}

func (s *script) seen() []chat.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// at returns the reference of the board's stored message.
func (s *script) at() chat.Ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ref
}

// says returns a core's handler that answers every event with reply.
func says(reply chat.Reply) func(context.Context, chat.Event) chat.Reply {
	return func(context.Context, chat.Event) chat.Reply { return reply }
}

// boardOf returns a board with this heading.
func boardOf(head string) chat.Message {
	return chat.Message{Table: 1, Head: head, Accent: 0,
		Buttons: [][]chat.Button{{{Label: "Throw", Press: "1:1:0:throw"}}}}
}

// scene is a fake Discord with an adapter and a scripted core.
type scene struct {
	*testing.T
	server  *discordtest.Server
	discord *Discord
	guild   *discordtest.Guild
	hall    *discordtest.Channel
	anna    *discordtest.Person
	core    *script
	times   timing
	log     *fakes.Journal
	ctx     context.Context
	stop    func() // stops the adapter and waits for it
}

// rehearse returns a scene with a fake Discord and core, and starts its adapter.
func rehearse(t *testing.T, o discordtest.Options, core *script) *scene {
	t.Helper()
	times := core.times
	switch {
	case times != (timing{}):
	case core.late:
		times = hasty
	default:
		times = unhurried
	}
	if times != brisk {
		o.Within = fakes.Patience
	}
	s := &scene{T: t, server: discordtest.Start(t, o), log: &fakes.Journal{}, core: core, times: times}
	s.guild = s.server.Guild("The Dice")
	s.hall = s.guild.Channel("table")
	s.anna = s.server.Person("Anna", "en-US")
	ctx, cancel := context.WithTimeout(context.Background(), fakes.Patience)
	t.Cleanup(cancel)
	s.ctx = ctx
	if core.board.Head == "" {
		core.board = boardOf("The board.")
	}
	core.putOff = func(ctx context.Context) {
		// The wait fails only if the test has failed already.
		_ = s.server.Wait(ctx, func() bool { return len(s.server.Requests("POST /interactions")) > 0 })
	}
	s.play()
	s.until("the bot listens", s.server.Listening)
	return s
}

// play starts a new adapter, which runs until stop is called.
func (s *scene) play() {
	s.Helper()
	s.discord = New(Options{Token: s.server.Token(), URL: s.server.URL(), Shards: s.core.shards, Log: s.log.Log(),
		Letters: true, Activity: s.core.activity})
	s.discord.times = s.times
	end := fakes.Running(s, func(ctx context.Context) error { return s.discord.Run(ctx, s.core) })
	s.stop = sync.OnceFunc(func() {
		end()
		s.disconnected()
		s.secret()
	})
	s.Cleanup(func() { s.stop() })
}

// posted posts the core's board, as the bot's outbox does, and returns its message.
func (s *scene) posted() discordtest.Message {
	s.Helper()
	ref, err := s.discord.Post(s.ctx, s.place(), s.core.board)
	if err != nil {
		s.Fatalf("%v\n%s", err, s.log)
	}
	s.core.mu.Lock()
	s.core.ref = ref
	s.core.mu.Unlock()
	return s.board()
}

func (s *scene) place() chat.Place { return placeID(s.guild.ID, s.hall.ID) }

// change sets the heading of the board.
func (s *scene) change(head string) {
	s.core.mu.Lock()
	defer s.core.mu.Unlock()
	s.core.board.Head = head
}

// pressOn presses the first button of message m as Anna.
func (s *scene) pressOn(m discordtest.Message) *discordtest.Interaction {
	return s.hall.Press(s.anna, m.ID, m.Buttons()[0].CustomID)
}

// shows waits until there are this many messages and the newest has exactly this text, and returns the newest.
func (s *scene) shows(text string, messages int) discordtest.Message {
	s.Helper()
	s.until("the board says "+text, func() bool {
		m, ok := s.hall.Last()
		return ok && m.Text() == text && len(s.hall.Messages()) == messages
	})
	return s.board()
}

// unhurried are timings for a fake Discord that waits longer than the real one, which a busy machine needs.
var unhurried = timing{
	answer: fakes.Patience, deferAfter: fakes.Patience, try: fakes.Patience,
	patience: fakes.Patience, silence: defaultTiming.silence, linger: fakes.Patience,
}

// disconnected waits until no gateway connection is left. It never ends the test, so it may be called after a failure.
func (s *scene) disconnected() {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), fakes.Patience)
	defer cancel()
	if err := s.server.Wait(ctx, func() bool { return s.server.Sockets() == 0 }); err != nil {
		s.Errorf("%d connections are left: %v", s.server.Sockets(), err)
	}
}

// secret checks that the log contains no token.
func (s *scene) secret() {
	s.Helper()
	for _, token := range []string{s.server.Token(), discordtest.TokenMark} {
		if strings.Contains(s.log.String(), token) {
			s.Errorf("the log contains a token:\n%s", s.log)
		}
	}
}

// until waits until holds returns true, and else fails the test; condition is its name in words.
func (s *scene) until(condition string, holds func() bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, fakes.Patience)
	defer cancel()
	if err := s.server.Wait(ctx, holds); err != nil {
		for _, m := range s.hall.Messages() {
			s.Logf("message %s: %s\n%v", m.ID, m.Text(), labels(m))
		}
		s.Fatalf("%s: %v\n%s", condition, err, s.log)
	}
}

// answer waits for the answer to i and returns it.
func (s *scene) answer(i *discordtest.Interaction) discordtest.Answer {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, fakes.Patience)
	defer cancel()
	a, err := i.Answer(ctx)
	if err != nil {
		s.Fatalf("no answer: %v\n%s", err, s.log)
	}
	return a
}

// board returns the newest message in the hall, the scene's channel.
func (s *scene) board() discordtest.Message {
	s.Helper()
	m, ok := s.hall.Last()
	if !ok {
		s.Fatalf("no board\n%s", s.log)
	}
	return m
}

// labels returns the labels of the buttons of m.
func labels(m discordtest.Message) []string {
	var all []string
	for _, b := range m.Buttons() {
		all = append(all, b.Label)
	}
	return all
}

// private reports whether answer a is private and contains part.
func private(a discordtest.Answer, part string) bool {
	return a.Type == 4 && a.Message.Private() && strings.Contains(a.Message.Text(), part)
}

// check ends the test on an error.
var check = fakes.Check
