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
	"knobel/bot/words"
	"knobel/games"
)

// Slash commands in all languages that Discord shows, and their registration.

// english is the language in which Discord shows a name or description without translation.
const english = "en"

// knownLocales are Discord's locales, each between spaces. Discord refuses all others.
const knownLocales = " id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg " +
	"ru uk hi th zh-CN ja zh-TW ko "

// locales maps the bot's language codes to Discord's locales: "en" to "en-GB" and "en-US".
type locales map[string][]string

// newLocales returns the locales of these languages that Discord knows.
func newLocales(languages []chat.Language) locales {
	all := locales{}
	for _, l := range languages {
		all[l.Code] = slices.DeleteFunc(slices.Clone(l.Locales), func(locale string) bool {
			return !strings.Contains(knownLocales, " "+locale+" ")
		})
	}
	return all
}

const (
	maxChoices = 25  // values that an option offers
	maxName    = 32  // characters of a name
	maxAbout   = 100 // characters of a description
)

// command is a slash command, or an entry in the context menu of a person or message, in Discord's JSON.
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
	Handler  int                              `json:"handler,omitempty"`
}

// parameter is an option or a subcommand of a command, in Discord's JSON.
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

// choice is one value that a menu offers for an option, in Discord's JSON.
type choice struct {
	Name  string            `json:"name"`
	Names map[string]string `json:"name_localizations,omitempty"`
	Value string            `json:"value"`
}

// installed lists the commands that people can use everywhere once they have added the bot to their account, besides
// those that open a game. The others change a server or need the bot there; evening says so.
var installed = strings.Fields(
	"rules table leaderboard settle stats season recap evening review fair help privacy forget mydata language notify")

// menu returns commands as Discord registers them: as slash commands, and some also as entries in context menus. Some
// are for places where the bot is a guest, too, if people can add it to their account (forAccounts).
func (t locales) menu(commands []chat.Command, forAccounts bool) []command {
	all := []command{}
	names := t.uniqueNames(len(commands), func(i int) (string, map[string]string) {
		return commands[i].Name, commands[i].Called
	})
	for i, c := range commands {
		registered := command{Name: c.Name, Names: names[i], Type: discordgo.ChatApplicationCommand,
			Contexts: []int{0, 1}, Installs: []int{0}}
		if forAccounts && (c.Opens != nil || slices.Contains(installed, c.Name)) {
			registered.Contexts, registered.Installs = []int{0, 1, inGroup}, []int{0, 1}
		}
		registered.About, registered.Abouts = t.translated(c.About, c.Name)
		if c.Admins {
			registered.Needs = json.Number(strconv.Itoa(discordgo.PermissionManageGuild))
		}
		if len(c.Rows) == 0 {
			registered.Options = t.parameters(c.Options)
		}
		names := t.uniqueNames(len(c.Rows), func(i int) (string, map[string]string) {
			return c.Rows[i].Name, c.Rows[i].Called
		})
		for j, r := range c.Rows {
			row := parameter{Type: discordgo.ApplicationCommandOptionSubCommand, Name: r.Name, Names: names[j],
				Options: t.parameters(r.Options)}
			row.About, row.Abouts = t.translated(r.About, r.Name)
			registered.Options = append(registered.Options, row)
		}
		all = append(all, registered)
		all = append(all, t.menuEntries(c)...)
	}
	return all
}

const (
	// entryPoint is the type of a command that opens an activity, which Discord itself adds.
	entryPoint = 4
	// byDiscord is the handler of such a command if Discord opens the activity without asking the bot.
	byDiscord = 2
)

// opener returns a command of the type entryPoint.
func (t locales) opener(said *words.Words, forAccounts bool) command {
	c := command{Name: "launch", Type: entryPoint, Handler: byDiscord, Contexts: []int{0, 1}, Installs: []int{0}}
	if forAccounts {
		c.Contexts, c.Installs = []int{0, 1, inGroup}, []int{0, 1}
	}
	about := map[string]string{}
	for lang := range t {
		about[lang] = strings.TrimPrefix(said.Say(lang, games.Say("bot.page.open", nil), words.Context{}), "▶ ")
	}
	c.About, c.Abouts = t.translated(about, c.Name)
	return c
}

