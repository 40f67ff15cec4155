package discordtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Registered commands, and Discord's rules for them.

// Types of commands and options, and the largest size of a command in characters.
const (
	chatInput    = 1
	entryPoint   = 4 // opens the application's activity
	typeSub      = 1 // type of an option that is a subcommand
	commandChars = 8000
)

// named holds the common fields of commands, options and choices.
type named struct {
	Name         string            `json:"name"`
	Names        map[string]string `json:"name_localizations"`
	Description  string            `json:"description"`
	Descriptions map[string]string `json:"description_localizations"`
}

// commandBody is a command as a bot registers it.
type commandBody struct {
	named
	ID      string   `json:"id"`
	Type    int      `json:"type"`
	Options []option `json:"options"`
	// Installs are the integration types, and Contexts the kinds of places.
	Installs []int `json:"integration_types"`
	Contexts []int `json:"contexts"`
	// Handler is 1 if the bot answers a command that opens the activity, 2 if Discord does.
	Handler int `json:"handler"`
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
	commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}]+$`) // and at most 32 characters
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
	return duplicateName(commands, func(c commandBody) named { // names may repeat in different types
		n := c.named
		n.Name += fmt.Sprint(" ", max(c.Type, chatInput))
		return n
	})
}

// check returns the first rule that the command breaks, or "".
func (c commandBody) check() string {
	if c.Type == chatInput {
		if c.Description == "" {
			return "no description"
		}
		if why := c.checkName(); why != "" {
			return why
		}
	}
	if c.Type > chatInput && c.Type != entryPoint &&
		(c.Description != "" || len(c.Options) > 0 || len(c.Descriptions) > 0) {
		return "a description or options in a menu"
	}
	if n := c.size() + optionsSize(c.Options); n > commandChars {
		return fmt.Sprintf("%d characters, %d are allowed", n, commandChars)
	}
	if why := c.checkLocales(); why != "" {
		return why
	}
	return checkOptions(c.Options)
}

// checkOptions returns the first rule that the options of a command break, or "".
func checkOptions(options []option) string {
	names, voluntary := map[string]bool{}, false
	for _, o := range options {
		if (o.Type == typeSub) != (options[0].Type == typeSub) {
			return "subcommands and options beside each other"
		}
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
		called, values := map[string]bool{}, map[any]bool{}
		for _, c := range o.Choices {
			if called[c.Name] || values[c.Value] {
				return "option " + o.Name + ": choice " + c.Name + " twice"
			}
			called[c.Name], values[c.Value] = true, true
			if why := c.checkLocales(); why != "" {
				return "option " + o.Name + ": " + why
			}
		}
		if why := checkOptions(o.Options); why != "" {
			return why
		}
	}
	return duplicateName(options, func(o option) named { return o.named })
}

// duplicateName describes a name that two of all share in a locale, "" if none. Without a translation, Name counts.
func duplicateName[T any](all []T, nameOf func(T) named) string {
	for _, locale := range locales {
		seen := map[string]bool{}
		for _, sibling := range all {
			name := nameOf(sibling).Name
			if translated := nameOf(sibling).Names[locale]; translated != "" {
				name = translated
			}
			if seen[name] {
				return name + " twice in " + locale
			}
			seen[name] = true
		}
	}
	return ""
}

// checkName returns why a name is invalid, or "".
func (n named) checkName() string {
	all := []string{n.Name}
	for _, name := range n.Names {
		all = append(all, name)
	}
	for _, name := range all {
		if utf8.RuneCountInString(name) > 32 || !commandName.MatchString(name) || strings.ToLower(name) != name {
			return fmt.Sprintf("name %q", name)
		}
	}
	return ""
}

// checkLocales returns which locale of the translations is unknown, or "".
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

// size returns the number of characters as Discord counts them: of each text only the longest translation.
func (n named) size() int {
	return longest(n.Name, n.Names) + longest(n.Description, n.Descriptions)
}

// longest returns the number of characters of the longest of text and its translations.
func longest(text string, translations map[string]string) int {
	most := utf8.RuneCountInString(text)
	for _, other := range translations {
		most = max(most, utf8.RuneCountInString(other))
	}
	return most
}

// optionsSize returns the size of all options and their choices in characters.
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

// optionsOf returns the options of a command ("help") or subcommand ("settle why") in menu; false: no such command.
func optionsOf(menu []byte, command string) (options []option, known bool) {
	var all []commandBody
	if json.Unmarshal(menu, &all) != nil {
		return nil, false
	}
	name, row, _ := strings.Cut(command, " ")
	i := slices.IndexFunc(all, func(c commandBody) bool {
		return c.Name == name && max(c.Type, chatInput) == chatInput
	})
	if i < 0 {
		return nil, false
	}
	options = all[i].Options
	if row == "" {
		return options, true
	}
	i = slices.IndexFunc(options, func(o option) bool { return o.Name == row && o.Type == typeSub })
	if i < 0 {
		return nil, true
	}
	return options[i].Options, true
}

// findOption returns the option name of a command in menu, the zero option if it has none; false: no such command.
func findOption(menu []byte, command, name string) (option, bool) {
	options, known := optionsOf(menu, command)
	for _, o := range options {
		if o.Name == name {
			return o, true
		}
	}
	return option{}, known
}

// The registered commands.

// putCommands replaces all global commands. The caller holds the lock.
func (s *Server) putCommands(w http.ResponseWriter, r call) {
	had, given := entryPoints(s.commands), entryPoints(r.body)
	if len(had) > 0 && !slices.ContainsFunc(given, func(c commandBody) bool { return c.ID == had[0].ID }) {
		refuse(w, http.StatusBadRequest, 50240, "You cannot remove this app's Entry Point command in a bulk "+
			"update operation. Please include the Entry Point command in your update request or delete it "+
			"separately.")
		return
	}
	if loose := s.readCommands(w, r); loose != nil {
		s.commands, _ = json.Marshal(loose)
		s.commandWrites++
		answer(w, http.StatusOK, loose)
	}
}

// readCommands returns a list of commands as Discord stores it, or refuses an invalid one and returns nil.
func (s *Server) readCommands(w http.ResponseWriter, r call) []map[string]any {
	var commands []commandBody
	if err := json.Unmarshal(r.body, &commands); err != nil {
		s.bad(w, r, err.Error())
		return nil
	}
	why := checkCommands(commands)
	for _, c := range commands {
		why = cmp.Or(why, c.checkPlaces(s.o.Accounts))
	}
	why = cmp.Or(why, s.checkEntryPoints(entryPoints(r.body)))
	if why != "" {
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
		addDefaults(c)
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

// addDefaults adds to a command the defaults that Discord adds, and removes the fields that it does not return.
func addDefaults(c map[string]any) {
	for key, value := range c {
		list, isList := value.([]any)
		if value == nil || isList && len(list) == 0 || value == false && key != "nsfw" {
			delete(c, key)
			continue
		}
		for _, inner := range list {
			if o, ok := inner.(map[string]any); ok {
				addDefaults(o)
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
	return s.commandWrites
}

// Commands returns the bot's commands as a JSON list.
func (s *Server) Commands() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.commands)
}

// SetCommands registers commands, a JSON list, as another program could.
func (s *Server) SetCommands(list []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commands = bytes.Clone(list)
}
