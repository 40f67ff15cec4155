package bot

import (
	"knobel/games"
	"knobel/games/money"
)

// subjects are what commands are about, in the order in which /help shows
// them. Each is a page of /help, and none is called like a command.
const (
	toPlay  = "play"    // tables and what one does at them
	toTrust = "dice"    // rules, dice, games looked at again
	toCount = "books"   // who has won what, who owes whom
	ofChat  = "chat"    // what a chat agrees on
	ofSelf  = "oneself" // what everybody decides for themselves
)

var subjects = [...]string{toPlay, toTrust, toCount, ofChat, ofSelf}

// commandTable lists all commands: one for each game, then the others by their
// subject. Whatever is added here stands in every menu and in /help.
func (b *Bot) commandTable() []command {
	var all []command
	for _, g := range b.games {
		all = append(all, b.gameCommand(g))
	}
	variant := option{name: "variant", about: games.Say("bot.option.variant", nil), choices: b.allVariants(), open: true, more: houseChoices(""), own: true}
	return append(all,
		command{name: "table", subject: toPlay, run: (*visit).tableCommand},
		command{hidden: true, name: "bring", run: (*visit).bringCommand, whole: "table"},
		command{name: "hint", subject: toPlay, run: (*visit).hintCommand},
		command{name: "luck", subject: toPlay, run: (*visit).luckCommand, whole: "word",
			options: []option{{name: "word", about: games.Say("bot.option.word", nil), open: true}}},
		command{name: "handover", subject: toPlay, run: (*visit).handoverCommand},
		command{name: "abandon", subject: toPlay, run: (*visit).abandonCommand},

		command{name: "rules", subject: toTrust, run: (*visit).rulesCommand, options: []option{variant}},
		command{name: "fair", subject: toTrust, run: (*visit).fairCommand},

		command{name: "notify", subject: ofSelf, run: (*visit).notifyCommand, options: notifyOptions()},

		command{name: "doctor", subject: ofChat, run: (*visit).doctorCommand},
		command{name: "help", subject: ofChat, run: (*visit).helpCommand, aliases: []string{"start"}, whole: "about",
			options: []option{{name: "about", about: games.Say("bot.option.help", nil), open: true, more: (*visit).helpChoices}}},
		command{name: "news", subject: ofChat, run: (*visit).newsCommand},
		command{name: "language", subject: ofChat, run: (*visit).languageCommand, whole: "language",
			options: []option{{name: "language", about: games.Say("bot.option.language", nil), choices: b.languageChoices()}}},
		command{name: "house", subject: ofChat, run: (*visit).houseCommand, whole: "what",
			options: []option{{name: "what", about: games.Say("bot.option.house-what", nil), open: true, more: (*visit).houseWords}}},
		command{name: "unit", subject: ofChat, run: (*visit).unitCommand, whole: "name",
			options: []option{{name: "name", about: games.Say("bot.option.unit", nil), open: true}}},
		command{name: "settings", subject: ofChat, run: (*visit).settingsCommand, options: b.settingOptions()},
	)
}

// gameCommand is the command that opens a table of a game: its stake, its
// variants, every option of its rules.
func (b *Bot) gameCommand(g games.Game) command {
	c := command{name: g.Name(), subject: toPlay, game: g, about: b.aboutGame(g), aliases: b.gameAliases(g)}
	c.run = func(v *visit, w wishes) error { return v.gameCommand(g, w) }
	if g.Pool() {
		c.options = append(c.options, option{name: "stake", label: games.Say("bot.option-called.stake", nil), about: games.Say("bot.option.stake", nil), whole: true, most: money.MostStake})
	}
	if len(g.Variants()) > 1 {
		c.options = append(c.options, option{name: "variant", label: games.Say("bot.option-called.variant", nil), about: games.Say("bot.option.variant", nil), choices: b.variantChoices(g), more: houseChoices(g.Name()), own: true})
	}
	c.options = append(c.options, houseOption(g))
	for _, o := range g.Options() {
		c.options = append(c.options, option{name: o.Name, label: b.optionLabel(g, o), about: b.aboutOption(g, o), choices: valueChoices(o), open: o.Parse != nil})
	}
	c.options = append(c.options, threadOption())
	c.options = append(c.options, b.termOptions(g)...)
	return c
}
