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

// The menu for people of all other languages is in English.
const english = "en"

// known returns the names of the commands and their aliases.
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

// register writes the menus of private chats and groups in each language if they differ.
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

// menu writes the menu of a scope in one language if it differs.
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

// languages returns the languages of the commands' descriptions, sorted.
func languages(commands []chat.Command) []string {
	all := map[string]bool{}
	for _, c := range commands {
		for language := range c.About {
			all[language] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// listed are the commands in the menu; the others work when typed.
var listed = strings.Fields("play table hint rules fair review history leaderboard settle stats help settings")

// entries returns the menu in one language.
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
