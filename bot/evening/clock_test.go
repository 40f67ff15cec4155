package evening_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// calendar is a stage with events.
type calendar struct {
	*bare.Stage
	events map[string]chat.Occasion
	fault  error
	calls  int
}

func (c *calendar) Traits(chat.Place) chat.Traits { return chat.Traits{Calendar: c} }

func (c *calendar) Schedule(_ context.Context, _ chat.Place, o chat.Occasion) (string, error) {
	c.calls++
	if c.fault != nil {
		return "", c.fault
	}
	if o.Event == "" {
		o.Event = "event"
	}
	c.events[o.Event] = o
	return o.Event, nil
}

func (c *calendar) Unschedule(_ context.Context, _ chat.Place, event string) error {
	delete(c.events, event)
	return nil
}

// TestEventsAreKeptInStep checks the event of an evening as it is changed, skipped, set by another zone and switched
// off, and that an event that others have changed is left alone.
func TestEventsAreKeptInStep(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		c := &calendar{Stage: bare.NewStage(), events: map[string]chat.Occasion{}, fault: chat.ErrAway}
		anna, _ := setsUp(t, h, c)
		h.Later(time.Hour)
		if c.calls != 1 || len(c.events) != 0 {
			t.Fatalf("without rights there are %d calls, %v", c.calls, c.events)
		}
		c.fault = nil
		if r := anna.Writes("/evening friday 20:00 stake=5"); r.Refused {
			t.Fatal(r.Toast)
		}
		h.Later(0)
		if o := c.events["event"]; !o.Start.Equal(hour) || o.Weekday != time.Friday || o.Title != "Coin with Knobel" {
			t.Errorf("the event is %+v", o)
		}
		anna.Sends("1:0:0:/evening #skip 1")
		h.Later(0)
		if o := c.events["event"]; !slices.ContainsFunc(o.Skipped, hour.Equal) {
			t.Errorf("the event is %+v", o)
		}
		goesTo(h, hour.Add(time.Hour))
		if o := c.events["event"]; len(o.Skipped) != 0 || !o.Start.Equal(hour.AddDate(0, 0, 7)) {
			t.Errorf("the event is %+v", o)
		}
		anna.Writes("/settings zone=Europe/Berlin")
		h.Later(0)
		if o := c.events["event"]; !o.Start.Equal(hour.AddDate(0, 0, 7).Add(-time.Hour)) {
			t.Errorf("the event is %+v", o)
		}
		goesTo(h, time.Date(2024, 3, 29, 20, 0, 0, 0, time.UTC)) // the clock is set on the 31st
		if o := c.events["event"]; !o.Start.Equal(time.Date(2024, 4, 5, 18, 0, 0, 0, time.UTC)) {
			t.Errorf("the event is %+v", o)
		}
		before := c.calls
		c.fault = errors.New("broken")
		anna.Sends("1:0:0:/evening #set 1 21:00")
		h.Later(0)
		c.fault = nil
		h.Later(6 * time.Minute)
		if o := c.events["event"]; c.calls != before+2 || o.Start.Hour() != 21 {
			t.Errorf("after %d calls the event is %+v", c.calls-before, o)
		}
		c.fault = chat.ErrGone
		anna.Sends("1:0:0:/evening #set 1 saturday")
		h.Later(0)
		c.fault = nil
		anna.Sends("1:0:0:/evening #set 1 sunday")
		h.Later(0)
		if o := c.events["event"]; o.Weekday != time.Friday {
			t.Errorf("the event of others is %+v", o)
		}
		anna.Sends("1:0:0:/evening #off 1")
		h.Later(0)
		if _, there := c.events["event"]; !there {
			t.Error("the event of others is gone")
		}
		anna.Writes("/evening friday 20:00")
		h.Later(0)
		anna.Sends("1:0:0:/evening #off 2")
		h.Later(0)
		if _, there := c.events["event"]; there {
			t.Error("the event is still there")
		}
	})
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
