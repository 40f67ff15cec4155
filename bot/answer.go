package bot

import (
	"knobel/bot/chat"
	"knobel/games"
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
// the chat's language.
func (v *Visit) Public(answer func() error) error {
	v.Lang, v.Reply.Public = v.bot.SharedLanguage(v.Chat, v.Player), true
	return answer()
}

// Button is a button of a private answer: it carries a command.
func (v *Visit) Button(label games.Line, command string, style games.Style) chat.Button {
	p := chat.Press{Table: v.Pressed().Table, What: command}
	return chat.Button{Label: chat.Shorten(v.Say(label), chat.MaxButton), Press: p.String(), Style: style}
}
