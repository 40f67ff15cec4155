package discordtest_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// toward sends the library's requests to the server.
type toward struct{ to *url.URL }

func (r toward) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.URL.Scheme, q.URL.Host, q.Host = r.to.Scheme, r.to.Host, ""
	return http.DefaultTransport.RoundTrip(q)
}

// library opens a session of the real library and returns what it hears, and
// when its connections end.
func library(t *testing.T, s *discordtest.Server) (*discordgo.Session, <-chan *discordgo.Event, <-chan struct{}) {
	t.Helper()
	session, err := discordgo.New("Bot " + s.Token())
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	session.Client.Transport = toward{to}
	session.Identify.Intents = discordgo.IntentsGuilds
	session.ShouldReconnectOnError = false
	session.StateEnabled = false
	session.SyncEvents = true
	session.LogLevel = -1
	events, ended := make(chan *discordgo.Event, 100), make(chan struct{}, 10)
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) { events <- e })
	session.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { ended <- struct{}{} })
	if err := session.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session, events, ended
}

func hear(t *testing.T, events <-chan *discordgo.Event, kind string) *discordgo.Event {
	t.Helper()
	for {
		select {
		case e := <-events:
			if e.Type == kind {
				return e
			}
		case <-time.After(fakes.Patience):
			t.Fatalf("never heard %s", kind)
		}
	}
}

func TestTheLibraryHearsAndResumes(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	channel, anna := s.Guild("Monday").Channel("dice"), s.Person("Anna", "de")
	session, events, ended := library(t, s)
	hear(t, events, "READY")
	hear(t, events, "GUILD_CREATE")

	first := channel.Slash(anna, "shutbox", discordtest.Option{Name: "stake", Value: 10})
	if e := hear(t, events, "INTERACTION_CREATE"); !strings.Contains(string(e.RawData), first.Token()) {
		t.Errorf("heard %s", e.RawData)
	}
	s.Drop()
	second := channel.Slash(anna, "shutbox")
	<-ended
	if err := session.Open(); err != nil {
		t.Fatal(err)
	}
	if e := hear(t, events, "INTERACTION_CREATE"); !strings.Contains(string(e.RawData), second.Token()) {
		t.Errorf("heard %s", e.RawData)
	}
	if opened, identified, resumed := s.Connections(); opened != 2 || identified != 1 || resumed != 1 {
		t.Errorf("%d connections, %d identified, %d resumed", opened, identified, resumed)
	}
	s.Invalidate(false)
	hear(t, events, "READY")
	ctx, cancel := context.WithTimeout(t.Context(), fakes.Patience)
	defer cancel()
	if err := s.Wait(ctx, s.Listening); err != nil {
		t.Fatal(err)
	}
	if got := len(s.Unanswered()); got != 2 {
		t.Errorf("%d interactions are open, want 2", got)
	}
	s.Forgive()
}

func TestAClosedDoorTellsTheLibraryWhy(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	s.Open(discordtest.Opening{Close: 4014})
	session, err := discordgo.New("Bot " + s.Token())
	if err != nil {
		t.Fatal(err)
	}
	to, _ := url.Parse(s.URL())
	session.Client.Transport = toward{to}
	session.LogLevel = -1
	if err := session.Open(); err == nil || !strings.Contains(err.Error(), "4014") {
		t.Errorf("opened with %v", err)
	}
}
