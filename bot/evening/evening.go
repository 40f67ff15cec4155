// Package evening calls people together on fixed evenings: it posts a notice before the hour, opens a lobby on the
// hour, and keeps the platform's event in step.
package evening

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/notice"
	"knobel/bot/standings"
	"knobel/games"
)

// Evenings is the part of the bot with the fixed evenings of all chats.
type Evenings struct {
	*standings.Standings
	notices *notice.Notices
	wake    loop.Waker  // wakes the loop that takes the steps of evenings
	events  *loop.Tasks // events of platforms that are being changed
}

// New returns the evenings of the chats of s. Their notices are a kind of notices.
func New(s *standings.Standings, notices *notice.Notices) *Evenings {
	b := &Evenings{Standings: s, notices: notices, wake: loop.NewWaker(), events: loop.NewTasks(s.Clock, eventAgain)}
	notices.Kind(kind, b.draw)
	return b
}

// visit is the handling of one event, or of one step, with the methods of Evenings.
type visit struct {
	*standings.Visit
	bot *Evenings
}

// Visit returns v with the methods of Evenings.
func (b *Evenings) Visit(v *bot.Visit) *visit { return &visit{b.Standings.Visit(v), b} }

// The names of the options of /evening. optionWhen is in no menu: it is all that people type.
const (
	optionWhen   = "when"
	optionDay    = "day"
	optionTime   = "time"
	optionNotice = "notice"
)

// maxEvenings is the largest number of fixed evenings of a chat.
const maxEvenings = 10

// Feature returns the command /evening and the loops of fixed evenings.
func (b *Evenings) Feature() bot.Feature {
	return bot.Feature{
		Commands: []bot.Command{b.options()},
		Loops: []bot.Loop{
			{Wake: b.wake, Waits: "open evenings failed", Look: b.look},
			{Wake: b.events.Waker, Waits: "change events failed", Look: b.syncEvents, Ends: b.events.Wait},
		},
		Zone: func(v *bot.Visit, _, _ bot.Settings) error { return b.Visit(v).zoneChanged() },
	}
}

// options returns the command /evening.
func (b *Evenings) options() bot.Command {
	number := []bot.Option{{Name: "evening", Type: chat.TypeNumber, Min: 1}}
	answer := append(number, bot.Option{Name: "start", Type: chat.TypeNumber, Min: 1})
	sub := func(name string, options []bot.Option, run func(*visit, bot.Args) error) bot.Command {
		return bot.Command{Name: name, Options: options, Run: bot.As(b.Visit, run), How: "bot.no-such-button"}
	}
	day := bot.Option{Name: optionDay, Type: chat.TypeText, About: games.Say("bot.option.evening-day", nil)}
	for i := range weekdays {
		name := weekdays[(i+1)%len(weekdays)] // Monday first
		day.Choices = append(day.Choices, bot.Choice{Value: weekdayValue(name), Label: games.Say(string(name), nil)})
	}
	at := bot.Option{Name: optionTime, Type: chat.TypeText, About: games.Say("bot.option.evening-time", nil)}
	for _, offered := range offeredTimes {
		at.Choices = append(at.Choices, bot.TextChoice(offered))
	}
	before := bot.Option{Name: optionNotice, Type: chat.TypeText, About: games.Say("bot.option.evening-notice", nil)}
	for _, offered := range offeredNotices {
		before.Choices = append(before.Choices, bot.TextChoice(offered))
	}
	return bot.Command{Name: "evening", Subject: bot.OfChat, Hosted: "bot.hosted.evening", Equals: "bot.equals.evening",
		How: "bot.evening.when",
		Run: bot.As(b.Visit, (*visit).command),
		Options: []bot.Option{{Name: optionWhen, Type: chat.TypeText}, day, at,
			{Name: bot.OptionGame, Type: chat.TypeText, About: games.Say("bot.option.evening-game", nil),
				Choices: b.GameChoices()},
			{Name: bot.OptionMore, Type: chat.TypeText, About: games.Say("bot.option.play-options", nil)}, before},
		Subs: []bot.Command{
			sub("#off", number, (*visit).off),
			sub("#skip", number, (*visit).skip),
			sub("#show", number, (*visit).showPage),
			sub("#change", number, (*visit).changePage),
			sub("#set", append(number, bot.Option{Name: "to", Type: chat.TypeText}), (*visit).set),
			sub("#in", answer, (*visit).comes),
			sub("#out", answer, (*visit).staysAway),
		}}
}
