package telegram

import (
	"context"
	"fmt"
	"slices"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
	"knobel/games"
)

// Consult reports whether the bot is in a chat and may write there, by its own rights or else those of all members;
// for the chat "" the bot's state on Telegram.
func (t *Telegram) Consult(ctx context.Context, group chat.Chat, at []chat.Place) ([]chat.Finding, error) {
	if group == "" {
		return t.examine(ctx), nil
	}
	id, err := parseChat(group)
	if err != nil {
		return nil, err
	}
	if id > 0 {
		return []chat.Finding{{Line: games.Say("bot.stands.alone", nil)}}, nil
	}
	me, err := t.me(ctx)
	if err != nil {
		return nil, err
	}
	var stands standing
	var all struct {
		Permissions struct {
			CanSend *bool `json:"can_send_messages"`
		} `json:"permissions"`
	}
	err = t.ask(ctx, "getChatMember", tg.Params{"chat_id": decimal(id), "user_id": decimal(me.ID)}, &stands)
	if err == nil {
		err = t.ask(ctx, "getChat", tg.Params{"chat_id": decimal(id)}, &all)
	}
	if says(err, "chat not found", "bot is not a member", "kicked", "group is deactivated",
		"upgraded to a supergroup") || stands.out() {
		return []chat.Finding{{Line: games.Say("bot.stands.gone", nil), Wrong: true}}, nil
	}
	if err != nil {
		return nil, err
	}
	var found []chat.Finding
	members := all.Permissions.CanSend // nil: unknown
	if stands.silent() || stands.Status == "member" && members != nil && !*members {
		found = append(found, wrongly(toSend))
	}
	for _, place := range at {
		if missing := t.mutes.missing(place); len(missing.Permissions) > 0 && len(found) == 0 {
			found = append(found, wrongly(missing))
		}
	}
	if !slices.ContainsFunc(found, func(f chat.Finding) bool { return f.Wrong }) {
		found = append(found, chat.Finding{Line: games.Say("bot.stands.well", nil)})
	}
	if !me.ReadsAll && stands.Status != "administrator" {
		found = append(found, chat.Finding{Line: games.Say("bot.stands.privacy", nil)})
	}
	return found, nil
}

// OtherAdmin reports whether a group has another admin. A private chat has none.
func (t *Telegram) OtherAdmin(ctx context.Context, group chat.Chat, besides chat.User) (bool, error) {
	id, err := parseChat(group)
	if err != nil || id > 0 {
		return false, err
	}
	var all []tg.ChatMember
	err = t.ask(ctx, "getChatAdministrators", tg.Params{"chat_id": decimal(id)}, &all)
	return slices.ContainsFunc(all, func(m tg.ChatMember) bool {
		return m.User != nil && !m.User.IsBot && userID(m.User.ID) != besides
	}), err
}

func wrongly(missing chat.MissingPermissions) chat.Finding {
	return chat.Finding{Wrong: true, Line: games.Say("bot.stands.lacks-here", games.Args{
		"Permissions": missing.Permissions, "Where": missing.Where,
	})}
}

// examine checks for an operator that Telegram can be reached, knows the token, lets the bot into groups, and sends
// its updates to the poll.
func (t *Telegram) examine(ctx context.Context) []chat.Finding {
	wrong := func(format string, args ...any) chat.Finding {
		return chat.Finding{Text: fmt.Sprintf(format, args...), Wrong: true}
	}
	var me struct {
		Username      string `json:"username"`
		CanJoinGroups bool   `json:"can_join_groups"`
	}
	err := t.ask(ctx, "getMe", nil, &me)
	if refused, ok := refusalOf(err); ok && refused.Code == 401 {
		return []chat.Finding{wrong("the token is not known there: ask @BotFather for the present one")}
	}
	if err != nil {
		return []chat.Finding{wrong("cannot be reached: %v", err)}
	}
	all := []chat.Finding{{Text: "reached as @" + me.Username}}
	if !me.CanJoinGroups {
		all = append(all, wrong("the bot may not join groups: allow it with @BotFather, /setjoingroups"))
	}
	if t.ephemeral.Load() {
		all = append(all, chat.Finding{Text: "answers without buttons that one person alone needs are sent as " +
			"ephemeral messages"})
	}
	var hook struct {
		URL     string `json:"url"`
		Waiting int    `json:"pending_update_count"`
		Trouble string `json:"last_error_message"`
	}
	if err := t.ask(ctx, "getWebhookInfo", nil, &hook); err != nil {
		return append(all, wrong("does not say where updates go: %v", err))
	}
	switch {
	case t.options.Webhook == "" && hook.URL != "":
		all = append(all, wrong("updates go to a webhook, not to the poll: delete it with the method deleteWebhook"))
	case t.options.Webhook == "":
		all = append(all, chat.Finding{Text: "updates come by polling"})
	case hook.URL == "":
		all = append(all, chat.Finding{Text: "updates are to be delivered to " + t.options.Webhook +
			", which is told to Telegram when serving begins"})
	case hook.URL != t.options.Webhook:
		all = append(all, wrong("updates go to another webhook, %s: it is changed when serving begins", hook.URL))
	case hook.Waiting > 0 && hook.Trouble != "":
		all = append(all, wrong("%d updates could not be delivered to %s: %s", hook.Waiting, hook.URL, hook.Trouble))
	default:
		all = append(all, chat.Finding{Text: "updates are delivered to " + hook.URL})
	}
	return all
}
