package telegram

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// The menu of commands, in every language.

// English is what people of all other languages see in the menu.
const english = "en"

// known are the names of the commands, and what else people call them.
func (t *Telegram) known(commands []chat.Command) map[string]bool {
	names := map[string]bool{}
	for _, c := range commands {
		names[c.Name] = true
		for _, alias := range c.Aliases {
			names[alias] = true
		}
	}
	return names
}

// register puts the commands into Telegram's menus of private chats and of
// groups, in each language, where they differ from what stands there.
func (t *Telegram) register(ctx context.Context, commands []chat.Command) error {
	for _, of := range []string{"all_private_chats", "all_group_chats"} {
		for _, language := range languages(commands) {
			if err := t.menu(ctx, scope{Type: of}, language, entries(commands, language)); err != nil {
				return err
			}
		}
	}
	return nil
}

// scope is whom a menu is for.
type scope struct {
	Type string `json:"type"`
	Chat int64  `json:"chat_id,omitempty"`
}

// maxMade is how many commands may be added to a chat's own menu within a day: Telegram does not say how many it takes.
const maxMade = 200

// MaxMade is a limit of ours.
func (t *Telegram) MaxMade() int { return maxMade }

// Menu writes the whole menu of a chat in each language, or takes it away, so that the chat has the one of all again.
func (t *Telegram) Menu(ctx context.Context, group chat.Chat, m chat.Menu) error {
	id, err := parseChat(group)
	if err != nil {
		return chat.ErrRefused
	}
	for _, language := range languages(m.All) {
		var want []tg.BotCommand
		if len(m.More) > 0 {
			want = entries(m.All, language)
		}
		if err := t.menu(ctx, scope{"chat", id}, language, want); err != nil {
			return t.menuFault(id, err)
		}
	}
	return nil
}

// menuFault says of an error whether it is of use to ask again.
func (t *Telegram) menuFault(group int64, err error) error {
	refused, ok := refusalOf(err)
	switch {
	case !ok || refused.Code >= http.StatusInternalServerError || refused.Code == http.StatusUnauthorized:
		return err
	case refused.RetryAfter > 0:
		return fmt.Errorf("%w: %w", chat.Later{After: time.Duration(refused.RetryAfter) * time.Second}, err)
	case refused.MigrateToChatID != 0:
		return fmt.Errorf("%w: %w", t.follow(group, refused.MigrateToChatID), err)
	case refused.Code == http.StatusForbidden, says(err, "chat not found"):
		return fmt.Errorf("%w: %w", chat.ErrAway, err)
	}
	return fmt.Errorf("%w: %w", chat.ErrRefused, err)
}

// menu writes a menu in one language where it differs from what stands there; without commands it is taken away.
func (t *Telegram) menu(ctx context.Context, of scope, language string, want []tg.BotCommand) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	params := tg.Params{"scope": inJSON(of)}
	if language != english {
		params["language_code"], _, _ = strings.Cut(language, "-")
	}
	raw, err := t.client.call(ctx, "getMyCommands", params)
	if err != nil {
		return err
	}
	var have []tg.BotCommand
	if err := json.Unmarshal(raw, &have); err != nil {
		return err
	}
	if slices.Equal(have, want) {
		return nil
	}
	method := "deleteMyCommands"
	if len(want) > 0 {
		method, params["commands"] = "setMyCommands", inJSON(want)
	}
	_, err = t.client.call(ctx, method, params)
	return err
}

// languages are those in which commands are described, in a fixed order.
func languages(commands []chat.Command) []string {
	all := map[string]bool{}
	for _, c := range commands {
		for language := range c.About {
			all[language] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// entries is the menu in one language.
func entries(commands []chat.Command, language string) []tg.BotCommand {
	list := []tg.BotCommand{}
	for _, c := range commands {
		about := c.About[language]
		if about == "" {
			about = c.About[english]
		}
		list = append(list, tg.BotCommand{Command: strings.ReplaceAll(c.Name, "-", "_"),
			Description: clip(clean(about), 256)})
	}
	return list
}
