package evening_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
)

// hour is the first hour of the evenings in these tests: Friday, 17 November 2023, 20:00 UTC.
var hour = time.Date(2023, 11, 17, 20, 0, 0, 0, time.UTC)

// setsUp lets Anna set an evening on Fridays at eight in a running house. It returns her, and a function that stops the
// bot.
func setsUp(t *testing.T, h *bare.House, on chat.Platform) (anna *bare.Person, stop func()) {
	t.Helper()
	stop = h.OnStage(on)
	anna = h.Person("Anna")
	anna.Admin = true
	if r := anna.Writes("/evening friday 20:00 coin"); r.Refused {
		t.Fatalf("refused: %q", r.Toast)
	}
	return anna, stop
}

// goesTo moves the clock, in steps so that all that is due meanwhile is done.
func goesTo(h *bare.House, to time.Time) {
	for h.Time().Before(to) {
		h.Later(min(h.Clock.Rings(), to.Sub(h.Time())))
	}
	h.Later(0)
}

// posts returns how many posts there were of boards and of notices.
func posts(s *bare.Stage) (n int) {
	for _, request := range s.Requests() {
		if strings.HasPrefix(request, "post ") {
			n++
		}
	}
	return n
}

// TestAClockThatJumpsOpensNothingTwice sets the clock forth over an evening and back, and back after it.
func TestAClockThatJumpsOpensNothingTwice(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		s := bare.NewStage()
		anna, stop := setsUp(t, h, s)
		goesTo(h, hour.Add(-30*time.Minute))
		people := []*bare.Person{anna, h.Person("Ben")}
		press := s.Notice().Buttons[0][0].Press
		for _, p := range people {
			p.Sends(press)
		}
		h.Later(0)
		restarts := func() {
			stop()
			h.RestartBot()
			stop = h.OnStage(s)
			h.Later(0)
		}
		stop()
		h.Wait(24 * time.Hour) // over the evening: it is missed
		h.RestartBot()
		stop = h.OnStage(s)
		h.Later(0)
		if said := strings.Join(s.Notice().Told, " "); !strings.Contains(said, "I was off then") || posts(s) != 1 {
			t.Errorf("after the jump the notice says %q, %d posts", said, posts(s))
		}
		h.Wait(-24 * time.Hour)
		restarts()
		if len(s.Notice().Buttons) == 0 {
			t.Errorf("after the jump back the notice is %+v", s.Notice())
		}
		goesTo(h, hour.Add(time.Minute))
		if posts(s) != 2 {
			t.Fatalf("%q", s.Requests())
		}
		h.Wait(-24 * time.Hour)
		restarts()
		goesTo(h, hour.Add(24*time.Hour))
		if posts(s) != 2 {
			t.Errorf("it was opened twice: %q", s.Requests())
		}
		goesTo(h, hour.Add(7*24*time.Hour))
		if posts(s) != 3 {
			t.Errorf("a week later there were %d posts", posts(s))
		}
	})
}

// TestALobbyWaitsForTheTableThatIsPlayed checks that a table in play is left alone for two hours at most.
func TestALobbyWaitsForTheTableThatIsPlayed(t *testing.T) {
	for _, c := range []struct {
		ends  time.Duration // after the hour; 0: never
		opens bool
	}{{time.Hour, true}, {0, false}} {
		bare.Bubble(t, func(t *testing.T) {
			h := bare.New(t)
			s := bare.NewStage()
			anna, _ := setsUp(t, h, s)
			goesTo(h, hour.Add(-10*time.Minute))
			ben := h.Person("Ben")
			if r := anna.Writes("/coin 5 turn=none"); r.Refused {
				t.Fatal(r.Toast)
			}
			ben.Sends(ben.Button("Join").Press)
			anna.Sends(anna.Button("▶ Start").Press)
			before := anna.Table()
			press := s.Notice().Buttons[0][0].Press
			anna.Sends(press)
			ben.Sends(press)
			goesTo(h, hour.Add(50*time.Minute))
			if now := anna.Table(); now.ID != before.ID || now.State != store.Playing {
				t.Fatalf("table %d is %s", now.ID, now.State)
			}
			if c.ends > 0 {
				goesTo(h, hour.Add(c.ends))
				for anna.Table().State == store.Playing {
					for _, p := range []*bare.Person{anna, ben} {
						p.Sends(fmt.Sprintf("1:%d:%d:throw", before.ID, anna.Table().Turn))
					}
				}
			}
			goesTo(h, hour.Add(3*time.Hour))
			if now := anna.Table(); (now.ID != before.ID) != c.opens || c.opens && now.Occasion != "evening 0 call" {
				t.Errorf("table %d is %s, for %q", now.ID, now.State, now.Occasion)
			}
		})
	}
}

