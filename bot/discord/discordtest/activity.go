package discordtest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
)

// Activities: the page of the application in a frame of Discord's clients, for the people of a channel.

// flagEmbedded is the flag of an application that has activities.
const flagEmbedded = 1 << 17

// Activity is an instance of the application's activity that runs in a channel.
type Activity struct {
	// ID is the instance's id, as the page gets it from the client.
	ID string

	channel  *Channel
	launch   string
	location map[string]any
	people   []*Person
	ended    bool
}

// instanceID matches ids of instances. The bot must not ask for any other.
var instanceID = regexp.MustCompile(`^[A-Za-z0-9-]{1,128}$`)

// Activity returns a new instance of the activity in the channel, with these people in it.
func (c *Channel) Activity(people ...*Person) *Activity {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.activity(people...)
}

// activity is Activity for callers that hold the lock.
func (c *Channel) activity(people ...*Person) *Activity {
	id := "pc-" + c.ID
	at := map[string]any{"kind": "pc", "channel_id": c.ID}
	if c.guild != nil {
		id = "gc-" + c.guild.ID + "-" + c.ID
		at["kind"], at["guild_id"] = "gc", c.guild.ID
	}
	at["id"] = id
	a := &Activity{channel: c, launch: c.s.snowflake(), location: at, people: slices.Clone(people)}
	a.ID = "i-" + a.launch + "-" + id
	c.s.activities = append(c.s.activities, a)
	return a
}

// launch adds p to the newest activity that runs in the channel, or to a new one. The caller holds the lock.
func (c *Channel) launch(p *Person) *Activity {
	for _, a := range slices.Backward(c.s.activities) {
		if a.channel == c && !a.ended {
			a.add(p)
			return a
		}
	}
	return c.activity(p)
}

// Join adds p to the activity.
func (a *Activity) Join(p *Person) { a.change(func() { a.add(p) }) }

func (a *Activity) add(p *Person) {
	if !slices.Contains(a.people, p) {
		a.people = append(a.people, p)
	}
}

// Leave removes p from the activity, which goes on.
func (a *Activity) Leave(p *Person) {
	a.change(func() { a.people = slices.DeleteFunc(a.people, func(in *Person) bool { return in == p }) })
}

// End ends the activity.
func (a *Activity) End() { a.change(func() { a.ended = true }) }

func (a *Activity) change(do func()) {
	a.channel.s.mu.Lock()
	defer a.channel.s.mu.Unlock()
	do()
	a.channel.s.Tell()
}

// getActivity describes a running activity. The caller holds the lock.
func (s *Server) getActivity(w http.ResponseWriter, c call) {
	id := c.parts[3]
	if !instanceID.MatchString(id) {
		s.bad(w, c, "that is no id of an instance")
		return
	}
	for _, a := range s.activities {
		if a.ID != id || a.ended {
			continue
		}
		users := []string{}
		for _, p := range a.people {
			users = append(users, p.ID)
		}
		answer(w, http.StatusOK, map[string]any{"application_id": applicationID, "instance_id": id,
			"launch_id": a.launch, "location": a.location, "users": users})
		return
	}
	refuse(w, http.StatusNotFound, 0, "404: Not Found")
}

// The command that opens the activity.

// EnableActivities enables activities, as an operator does in the portal. Discord adds the command that opens them.
func (s *Server) EnableActivities() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.o.Embedded = true
	if len(entryPoints(s.commands)) > 0 {
		return
	}
	var all []json.RawMessage
	_ = json.Unmarshal(s.commands, &all)
	installs := []int{0}
	if s.o.Accounts {
		installs = []int{0, 1}
	}
	command, _ := json.Marshal(map[string]any{"id": s.snowflake(), "application_id": applicationID,
		"version": s.snowflake(), "type": entryPoint, "name": "launch", "description": "", "handler": 2,
		"contexts": []int{0, 1, 2}, "integration_types": installs, "default_member_permissions": nil, "nsfw": false})
	s.commands, _ = json.Marshal(append(all, command))
}

// entryPoints returns the commands in list, which is JSON, that open the activity.
func entryPoints(list []byte) []commandBody {
	var all []commandBody
	_ = json.Unmarshal(list, &all) // the registration has checked it
	return slices.DeleteFunc(all, func(c commandBody) bool { return c.Type != entryPoint })
}

// checkEntryPoints returns the first rule that commands which open the activity break, or "". One that is registered
// may stay without activities. The caller holds the lock.
func (s *Server) checkEntryPoints(given []commandBody) string {
	switch {
	case len(given) == 0:
	case len(given) > 1:
		return "a second command that opens the activity"
	case given[0].Handler == 0:
		return "no handler of the command that opens the activity"
	case !s.o.Embedded && len(entryPoints(s.commands)) == 0:
		return "activities are not enabled"
	}
	return ""
}
