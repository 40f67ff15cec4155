package bot

// What people are called here, and what they are told where the bot may not do what it needs.

import (
	"strings"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// ownName is how a person is called: their name on the platform, made fit for a
// board. One that could be taken for the house, or for somebody who was forgotten,
// in any language stands in quotation marks.
func (b *Bot) ownName(name string) string {
	name = chat.CleanName(name)
	whole := chat.Skeleton(name)
	bare := strings.TrimRight(whole, " .0123456789")
	if numberedOnly, taken := b.reserved[bare]; taken && (!numberedOnly || bare != whole) {
		return "“" + chat.Shorten(name, chat.MaxName-2) + "”"
	}
	return name
}

// reservedNames are the skeletons of what is nobody's name, in all languages, with
// or without a number behind; true: with a number only.
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

// Lacks is what the person who has written a command reads elsewhere about
// ev.Missing: for an adapter that could not answer where it was written.
func (b *Bot) Lacks(ev chat.Event) chat.Message {
	lang := b.languageOf(ev, "")
	line := ev.Missing.Line("bot.missing-there")
	line.Args["Command"] = chat.Repeated(ev.Command, chat.MaxName)
	return chat.Message{Lang: lang, Head: b.Words.Say(lang, line, words.Context{}), Accent: -1}
}

// lacks tells whoever asks for a board what keeps the bot from drawing it here,
// and whoever presses a button of one that cannot follow.
func (v *Visit) lacks() {
	missing := v.Event.Missing
	if missing.None() || v.Reply.Board == 0 {
		return
	}
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
