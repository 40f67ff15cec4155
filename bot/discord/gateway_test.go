package discord

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// quietly starts a scene, in parallel with other tests, whose core answers "Noted.".
func quietly(t *testing.T, o discordtest.Options) *scene {
	t.Helper()
	t.Parallel()
	return rehearse(t, o, &script{handle: says(chat.Reply{Toast: "Noted."})})
}

// hears checks that a new interaction is received and answered.
func (s *scene) hears() {
	s.Helper()
	if a := s.answer(s.hall.Slash(s.anna, "help")); !private(a, "Noted.") {
		s.Errorf("answer %d: %q", a.Type, a.Message.Text())
	}
}

// connected waits for a connection after an outage and checks the number of sessions started and resumed so far.
func (s *scene) connected(identified, resumed int) {
	s.Helper()
	s.until("it is connected again", func() bool {
		_, i, r := s.server.Connections()
		return s.server.Listening() && i >= identified && r >= resumed
	})
	if _, i, r := s.server.Connections(); i != identified || r != resumed {
		s.Errorf("%d sessions and %d resumed, want %d and %d", i, r, identified, resumed)
	}
	s.hears()
}

// TestConnectionIsLost checks that the adapter connects again, and starts a new session only if the old one is over.
func TestConnectionIsLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                string
		trouble             func(*discordtest.Server)
		identified, resumed int
	}{
		{"it drops", (*discordtest.Server).Drop, 1, 1},
		{"it is asked to reconnect", (*discordtest.Server).AskReconnect, 1, 1},
		{"it is closed for a restart", func(s *discordtest.Server) { s.CloseWith(1012) }, 1, 1},
		{"it is closed for an unknown error", func(s *discordtest.Server) { s.CloseWith(4000) }, 1, 1},
		{"the session is over", func(s *discordtest.Server) { s.Invalidate(false) }, 2, 0},
		{"the session is over, perhaps", func(s *discordtest.Server) { s.Invalidate(true) }, 2, 0},
		{"it drops and the session is over", func(s *discordtest.Server) { s.ForgetSessions(); s.Drop() }, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := quietly(t, discordtest.Options{})
			s.hears()
			c.trouble(s.server)
			s.connected(c.identified, c.resumed)
			if n := s.server.Registered(); n != 0 {
				t.Errorf("the commands were written %d times", n)
			}
		})
	}
}

// TestConnectionComesToNothing checks that connections that do not become ready are closed, and that none stays open.
func TestConnectionComesToNothing(t *testing.T) {
	t.Parallel()
	for name, opening := range map[string]discordtest.Opening{
		"mute":                          {Mute: true},
		"asked to reconnect at once":    {Reconnect: true},
		"closed at once":                {Close: 1001},
		"session refused with its code": {Close: 4009},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			times := unhurried
			times.patience = 2 * time.Second // the wait for a silent gateway
			s := rehearse(t, discordtest.Options{Within: time.Minute},
				&script{handle: says(chat.Reply{Toast: "Noted."}), times: times})
			s.server.Open(opening)
			s.server.Drop()
			s.until("it is connected again", func() bool {
				opened, _, _ := s.server.Connections()
				return opened >= 3 && s.server.Listening()
			})
			s.hears()
			s.until("one connection is left", func() bool { return s.server.Sockets() == 1 })
		})
	}
}

// TestConnectionIsRefused checks that a refused token or intent is not tried again.
func TestConnectionIsRefused(t *testing.T) {
	t.Parallel()
	for code, why := range finalCodes {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			s := quietly(t, discordtest.Options{})
			s.server.Open(discordtest.Opening{Close: code})
			s.server.Drop()
			s.logs(why)
			s.until("no connection is left", func() bool { return s.server.Sockets() == 0 })
			s.until("it is given up", func() bool { return s.discord.Link().Why == why })
			s.stop() // all work has ended
			if opened, _, _ := s.server.Connections(); opened != 2 || s.discord.Link().Up {
				t.Errorf("%d connections, %+v:\n%s", opened, s.discord.Link(), s.log)
			}
		})
	}
}

