package discordtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Scheduled events of servers.

const (
	maxEvents = 100
	week      = 7 * 24 * time.Hour
)

// ScheduledEvent is a weekly event of a server, as people see it.
type ScheduledEvent struct {
	ID                    string
	Name, About, Location string
	// Start and End are those of the next or present time, by UTC.
	Start, End time.Time
	// Canceled are the starts of those times that do not take place.
	Canceled []time.Time
}

// event is an event as the server stores it.
type event struct {
	ScheduledEvent
	by    string // the id of the creator
	begun time.Time
}

// Events returns the server's events, oldest first.
func (g *Guild) Events() (all []ScheduledEvent) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	for _, e := range g.events {
		e.roll(g.s.now())
		shown := e.ScheduledEvent
		shown.Canceled = slices.Clone(e.Canceled)
		all = append(all, shown)
	}
	return all
}

// ChangeEvent changes the event with this id as a person does.
func (g *Guild) ChangeEvent(id string, change func(*ScheduledEvent)) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	for _, e := range g.events {
		if e.ID == id {
			change(&e.ScheduledEvent)
		}
	}
}

// DeleteEvent deletes the event with this id as a person does.
func (g *Guild) DeleteEvent(id string) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.events = slices.DeleteFunc(g.events, func(e *event) bool { return e.ID == id })
}

// roll moves e to its next time if the present one has ended.
func (e *event) roll(now time.Time) {
	for !now.Before(e.End) {
		e.Start, e.End = e.Start.Add(week), e.End.Add(week)
	}
}

// exceptionID returns the id of an exception: it contains the start of the time that it is about.
func exceptionID(at time.Time) string { return strconv.FormatInt((at.UnixMilli()-epoch)<<22, 10) }

// json returns the event as Discord sends it.
func (e *event) json(guild string, now time.Time) map[string]any {
	e.roll(now)
	status := 1
	if !now.Before(e.Start) {
		status = 2
	}
	exceptions := []any{}
	for _, at := range e.Canceled {
		exceptions = append(exceptions, e.exception(at))
	}
	return map[string]any{
		"id": e.ID, "guild_id": guild, "name": e.Name, "description": e.About, "channel_id": nil, "creator_id": e.by,
		"image": nil, "scheduled_start_time": e.Start.Format(time.RFC3339), "status": status,
		"scheduled_end_time": e.End.Format(time.RFC3339), "entity_type": 3, "entity_id": nil, "privacy_level": 2,
		"entity_metadata":                  map[string]any{"location": e.Location},
		"guild_scheduled_event_exceptions": exceptions,
		"recurrence_rule": map[string]any{"start": e.begun.Format(time.RFC3339), "end": nil, "frequency": 2,
			"interval": 1, "by_weekday": []int{weekday(e.Start)}, "count": nil},
	}
}

// exception returns an exception of e as Discord sends it.
func (e *event) exception(at time.Time) map[string]any {
	return map[string]any{"event_id": e.ID, "event_exception_id": exceptionID(at), "scheduled_start_time": nil,
		"scheduled_end_time": nil, "is_canceled": true}
}

// weekday returns the day of the week by UTC, 0 is Monday.
func weekday(at time.Time) int { return (int(at.UTC().Weekday()) + 6) % 7 }

// mayCreate refuses a call of g if the bot may not create events, and reports whether it may. The caller holds s.mu.
func (g *Guild) mayCreate(w http.ResponseWriter) bool {
	if g.denied&CreateEvents != 0 {
		refuse(w, http.StatusForbidden, 50013, "Missing Permissions")
	}
	return g.denied&CreateEvents == 0
}

func (s *Server) getEvents(w http.ResponseWriter, c call) {
	if g := s.guildOf(w, c); g != nil {
		all := []any{}
		for _, e := range g.events {
			all = append(all, e.json(g.ID, s.now()))
		}
		answer(w, http.StatusOK, all)
	}
}

// eventOf returns the server and event of a call. To change it, the bot must be its creator. It refuses the call (nil)
// otherwise.
func (s *Server) eventOf(w http.ResponseWriter, c call) (*Guild, *event) {
	g := s.guildOf(w, c)
	if g == nil || c.method != http.MethodGet && !g.mayCreate(w) {
		return nil, nil
	}
	i := slices.IndexFunc(g.events, func(e *event) bool { return e.ID == c.parts[3] })
	switch {
	case i < 0:
		refuse(w, http.StatusNotFound, 10070, "Unknown Guild Scheduled Event")
	case c.method != http.MethodGet && g.events[i].by != applicationID:
		s.Violate(c.what(), "the event is not the bot's")
		refuse(w, http.StatusForbidden, 50013, "Missing Permissions")
	default:
		g.events[i].roll(s.now())
		return g, g.events[i]
	}
	return nil, nil
}

