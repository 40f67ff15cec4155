package bot

import (
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// Private pages shown to all in the place, and notices to all beside a private answer.

// showCommand shows a page to all. Only buttons ask for it.
func showCommand() Command {
	return Command{Hidden: true, Name: "show", Run: (*Visit).showPage, Needs: 1,
		How: "bot.no-such-button", Options: []Option{{Name: "page", Type: chat.TypeText}}}
}

// shown are the commands whose pages can be shown to all.
var shown = []string{"lb", "stats", "review", "settle"}

// Shows sets the command that repeats the private answer, as in a button: "stats #AbCd". If only the person sees that
// answer, it gets a button that shows it to all.
func (v *Visit) Shows(command string) { v.work.shows = command }

// showPage has all in the place read a page, without its buttons.
func (v *Visit) showPage(w Args) error {
	name, text := firstWord(w.Text("page"))
	c, err := v.bot.Find(name)
	if err != nil || !slices.Contains(shown, c.Name) || !v.Event.Whispers {
		return games.Refuse("bot.no-such-button", nil)
	}
	c, given, err := v.bot.Read(c, chat.Event{Text: text})
	if err != nil {
		return err
	}
	if c.Needs > 0 { // it changes something, and is no page
		return games.Refuse("bot.no-such-button", nil)
	}
	v.work.showing = true
	return v.Public(func() error { return c.Run(v, given) })
}

// share completes a page: with the button that shows it to all or, shown to all, without buttons.
func (v *Visit) share() {
	m := v.Reply.Private
	if m == nil {
		m = v.Reply.Page // which turns, and is as private as it was
	}
	switch {
	case m == nil:
	case v.work.showing:
		m.Buttons = nil
	case v.work.shows != "" && v.Event.Whispers && !v.Reply.Public && !v.Reply.Secret:
		press := chat.Press{What: "/show " + strings.TrimSpace(v.work.shows)}.String()
		if _, fits := chat.ParsePress(press); fits {
			m.Row(chat.Button{Label: v.Say(games.Say("bot.button.show-all", nil)), Press: press, Style: games.Plain})
		}
	}
}

// Tell tells all in the place in one line about the person's change, in the shared language, if the answer is private.
func (v *Visit) Tell(what games.Line) {
	shared, err := v.sharedLanguage()
	if !v.Event.Whispers || err != nil {
		return
	}
	lang := v.Lang
	v.Lang = shared
	v.Reply.All = v.Say(games.Say("bot.changed-by",
		games.Args{"Who": v.bot.ShownName(v.Player.Name, v.Lang), "What": what}))
	v.Lang = lang
}
