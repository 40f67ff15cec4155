package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// named is what commands, options and choices have in common.
type named struct {
	Name         string            `json:"name"`
	Names        map[string]string `json:"name_localizations"`
	Description  string            `json:"description"`
	Descriptions map[string]string `json:"description_localizations"`
}

// commandBody is a command as a bot registers it.
type commandBody struct {
	named
	Type    int      `json:"type"`
	Options []option `json:"options"`
}

type option struct {
	named
	Type         int      `json:"type"`
	Required     bool     `json:"required"`
	Autocomplete bool     `json:"autocomplete"`
	Choices      []choice `json:"choices"`
	Options      []option `json:"options"`
	Least        *float64 `json:"min_value"`
	Most         *float64 `json:"max_value"`
}

type choice struct {
	named
	Value any `json:"value"`
}

var (
	commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}]{1,32}$`)
	locales     = strings.Fields("id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr " +
		"cs el bg ru uk hi th zh-CN ja zh-TW ko")
)

// checkCommands returns the first rule that a set of commands breaks, or "".
func checkCommands(commands []commandBody) string {
	seen, chat := map[string]bool{}, 0
	for _, c := range commands {
		if c.Type == 0 {
			c.Type = chatInput
		}
		if c.Type == chatInput {
			chat++
		}
		if why := c.check(); why != "" {
			return "/" + c.Name + ": " + why
		}
		key := fmt.Sprint(c.Type, c.Name)
		if seen[key] {
			return "/" + c.Name + " twice"
		}
		seen[key] = true
	}
	if chat > 100 {
		return fmt.Sprintf("%d commands, 100 are allowed", chat)
	}
	return ""
}

func (c commandBody) check() string {
	if c.Type == chatInput {
		if c.Description == "" {
			return "no description"
		}
		if why := c.checkName(); why != "" {
			return why
		}
	}
	if n := c.size() + optionsSize(c.Options); n > commandChars {
		return fmt.Sprintf("%d characters, %d are allowed", n, commandChars)
	}
	if why := c.checkLocales(); why != "" {
		return why
	}
	return checkOptions(c.Options)
}

func checkOptions(options []option) string {
	names, voluntary := map[string]bool{}, false
	for _, o := range options {
		if why := o.checkName(); why != "" {
			return why
		}
		if why := o.checkLocales(); why != "" {
			return why
		}
		switch {
		case names[o.Name]:
			return "option " + o.Name + " twice"
		case o.Required && voluntary:
			return "required option " + o.Name + " after others"
		case o.Autocomplete && len(o.Choices) > 0:
			return "option " + o.Name + " with choices and autocomplete"
		case o.Least != nil && o.Most != nil && *o.Least > *o.Most:
			return "option " + o.Name + " from more to less"
		}
		names[o.Name], voluntary = true, voluntary || !o.Required
		if why := checkChoices(o.Choices); why != "" {
			return "option " + o.Name + ": " + why
		}
		if why := checkOptions(o.Options); why != "" {
			return why
		}
	}
	return ""
}

func checkChoices(choices []choice) string {
	names, values := map[string]bool{}, map[any]bool{}
	for _, c := range choices {
		if names[c.Name] || values[c.Value] {
			return "choice " + c.Name + " twice"
		}
		names[c.Name], values[c.Value] = true, true
		if why := c.checkLocales(); why != "" {
			return why
		}
	}
	return ""
}

func (n named) checkName() string {
	all := []string{n.Name}
	for _, name := range n.Names {
		all = append(all, name)
	}
	for _, name := range all {
		if !commandName.MatchString(name) || strings.ToLower(name) != name {
			return fmt.Sprintf("name %q", name)
		}
	}
	return ""
}

func (n named) checkLocales() string {
	for _, words := range []map[string]string{n.Names, n.Descriptions} {
		for locale := range words {
			if !slices.Contains(locales, locale) {
				return "no language " + locale
			}
		}
	}
	return ""
}

// size counts characters as Discord does: of each text the longest language.
func (n named) size() int {
	return longest(n.Name, n.Names) + longest(n.Description, n.Descriptions)
}

func longest(text string, others map[string]string) int {
	most := utf8.RuneCountInString(text)
	for _, other := range others {
		most = max(most, utf8.RuneCountInString(other))
	}
	return most
}

func optionsSize(options []option) int {
	total := 0
	for _, o := range options {
		total += o.size() + optionsSize(o.Options)
		for _, c := range o.Choices {
			total += c.size()
			if text, ok := c.Value.(string); ok {
				total += utf8.RuneCountInString(text)
			}
		}
	}
	return total
}

// putCommands takes the whole set of global commands. The caller holds the
// lock.
func (s *Server) putCommands(w http.ResponseWriter, r call) {
	var commands []commandBody
	if err := json.Unmarshal(r.body, &commands); err != nil {
		s.bad(w, r, err.Error())
		return
	}
	if why := checkCommands(commands); why != "" {
		s.bad(w, r, why)
		return
	}
	var loose []map[string]any
	decoder := json.NewDecoder(bytes.NewReader(r.body))
	decoder.UseNumber()
	if err := decoder.Decode(&loose); err != nil {
		s.bad(w, r, err.Error())
		return
	}
	for _, c := range loose {
		complete(c)
		c["id"], c["application_id"], c["version"] = s.snowflake(), applicationID, s.snowflake()
		c["nsfw"] = false
		if _, said := c["default_member_permissions"]; !said {
			c["default_member_permissions"] = nil
		}
	}
	s.commands, _ = json.Marshal(loose)
	s.creates++
	answer(w, http.StatusOK, loose)
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
