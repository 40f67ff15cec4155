package discord

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// The slash commands that Discord lists, in all its languages, and their registration.

// english is the language of a name or description without a translation.
const english = "en"

// knownLocales are those that Discord takes; it refuses all others.
const knownLocales = " id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg " +
	"ru uk hi th zh-CN ja zh-TW ko "

// locales are Discord's languages for ours. English stands under both of its
// names, since each falls back on the other only.
type locales map[string][]string

func newLocales(languages []chat.Language) locales {
	all := locales{}
	for _, l := range languages {
		all[l.Code] = slices.DeleteFunc(slices.Clone(l.Locales), func(locale string) bool {
			return !strings.Contains(knownLocales, " "+locale+" ")
		})
	}
	return all
}

// language is our language for one of Discord's.
func (t locales) language(locale string) string {
	for lang, theirs := range t {
		if slices.Contains(theirs, locale) {
			return lang
		}
	}
	lang, _, _ := strings.Cut(locale, "-")
	return lang
}

// The kinds of options, and what a menu holds.
const (
	kindString  = 3
	kindInteger = 4
	kindBoolean = 5
	kindUser    = 6

	maxChoices = 25
	maxAbout   = 100
)

// command is a slash command as Discord registers it.
type command struct {
	Name     string            `json:"name"`
	Type     int               `json:"type"`
	About    string            `json:"description"`
	Abouts   map[string]string `json:"description_localizations,omitempty"`
	Options  []parameter       `json:"options,omitempty"`
	Contexts []int             `json:"contexts"`
	Installs []int             `json:"integration_types"`
}

type parameter struct {
	Type     int               `json:"type"`
	Name     string            `json:"name"`
	About    string            `json:"description"`
	Abouts   map[string]string `json:"description_localizations,omitempty"`
	Choices  []choice          `json:"choices,omitempty"`
	Complete bool              `json:"autocomplete,omitempty"`
	Least    *float64          `json:"min_value,omitempty"`
	Most     *float64          `json:"max_value,omitempty"`
}

type choice struct {
	Name  string            `json:"name"`
	Names map[string]string `json:"name_localizations,omitempty"`
	Value string            `json:"value"`
}

// menu puts the command table into Discord's words.
func (t locales) menu(commands []chat.Command) []command {
	all := []command{}
	for _, c := range commands {
		said := command{Name: c.Name, Type: 1, Contexts: []int{0, 1}, Installs: []int{0}}
		said.About, said.Abouts = t.translated(c.About, c.Name)
		for _, o := range c.Options {
			said.Options = append(said.Options, t.parameter(o))
		}
		all = append(all, said)
	}
	return all
}

func (t locales) parameter(o chat.CommandOption) parameter {
	p := parameter{Type: kindString, Name: o.Name}
	p.About, p.Abouts = t.translated(o.About, o.Name)
	switch {
	case o.Type == chat.TypePerson:
		p.Type = kindUser
	case o.Type == chat.TypeFlag || o.Type == chat.TypeThread:
		p.Type = kindBoolean
	case o.Type == chat.TypeAmount:
		least, most := float64(o.Min), float64(o.Max)
		p.Type, p.Least, p.Most = kindInteger, &least, &most
	case o.Completes:
		p.Complete = true
	default:
		for _, c := range o.Choices {
			p.Choices = append(p.Choices, t.choice(c, english))
		}
	}
	return p
}

// choice is a value with its label in a language and in all others.
func (t locales) choice(c chat.CommandChoice, lang string) choice {
	said := choice{Value: c.Value}
	said.Name, said.Names = t.translated(c.Label, c.Value)
	if label := c.Label[lang]; lang != english && label != "" {
		said.Name = clip(clean(label), maxAbout)
	}
	return said
}

// translated is a text in English and in all of Discord's languages that we
// speak; otherwise stands in for a text that is missing.
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

// register sends the commands to Discord if they differ from the registered ones: the number of
// writes a day is limited.
func (d *Discord) register(ctx context.Context, application string, want []command) error {
	if !snowflake(application) {
		return errors.New("discord: the gateway does not say which application this is")
	}
	at := discordgo.EndpointApplicationGlobalCommands(application)
	var have json.RawMessage
	if err := d.rest.call(ctx, true, http.MethodGet, at+"?with_localizations=true", nil, &have); err != nil {
		return err
	}
	if same(have, want) {
		return nil
	}
	d.log.Info("writing the commands", "count", len(want))
	return d.rest.call(ctx, true, http.MethodPut, at, want, nil)
}

// same reports whether Discord's list holds the same commands, in any order and with whatever
// Discord adds. A list that cannot be read counts as different.
func same(list json.RawMessage, want []command) bool {
	var have []command
	if json.Unmarshal(list, &have) != nil {
		return false
	}
	byName := func(a, b command) int { return strings.Compare(a.Name, b.Name) }
	want = slices.Clone(want)
	for _, list := range [][]command{have, want} {
		slices.SortFunc(list, byName)
		for i := range list {
			list[i].settle()
		}
	}
	return reflect.DeepEqual(have, want)
}

// settle writes what can be said in several ways in one.
func (c *command) settle() {
	c.Abouts = settled(c.Abouts)
	c.Contexts, c.Installs = slices.Sorted(slices.Values(c.Contexts)), slices.Sorted(slices.Values(c.Installs))
	if len(c.Options) == 0 {
		c.Options = nil
	}
	c.Options = slices.Clone(c.Options)
	for i := range c.Options {
		o := &c.Options[i]
		o.Abouts = settled(o.Abouts)
		if len(o.Choices) == 0 {
			o.Choices = nil
		}
		o.Choices = slices.Clone(o.Choices)
		for j := range o.Choices {
			o.Choices[j].Names = settled(o.Choices[j].Names)
		}
	}
}

// settled is a map without entries as none.
func settled(words map[string]string) map[string]string {
	if len(words) == 0 {
		return nil
	}
	return words
}
