package bot

import (
	"errors"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Private makes the reply's longer answer, which the person alone reads, in the person's language.
func (v *Visit) Private(head games.Line, lines ...games.Line) *chat.Message {
	m := &chat.Message{Lang: v.Lang, Head: v.Say(head), Accent: -1}
	for _, line := range lines {
		m.Lines = append(m.Lines, v.Say(line))
	}
	v.Reply.Private = m
	return m
}

// Public runs answer, which makes a private answer, and has all in the place read it instead, in
// the language that they share.
func (v *Visit) Public(answer func() error) (err error) {
	v.Reply.Public = true
	if v.Lang, err = v.sharedLanguage(); err != nil {
		return err
	}
	return answer()
}

// Button returns a button of a private answer: it carries a command.
func (v *Visit) Button(label games.Line, command string, style games.Style) chat.Button {
	p := chat.Press{Table: v.Pressed().Table, What: command}
	return chat.Button{Label: chat.Shorten(v.Say(label), chat.MaxButton), Press: p.String(), Style: style}
}

// TableHere returns the table of the place that is not over, or else the newest there, as it was when first asked for,
// or store.ErrNotFound.
func TableHere(v *Visit) (store.Table, error) {
	type here struct{}
	return Cached(v.work.read, here{}, func() (store.Table, error) {
		return v.Tx.Tables.TableHere(string(v.Event.Place))
	})
}

// sharedLanguage returns the language for all readers in a visit's place: the chat's, else that of the table there,
// else the person's.
func (v *Visit) sharedLanguage() (string, error) {
	if lang := v.bot.Words.Match(v.Chat.Language, v.Chat.Locale); lang != "" {
		return lang, nil
	}
	t, err := TableHere(v)
	if errors.Is(err, store.ErrNotFound) {
		return v.bot.SharedLanguage(v.Chat, v.Player), nil
	}
	if err != nil {
		return "", err
	}
	return v.bot.TableLanguage(v.Tx, v.Chat, t)
}
