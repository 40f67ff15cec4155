package evening_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
)

// calendar is a stage with events.
type calendar struct {
	*bare.Stage
	events map[string]chat.Occasion
	fault  error
	calls  int
	during func() // unless nil, runs once while an event is created
}

func (c *calendar) Traits(chat.Place) chat.Traits { return chat.Traits{Calendar: c} }

func (c *calendar) Schedule(_ context.Context, _ chat.Place, o chat.Occasion) (string, error) {
	c.calls++
	if c.fault != nil {
		return "", c.fault
	}
	if during := c.during; during != nil {
		c.during = nil
		during()
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

// TestAnEventFollowsChangesWhileItIsCreated checks that the event of an evening is deleted that was switched off while
// the platform created it, and shows the time of one that was changed meanwhile.
func TestAnEventFollowsChangesWhileItIsCreated(t *testing.T) {
	for press, want := range map[string]int{"#off 1": 0, "#set 1 21:00": 21} {
		bare.Bubble(t, func(t *testing.T) {
			h := bare.New(t)
			c := &calendar{Stage: bare.NewStage(), events: map[string]chat.Occasion{}}
			c.during = func() {
				anna := h.Person("Anna")
				anna.Admin = true
				if r := anna.Sends("1:0:0:/evening " + press); r.Refused {
					t.Error(r.Toast)
				}
			}
			setsUp(t, h, c)
			h.Later(time.Second)
			if c.during != nil {
				t.Fatal("no event was created")
			}
			if o, there := c.events["event"]; there != (want > 0) || o.Start.Hour() != want {
				t.Errorf("after %s the event is %+v", press, o)
			}
			all := bare.Stored(h, func(tx *store.Tx) ([]store.Row, error) {
				return tx.Calls.UnsyncedEvenings("test:", 9)
			})
			if len(all) > 0 {
				t.Errorf("after %s there is more to change: %v", press, all)
			}
		})
	}
}

// TestEveningsOfADeletedPlaceEnd checks that an evening ends quietly, with its event, once its channel is deleted, and
// that one of a chat that the bot has left goes on if the bot is added again.
func TestEveningsOfADeletedPlaceEnd(t *testing.T) {
	for place, want := range map[chat.Place]int{"test:1/1": 0, "test:1/2": 1, "": 1} {
		bare.Bubble(t, func(t *testing.T) {
			h := bare.New(t)
			c := &calendar{Stage: bare.NewStage(), events: map[string]chat.Occasion{}}
			setsUp(t, h, c)
			h.Later(time.Second)
			check := func(what string, got int) {
				if got != want {
					t.Errorf("place %q: %d %s, want %d", place, got, what, want)
				}
			}
			if err := h.Bot.Lost(t.Context(), "test:1", place); err != nil {
				t.Fatal(err)
			}
			goesTo(h, hour.Add(-time.Minute))
			check("notices", posts(c.Stage))
			check("events", len(c.events))
			check("evenings", len(bare.Stored(h, func(tx *store.Tx) ([]store.Evening, error) {
				return tx.Calls.EveningsOf("test:1")
			})))
		})
	}
}
