package discord

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
)

// summons returns a ping that calls Anna to the board. A second ping with the same id once is not posted.
func (s *scene) summons(once string, board chat.Ref) chat.Ping {
	return chat.Ping{
		Once: once, To: userID(s.anna.ID), Name: "Anna", After: ", it's your turn: @everyone.",
		Board: board,
		Off:   chat.Button{Label: "Don't remind me", Press: "1:7:0:/notify off"},
	}
}

func TestCalling(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	d := s.discord
	board := s.posted()
	for range 2 { // the second try finds the ping of the first
		if _, err := d.Call(s.ctx, s.place(), s.summons("call 1", s.core.at())); err != nil {
			t.Fatal(err)
		}
	}
	all := s.hall.Messages()
	m := all[len(all)-1]
	if len(all) != 2 || m.Content != "<@"+s.anna.ID+">, it's your turn: @\u2060everyone." || m.Answers != board.ID ||
		m.Flags != 0 {
		t.Errorf("of %d messages the call is %+v", len(all), m)
	}
	if !slices.Equal(m.Called, []string{s.anna.ID}) {
		t.Errorf("it notifies %v", m.Called)
	}
	if b, ok := m.Button("Don't remind me"); !ok || b.CustomID != "1:7:0:/notify off" {
		t.Errorf("its buttons are %q", labels(m))
	}
	for range 2 {
		if err := d.Retire(s.ctx, s.place(), refID(s.hall.ID, m.ID)); err != nil && !errors.Is(err, chat.ErrGone) {
			t.Fatal(err)
		}
	}
	s.hall.Deny(discordtest.ReadHistory)
	if _, err := d.Call(s.ctx, s.place(), s.summons("call 2", s.core.at())); err != nil {
		t.Fatal(err)
	}
	if m, _ := s.hall.Last(); m.Answers != "" || len(m.Called) != 1 {
		t.Errorf("without older messages the call is %+v", m)
	}
	for _, post := range s.server.Requests("POST /channels") {
		if strings.Contains(string(post.Body), "components_v2") {
			t.Error("a call is no layout")
		}
	}
	if b := d.Budget(s.place()); b.Of != "channel" || b.Limit != 60 || b.Calls != 3 || b.Sends < 4 || b.Waiting != 0 {
		t.Errorf("the budget says %+v", b)
	}
	if _, err := d.Call(s.ctx, s.place(), chat.Ping{To: "discord:x"}); err == nil {
		t.Error("somebody who is nobody is called")
	}
}

func TestCallsThatFail(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault discordtest.Fault
		want  error
	}{
		{"a fault of theirs", discordtest.Fault{Status: 502, HTML: true}, chat.ErrUnsure},
		{"too many", discordtest.Fault{Status: 429, Message: "slow down", RetryAfter: 2},
			chat.Later{After: 2001 * time.Millisecond}},
		{"no access", discordtest.Fault{Status: 403, Code: 50001, Message: "Missing Access"}, chat.ErrAway},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := pressing(t, discordtest.Options{})
			s.posted()
			c.fault.On = "POST /channels"
			s.server.Fail(c.fault, c.fault, c.fault)
			if _, err := s.discord.Call(s.ctx, s.place(), s.summons("call 1", s.core.at())); !errors.Is(err,
				c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	nowhere := New(Options{Token: "x", URL: "http://127.0.0.1:1"})
	if _, err := nowhere.Call(t.Context(), "discord:1:2", chat.Ping{To: "discord:3"}); err == nil ||
		errors.Is(err, chat.ErrUnsure) {
		t.Errorf("where nobody listens: %v", err)
	}
}

// TestACallWhoseAnswerIsLost checks that a ping whose response is lost is found again by its nonce, and can be deleted.
func TestACallWhoseAnswerIsLost(t *testing.T) {
	for name, fault := range map[string]discordtest.Fault{
		"never sent":        {Cut: true},
		"cut off behind":    {Cut: true, After: true},
		"a fault of theirs": {Status: 502, HTML: true, After: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := pressing(t, discordtest.Options{})
			s.posted()
			fault.On = "POST /channels"
			s.server.Fail(fault)
			ref, err := s.discord.Call(s.ctx, s.place(), s.summons("call 1", s.core.at()))
			check(t, err)
			if all := s.hall.Messages(); len(all) != 2 || refID(s.hall.ID, all[1].ID) != ref {
				t.Errorf("of %d messages the call is %s", len(all), ref)
			}
			if err := s.discord.Retire(s.ctx, s.place(), ref); err != nil || len(s.hall.Messages()) != 1 {
				t.Errorf("%d messages stand there, %v", len(s.hall.Messages()), err)
			}
		})
	}
}

