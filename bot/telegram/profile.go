package telegram

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// The bot's command menus, and its profile texts, which people read before they write to the bot. A text that an
// operator has set with BotFather stays: only empty texts and the bot's own earlier ones are replaced.

// profileNote names a note with the digests, in a JSON list, of the texts that the bot has written. It also names the
// lease that a replica holds while it writes the profile.
const profileNote = "telegram profile"

// profileTexts are the two descriptions in a profile: the methods to read and write it, JSON key, text by language.
var profileTexts = []struct {
	get, set, key string
	of            func(chat.Language) string
}{
	{"getMyDescription", "setMyDescription", "description", func(l chat.Language) string { return l.Long }},
	{"getMyShortDescription", "setMyShortDescription", "short_description",
		func(l chat.Language) string { return l.Short }},
}

// writeProfile writes the descriptions and the menu button to Telegram, except those that an operator has set. Before
// each text it stores the text's digest, by which the bot recognizes its own text later. If the server is too old for
// profiles, it does nothing and returns nil.
func (t *Telegram) writeProfile(ctx context.Context, core chat.Core) (err error) {
	_, done, err := t.options.Leases.Hold(ctx, profileNote, 1, 0)
	if err != nil {
		return err
	}
	defer done(0)
	defer func() {
		if isUnknownMethod(err) {
			err = nil
		}
	}()
	stored, err := core.Noted(ctx, profileNote)
	if err != nil {
		return err
	}
	var ours []string
	_ = json.Unmarshal([]byte(stored), &ours) // without valid digests all texts count as an operator's
	for _, l := range core.Languages() {
		for _, text := range profileTexts {
			params, want := tg.Params{}, text.of(l)
			if l.Code != english {
				params["language_code"], _, _ = strings.Cut(l.Code, "-")
			}
			var have map[string]string
			if err := t.callInto(ctx, text.get, params, &have); err != nil {
				return err
			}
			if current := have[text.key]; current == want || current != "" && !slices.Contains(ours, digest(current)) {
				continue
			}
			if !slices.Contains(ours, digest(want)) {
				ours = append(ours, digest(want))
				if err := core.Note(ctx, profileNote, inJSON(ours)); err != nil {
					return err
				}
			}
			params[text.key] = want
			if err := t.execute(ctx, text.set, params); err != nil {
				return err
			}
		}
	}
	return t.writeMenuButton(ctx)
}

// digest returns a short hash by which the bot recognizes text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// The menu of commands, in every language.

// english is the language whose menu people see if there is none in their own.
const english = "en"

// registerCommands writes the command menus for private chats and for groups, in each language in which they changed.
func (t *Telegram) registerCommands(ctx context.Context, core chat.Core) error {
	for _, scope := range []string{"all_private_chats", "all_group_chats"} {
		for _, l := range core.Languages() {
			params := tg.Params{"scope": inJSON(map[string]string{"type": scope})}
			if l.Code != english {
				params["language_code"], _, _ = strings.Cut(l.Code, "-")
			}
			var have []tg.BotCommand
			if err := t.callInto(ctx, "getMyCommands", params, &have); err != nil {
				return err
			}
			want := menuEntries(core.Commands(), l.Code)
			if slices.Equal(have, want) {
				continue
			}
			params["commands"] = inJSON(want)
			if err := t.execute(ctx, "setMyCommands", params); err != nil {
				return err
			}
		}
	}
	return nil
}

// menuCommands are the names of the commands that menus list. Other commands must be typed.
var menuCommands = strings.Fields("play table hint rules fair review history leaderboard settle stats help settings")

// menuEntries returns the command menu in language. Descriptions without a translation are in English.
func menuEntries(commands []chat.Command, language string) []tg.BotCommand {
	list := []tg.BotCommand{}
	for _, c := range commands {
		if !slices.Contains(menuCommands, c.Name) {
			continue
		}
		about := cmp.Or(c.About[language], c.About[english])
		list = append(list, tg.BotCommand{Command: c.Name, Description: clip(clean(about), 256)})
	}
	return list
}
