package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// The registered commands.

// putCommands takes the whole set of global commands. The caller holds the lock.
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

// readCommands parses a set of commands and returns it as Discord stores it, or refuses it and returns nil.
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
			c["default_member_permissions"] = fmt.Sprint(may) // it arrives as a number and is sent as a text
		}
	}
	return loose
}

// complete adds the defaults of a command as Discord does, and removes what it does not repeat.
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

// Registered returns how often the bot has written its commands.
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

// SetCommands registers commands like another program.
func (s *Server) SetCommands(list []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commands = bytes.Clone(list)
}
