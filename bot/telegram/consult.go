package telegram

import (
	"context"
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
	stands, all, err := t.membership(ctx, id, me.ID)
	if says(err, "chat not found", "bot is not a member", "kicked", "group is deactivated",
		"upgraded to a supergroup") || stands.out() {
		return []chat.Finding{{Line: games.Say("bot.stands.gone", nil), Wrong: true}}, nil
	}
	if err != nil {
		return nil, err
	}
	var found []chat.Finding
	if stands.silent() || stands.Status == "member" && all != nil && !*all {
		found = append(found, wrongly(toSend))
	}
	for _, place := range at {
		if missing := t.mutes.missing(place); !missing.None() && len(found) == 0 {
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
	err = t.client.ask(ctx, "getChatAdministrators", tg.Params{"chat_id": decimal(id)}, &all)
	return slices.ContainsFunc(all, func(m tg.ChatMember) bool {
		return m.User != nil && !m.User.IsBot && userID(m.User.ID) != besides
	}), err
}

func wrongly(missing chat.MissingPermissions) chat.Finding {
	return chat.Finding{Wrong: true, Line: games.Say("bot.stands.lacks-here", games.Args{
		"Permissions": missing.Permissions, "Where": missing.Where,
	})}
}

// membership returns the bot's rights in a group and whether members may write; nil: unknown.
func (t *Telegram) membership(ctx context.Context, chat, self int64) (s standing, members *bool, err error) {
	err = t.client.ask(ctx, "getChatMember", tg.Params{"chat_id": decimal(chat), "user_id": decimal(self)}, &s)
	if err != nil {
		return s, nil, err
	}
	var c struct {
		Permissions struct {
			CanSend *bool `json:"can_send_messages"`
		} `json:"permissions"`
	}
	err = t.client.ask(ctx, "getChat", tg.Params{"chat_id": decimal(chat)}, &c)
	return s, c.Permissions.CanSend, err
}
