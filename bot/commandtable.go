package bot

import (
	"knobel/games"
	"knobel/games/money"
)

// subjects are what commands are about, in the order in which /help shows
// them. Each is a page of /help, and none is called like a command.
const (
	ToPlay  = "play"    // tables and what one does at them
	ToTrust = "dice"    // rules, dice, games looked at again
	ToCount = "books"   // who has won what, who owes whom
	ofChat  = "chat"    // what a chat agrees on
	OfSelf  = "oneself" // what everybody decides for themselves
)

var subjects = [...]string{ToPlay, ToTrust, ToCount, ofChat, OfSelf}

// commandTable lists all commands: one for each game, then the others by their
// subject. Whatever is added here stands in every menu and in /help.
func (b *Bot) commandTable() []Command {
	var all []Command
	for _, g := range b.Games {
		all = append(all, b.gameCommand(g))
	}
	variant := Option{Name: "variant", About: games.Say("bot.option.variant", nil), Choices: b.AllVariants(), Open: true, More: houseChoices(""), Own: true}
	return append(all,
		Command{Name: "table", Subject: ToPlay, Run: (*Visit).tableCommand},
		Command{Hidden: true, Name: "bring", Run: (*Visit).bringCommand, Text: "table"},
		Command{Name: "hint", Subject: ToPlay, Run: (*Visit).hintCommand},
		Command{Name: "luck", Subject: ToPlay, Run: (*Visit).luckCommand, Text: "word",
			Options: []Option{{Name: "word", About: games.Say("bot.option.word", nil), Open: true}}},
		Command{Name: "handover", Subject: ToPlay, Run: (*Visit).handoverCommand},
		Command{Name: "abandon", Subject: ToPlay, Run: (*Visit).abandonCommand},

		Command{Name: "rules", Subject: ToTrust, Run: (*Visit).rulesCommand, Options: []Option{variant}},
		Command{Name: "fair", Subject: ToTrust, Run: (*Visit).fairCommand},

		Command{Name: "notify", Subject: OfSelf, Run: (*Visit).notifyCommand, Options: notifyOptions()},

		Command{Name: "doctor", Subject: ofChat, Run: (*Visit).doctorCommand},
		Command{Name: "help", Subject: ofChat, Run: (*Visit).helpCommand, aliases: []string{"start"}, Text: "about",
			Options: []Option{{Name: "about", About: games.Say("bot.option.help", nil), Open: true, More: (*Visit).helpChoices}}},
		Command{Name: "news", Subject: ofChat, Run: (*Visit).newsCommand},
		Command{Name: "language", Subject: ofChat, Run: (*Visit).languageCommand, Text: "language",
			Options: []Option{{Name: "language", About: games.Say("bot.option.language", nil), Choices: b.languageChoices()}}},
		Command{Name: "house", Subject: ofChat, Run: (*Visit).houseCommand, Text: "what",
			Options: []Option{{Name: "what", About: games.Say("bot.option.house-what", nil), Open: true, More: (*Visit).houseWords}}},
		Command{Name: "unit", Subject: ofChat, Run: (*Visit).unitCommand, Text: "name",
			Options: []Option{{Name: "name", About: games.Say("bot.option.unit", nil), Open: true}}},
		Command{Name: "settings", Subject: ofChat, Run: (*Visit).settingsCommand, Options: b.settingOptions()},
	)
}

// gameCommand is the command that opens a table of a game: its stake, its
// variants, every option of its rules.
func (b *Bot) gameCommand(g games.Game) Command {
	c := Command{Name: g.Name(), Subject: ToPlay, game: g, about: b.aboutGame(g), aliases: b.gameAliases(g)}
	c.Run = func(v *Visit, w Args) error { return v.gameCommand(g, w) }
	if g.Pool() {
		c.Options = append(c.Options, Option{Name: "stake", label: games.Say("bot.option-called.stake", nil), About: games.Say("bot.option.stake", nil), Whole: true, Max: money.MostStake})
	}
	if len(g.Variants()) > 1 {
		c.Options = append(c.Options, Option{Name: "variant", label: games.Say("bot.option-called.variant", nil), About: games.Say("bot.option.variant", nil), Choices: b.variantChoices(g), More: houseChoices(g.Name()), Own: true})
	}
	c.Options = append(c.Options, houseOption(g))
	for _, o := range g.Options() {
		c.Options = append(c.Options, Option{Name: o.Name, label: b.optionLabel(g, o), About: b.aboutOption(g, o), Choices: valueChoices(o), Open: o.Parse != nil})
	}
	c.Options = append(c.Options, threadOption())
	c.Options = append(c.Options, b.termOptions(g)...)
	return c
}