// TestCallsKeepThePace checks that boards and pings share the limit of their channel, and presses are still answered.
func TestCallsKeepThePace(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	m := s.posted()
	d, other := s.discord, s.guild.Channel("other")
	var writing sync.WaitGroup
	var stalled atomic.Bool // a request took long: it may arrive together with the next
	write := func(place chat.Place, need chat.Need, i int) error {
		if err := d.Ready(s.ctx, place, need); err != nil {
			return err
		}
		began := time.Now()
		defer func() { stalled.Store(stalled.Load() || time.Since(began) > pace/2) }()
		if need == chat.ToCall {
			_, err := d.Call(s.ctx, place, s.summons(fmt.Sprint("call ", i), ""))
			return err
		}
		_, err := d.Post(s.ctx, place, boardOf(fmt.Sprint("Board ", i)))
		return err
	}
	for i := range 6 {
		place := s.place()
		if i%2 == 0 {
			place = placeID(s.guild.ID, other.ID)
		}
		for _, need := range []chat.Need{chat.ToMove, chat.ToCall} {
			writing.Go(func() {
				err := write(place, need, i)
				for later := (chat.Later{}); errors.As(err, &later); {
					err = write(place, need, i)
				}
				if err != nil {
					t.Errorf("at %s: %v", place, err)
				}
			})
		}
	}
	if a := s.answer(s.pressOn(m)); a.Type != 7 && a.Type != 6 {
		t.Errorf("a press is answered %d", a.Type)
	}
	writing.Wait()
	for _, place := range []chat.Place{s.place(), placeID(s.guild.ID, other.ID)} {
		if b := d.Budget(place); b.Calls != 3 || b.Sends < 6 || b.Used() > b.Limit || b.Waiting != 0 {
			t.Errorf("%s: %+v", place, b)
		}
	}
	if slow := d.Budget("").Slowed; slow != 0 && !stalled.Load() {
		t.Errorf("Discord asked to wait %d times", slow)
	}
}

func TestExamine(t *testing.T) {
	t.Parallel()
	server := discordtest.Start(t, discordtest.Options{})
	d := New(Options{Token: server.Token(), URL: server.URL()})
	examine := func(d *Discord, wrong bool, parts ...string) {
		t.Helper()
		var said []string
		anyWrong := false
		for _, f := range d.examine(t.Context()) {
			said = append(said, f.Text, fmt.Sprint(f.Line))
			anyWrong = anyWrong || f.Wrong
		}
		text := strings.Join(said, "\n")
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not in:\n%s", part, text)
			}
		}
		if anyWrong != wrong || strings.Contains(text, server.Token()) {
			t.Errorf("wrong is %v:\n%s", anyWrong, text)
		}
	}
	examine(d, true, "in no server")
	guild := server.Guild("The Dice")
	examine(d, false, "connected as Knobel", "1000 of 1000", "servers: 1", "user install is off: ",
		"emoji: 0 of 117 uploaded; knobel serve uploads the others")
	guild.Deny(discordtest.SendInThreads)
	accounts := discordtest.Start(t, discordtest.Options{Accounts: true})
	accounts.Guild("The Dice")
	examine(New(Options{Token: accounts.Token(), URL: accounts.URL()}), false, "user install is on")
	examine(d, true, "The Dice", "bot.discord.send-in-threads")
	for besides, want := range map[string]bool{"1": false, "2": true} { // user "1" owns the server
		if got, err := d.OtherAdmin(t.Context(), chatID(guild.ID, ""), userID(besides)); err != nil || got != want {
			t.Errorf("another admin than %s: %v, %v", besides, got, err)
		}
	}
	server.Fail(discordtest.Fault{On: "GET /users/@me", Status: 502, HTML: true})
	examine(d, true, "unreachable: ")
	server.Fail(discordtest.Fault{On: "GET /gateway", Status: 500, Message: "trouble"},
		discordtest.Fault{On: "GET /users/@me/guilds", Status: 500})
	examine(d, true, "gateway", "list servers failed")
	examine(New(Options{Token: "another", URL: server.URL()}), true, "unknown token")
	examine(New(Options{Token: "another", URL: "localhost:80"}), true, "http://host")
	server.Close()
	examine(d, true, "unreachable: ")
}