// menuEntries returns the entries of c and its subcommands (c.Rows) for the context menus of people and messages.
func (t locales) menuEntries(c chat.Command) (all []command) {
	for _, row := range append([]chat.Command{c}, c.Rows...) {
		for kind, labels := range map[discordgo.ApplicationCommandType]map[string]string{
			discordgo.UserApplicationCommand: row.OnPerson, discordgo.MessageApplicationCommand: row.OnBoard,
		} {
			if len(labels) == 0 {
				continue
			}
			entry := command{Type: kind, Contexts: []int{0, 1}, Installs: []int{0}}
			entry.Name, entry.Names = t.translated(labels, c.Name)
			entry.Name = clip(entry.Name, maxName)
			for locale, name := range entry.Names {
				entry.Names[locale] = clip(name, maxName)
			}
			all = append(all, entry)
		}
	}
	return all
}

// parameters returns options in Discord's form. Required options come first, as Discord demands.
func (t locales) parameters(options []chat.CommandOption) (all []parameter) {
	names := t.uniqueNames(len(options), func(i int) (string, map[string]string) {
		return options[i].Name, options[i].Called
	})
	for i, o := range options {
		p := parameter{Type: discordgo.ApplicationCommandOptionString, Name: o.Name, Names: names[i],
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

// boolInt returns 1 for true and 0 for false.
func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// validName matches a valid name of any length. The length is checked separately: that keeps the expression fast.
var validName = regexp.MustCompile(`^[-_'\p{L}\p{N}]+$`)

// uniqueNames returns the translated names of count commands or options in one menu, by locale. nameOf(i) returns the
// ith name and its translations by language. uniqueNames leaves out translations that are invalid or taken.
func (t locales) uniqueNames(count int, nameOf func(int) (string, map[string]string)) []map[string]string {
	all := make([]map[string]string, count)
	taken := map[[2]string]bool{}
	for i := range count {
		name, _ := nameOf(i) // it is shown where a translation is left out
		for _, known := range t {
			for _, locale := range known {
				taken[[2]string{locale, name}] = true
			}
		}
	}
	for i := range count {
		name, translations := nameOf(i)
		for lang, word := range translations {
			word = strings.ToLower(word)
			if word == name || utf8.RuneCountInString(word) > maxName || !validName.MatchString(word) {
				continue
			}
			for _, locale := range t[lang] {
				if taken[[2]string{locale, word}] {
					continue
				}
				taken[[2]string{locale, word}] = true
				if all[i] == nil {
					all[i] = map[string]string{}
				}
				all[i][locale] = word
			}
		}
	}
	return all
}

// choice returns c in Discord's form, with its label in the language lang, and in all other languages as translations.
func (t locales) choice(c chat.CommandChoice, lang string) choice {
	offered := choice{Value: c.Value}
	offered.Name, offered.Names = t.translated(c.Label, c.Value)
	if label := c.Label[lang]; lang != english && label != "" {
		offered.Name = clip(clean(label), maxAbout)
	}
	return offered
}

// translated returns texts, which are by language, in English and for all of Discord's locales. Texts are cut to
// maxAbout characters; an empty text becomes fallback.
func (t locales) translated(texts map[string]string, fallback string) (string, map[string]string) {
	fit := func(text string) string {
		if text = strings.TrimSpace(clip(clean(text), maxAbout)); text == "" {
			return fallback
		}
		return text
	}
	all := map[string]string{}
	for lang, text := range texts {
		for _, locale := range t[lang] {
			all[locale] = fit(text)
		}
	}
	return fit(texts[english]), all
}

// Registration of the slash commands.

// register writes the core's commands to Discord if they differ from those there, as Discord limits writes per day. If
// Discord rejects them, it registers them in English only. It stores the ids of the commands, which links need. A
// command that opens the activity is added if there is none.
func (d *Discord) register(ctx context.Context, me application, core chat.Core) error {
	endpoint := discordgo.EndpointApplicationGlobalCommands(me.ID)
	var have, made json.RawMessage
	if err := d.rest.call(ctx, true, http.MethodGet, endpoint+"?with_localizations=true", nil, &have); err != nil {
		return err
	}
	d.rest.storeCommandIDs(have)
	said := newLocales(core.Languages())
	want := said.menu(core.Commands(), me.forAccounts())
	theirs := entryPoints(have)
	inEnglish := newLocales(nil).menu(core.Commands(), me.forAccounts())
	var tries [][]any // best first
	var rejected error
	if d.options.Activity.on() && me.hasActivities() && len(theirs) == 0 {
		tries = [][]any{joinLists(want, []any{said.opener(d.options.Activity.Words, me.forAccounts())})}
	}
	kept := sameCommands(have, want) // whatever else Discord rejects
	if !kept {
		tries = append(tries, joinLists(want, theirs))
	}
	if kept = kept || sameCommands(have, inEnglish); !kept {
		tries = append(tries, joinLists(inEnglish, theirs))
	}
	for _, list := range tries {
		d.log.Info("registering commands", "count", len(list))
		err := d.rest.call(ctx, true, http.MethodPut, endpoint, list, &made)
		if refused, ok := refusalOf(err); !ok || refused.Status != http.StatusBadRequest {
			if err == nil {
				d.rest.storeCommandIDs(made)
			}
			return err
		}
		d.log.Warn("discord rejected the commands", "error", err)
		rejected = err
	}
	if kept {
		return nil
	}
	return rejected
}

// sendableFields are the fields that Discord accepts when one of its commands is sent back to it.
var sendableFields = strings.Fields(
	"id type name name_localizations description description_localizations options contexts " +
		"integration_types default_member_permissions dm_permission handler")

// entryPoints returns the commands in list, Discord's JSON, that open an activity, in a form that can be sent back.
// Discord adds such a command when an operator enables activities, and refuses a list of commands that lacks it.
func entryPoints(list json.RawMessage) (all []any) {
	var have []map[string]json.RawMessage
	_ = json.Unmarshal(list, &have) // an invalid list has none
	for _, c := range have {
		if string(c["type"]) != strconv.Itoa(entryPoint) {
			continue
		}
		maps.DeleteFunc(c, func(field string, value json.RawMessage) bool {
			return !slices.Contains(sendableFields, field) || string(value) == "null"
		})
		if needs, said := c["default_member_permissions"]; said { // it arrives as a text and is sent as a number
			c["default_member_permissions"] = json.RawMessage(strings.Trim(string(needs), `"`))
		}
		all = append(all, c)
	}
	return all
}

// joinLists returns one list: the commands in all, then those in more.
func joinLists(all []command, more []any) []any {
	list := make([]any, len(all), len(all)+len(more))
	for i := range all {
		list[i] = all[i]
	}
	return append(list, more...)
}

// sameCommands reports whether list, Discord's JSON, holds exactly the commands in want. It ignores their order and
// fields that Discord adds. For invalid JSON it returns false.
func sameCommands(list json.RawMessage, want []command) bool {
	var have []command
	if json.Unmarshal(list, &have) != nil {
		return false
	}
	have = slices.DeleteFunc(have, func(c command) bool { return c.Type == entryPoint })
	return bytes.Equal(sortedJSON(have), sortedJSON(want))
}

// sortedJSON returns commands as JSON, in an order that makes equal lists equal.
func sortedJSON(all []command) []byte {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b command) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), strings.Compare(a.Name, b.Name))
	})
	for i := range all {
		all[i].Contexts, all[i].Installs = slices.Sorted(slices.Values(all[i].Contexts)),
			slices.Sorted(slices.Values(all[i].Installs))
	}
	raw, _ := json.Marshal(all) // its fields always encode
	return raw
}
