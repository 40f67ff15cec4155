package bot

import (
	"knobel/bot/chat"
	"knobel/games"
)

// News comes from the message files. After an upgrade the first admin who writes a command in a chat reads it, once; a
// chat that the bot has just met has none.

// edition numbers the sentences news.1 to news.3: a release that changes them raises it.
const edition = 2

// hasNews reports whether the person is about to read news.
func (v *Visit) hasNews() (bool, error) {
	if v.Chat.News >= edition || v.Event.Press != "" {
		return false, nil
	}
	return v.IsAdmin(false)
}

// tellNews adds to the answer to an admin's command, once a chat, that there is something new, with
// a button for all of it.
func (v *Visit) tellNews() error {
	if news, err := v.hasNews(); !news {
		return err
	}
	brief := games.Say("bot.news.brief", games.Args{"First": games.Say("news.1", nil)})
	if v.Event.Aloud {
		brief = games.Say("bot.news.behind", nil) // others are not to read of it
	}
	m := v.Reply.Private
	switch {
	case m != nil: // it has to be seen
		m.Lines, m.Folds = append(m.Lines, v.Say(brief)), false
	case v.Reply.Toast != "":
		m = v.Private(games.Say("bot.text", games.Args{"Text": v.Reply.Toast}), brief)
	default:
		m = v.Private(brief)
	}
	m.Buttons = append(m.Buttons, []chat.Button{v.Button(games.Say("bot.news.more", nil), "/news", games.Plain)})
	v.Chat.News = edition
	return v.Tx.Chats.SaveChat(v.Chat)
}

// newsCommand shows the news.
func (v *Visit) newsCommand(Args) error {
	m := v.Private(games.Say("bot.news.head", nil))
	for _, key := range []string{"news.1", "news.2", "news.3"} {
		m.Lines = append(m.Lines, "• "+v.Say(games.Say(key, nil)))
	}
	return nil
}
