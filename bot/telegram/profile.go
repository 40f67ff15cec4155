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

// The profile of the bot: what people read before they have written to it. What an operator has written there with
// BotFather stays: a text is set where there is none, or one of ours.

// profileNote is the name under which the digests of our texts are kept, as a JSON list.
const profileNote = "telegram profile"

// texts are the descriptions that a profile has, in a language each.
var texts = []struct {
	get, set, key string
	of            func(chat.Language) string
}{
	{"getMyDescription", "setMyDescription", "description", func(l chat.Language) string { return l.Long }},
	{"getMyShortDescription", "setMyShortDescription", "short_description",
		func(l chat.Language) string { return l.Short }},
}

// introduce writes the descriptions and the menu button, where they are nobody else's.
func (t *Telegram) introduce(ctx context.Context, core chat.Core) error {
	kept, err := core.Noted(ctx, profileNote)
	if err != nil {
		return err
	}
	var ours []string
	_ = json.Unmarshal([]byte(kept), &ours) // nothing noted, or nothing readable: what stands there is another's
	for _, l := range core.Languages() {
		for _, text := range texts {
			ours, err = t.describe(ctx, core, ours, l.Code, text.get, text.set, text.key, text.of(l))
			if err != nil {
				return err
			}
		}
	}
	return t.menuButton(ctx)
}

// describe writes one text in one language. It notes the text before it writes it, so that one that was written
// although the answer was lost is known as ours.
func (t *Telegram) describe(ctx context.Context, core chat.Core, ours []string, lang, get, set, key,
	want string) ([]string, error) {
	params := tg.Params{}
	if lang != english {
		params["language_code"], _, _ = strings.Cut(lang, "-")
	}
	var have map[string]string
	if err := t.client.ask(ctx, get, params, &have); err != nil {
		return ours, err
	}
	if have[key] == want || have[key] != "" && !slices.Contains(ours, digest(have[key])) {
		return ours, nil
	}
	if !slices.Contains(ours, digest(want)) {
		ours = append(ours, digest(want))
		if err := core.Note(ctx, profileNote, inJSON(ours)); err != nil {
			return ours, err
		}
	}
	params[key] = want
	return ours, t.once(ctx, set, params)
}

// digest is what a text is known by.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// menuButton has the button beside the text field list the commands, where nobody has chosen another.
func (t *Telegram) menuButton(ctx context.Context) error {
	var have struct {
		Type string `json:"type"`
	}
	if err := t.client.ask(ctx, "getChatMenuButton", nil, &have); err != nil || have.Type != "default" {
		return err
	}
	return t.once(ctx, "setChatMenuButton", tg.Params{"menu_button": `{"type":"commands"}`})
}

// profileLease is the lease of the one replica that writes the profile.
const profileLease = "telegram profile"

// introduceAlone writes the profile while no other replica does: each notes which texts are ours. A server that is too
// old to know profiles is used without.
func (t *Telegram) introduceAlone(ctx context.Context, core chat.Core) error {
	back, err := t.leases.Borrow(ctx, profileLease)
	if err != nil {
		return err
	}
	defer back(0)
	if err := t.introduce(ctx, core); !unknown(err) {
		return err
	}
	return nil
}
