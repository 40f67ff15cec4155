package telegram

import (
	"context"
	"maps"
	"slices"
	"strings"

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
			if err := t.menu(ctx, of, language, entries(commands, language)); err != nil {
				return err
			}
		}
	}
	return nil
}

// menu writes the menu of a kind of chats in one language, if it differs from the one there.
func (t *Telegram) menu(ctx context.Context, of, language string, want []tg.BotCommand) error {
	params := tg.Params{"scope": inJSON(map[string]string{"type": of})}
	if language != english {
		params["language_code"], _, _ = strings.Cut(language, "-")
	}
	var have []tg.BotCommand
	if err := t.client.ask(ctx, "getMyCommands", params, &have); err != nil || slices.Equal(have, want) {
		return err
	}
	params["commands"] = inJSON(want)
	return t.once(ctx, "setMyCommands", params)
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

// listed are the commands in the menu. All others are understood as they are written.
var listed = strings.Fields("play table hint rules fair review history leaderboard settle stats help settings")

// entries is the menu in one language.
func entries(commands []chat.Command, language string) []tg.BotCommand {
	list := []tg.BotCommand{}
	for _, c := range commands {
		if !slices.Contains(listed, c.Name) {
			continue
		}
		about := c.About[language]
		if about == "" {
			about = c.About[english]
		}
		list = append(list, tg.BotCommand{Command: c.Name, Description: clip(clean(about), 256)})
	}
	return list
}
