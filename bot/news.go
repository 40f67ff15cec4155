package bot

import (
	"fmt"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// What is new stands in the message files, in editions numbered from 1: the
// sentences news.1.1, news.1.2, … of the first. After an upgrade the first admin
// who writes a command in a chat is told of the editions that the chat does not
// know, once; a chat that has just been met knows all of them.

// newsOf are the sentences of an edition; none where there is no such edition.
func (b *Bot) newsOf(edition int) []games.Line {
	var lines []games.Line
	for n := 1; ; n++ {
		key := fmt.Sprintf("news.%d.%d", edition, n)
		if !b.Words.Has(key) {
			return lines
		}
		lines = append(lines, games.Say(key, nil))
	}
}

// newest is the newest edition, 0 where there is none.
func (b *Bot) newest() int {
	edition := 0
	for len(b.newsOf(edition+1)) > 0 {
		edition++
	}
	return edition
}

// knowNews has a chat that has just been met know all that is new.
func (v *Visit) knowNews() error {
	if v.Chat.News != store.NotTold {
		return nil
	}
	v.Chat.News = v.bot.edition
	return v.Tx.SaveChat(v.Chat)
}

// hasNews reports whether the person is to be told of something new.
func (v *Visit) hasNews() (bool, error) {
	if v.Chat.News >= v.bot.edition || v.Event.Press != "" {
		return false, nil
	}
	return v.IsAdmin(false)
}

// tellNews tells an admin, once in a chat, that there is something new: beside
// the answer to their command, in brief, with a button for all of it.
func (v *Visit) tellNews() error {
	if news, err := v.hasNews(); !news {
		return err
	}
	brief := games.Say("bot.news.brief", games.Args{"First": v.bot.newsOf(v.bot.edition)[0]})
	if v.Event.Aloud {
		brief = games.Say("bot.news.behind", nil) // others are not to read of it
	}
	m := v.Reply.Private
	switch {
	case m != nil:
		m.Lines = append(m.Lines, v.Say(brief))
	case v.Reply.Toast != "":
		m = v.Private(games.Say("bot.text", games.Args{"Text": v.Reply.Toast}), brief)
	default:
		m = v.Private(brief)
	}
	m.Buttons = append(m.Buttons, []chat.Button{v.Button(games.Say("bot.news.more", nil), "/news", games.Plain)})
	v.Chat.News = v.bot.edition
	return v.Tx.SaveChat(v.Chat)
}

// newsCommand says what is new, the newest edition first.
func (v *Visit) newsCommand(Args) error {
	var lines []games.Line
	for edition := v.bot.edition; edition > 0; edition-- {
		lines = append(lines, v.bot.newsOf(edition)...)
	}
	m := v.Private(games.Say("bot.news.head", nil))
	for _, line := range lines[:min(len(lines), maxNews)] {
		m.Lines = append(m.Lines, "• "+v.Say(line))
	}
	return nil
}

// maxNews is how many sentences of what is new one answer holds.
const maxNews = 12
