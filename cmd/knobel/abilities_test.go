package main

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store/storetest"
)

// The program's bot knows who is at one browser.
func TestNobodyTakesASeatFromTheirSecondSelfAtOneBrowser(t *testing.T) {
	st := storetest.Open(t)
	b, err := newBot(st, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var last chat.Reply
	for i, step := range []struct {
		user          chat.User
		command, what string
	}{
		{"web:aa:0", "shutbox", "10"}, {"web:bb:0", "", "1:1:0:!join"}, {"web:aa:0", "", "1:1:0:!start"},
		{"web:aa:0", "handover", ""}, {"web:aa:1", "", "1:1:0:!take 0"},
	} {
		ev := chat.Event{ID: fmt.Sprint("web:", i), Chat: "web:room", Place: "web:room", User: step.user,
			Name: string(step.user), Locale: "en"}
		if ev.Command, ev.Text = step.command, step.what; step.command == "" {
			ev.Press, ev.Text = step.what, ""
		}
		last = b.Handle(t.Context(), ev)
	}
	if last.Toast != "Not to somebody at the same browser. Others may take it." {
		t.Errorf("told %q", last.Toast)
	}
}

// TestACallReachesTheBrowser has two browsers sit down at a table of the running program, in the room that is always
// there and in one that was made for friends: who is to move and does not is called, and nobody else.
func TestACallReachesTheBrowser(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	listen := freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"))
	t.Run("rooms", func(t *testing.T) {
		for _, name := range []string{"always there", "made"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				anna, ben := visits(t, listen), visits(t, listen)
				if name == "made" {
					anna.base += anna.makesRoom(t)
					ben.base = anna.base
				}
				calledAlone(t, s, anna, ben)
			})
		}
	})
	s.leave()
}

// visits is visit for those who have to be let in.
func visits(t *testing.T, listen string) *visitor {
	t.Helper()
	v, err := visit(listen)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// calledAlone fails unless Anna is called and Ben is not.
func calledAlone(t *testing.T, s *serving, anna, ben *visitor) {
	t.Helper()
	// A turn of a minute: a person who does not move is called after half of it, which is really waited for here.
	anna.opens(t, "/shutbox turn=1m")
	join := ben.until(t, "Sit down")
	if a, err := ben.press("sit", join); err != nil || a.Refused {
		t.Fatalf("Ben does not sit: %v %+v", err, a)
	}
	begin := anna.until(t, "Start")
	if a, err := anna.press("start", begin); err != nil || a.Refused {
		t.Fatalf("no start: %v %+v", err, a)
	}
	late := time.After(fakes.Patience)
	for len(anna.called()) == 0 {
		select {
		case <-anna.news:
		case <-late:
			t.Fatalf("Anna is never called\n%s", s.said)
		}
	}
	if told := anna.called()[0]; !strings.Contains(told, "it is your turn") {
		t.Errorf("the call says %q", told)
	}
	if told := ben.called(); len(told) > 0 {
		t.Errorf("Ben is called, too: %q", told)
	}
}