// TestATokenThatIsRefusedIsAskedForOnce checks that with a wrong token the number of shards is requested only once.
func TestATokenThatIsRefusedIsAskedForOnce(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/gateway/bot") && asked.Add(1) > 1 {
			_, _ = w.Write([]byte(`{"url": "ws://127.0.0.1:1", "shards": 2}`))
			return
		}
		http.Error(w, `{"message": "401: Unauthorized", "code": 0}`, http.StatusUnauthorized)
	}))
	defer server.Close()
	log := &fakes.Journal{}
	d := New(Options{Token: "MTE5.secret.token", URL: server.URL, Shards: AutoShards, Log: log.Log(), Letters: true})
	end := fakes.Running(t, func(ctx context.Context) error { return d.Run(ctx, &script{}) })
	if !log.WaitFor(t.Context(), finalCodes[tokenRefused], 1) {
		t.Errorf("it does not say so:\n%s", log)
	}
	if end(); asked.Load() != 1 || d.Link().Why != finalCodes[tokenRefused] {
		t.Errorf("it has asked %d times: %+v", asked.Load(), d.Link())
	}
	asked.Store(0)
	if _, err := d.planShards(t.Context()); err == nil { // a second request would succeed
		t.Errorf("it has asked %d times", asked.Load())
	}
}

// logs waits until the log contains part.
func (s *scene) logs(part string) {
	s.Helper()
	if !s.log.WaitFor(s.ctx, part, 1) {
		s.Fatalf("the log does not say %q:\n%s", part, s.log)
	}
}

// TestDeadConnection checks that a connection without answers to heartbeats is replaced, even if it is not closed.
func TestDeadConnection(t *testing.T) {
	t.Parallel()
	core := &script{handle: says(chat.Reply{Toast: "Noted."})}
	s := rehearse(t, discordtest.Options{Heartbeat: 10 * time.Second}, core)
	s.stop()
	s.times.silence = 300 * time.Millisecond
	s.server.IgnoreBeats(true)
	s.play()
	s.until("it is given up", func() bool { opened, _, _ := s.server.Connections(); return opened >= 3 })
	s.server.IgnoreBeats(false)
}

// TestUnknownEvents checks that the core gets no invalid data and ids, and that a panic affects only one event.
func TestUnknownEvents(t *testing.T) {
	t.Parallel()
	s := rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{Toast: "Noted."}), lose: func() {
		panic("a nil map")
	}})
	unread := 5 // the INTERACTION_CREATE events of this loop
	for _, kind := range []string{"SOMETHING_NEW", "INTERACTION_CREATE", "RESUMED", "MESSAGE_CREATE", ""} {
		for _, data := range []any{nil, 7, "text", []any{1}, map[string]any{"id": 7, "token": []any{}}} {
			s.server.Emit(kind, data)
		}
	}
	good := map[string]any{"id": "1", "application_id": "2", "channel_id": "3", "guild_id": "4", "token": "secret",
		"type": 2}
	for key, bad := range map[string]string{"id": "../1", "application_id": "", "channel_id": "3/4", "guild_id": "x",
		"token": "a/../b"} {
		event := maps.Clone(good)
		event[key] = bad
		s.server.Emit("INTERACTION_CREATE", event)
		unread++
	}
	if !s.log.WaitFor(s.ctx, "decode gateway interaction failed", unread) {
		t.Errorf("not %d interactions are passed over:\n%s", unread, s.log)
	}
	s.hears()
	if events := s.core.seen(); len(events) != 1 {
		t.Errorf("the bot is told of %+v", events)
	}
	s.hall.Delete()
	s.logs("gateway handler panicked")
	s.hall = s.guild.Channel("other")
	s.server.Guild("Another")
	s.hears()
}

