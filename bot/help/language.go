package help

import (
	"cmp"
	"slices"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// The language of a chat.

// languageCommand says or sets the language of the chat.
func (b *Help) languageCommand(v *table.Visit, w bot.Args) error {
	asked := w.Text("language")
	if asked == "" {
		m := v.Private(games.Say("bot.language-now",
			games.Args{"Language": b.LanguageLabel(cmp.Or(v.Chat.Language, v.Lang))}))
		var row []chat.Button
		for _, lang := range b.Words.Languages() {
			row = append(row, v.Button(b.LanguageLabel(lang), "/language "+lang, games.Plain))
		}
		m.Rows(chat.ChoiceRow, row...)
		return nil
	}
	lang := b.Words.Called(asked)
	if err := v.AdminsOnly("bot.admins-change"); err != nil {
		return err
	}
	v.Chat.Language = lang
	if err := v.Tx.Chats.SaveChat(v.Chat); err != nil {
		return err
	}
	v.Receipt("bot.language-set", games.Args{"Language": b.LanguageLabel(lang)})
	v.Tell(games.Say("bot.language-set", games.Args{"Language": b.LanguageLabel(lang)}))
	return b.redrawAll(v)
}

// redrawAll has the boards of the chat drawn that people look at: those of
// tables that are not over, and the last one here.
func (b *Help) redrawAll(v *table.Visit) error {
	tables, err := v.Active(v.Chat.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if t.Board.Away {
			continue // it is drawn as it is once it can be reached
		}
		if err := v.Redraw(&t); err != nil {
			return err
		}
	}
	t, err := v.Here()
	if _, none := games.Refused(err); none {
		return nil
	}
	if err != nil || slices.ContainsFunc(tables, func(drawn store.Table) bool { return drawn.ID == t.ID }) {
		return err
	}
	return v.Redraw(&t)
}

// noSuchLanguage refuses a language without sentences.
func (b *Help) noSuchLanguage(asked string) error {
	var known []string
	for _, l := range b.Languages() {
		known = append(known, l.Name)
	}
	return bot.NoSuchWord(asked, known)
}
