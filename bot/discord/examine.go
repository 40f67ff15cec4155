package discord

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"knobel/bot"
)

// needed are the permissions without which boards cannot be drawn, in
// Discord's own words.
var needed = []struct {
	bit  uint64
	name string
}{
	{viewChannel, "View Channels"},
	{sendMessages, "Send Messages"},
	{sendInThreads, "Send Messages in Threads"},
}

const (
	viewChannel   = 1 << 10
	sendMessages  = 1 << 11
	sendInThreads = 1 << 38
)

// threads are the types of channels in which the last of them counts.
var threads = []int{10, 11, 12}

// lacking names the permissions that are needed and not there, but for those
// that do not count.
func lacking(may uint64, idle func(bit uint64) bool) []string {
	if may&administrator != 0 {
		return nil
	}
	var names []string
	for _, n := range needed {
		if may&n.bit == 0 && !idle(n.bit) {
			names = append(names, n.name)
		}
	}
	return names
}

// Examine tells an operator whether Discord can be reached, knows the token,
// lets the bot connect, and permits it to write in each server.
func (d *Discord) Examine(ctx context.Context) []bot.Finding {
	if d.broken != nil {
		return []bot.Finding{wrong("%v", d.broken)}
	}
	var me person
	err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointUser("@me"), nil, &me)
	if refused, ok := refusalOf(err); ok && refused.Status == http.StatusUnauthorized {
		return []bot.Finding{wrong("the token is not known there: take the present one from the Developer Portal")}
	}
	if err != nil {
		return []bot.Finding{wrong("cannot be reached: %v", err)}
	}
	all := []bot.Finding{{Text: "reached as " + me.Username}}
	return append(append(all, d.gateway(ctx)), d.guilds(ctx)...)
}

// gateway says whether the bot may still connect today.
func (d *Discord) gateway(ctx context.Context) bot.Finding {
	var g discordgo.GatewayBotResponse
	if err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointGatewayBot, nil, &g); err != nil {
		return wrong("does not say where its gateway is: %v", err)
	}
	if g.SessionStartLimit.Total > 0 && g.SessionStartLimit.Remaining == 0 {
		return wrong("no connection is left for today")
	}
	return bot.Finding{Text: fmt.Sprintf("%d of %d connections are left for today", g.SessionStartLimit.Remaining, g.SessionStartLimit.Total)}
}

// guilds says in which servers the bot lacks a permission. Channels may still
// forbid more.
func (d *Discord) guilds(ctx context.Context) []bot.Finding {
	var list []struct {
		Name        string `json:"name"`
		Permissions string `json:"permissions"`
	}
	if err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointUserGuilds("@me"), nil, &list); err != nil {
		return []bot.Finding{wrong("does not say in which servers the bot is: %v", err)}
	}
	if len(list) == 0 {
		return []bot.Finding{wrong("the bot is in no server: open its install link and choose one")}
	}
	var all []bot.Finding
	for _, g := range list {
		may, err := strconv.ParseUint(g.Permissions, 10, 64)
		if err != nil {
			continue
		}
		if missing := lacking(may, func(uint64) bool { return false }); len(missing) > 0 {
			all = append(all, wrong("in the server %q the bot lacks: %s (Server Settings, Roles)", clean(g.Name), strings.Join(missing, ", ")))
		}
	}
	return append(all, bot.Finding{Text: fmt.Sprintf("in %d servers", len(list))})
}

func wrong(format string, args ...any) bot.Finding {
	return bot.Finding{Text: fmt.Sprintf(format, args...), Wrong: true}
}