// TestAWaitingLobbyFollowsChanges changes an evening while its lobby waits for a table that is being played: the lobby
// has the new stake, moves with the time, or does not open.
func TestAWaitingLobbyFollowsChanges(t *testing.T) {
	for _, c := range []struct {
		line  string
		opens time.Duration // after the hour; 0: never
		stake int64
	}{{"/evening friday 20:00 stake=3", 20 * time.Minute, 3}, {"1:0:0:/evening #set 1 21:00", time.Hour, 10},
		{"1:0:0:/evening #skip 1", 0, 0}, {"1:0:0:/evening #off 1", 0, 0}} {
		bare.Bubble(t, func(t *testing.T) {
			h := bare.New(t)
			s := bare.NewStage()
			anna, _ := setsUp(t, h, s)
			ben := h.Person("Ben")
			goesTo(h, hour.Add(-10*time.Minute))
			anna.Writes("/coin 5 turn=none")
			before := anna.Table()
			ben.Sends(ben.Button("Join").Press)
			anna.Sends(anna.Button("▶ Start").Press)
			come := func(start time.Time) {
				for _, p := range []*bare.Person{anna, ben} {
					p.Sends(fmt.Sprint("1:0:0:/evening #in 1 ", start.UnixMilli()))
				}
			}
			come(hour)
			goesTo(h, hour.Add(10*time.Minute))
			act := anna.Sends
			if strings.HasPrefix(c.line, "/") {
				act = anna.Writes
			}
			if r := act(c.line); r.Refused {
				t.Fatal(r.Toast)
			}
			come(hour.Add(time.Hour)) // refused, unless the time was changed
			goesTo(h, hour.Add(19*time.Minute))
			for anna.Table().State == store.Playing {
				for _, p := range []*bare.Person{anna, ben} {
					p.Sends(fmt.Sprintf("1:%d:%d:throw", before.ID, anna.Table().Turn))
				}
			}
			for at := 20 * time.Minute; at <= time.Hour; at += 20 * time.Minute {
				goesTo(h, hour.Add(at))
				if now := anna.Table(); now.ID != before.ID {
					if at != c.opens || now.Stake != c.stake {
						t.Errorf("%s: %v after the hour table %d opens, for %d", c.line, at, now.ID, now.Stake)
					}
					return
				}
			}
			if c.opens > 0 {
				t.Errorf("%s: no table opens; the notice says %q", c.line, s.Notice().Told)
			}
		})
	}
}

// pages is a stage whose boards are pages of browsers.
type pages struct{ *bare.Stage }

func (pages) Traits(chat.Place) chat.Traits { return chat.Traits{Pages: true} }

// TestALobbyWithPeopleStays checks that an evening leaves the lobby alone in which those who come sit already, also
// where the host of a lobby may choose another game at any time.
func TestALobbyWithPeopleStays(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		s := pages{bare.NewStage()}
		anna, _ := setsUp(t, h, s)
		goesTo(h, hour.Add(-10*time.Minute))
		anna.Pages = true
		ben := h.Person("Ben")
		anna.Writes("/coin")
		before := anna.Table()
		ben.Sends(fmt.Sprintf("1:%d:0:!join", before.ID))
		for _, p := range []*bare.Person{anna, ben} {
			p.Sends(fmt.Sprint("1:0:0:/evening #in 1 ", hour.UnixMilli()))
		}
		goesTo(h, hour.Add(time.Minute))
		if now := anna.Table(); now.ID != before.ID || len(now.Seats) != 2 {
			t.Errorf("table %d is %s for %q, with %d seats", now.ID, now.State, now.Occasion, len(now.Seats))
		}
		if said := strings.Join(s.Notice().Told, " "); !strings.Contains(said, "begun already") {
			t.Errorf("the notice says %q", said)
		}
	})
}
