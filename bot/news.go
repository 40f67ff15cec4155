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
		if !b.words.Has(key) {
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
func (v *visit) knowNews() error {
	if v.chat.News != store.NotTold {
		return nil
	}
	v.chat.News = v.bot.edition
	return v.tx.SaveChat(v.chat)
}

// hasNews says whether the person is to be told of something new.
func (v *visit) hasNews() (bool, error) {
	if v.chat.News >= v.bot.edition || v.ev.Press != "" {
		return false, nil
	}
	return v.isAdmin(false)
}

// tellNews tells an admin, once in a chat, that there is something new: beside
// the answer to their command, in brief, with a button for all of it.
func (v *visit) tellNews() error {
	if news, err := v.hasNews(); !news {
		return err
	}
	brief := games.Say("bot.news.brief", games.Args{"First": v.bot.newsOf(v.bot.edition)[0]})
	if v.ev.Aloud {
		brief = games.Say("bot.news.behind", nil) // others are not to read of it
	}
	m := v.reply.Private
	switch {
	case m != nil:
		m.Lines = append(m.Lines, v.say(brief))
	case v.reply.Toast != "":
		m = v.private(games.Say("bot.text", games.Args{"Text": v.reply.Toast}), brief)
	default:
		m = v.private(brief)
	}
	m.Buttons = append(m.Buttons, []chat.Button{v.button(games.Say("bot.news.more", nil), "/news", games.Plain)})
	v.chat.News = v.bot.edition
	return v.tx.SaveChat(v.chat)
}

// newsCommand says what is new, the newest edition first.
func (v *visit) newsCommand(wishes) error {
	var lines []games.Line
	for edition := v.bot.edition; edition > 0; edition-- {
		lines = append(lines, v.bot.newsOf(edition)...)
	}
	m := v.private(games.Say("bot.news.head", nil))
	for _, line := range lines[:min(len(lines), mostNews)] {
		m.Lines = append(m.Lines, "• "+v.say(line))
	}
	return nil
}

// mostNews is how many sentences of what is new one answer holds.
const mostNews = 12
