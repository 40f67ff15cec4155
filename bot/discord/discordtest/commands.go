package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// The registered commands: those of all servers, and those of single ones.

// putCommands takes the whole set of global commands. The caller holds the
// lock.
func (s *Server) putCommands(w http.ResponseWriter, r call) {
	var had, given []commandBody
	_, _ = json.Unmarshal(s.commands, &had), json.Unmarshal(r.body, &given)
	for _, c := range had {
		kept := func(g commandBody) bool { return g.Type == entryPoint && g.ID == c.ID }
		if c.Type == entryPoint && !slices.ContainsFunc(given, kept) {
			refuse(w, http.StatusBadRequest, 50240, "You cannot remove this app's Entry Point command in a bulk "+
				"update operation. Please include the Entry Point command in your update request or delete it "+
				"separately.")
			return
		}
	}
	if loose := s.readCommands(w, r); loose != nil {
		s.commands, _ = json.Marshal(loose)
		s.creates++
		answer(w, http.StatusOK, loose)
	}
}

// readCommands reads a set of commands and returns it as Discord keeps it, or refuses it and returns nil.
func (s *Server) readCommands(w http.ResponseWriter, r call) []map[string]any {
	var commands []commandBody
	if err := json.Unmarshal(r.body, &commands); err != nil {
		s.bad(w, r, err.Error())
		return nil
	}
	if why := checkCommands(commands); why != "" {
		s.bad(w, r, why)
		return nil
	}
	if s.o.English && bytes.Contains(r.body, []byte("_localizations")) {
		refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body: localizations are not taken")
		return nil
	}
	loose := []map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(r.body))
	decoder.UseNumber()
	if err := decoder.Decode(&loose); err != nil {
		s.bad(w, r, err.Error())
		return nil
	}
	for _, c := range loose {
		given := maps.Clone(c)
		complete(c)
		if _, kept := c["id"]; !kept {
			c["id"] = s.snowflake()
		}
		c["application_id"], c["version"] = applicationID, s.snowflake()
		c["nsfw"] = false
		c["default_member_permissions"] = nil
		if may, said := given["default_member_permissions"]; said && may != nil {
			c["default_member_permissions"] = fmt.Sprint(may) // a number goes in, a text comes out
		}
	}
	return loose
}

// complete fills in what Discord says of a command that the bot left out, and
// leaves out what it does not repeat.
func complete(c map[string]any) {
	for key, value := range c {
		list, isList := value.([]any)
		if value == nil || isList && len(list) == 0 || value == false && key != "nsfw" {
			delete(c, key)
			continue
		}
		for _, inner := range list {
			if o, ok := inner.(map[string]any); ok {
				complete(o)
			}
		}
	}
	if _, ok := c["type"]; !ok && c["value"] == nil {
		c["type"] = chatInput
	}
}

// Registered says how often the bot has written its commands.
func (s *Server) Registered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.creates
}

// Commands returns the JSON list of the bot's commands.
func (s *Server) Commands() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.commands)
}

// SetCommands registers commands as if another program had.
func (s *Server) SetCommands(list []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commands = bytes.Clone(list)
}

// MaxMade is how many commands that are new in a server Discord takes in a day.
const MaxMade = 200

// ownOf are the commands of the server that a request is about; nil: the bot is not in it, which is refused.
func (s *Server) ownOf(w http.ResponseWriter, c call) *own {
	for _, g := range s.guilds {
		if g.ID == c.parts[3] && !g.gone && !g.closed {
			return &g.own
		}
	}
	refuse(w, http.StatusForbidden, 50001, "Missing Access")
	return nil
}

func (s *Server) getOwnCommands(w http.ResponseWriter, c call) {
	if g := s.ownOf(w, c); g != nil {
		s.answerCommands(w, c, g.list)
	}
}

// putOwnCommands takes the whole set of commands of a server. The caller holds the lock.
func (s *Server) putOwnCommands(w http.ResponseWriter, c call) {
	g := s.ownOf(w, c)
	if g == nil {
		return
	}
	loose := s.readCommands(w, c)
	if loose == nil {
		return
	}
	var had []map[string]any
	_ = json.Unmarshal(g.list, &had)
	known := func(one map[string]any) bool {
		return slices.ContainsFunc(had, func(h map[string]any) bool {
			return h["name"] == one["name"] && fmt.Sprint(h["type"]) == fmt.Sprint(one["type"])
		})
	}
	g.made = slices.DeleteFunc(g.made, func(at time.Time) bool { return s.now().Sub(at) >= 24*time.Hour })
	made := g.made
	for _, command := range loose {
		if command["contexts"] != nil || command["integration_types"] != nil {
			s.violate(c.what(), "/%s has contexts, which commands of a server have not", command["name"])
		}
		if !known(command) {
			made = append(made, s.now())
		}
		command["guild_id"], command["contexts"], command["integration_types"] = c.parts[3], nil, []int{0}
	}
	if len(made) > MaxMade {
		refuse(w, http.StatusBadRequest, 30034,
			fmt.Sprintf("Max number of daily application command creates has been reached (%d)", MaxMade))
		return
	}
	g.made = made
	g.list, _ = json.Marshal(loose)
	g.writes++
	answer(w, http.StatusOK, loose)
}

// Commands returns the JSON list of the bot's commands of the server, nil before the first.
func (g *Guild) Commands() []byte {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	return bytes.Clone(g.own.list)
}

// Registered says how often the bot has written the commands of the server.
func (g *Guild) Registered() int {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	return g.own.writes
}

// Make lets so many commands have been new in the server by now, as if another program had made and taken them away.
func (g *Guild) Make(many int) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	for range many {
		g.own.made = append(g.own.made, g.s.now())
	}
}

// Close has the bot be in the server without the right to register commands there.
func (g *Guild) Close(closed bool) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.closed = closed
}
