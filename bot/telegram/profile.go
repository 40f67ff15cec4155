package telegram

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// The bot's menus and profile texts, which people read before they write to it. A text that an operator has set with
// BotFather stays: only empty texts and those of Knobel are replaced.

// profileNote is the name of two things: the stored digests, a JSON list, of the texts that Knobel has written, and the
// lease of the one replica that writes the profile.
const profileNote = "telegram profile"

// texts are the two descriptions in a profile: the methods that read and write each, its key, and its text in a
// language.
var texts = []struct {
	get, set, key string
	of            func(chat.Language) string
}{
	{"getMyDescription", "setMyDescription", "description", func(l chat.Language) string { return l.Long }},
	{"getMyShortDescription", "setMyShortDescription", "short_description",
		func(l chat.Language) string { return l.Short }},
}

// introduce writes the descriptions and the menu button at Telegram unless an operator has set them. It stores the
// digest of a text first, so that the text is recognized as Knobel's even if the response was lost. A server too old
// for profiles is no error.
func (t *Telegram) introduce(ctx context.Context, core chat.Core) (err error) {
	_, done, err := t.options.Leases.Hold(ctx, profileNote, 1, 0)
	if err != nil {
		return err
	}
	defer done(0)
	defer func() {
		if unknown(err) {
			err = nil
		}
	}()
	kept, err := core.Noted(ctx, profileNote)
	if err != nil {
		return err
	}
	var ours []string
	_ = json.Unmarshal([]byte(kept), &ours) // without valid digests all texts count as an operator's
	for _, l := range core.Languages() {
		for _, text := range texts {
			params, want := tg.Params{}, text.of(l)
			if l.Code != english {
				params["language_code"], _, _ = strings.Cut(l.Code, "-")
			}
			var have map[string]string
			if err := t.ask(ctx, text.get, params, &have); err != nil {
				return err
			}
			if is := have[text.key]; is == want || is != "" && !slices.Contains(ours, digest(is)) {
				continue
			}
			if !slices.Contains(ours, digest(want)) {
				ours = append(ours, digest(want))
				if err := core.Note(ctx, profileNote, inJSON(ours)); err != nil {
					return err
				}
			}
			params[text.key] = want
			if err := t.once(ctx, text.set, params); err != nil {
				return err
			}
		}
	}
	var button struct{ Type string }
	if err := t.ask(ctx, "getChatMenuButton", nil, &button); err != nil || button.Type != "default" {
		return err
	}
	return t.once(ctx, "setChatMenuButton", tg.Params{"menu_button": `{"type":"commands"}`})
}

// digest returns a short hash that identifies text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// The menu of commands, in every language.

// english is the language of the menu for people of all languages without a translation.
const english = "en"

// register writes the command menus of private chats and of groups at Telegram, in each language in which they differ.
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

// listed are the names of the commands in the menu; the others work when typed.
var listed = strings.Fields("play table hint rules fair review history leaderboard settle stats help settings")

// entries returns the menu of commands in language; an untranslated description is in English.
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
