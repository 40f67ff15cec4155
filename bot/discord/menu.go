package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// Slash commands in all of Discord's languages, and their registration.

// english is the code of the language that Discord shows if a name or description has no translation.
const english = "en"

// knownLocales are Discord's locales; it refuses others.
const knownLocales = " id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg " +
	"ru uk hi th zh-CN ja zh-TW ko "

// locales maps Knobel's language codes to Discord's locales. English has both of its locales: Discord uses each only in
// place of the other.
type locales map[string][]string

// newLocales returns the locales of these languages, without those that Discord does not have.
func newLocales(languages []chat.Language) locales {
	all := locales{}
	for _, l := range languages {
		all[l.Code] = slices.DeleteFunc(slices.Clone(l.Locales), func(locale string) bool {
			return !strings.Contains(knownLocales, " "+locale+" ")
		})
	}
	return all
}

// Limits: choices of an option, and characters of names and descriptions.
const (
	maxChoices = 25
	maxName    = 32
	maxAbout   = 100
)

// command is a slash command, or an entry in the menus of people or messages, in Discord's JSON.
type command struct {
	Name     string                           `json:"name"`
	Names    map[string]string                `json:"name_localizations,omitempty"`
	Type     discordgo.ApplicationCommandType `json:"type"`
	About    string                           `json:"description,omitempty"`
	Abouts   map[string]string                `json:"description_localizations,omitempty"`
	Options  []parameter                      `json:"options,omitempty"`
	Contexts []int                            `json:"contexts,omitempty"`
	Installs []int                            `json:"integration_types,omitempty"`
	Needs    json.Number                      `json:"default_member_permissions,omitempty"`
}

// parameter is an option or a subcommand of a command in Discord's JSON.
type parameter struct {
	Type     discordgo.ApplicationCommandOptionType `json:"type"`
	Name     string                                 `json:"name"`
	Names    map[string]string                      `json:"name_localizations,omitempty"`
	About    string                                 `json:"description"`
	Abouts   map[string]string                      `json:"description_localizations,omitempty"`
	Choices  []choice                               `json:"choices,omitempty"`
	Required bool                                   `json:"required,omitempty"`
	Complete bool                                   `json:"autocomplete,omitempty"`
	Options  []parameter                            `json:"options,omitempty"`
	Least    *float64                               `json:"min_value,omitempty"`
	Most     *float64                               `json:"max_value,omitempty"`
}

// choice is one of the values that an option offers, in Discord's JSON.
type choice struct {
	Name  string            `json:"name"`
	Names map[string]string `json:"name_localizations,omitempty"`
	Value string            `json:"value"`
}

// menu returns the commands and their entries in the menus of people and messages as Discord registers them.
func (t locales) menu(commands []chat.Command) []command {
	all := []command{}
	called := t.unlike(len(commands), func(i int) (string, map[string]string) {
		return commands[i].Name, commands[i].Called
	})
	for i, c := range commands {
		said := command{Name: c.Name, Names: called[i], Type: discordgo.ChatApplicationCommand,
			Contexts: []int{0, 1}, Installs: []int{0}}
		said.About, said.Abouts = t.translated(c.About, c.Name)
		if c.Admins {
			said.Needs = json.Number(strconv.Itoa(discordgo.PermissionManageGuild))
		}
		if len(c.Rows) == 0 {
			said.Options = t.parameters(c.Options)
		}
		called := t.unlike(len(c.Rows), func(i int) (string, map[string]string) {
			return c.Rows[i].Name, c.Rows[i].Called
		})
		for j, r := range c.Rows {
			row := parameter{Type: discordgo.ApplicationCommandOptionSubCommand, Name: r.Name, Names: called[j],
				Options: t.parameters(r.Options)}
			row.About, row.Abouts = t.translated(r.About, r.Name)
			said.Options = append(said.Options, row)
		}
		all = append(all, said)
		all = append(all, t.shortcuts(c)...)
	}
	return all
}

