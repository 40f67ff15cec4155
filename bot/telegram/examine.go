package telegram

import (
	"context"
	"fmt"

	"knobel/bot/chat"
)

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
	err := t.client.ask(ctx, "getMe", nil, &me)
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
	return append(all, t.examineHook(ctx, wrong))
}

// examineHook checks where Telegram sends updates.
func (t *Telegram) examineHook(ctx context.Context, wrong func(string, ...any) chat.Finding) chat.Finding {
	var hook struct {
		URL     string `json:"url"`
		Waiting int    `json:"pending_update_count"`
		Trouble string `json:"last_error_message"`
	}
	if err := t.client.ask(ctx, "getWebhookInfo", nil, &hook); err != nil {
		return wrong("does not say where updates go: %v", err)
	}
	switch {
	case t.hook.URL == "" && hook.URL != "":
		return wrong("updates go to a webhook, not to the poll: delete it with the method deleteWebhook")
	case t.hook.URL == "":
		return chat.Finding{Text: "updates come by polling"}
	case hook.URL == "":
		return chat.Finding{Text: "updates are to be delivered to " + t.hook.URL +
			", which is told to Telegram when serving begins"}
	case hook.URL != t.hook.URL:
		return wrong("updates go to another webhook, %s: it is changed when serving begins", hook.URL)
	case hook.Waiting > 0 && hook.Trouble != "":
		return wrong("%d updates could not be delivered to %s: %s", hook.Waiting, hook.URL, hook.Trouble)
	}
	return chat.Finding{Text: "updates are delivered to " + hook.URL}
}
