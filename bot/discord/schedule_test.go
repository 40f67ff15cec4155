package discord

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
)

// calendar is a scene with a fixed evening in Berlin.
type calendar struct {
	*scene
	chat.Occasion
}

// newCalendar returns a calendar whose evening is at half past midnight, next week.
func newCalendar(t *testing.T) *calendar {
	s := pressing(t, discordtest.Options{})
	s.until("the bot knows itself", func() bool { return s.discord.me.Load() != nil })
	berlin, err := time.LoadLocation("Europe/Berlin")
	check(t, err)
	day := time.Now().In(berlin).AddDate(0, 0, 7)
	at := time.Date(day.Year(), day.Month(), day.Day(), 0, 30, 0, 0, berlin)
	return &calendar{s, chat.Occasion{Title: "Kniffel\n", About: "Every week. @everyone", Start: at,
		Weekday: at.Weekday()}}
}

// schedule writes the evening and returns how the error is to be understood.
func (c *calendar) schedule() string {
	event, err := c.discord.Traits(c.place()).Calendar.Schedule(c.ctx, c.place(), c.Occasion)
	if err == nil {
		c.Event = event
	}
	return platformtest.Meaning(err)
}

// shows compares the only event of the server.
func (c *calendar) shows(title string, start time.Time, canceled ...time.Time) discordtest.ScheduledEvent {
	c.Helper()
	all := c.guild.Events()
	if len(all) != 1 {
		c.Fatalf("the server has %d events", len(all))
	}
	e, link := all[0], "https://discord.com/channels/"+c.guild.ID+"/"+c.hall.ID
	if e.Name != title || e.Location != link || !e.Start.Equal(start) || !e.End.Equal(start.Add(3*time.Hour)) ||
		!slices.EqualFunc(e.Canceled, canceled, time.Time.Equal) {
		c.Errorf("the event is %+v", e)
	}
	return e
}

func TestAnEveningIsAnEvent(t *testing.T) {
	c := newCalendar(t)
	for range 2 { // the second time nothing changes
		if got := c.schedule(); got != "none" {
			t.Fatal(got)
		}
	}
	if e := c.shows("Kniffel", c.Start); e.About != "Every week. @\u2060everyone" {
		t.Errorf("it says %q", e.About)
	}
	second := c.Start.Add(week)
	c.Skipped = []time.Time{c.Start.Add(-week), second, second.Add(time.Hour)}
	c.schedule()
	c.schedule()
	c.shows("Kniffel", c.Start, second)
	c.Skipped, c.Title = nil, "Yahtzee"
	c.schedule()
	c.shows("Yahtzee", c.Start)
	c.Start = c.Start.Add(time.Hour) // as when the chat's zone changes its clock
	c.Skipped = []time.Time{c.Start}
	c.schedule()
	c.shows("Yahtzee", c.Start, c.Start)
	if n := len(c.server.Requests("PATCH /guilds")); n != 2 {
		t.Errorf("%d changes", n)
	}
	for range 2 { // the second time it is gone
		check(t, c.discord.Unschedule(c.ctx, c.place(), c.Event))
	}
	if all := c.guild.Events(); len(all) > 0 {
		t.Errorf("left are %v", all)
	}
}

// TestALostResponseMakesNoSecondEvent checks that an event whose creation or change had no response is found again.
func TestALostResponseMakesNoSecondEvent(t *testing.T) {
	c := newCalendar(t)
	for _, method := range []string{"POST", "PATCH"} {
		c.Title = method
		c.server.Fail(discordtest.Fault{On: method + " /guilds", Cut: true, After: true})
		if got := c.schedule(); got != "other" {
			t.Errorf("the lost response of %s: %s", method, got)
		}
		if got := c.schedule(); got != "none" {
			t.Errorf("the next try after %s: %s", method, got)
		}
		c.shows(method, c.Start)
	}
}

