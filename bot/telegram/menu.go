package telegram

import (
	"context"
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
func (t *Telegram) register(ctx context.Context, core chat.Core) error {
	for _, scope := range []string{"all_private_chats", "all_group_chats"} {
		for _, l := range core.Languages() {
			params := tg.Params{"scope": inJSON(map[string]string{"type": scope})}
			if l.Code != english {
				params["language_code"], _, _ = strings.Cut(l.Code, "-")
			}
			var have []tg.BotCommand
			if err := t.ask(ctx, "getMyCommands", params, &have); err != nil {
				return err
			}
			want := entries(core.Commands(), l.Code)
			if slices.Equal(have, want) {
				continue
			}
			params["commands"] = inJSON(want)
			if err := t.once(ctx, "setMyCommands", params); err != nil {
				return err
			}
		}
	}
	return nil
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
