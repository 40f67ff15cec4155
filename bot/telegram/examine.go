package telegram

import (
	"context"
	"encoding/json"
	"fmt"

	"knobel/bot"
)

// Examine tells an operator whether Telegram can be reached, knows the token,
// lets the bot into groups, and sends its updates to the poll.
func (t *Telegram) Examine(ctx context.Context) []bot.Finding {
	wrong := func(format string, args ...any) bot.Finding {
		return bot.Finding{Text: fmt.Sprintf(format, args...), Wrong: true}
	}
	raw, err := t.client.call(ctx, "getMe", nil)
	if refused, ok := refusalOf(err); ok && refused.Code == 401 {
		return []bot.Finding{wrong("the token is not known there: ask @BotFather for the present one")}
	}
	if err != nil {
		return []bot.Finding{wrong("cannot be reached: %v", err)}
	}
	var me struct {
		Username      string `json:"username"`
		CanJoinGroups bool   `json:"can_join_groups"`
	}
	if err := json.Unmarshal(raw, &me); err != nil {
		return []bot.Finding{wrong("answers getMe in an unknown way: %v", err)}
	}
	all := []bot.Finding{{Text: "reached as @" + me.Username}}
	if !me.CanJoinGroups {
		all = append(all, wrong("the bot may not join groups: allow it with @BotFather, /setjoingroups"))
	}
	raw, err = t.client.call(ctx, "getWebhookInfo", nil)
	if err != nil {
		return append(all, wrong("does not say where updates go: %v", err))
	}
	var hook struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(raw, &hook); err != nil {
		return append(all, wrong("answers getWebhookInfo in an unknown way: %v", err))
	}
	if hook.URL != "" {
		return append(all, wrong("updates go to a webhook, not to the poll: delete it with the method deleteWebhook"))
	}
	return append(all, bot.Finding{Text: "updates come by polling"})
}