// TestAnEventRecursByItself checks that an event that is over or takes place is not taken for one that others changed,
// and that another time waits for its end.
func TestAnEventRecursByItself(t *testing.T) {
	c := newCalendar(t)
	c.schedule()
	c.server.Advance(time.Until(c.Start) + time.Hour)
	if got := c.schedule(); got != "none" {
		t.Error(got)
	}
	c.Title = "Yahtzee"
	_, err := c.discord.Schedule(c.ctx, c.place(), c.Occasion)
	if _, ok := errors.AsType[chat.Later](err); !ok {
		t.Errorf("while it takes place: %v", err)
	}
	c.server.Advance(2 * time.Hour)
	c.Start = c.Start.Add(week)
	if got := c.schedule(); got != "none" {
		t.Error(got)
	}
	c.shows("Yahtzee", c.Start)
}

// TestASkippedTimeStaysCanceled checks that a time is still left out once it has begun and the next one is planned.
func TestASkippedTimeStaysCanceled(t *testing.T) {
	c := newCalendar(t)
	begun := c.Start
	c.Skipped = []time.Time{begun}
	c.schedule()
	c.server.Advance(time.Until(begun) + time.Minute)
	c.Start, c.Skipped = begun.Add(week), nil
	if got := c.schedule(); got != "none" {
		t.Error(got)
	}
	c.shows("Kniffel", begun, begun)
}

// TestEventsOfOthersStay checks that an event that people have changed or deleted is left alone.
func TestEventsOfOthersStay(t *testing.T) {
	c := newCalendar(t)
	c.schedule()
	skipped := c.Start.Add(week)
	id := c.guild.Events()[0].ID
	c.guild.ChangeEvent(id, func(e *discordtest.ScheduledEvent) { e.Canceled = append(e.Canceled, skipped.UTC()) })
	if got := c.schedule(); got != "none" {
		t.Error(got)
	}
	c.shows("Kniffel", c.Start, skipped)
	c.guild.ChangeEvent(id, func(e *discordtest.ScheduledEvent) { e.Name = "Dice" })
	c.Title = "Yahtzee"
	if got := c.schedule(); got != "gone" {
		t.Errorf("a changed one: %s", got)
	}
	check(t, c.discord.Unschedule(c.ctx, c.place(), c.Event))
	c.shows("Dice", c.Start, skipped)
	c.guild.DeleteEvent(id)
	if got := c.schedule(); got != "gone" {
		t.Errorf("a deleted one: %s", got)
	}
}

// TestWhereEventsCannotBe checks the errors without the permission, at the limit of a server, outside of servers and
// when Discord asks to wait.
func TestWhereEventsCannotBe(t *testing.T) {
	c := newCalendar(t)
	c.server.Fail(discordtest.Fault{On: "POST /guilds", Status: 429, RetryAfter: 2})
	if got := c.schedule(); got != "2.001s" {
		t.Errorf("too many requests: %s", got)
	}
	if wait := c.discord.paces.pauseLeft(c.hall.ID); wait > 0 {
		t.Errorf("boards wait %v", wait)
	}
	direct := placeID("", c.server.Direct().ID)
	if _, err := c.discord.Schedule(c.ctx, direct, c.Occasion); !errors.Is(err, chat.ErrAway) {
		t.Errorf("in a direct message: %v", err)
	}
	c.server.Fail(discordtest.Fault{On: "POST /guilds", Status: 400, Code: 30038})
	if got := c.schedule(); got != "away" {
		t.Errorf("at the limit: %s", got)
	}
	c.guild.Deny(discordtest.CreateEvents)
	if got := c.schedule(); got != "away" {
		t.Errorf("without the permission: %s", got)
	}
	found, err := c.discord.Consult(c.ctx, chatID(c.guild.ID, ""), nil)
	check(t, err)
	said := fmt.Sprint(found)
	if !strings.Contains(said, "bot.stands.evening.events") || strings.Contains(said, "true") {
		t.Errorf("found is %s", said)
	}
}
