package bot

import (
	"fmt"
	"slices"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// What is new stands in the message files, in editions numbered from 1: the sentences of the first
// are news.1.1, news.1.2, …. After an upgrade the first admin who writes a command in a chat reads
// the editions that the chat has not seen, once; a chat that the bot has just met has seen all.

// newsOf returns the sentences of an edition; none if there is no such edition.
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

// newest returns the number of the newest edition, 0 if there is none.
func (b *Bot) newest() int {
	edition := 0
	for len(b.newsOf(edition+1)) > 0 {
		edition++
	}
	return edition
}

// knowNews marks all editions as seen in a chat that the bot has just met.
func (v *Visit) knowNews() error {
	if v.Chat.News != store.NotTold {
		return nil
	}
	v.Chat.News = v.bot.edition
	return v.Tx.SaveChat(v.Chat)
}

// hasNews reports whether the person is about to read news.
func (v *Visit) hasNews() (bool, error) {
	if v.Chat.News >= v.bot.edition || v.Event.Press != "" {
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
	brief := games.Say("bot.news.brief", games.Args{"First": v.bot.newsOf(v.bot.edition)[0]})
	if v.Event.Aloud {
		brief = games.Say("bot.news.behind", nil) // others are not to read of it
	}
	m := v.adds(brief)
	m.Buttons = append(m.Buttons, []chat.Button{v.Button(games.Say("bot.news.more", nil), "/news", games.Plain)})
	v.Chat.News = v.bot.edition
	return v.Tx.SaveChat(v.Chat)
}

// adds adds a line to what the person alone reads, which is to be seen.
func (v *Visit) adds(line games.Line) *chat.Message {
	m := v.Reply.Private
	switch {
	case m != nil:
		m.Lines, m.Folds = append(m.Lines, v.Say(line)), false
	case v.Reply.Toast != "":
		m = v.Private(games.Say("bot.text", games.Args{"Text": v.Reply.Toast}), line)
	default:
		m = v.Private(line)
	}
	return m
}

// unreadFaults are the settings of which the person is about to read that the chat is not as they say.
func (v *Visit) unreadFaults() (all []Setting, err error) {
	if v.Event.Press != "" || v.Event.Aloud { // others are not to read of it
		return nil, nil
	}
	for _, f := range v.bot.features {
		for _, s := range f.Settings {
			if s.Fault == nil || !s.isFor(v.Event) {
				continue
			}
			faulty, err := s.Unread(v) // first: that of most chats is known by it
			if err == nil && faulty {
				_, faulty, err = s.Fault(v)
			}
			if err != nil {
				return nil, err
			}
			if faulty {
				all = append(all, s)
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	if admin, err := v.IsAdmin(false); err != nil || !admin {
		return nil, err
	}
	return all, nil
}

// tellFaults adds to the answer to an admin's command, once, why the chat is not as settings say.
func (v *Visit) tellFaults(all []Setting) error {
	for _, s := range all {
		why, faulty, err := s.Fault(v)
		if err != nil {
			return err
		}
		if !faulty { // the command has set it anew
			continue
		}
		warning := games.Say("bot.settings.warning", games.Args{"Text": v.Say(why)})
		if m := v.Reply.Private; m == nil || !slices.Contains(m.Lines, v.Say(warning)) {
			v.adds(warning)
		}
		if err := s.Told(v); err != nil {
			return err
		}
	}
	return nil
}

// newsCommand says what is new, the newest edition first.
func (v *Visit) newsCommand(Args) error {
	var lines []games.Line
	for edition := v.bot.edition; edition > 0; edition-- {
		lines = append(lines, v.bot.newsOf(edition)...)
	}
	m := v.Private(games.Say("bot.news.head", nil))
	m.Folds = true
	for _, line := range lines[:min(len(lines), maxNews)] {
		m.Lines = append(m.Lines, "• "+v.Say(line))
	}
	return nil
}

// maxNews is the largest number of sentences of news in one answer.
const maxNews = 12