func (s *Server) getEvent(w http.ResponseWriter, c call) {
	if g, e := s.eventOf(w, c); e != nil {
		answer(w, http.StatusOK, e.json(g.ID, s.now()))
	}
}

func (s *Server) postEvent(w http.ResponseWriter, c call) {
	g := s.guildOf(w, c)
	switch {
	case g == nil || !g.mayCreate(w):
	case len(g.events) >= maxEvents:
		refuse(w, http.StatusBadRequest, 30038, "Maximum number of uncompleted guild scheduled events reached (100)")
	default:
		e := &event{by: applicationID}
		if e.ID = s.snowflake(); s.writeEvent(w, c, e) {
			g.events = append(g.events, e)
			answer(w, http.StatusOK, e.json(g.ID, s.now()))
		}
	}
}

func (s *Server) patchEvent(w http.ResponseWriter, c call) {
	if g, e := s.eventOf(w, c); e != nil && s.writeEvent(w, c, e) {
		answer(w, http.StatusOK, e.json(g.ID, s.now()))
	}
}

// writeEvent sets e to the body of a call, or refuses a body that breaks a rule that api.txt cannot express. Another
// time removes all exceptions.
func (s *Server) writeEvent(w http.ResponseWriter, c call, e *event) bool {
	var b struct {
		Name  string    `json:"name"`
		About string    `json:"description"`
		Start time.Time `json:"scheduled_start_time"`
		End   time.Time `json:"scheduled_end_time"`
		Where struct {
			Location string `json:"location"`
		} `json:"entity_metadata"`
		Rule struct {
			Start time.Time `json:"start"`
			Days  []int     `json:"by_weekday"`
		} `json:"recurrence_rule"`
	}
	err := json.Unmarshal(c.body, &b)
	wrong := ""
	switch {
	case err != nil:
		wrong = err.Error()
	case !b.Start.After(s.now()):
		wrong = "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST"
	case !b.End.After(b.Start):
		wrong = "an event ends after its start"
	case !b.Rule.Start.Equal(b.Start):
		wrong = "an event recurs from its start"
	case b.Rule.Days[0] != weekday(b.Start):
		wrong = "an event recurs on the weekday of its start, by UTC"
	case strings.TrimSpace(b.Name) == "":
		wrong = "an event needs a name"
	case !e.Start.IsZero() && !s.now().Before(e.Start):
		wrong = "the event is active"
	}
	if wrong != "" {
		s.bad(w, c, wrong)
		return false
	}
	if !b.Start.Equal(e.Start) {
		e.Canceled = nil
	}
	e.Name, e.About, e.Location = b.Name, strings.TrimSpace(b.About), b.Where.Location
	e.Start, e.End, e.begun = b.Start.UTC(), b.End.UTC(), b.Rule.Start.UTC()
	s.Tell()
	return true
}

func (s *Server) deleteEvent(w http.ResponseWriter, c call) {
	if g, e := s.eventOf(w, c); e != nil {
		g.events = slices.DeleteFunc(g.events, func(other *event) bool { return other == e })
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) postException(w http.ResponseWriter, c call) {
	_, e := s.eventOf(w, c)
	var b struct {
		At time.Time `json:"original_scheduled_start_time"`
	}
	switch err := json.Unmarshal(c.body, &b); {
	case e == nil:
	case err != nil:
		s.bad(w, c, err.Error())
	case b.At.Before(e.Start) || b.At.Sub(e.Start)%week != 0:
		s.bad(w, c, "the event does not begin then")
	case slices.ContainsFunc(e.Canceled, b.At.Equal):
		s.bad(w, c, "there is an exception already")
	default:
		e.Canceled = append(e.Canceled, b.At.UTC())
		answer(w, http.StatusOK, e.exception(b.At))
	}
}

func (s *Server) deleteException(w http.ResponseWriter, c call) {
	_, e := s.eventOf(w, c)
	if e == nil {
		return
	}
	i := slices.IndexFunc(e.Canceled, func(at time.Time) bool { return exceptionID(at) == c.parts[5] })
	if i < 0 {
		refuse(w, http.StatusNotFound, 10070, "Unknown Guild Scheduled Event Exception")
		return
	}
	e.Canceled = slices.Delete(e.Canceled, i, i+1)
	w.WriteHeader(http.StatusNoContent)
}
