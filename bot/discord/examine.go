package discord

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/games"
)

// Examine tells an operator whether Discord can be reached, knows the token,
// lets the bot connect, and permits it to write in each server.
func (d *Discord) Examine(ctx context.Context) []chat.Finding {
	if d.broken != nil {
		return []chat.Finding{wrong("%v", d.broken)}
	}
	var me person
	err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointUser("@me"), nil, &me)
	if refused, ok := refusalOf(err); ok && refused.Status == http.StatusUnauthorized {
		return []chat.Finding{wrong("the token is not known there: take the present one from the Developer Portal")}
	}
	if err != nil {
		return []chat.Finding{wrong("cannot be reached: %v", err)}
	}
	all := []chat.Finding{{Text: "reached as " + me.Username}}
	all = append(all, d.gateway(ctx), chat.Finding{Text: d.uploader("").state(ctx)})
	return append(all, d.guilds(ctx)...)
}

// gateway reports whether the bot may still connect today.
func (d *Discord) gateway(ctx context.Context) chat.Finding {
	var g discordgo.GatewayBotResponse
	if err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointGatewayBot, nil, &g); err != nil {
		return wrong("does not say where its gateway is: %v", err)
	}
	if g.SessionStartLimit.Total > 0 && g.SessionStartLimit.Remaining == 0 {
		return wrong("no connection is left for today")
	}
	return chat.Finding{Text: fmt.Sprintf("%d of %d connections are left for today", g.SessionStartLimit.Remaining,
		g.SessionStartLimit.Total)}
}

// guilds says in which servers the bot lacks a permission. Channels may still
// forbid more.
func (d *Discord) guilds(ctx context.Context) []chat.Finding {
	var list []struct {
		Name        string `json:"name"`
		Permissions string `json:"permissions"`
	}
	if err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointUserGuilds("@me"), nil, &list); err != nil {
		return []chat.Finding{wrong("does not say in which servers the bot is: %v", err)}
	}
	if len(list) == 0 {
		return []chat.Finding{wrong("the bot is in no server: open its install link and choose one")}
	}
	var all []chat.Finding
	for _, g := range list {
		may, err := strconv.ParseUint(g.Permissions, 10, 64)
		if err != nil {
			continue
		}
		if missing := lacking(may, inGuilds); !missing.None() {
			all = append(all, chat.Finding{Wrong: true, Line: games.Say("bot.stands.server-lacks", games.Args{
				"Server": clip(clean(g.Name), maxThread), "Permissions": missing.Permissions,
				"Where": games.Say("bot.discord.where-roles", nil),
			})})
		}
	}
	return append(all, chat.Finding{Text: fmt.Sprintf("in %d servers", len(list))})
}

func wrong(format string, args ...any) chat.Finding {
	return chat.Finding{Text: fmt.Sprintf(format, args...), Wrong: true}
}