// TestDiscordIsNotThere checks that Run continues, even if another server responds instead of Discord.
func TestDiscordIsNotThere(t *testing.T) {
	t.Parallel()
	const gone = "127.0.0.1:1" // nothing listens there
	for name, there := range map[string]http.HandlerFunc{
		"refused": nil,
		"trouble": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "no", http.StatusInternalServerError)
		},
		"HTML": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<html>maintenance</html>"))
		},
		"no address": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{}`)) },
		"another address": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"url":"gopher://x"}`))
		},
		"a closed port": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"url":"ws://` + gone + `"}`))
		},
		"no gateway": func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(`{"url":"ws://` + r.Host + `"}`))
		},
		"the token": func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.Header.Get("Authorization"), http.StatusForbidden)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := "http://" + gone
			if there != nil {
				server := httptest.NewServer(there)
				defer server.Close()
				at = server.URL
			}
			log := &fakes.Journal{}
			d := New(Options{Token: "MTE5.secret.token", URL: at, Log: log.Log(), Letters: true})
			end := fakes.Running(t, func(ctx context.Context) error { return d.Run(ctx, &script{}) })
			if !log.WaitFor(t.Context(), "retry_in=", 2) {
				t.Errorf("it does not try again:\n%s", log)
			}
			if end(); strings.Contains(log.String(), "secret.token") {
				t.Errorf("the token stands in the log:\n%s", log)
			}
		})
	}
}

// TestDiscordComesLater checks that Run connects once Discord, unreachable at the start, can be reached.
func TestDiscordComesLater(t *testing.T) {
	t.Parallel()
	server := discordtest.Start(t, discordtest.Options{})
	server.Away(true)
	log := &fakes.Journal{}
	d := New(Options{Token: server.Token(), URL: server.URL(), Log: log.Log(), Letters: true})
	fakes.Running(t, func(ctx context.Context) error { return d.Run(ctx, &script{}) })
	if !log.WaitFor(t.Context(), "retry_in=", 1) {
		t.Fatal("it does not try")
	}
	server.Away(false)
	if server.Wait(t.Context(), server.Listening) != nil {
		t.Errorf("it does not listen:\n%s", log)
	}
}

// TestAnEndIsNotOvertaken checks that a connection whose start is handled after its end does not count as up.
func TestAnEndIsNotOvertaken(t *testing.T) {
	s := quietly(t, discordtest.Options{})
	s.hears()
	s.server.Away(true)
	s.server.Drop()
	s.logs("discord is unreachable")
	for _, start := range []string{"READY", "RESUMED"} {
		s.discord.dispatch(s.discord.current.Load(), start, nil)
		if link := s.discord.Link(); link.Up {
			t.Fatalf("it is taken to stand after %s: %+v", start, link)
		}
	}
	s.server.Away(false)
	s.until("it is known to be connected", func() bool { return s.discord.Link().Up })
	s.hears()
}

// TestSessionsBeginInTurn checks that shards wait before they start new sessions, which discordgo alone would not.
func TestSessionsBeginInTurn(t *testing.T) {
	t.Parallel()
	times := unhurried
	times.start = time.Hour
	s := rehearse(t, discordtest.Options{Shards: 2, AtOnce: 2}, &script{
		handle: says(chat.Reply{Toast: "Noted."}), times: times, shards: AutoShards,
	})
	s.server.ForgetSessions()
	s.server.Drop()
	if !s.log.WaitFor(s.ctx, "starting another", 2) {
		t.Fatal(s.log)
	}
	if n := len(s.server.Starts()); n != 2 {
		t.Errorf("%d sessions began", n)
	}
}

// TestManyChannelsAtOnce checks that more boards are drawn at once than Discord accepts of a bot in a second, each in a
// separate channel, by one bot or several replicas. Time is fake, so that a slow machine makes no difference.
func TestManyChannelsAtOnce(t *testing.T) {
	for _, replicas := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			const channels = 200
			wire := fakes.NewWire("discord:80")
			server := discordtest.Start(t, discordtest.Options{Listener: wire, Whole: 50})
			server.Advance(time.Until(time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC))) // ids begin in 2015
			var leases platformtest.Leases
			var all []*Discord
			for range replicas {
				o := Options{Token: server.Token(), URL: server.URL(), Dial: wire.Dial}
				if replicas > 1 {
					o.Leases = leases.Join()
				}
				all = append(all, New(o))
			}
			guild := server.Guild("The Dice")
			began := time.Now()
			var writing sync.WaitGroup
			for i := range channels {
				d, place := all[i%replicas], placeID(guild.ID, guild.Channel(fmt.Sprint("table ", i)).ID)
				writing.Go(func() {
					err := d.Ready(t.Context(), place, chat.ToMove)
					if err == nil {
						_, err = d.Post(t.Context(), place, boardOf("A board."))
					}
					if err != nil {
						t.Error(err)
					}
				})
			}
			writing.Wait()
			if writes, often := server.Writes(); writes != channels || often != 0 {
				t.Errorf("%d replicas: %d boards, and %d requests too many", replicas, writes, often)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("%d replicas take %v", replicas, took)
			}
			server.Close()
			for _, d := range all {
				d.rest.http.CloseIdleConnections()
			}
			time.Sleep(time.Minute) // fake time: connections take their time to end
		})
	}
}

func TestNumbersOfShards(t *testing.T) {
	fakes.Cases(t, "shards.txt", func(text string) string {
		n, err := ParseShards(text)
		if err != nil {
			return "invalid"
		}
		return fmt.Sprint(n)
	})
}