// entryPoint is the type of the command that opens the application's activity.
const entryPoint = 4

// shortcuts returns the entries of c and its rows in the menus of people and messages.
func (t locales) shortcuts(c chat.Command) (all []command) {
	for _, row := range append([]chat.Command{c}, c.Rows...) {
		for kind, called := range map[discordgo.ApplicationCommandType]map[string]string{
			discordgo.UserApplicationCommand: row.OnPerson, discordgo.MessageApplicationCommand: row.OnBoard,
		} {
			if len(called) == 0 {
				continue
			}
			said := command{Type: kind, Contexts: []int{0, 1}, Installs: []int{0}}
			said.Name, said.Names = t.translated(called, c.Name)
			said.Name = clip(said.Name, maxName)
			for tongue, name := range said.Names {
				said.Names[tongue] = clip(name, maxName)
			}
			all = append(all, said)
		}
	}
	return all
}

// parameters returns the options of a command in Discord's form, the required ones first, as Discord demands.
func (t locales) parameters(options []chat.CommandOption) (all []parameter) {
	called := t.unlike(len(options), func(i int) (string, map[string]string) {
		return options[i].Name, options[i].Called
	})
	for i, o := range options {
		p := parameter{Type: discordgo.ApplicationCommandOptionString, Name: o.Name, Names: called[i],
			Required: o.Required}
		p.About, p.Abouts = t.translated(o.About, o.Name)
		switch {
		case o.Type == chat.TypePerson:
			p.Type = discordgo.ApplicationCommandOptionUser
		case o.Type == chat.TypeFlag || o.Type == chat.TypeThread:
			p.Type = discordgo.ApplicationCommandOptionBoolean
		case o.Type == chat.TypeAmount:
			least, most := float64(o.Min), float64(o.Max)
			p.Type, p.Least, p.Most = discordgo.ApplicationCommandOptionInteger, &least, &most
		case o.Completes:
			p.Complete = true
		default:
			for _, c := range o.Choices {
				p.Choices = append(p.Choices, t.choice(c, english))
			}
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b parameter) int { return boolInt(b.Required) - boolInt(a.Required) })
	return all
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fitting matches names that Discord accepts. Their length is checked separately: with it, the expression would compile
// slowly.
var fitting = regexp.MustCompile(`^[-_'\p{L}\p{N}]+$`)

// unlike returns the translated names of many siblings, by locale. of returns the name and the translations of sibling
// i. Translations that are invalid or not unique in their language are left out.
func (t locales) unlike(many int, of func(int) (string, map[string]string)) []map[string]string {
	all := make([]map[string]string, many)
	taken := map[[2]string]bool{}
	for i := range many {
		name, _ := of(i) // a name in one language may be left out
		for _, tongues := range t {
			for _, tongue := range tongues {
				taken[[2]string{tongue, name}] = true
			}
		}
	}
	for i := range many {
		name, called := of(i)
		for lang, word := range called {
			word = strings.ToLower(word)
			if word == name || utf8.RuneCountInString(word) > maxName || !fitting.MatchString(word) {
				continue
			}
			for _, tongue := range t[lang] {
				if taken[[2]string{tongue, word}] {
					continue
				}
				taken[[2]string{tongue, word}] = true
				if all[i] == nil {
					all[i] = map[string]string{}
				}
				all[i][tongue] = word
			}
		}
	}
	return all
}

// choice returns c in Discord's form, with its label in lang and translations for all other languages.
func (t locales) choice(c chat.CommandChoice, lang string) choice {
	said := choice{Value: c.Value}
	said.Name, said.Names = t.translated(c.Label, c.Value)
	if label := c.Label[lang]; lang != english && label != "" {
		said.Name = clip(clean(label), maxAbout)
	}
	return said
}

// translated returns the English text in said and its translations by Discord's locales, shortened to maxAbout.
// otherwise replaces a missing text.
func (t locales) translated(said map[string]string, otherwise string) (string, map[string]string) {
	fit := func(text string) string {
		if text = strings.TrimSpace(clip(clean(text), maxAbout)); text == "" {
			return otherwise
		}
		return text
	}
	all := map[string]string{}
	for lang, text := range said {
		for _, tongue := range t[lang] {
			all[tongue] = fit(text)
		}
	}
	return fit(said[english]), all
}

// Registering the slash commands.

// register replaces the commands at Discord by the core's if they differ: the writes a day are limited. If Discord
// rejects them, it registers them in English only. It stores their ids for links.
func (d *Discord) register(ctx context.Context, application string, core chat.Core) error {
	at := discordgo.EndpointApplicationGlobalCommands(application)
	var have, made json.RawMessage
	if err := d.rest.call(ctx, true, http.MethodGet, at+"?with_localizations=true", nil, &have); err != nil {
		return err
	}
	d.rest.learn(have)
	want := newLocales(core.Languages()).menu(core.Commands())
	if same(have, want) {
		return nil
	}
	theirs := entryPoints(have)
	d.log.Info("registering commands", "count", len(want))
	err := d.rest.call(ctx, true, http.MethodPut, at, with(want, theirs), &made)
	if refused, ok := refusalOf(err); ok && refused.Status == http.StatusBadRequest {
		d.log.Warn("discord rejected the commands; retrying in English only", "error", err)
		want = newLocales(nil).menu(core.Commands())
		if same(have, want) {
			return nil
		}
		err = d.rest.call(ctx, true, http.MethodPut, at, with(want, theirs), &made)
	}
	if err == nil {
		d.rest.learn(made)
	}
	return err
}

// kept are the fields that Discord accepts when a command is sent back to it.
var kept = strings.Fields("id type name name_localizations description description_localizations options contexts " +
	"integration_types default_member_permissions dm_permission handler")

// entryPoints returns those commands in list, Discord's JSON, that open an activity, ready to be sent back. Discord
// creates one when activities are enabled, and refuses lists without it.
func entryPoints(list json.RawMessage) (all []any) {
	var have []map[string]json.RawMessage
	_ = json.Unmarshal(list, &have) // an invalid list has none
	for _, c := range have {
		if string(c["type"]) != strconv.Itoa(entryPoint) {
			continue
		}
		maps.DeleteFunc(c, func(field string, value json.RawMessage) bool {
			return !slices.Contains(kept, field) || string(value) == "null"
		})
		if needs, said := c["default_member_permissions"]; said { // it arrives as a text and is sent as a number
			c["default_member_permissions"] = json.RawMessage(strings.Trim(string(needs), `"`))
		}
		all = append(all, c)
	}
	return all
}

// with returns the commands in all and others as one list.
func with(all []command, others []any) []any {
	list := make([]any, len(all), len(all)+len(others))
	for i := range all {
		list[i] = all[i]
	}
	return append(list, others...)
}

// same reports whether list, Discord's JSON, holds the commands in want, in any order and apart from what Discord adds.
// An invalid list differs.
func same(list json.RawMessage, want []command) bool {
	var have []command
	if json.Unmarshal(list, &have) != nil {
		return false
	}
	have = slices.DeleteFunc(have, func(c command) bool { return c.Type == entryPoint })
	return bytes.Equal(settled(have), settled(want))
}

// settled returns commands as JSON in a fixed order, to compare them.
func settled(all []command) []byte {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b command) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), strings.Compare(a.Name, b.Name))
	})
	for i := range all {
		all[i].Contexts, all[i].Installs = slices.Sorted(slices.Values(all[i].Contexts)),
			slices.Sorted(slices.Values(all[i].Installs))
	}
	raw, _ := json.Marshal(all) // it was parsed, so it can be written
	return raw
}
