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

	"knobel/bot/chat"
)

// Registering the slash commands.

// register sends the commands if they differ from the registered ones: the writes a day are limited.
func (d *Discord) register(ctx context.Context, application string, core chat.Core) error {
	at := discordgo.EndpointApplicationGlobalCommands(application)
	var have, made json.RawMessage
	if err := d.rest.call(ctx, true, http.MethodGet, at+"?with_localizations=true", nil, &have); err != nil {
		return err
	}
	d.rest.links.learn(have)
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
		d.rest.links.learn(made)
	}
	return err
}

// kept are the fields that Discord accepts for a command that it has.
var kept = strings.Fields("id type name name_localizations description description_localizations options contexts " +
	"integration_types default_member_permissions dm_permission handler")

// entryPoints returns the registered commands that open an activity, ready to be sent. Discord makes one once
// activities are on and refuses lists without it.
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

// with appends others to the commands to be sent.
func with(all []command, others []any) []any {
	list := make([]any, len(all), len(all)+len(others))
	for i := range all {
		list[i] = all[i]
	}
	return append(list, others...)
}

// same reports whether list holds the same commands, in any order and apart from what Discord adds. An invalid list
// differs.
func same(list json.RawMessage, want []command) bool {
	var have []command
	if json.Unmarshal(list, &have) != nil {
		return false
	}
	have = slices.DeleteFunc(have, func(c command) bool { return c.Type == entryPoint })
	return bytes.Equal(settled(have), settled(want))
}

// settled returns commands as JSON in a fixed order.
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
