package bot

// Names of people and chats, and messages about missing permissions.

import (
	"strings"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// ownName returns a person's name on the platform, made fit for a board. A name that could be taken
// for the house, or for a person who was forgotten, in any language, is put in quotation marks.
func (b *Bot) ownName(name string) string {
	name = chat.CleanName(name)
	whole := chat.Skeleton(name)
	bare := strings.TrimRight(whole, " .0123456789")
	if numberedOnly, taken := b.reserved[bare]; taken && (!numberedOnly || bare != whole) {
		return "“" + chat.Shorten(name, chat.MaxName-2) + "”"
	}
	return name
}

// reservedNames returns the skeletons of reserved names in all languages. true: only with a number behind it.
func reservedNames(said *words.Words) map[string]bool {
	reserved := map[string]bool{}
	for _, lang := range said.Languages() {
		gone := said.Say(lang, games.Say("bot.gone", games.Args{"N": 7}), words.Context{})
		reserved[chat.Skeleton(strings.TrimSuffix(gone, "7"))] = true
		for _, key := range []string{"bot.house", "bot.settle.house", "bot.somebody"} {
			reserved[chat.Skeleton(said.Say(lang, games.Say(key, nil), words.Context{}))] = false
		}
	}
	return reserved
}

// Lacks returns the message about ev.Missing that a command's author reads elsewhere, from an adapter that could not
// answer in the place.
func (b *Bot) Lacks(ev chat.Event) chat.Message {
	lang := b.languageOf(ev, "")
	line := ev.Missing.Line("bot.missing-there")
	line.Args["Command"] = chat.Repeated(ev.Command, chat.MaxName)
	return chat.Message{Lang: lang, Head: b.Words.Say(lang, line, words.Context{}), Accent: -1}
}

// lacks tells a person who asked for a board which permissions the bot lacks to draw it here, and
// one who pressed a button whose board cannot follow.
func (v *Visit) lacks() {
	missing := v.Event.Missing
	if v.Event.Command != "" {
		if v.Reply.Private == nil {
			v.Private(missing.Line("bot.missing"))
		}
		return
	}
	if v.Event.Carries || v.Reply.Private != nil {
		return // the answer to the press draws it
	}
	said := v.Say(games.Say("bot.missing-briefly", games.Args{"Permissions": missing.Permissions}))
	if v.Reply.Toast != "" {
		said = v.Reply.Toast + " " + said
	}
	v.Reply.Toast = chat.Shorten(said, maxToast)
}
