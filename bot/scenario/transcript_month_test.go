package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes/needs"
	"knobel/store"
)

// A month of a group with a fixed evening and a monthly season: an evening, one with too few people, one that is
// skipped, the final, and the first evening of the next season. Between the evenings no message is posted that the
// script does not count.
func TestTheMonthOfAGroup(t *testing.T) {
	inBothLanguages(t, "month", Setting{Luck: "month"}, func(s *Stage, language string) *reader {
		said := func(en, de string) string { return map[string]string{"en": en, "de": de}[language] }
		anna, ben, clara := s.Person("Anna", language).Admin(), s.Person("Ben", language), s.Person("Clara", language)
		dora, emil := s.Person("Dora", language), s.Person("Emil", language)
		time.Sleep(2 * time.Minute)
		r := reads(s, anna, ben, clara, dora, emil)
		r.zone = berlin
		in, out := said("I'm in", "Bin dabei"), said("Not tonight", "Heute nicht")

		r.writes(anna, "/settings zone=Europe/Berlin")
		r.writes(anna, s.typed("/season monthly final=3", "/season name=monthly final=3"))
		r.writes(anna, s.typed(
			said("/evening Friday 20:00 game=coin stake=5", "/evening jeden Freitag 20 Uhr coin stake=5"),
			"/evening day=friday time=20:00 game=coin options=stake=5"))
		r.checkEvent(november(6))

		r.waits(november(6, 19), 1)
		r.presses(anna, in)
		r.presses(emil, in)
		r.presses(ben, in)
		r.presses(dora, out)
		r.presses(emil, out)
		r.presses(clara, in)
		r.waits(november(6, 20), 1)
		r.playLobby(anna, ben, clara)
		r.presses(anna, ":!rematch")
		r.playLobby(anna, ben, clara)
		r.waits(november(7, 10), 1)
		r.writes(ben, "/recap")

		r.waits(november(13, 19), 1)
		r.presses(dora, in)
		r.presses(ben, out)
		r.waits(november(13, 20), 0)
		r.waits(november(14, 12), 0)

		r.waits(november(18, 18), 0)
		r.writes(anna, "/evening")
		r.presses(anna, said("Not this week", "Diese Woche nicht"))
		r.checkEvent(november(20), november(20))
		r.waits(november(21, 12), 0)
		r.checkEvent(november(27), november(20))

		r.waits(november(27, 19), 1)
		for _, p := range []*Person{clara, anna, ben} {
			r.presses(p, in)
		}
		r.waits(november(27, 20), 1)
		r.playLobby(anna, ben, clara)
		r.waits(november(28, 10), 1)

		r.waits(november(31, 6), 0)
		r.writes(dora, "/season")
		r.writes(dora, "/leaderboard")
		r.waits(november(34, 19), 1)
		r.presses(emil, in)
		r.presses(dora, in)
		r.waits(november(34, 20), 1)
		r.playLobby(emil, dora)
		r.waits(november(35, 10), 0)
		r.writes(ben, "/leaderboard all")
		r.writes(ben, "/history seasons")
		r.writes(ben, "/evening")
		r.checkEvent(november(41), november(20))
		r.checkPins(4)
		return r
	})
}

// berlin is the time zone of the group.
var berlin = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return zone
}()

// november returns an hour of a day, by default eight in the evening, in November 2026; December begins with day 31.
func november(day int, hour ...int) time.Time {
	return time.Date(2026, time.November, day, append(hour, 20)[0], 0, 0, 0, berlin)
}

// typed returns the command as people type it, or as they fill in Discord's menu.
func (s *Stage) typed(line, menu string) string {
	if s.Name() == "Discord" {
		return menu
	}
	return line
}

// waits lets time pass in which people do nothing, until a quarter of a minute after an hour. The bot must post this
// many messages meanwhile. An hour before, it is started again; until then it is off, but for long runs.
func (r *reader) waits(hour time.Time, posts int) {
	r.Helper()
	before := r.posted()
	r.tick.Reset(time.Hour)
	if quiet := time.Until(hour) - 2*time.Hour; quiet > 0 {
		time.Sleep(time.Hour)
		if !needs.IsLong() { // its loops look every minute
			r.Stop()
		}
		time.Sleep(quiet)
		r.Restart()
	}
	time.Sleep(time.Until(hour.Add(glance / 3)))
	r.tick.Reset(glance)
	time.Sleep(time.Until(hour.Add(15 * time.Second)))
	if got := r.posted() - before; got != posts {
		r.Errorf("until %v there are %d posts, and not %d", hour, got, posts)
	}
}

// posted returns how many messages the bot has posted, without those that answer a command or a press on Discord.
func (s *Stage) posted() (n int) {
	switch place := s.Place.(type) {
	case *Channel:
		posts := place.Server.Requests("POST /channels/" + place.Channel.ID + "/messages")
		n = len(slices.DeleteFunc(posts, func(r discordtest.Request) bool { return r.Status >= 300 }))
	case *Group:
		n = len(place.Server.Calls("sendMessage", "sendPhoto"))
	}
	return n
}

// playLobby lets people join the newest lobby, starts the game and plays it.
func (r *reader) playLobby(people ...*Person) {
	r.Helper()
	for _, p := range people {
		r.presses(p, ":!join")
	}
	_, b := people[0].Finds(":!start")
	var table int64
	_, err := fmt.Sscanf(b.Data, "1:%d:", &table)
	check(r, err)
	r.presses(people[0], ":!start")
	for r.Table(table).State == store.Playing {
		mover := r.Table(table).Seats[r.moverOf(table)].Player
		r.presses(people[slices.IndexFunc(people, func(p *Person) bool { return p.ID() == mover })], ":throw")
	}
}

// checkEvent checks that the server has one event, which takes place next at a time, and does not at the times skipped.
func (r *reader) checkEvent(next time.Time, skipped ...time.Time) {
	r.Helper()
	c, ok := r.Place.(*Channel)
	if !ok {
		return
	}
	all := c.Guild.Events()
	created := 0
	for _, request := range c.Server.Requests("POST /guilds/") {
		if strings.HasSuffix(request.Path, "/scheduled-events") {
			created++
		}
	}
	if len(all) != 1 || created != 1 {
		r.Fatalf("the events are %+v", all)
	}
	e := all[0]
	if !e.Start.Equal(next) || e.End.Sub(e.Start) != 3*time.Hour || !strings.HasSuffix(e.Location, "/"+c.Channel.ID) ||
		!slices.EqualFunc(e.Canceled, skipped, time.Time.Equal) {
		r.Errorf("the event is %+v", e)
	}
}

// checkPins checks that each notice was pinned without a sound and unpinned again.
func (r *reader) checkPins(notices int) {
	r.Helper()
	g, ok := r.Place.(*Group)
	if !ok {
		return
	}
	var pinned, unpinned []string
	for _, c := range g.Server.Calls("pinChatMessage", "unpinChatMessage") {
		switch {
		case c.Method == "unpinChatMessage":
			unpinned = append(unpinned, c.Params["message_id"])
		default:
			pinned = append(pinned, c.Params["message_id"])
			if c.Params["disable_notification"] != "true" {
				r.Errorf("a pin makes a sound: %v", c.Params)
			}
		}
	}
	if len(pinned) != notices || !slices.Equal(pinned, unpinned) || len(g.Pins()) > 0 {
		r.Errorf("pinned: %v, unpinned: %v, still pinned: %v", pinned, unpinned, g.Pins())
	}
}
