package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// How the slash commands are registered.

// register sends the commands to Discord if they differ from the registered ones: the number of
// writes a day is limited.
func (d *Discord) register(ctx context.Context, application string, want []command) error {
	at := discordgo.EndpointApplicationGlobalCommands(application)
	var have, made json.RawMessage
	if err := d.rest.call(ctx, true, http.MethodGet, at+"?with_localizations=true", nil, &have); err != nil {
		return err
	}
	d.rest.links.learn(have)
	if same(have, want) {
		return nil
	}
	theirs := entryPoints(have)
	d.log.Info("writing the commands", "count", len(want))
	err := d.rest.call(ctx, true, http.MethodPut, at, with(want, theirs), &made)
	if refused, ok := refusalOf(err); ok && refused.Status == http.StatusBadRequest {
		d.log.Warn("the commands are refused: trying it in English alone", "error", err)
		want = untranslated(want)
		if same(have, want) {
			return nil
		}
		err = d.rest.call(ctx, true, http.MethodPut, at, with(want, theirs), &made)
	}
	if err == nil {
		d.rest.links.learn(made)
	}
	return err
}

// kept are the fields that a list of commands takes back of one that it holds.
var kept = strings.Fields("id type name name_localizations description description_localizations options contexts " +
	"integration_types default_member_permissions dm_permission handler")

// entryPoints returns the commands of Discord's list that open an activity, as a list takes them back: Discord makes
// one once activities are switched on, and refuses any list without it.
func entryPoints(list json.RawMessage) (all []any) {
	var have []map[string]json.RawMessage
	_ = json.Unmarshal(list, &have) // a list that cannot be read holds none
	for _, c := range have {
		if string(c["type"]) != strconv.Itoa(entryPoint) {
			continue
		}
		maps.DeleteFunc(c, func(field string, value json.RawMessage) bool {
			return !slices.Contains(kept, field) || string(value) == "null"
		})
		if needs, said := c["default_member_permissions"]; said { // a text comes out, a number goes in
			c["default_member_permissions"] = json.RawMessage(strings.Trim(string(needs), `"`))
		}
		all = append(all, c)
	}
	return all
}

// with returns a list of commands with others behind it, as it is sent.
func with(all []command, others []any) []any {
	list := make([]any, len(all), len(all)+len(others))
	for i := range all {
		list[i] = all[i]
	}
	return append(list, others...)
}

// untranslated are the commands in English alone.
func untranslated(all []command) []command {
	all = slices.Clone(all)
	for i := range all {
		all[i].Names, all[i].Abouts, all[i].Options = nil, nil, inEnglish(all[i].Options)
	}
	return all
}

func inEnglish(options []parameter) []parameter {
	options = slices.Clone(options)
	for i := range options {
		o := &options[i]
		o.Names, o.Abouts, o.Options, o.Choices = nil, nil, inEnglish(o.Options), slices.Clone(o.Choices)
		for j := range o.Choices {
			o.Choices[j].Names = nil
		}
	}
	return options
}

// same reports whether Discord's list holds the same commands, in any order and with what Discord adds: fields, and the
// commands that open an activity. A list that cannot be read counts as different.
func same(list json.RawMessage, want []command) bool {
	var have []command
	if json.Unmarshal(list, &have) != nil {
		return false
	}
	have = slices.DeleteFunc(have, func(c command) bool { return c.Type == entryPoint })
	return bytes.Equal(settled(have), settled(want))
}

// settled returns commands as they are sent, in one order.
func settled(all []command) []byte {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b command) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), strings.Compare(a.Name, b.Name))
	})
	for i := range all {
		all[i].Contexts, all[i].Installs = slices.Sorted(slices.Values(all[i].Contexts)),
			slices.Sorted(slices.Values(all[i].Installs))
	}
	raw, _ := json.Marshal(all) // what was read can be written
	return raw
}
