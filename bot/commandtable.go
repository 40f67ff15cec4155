package bot

import (
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/games/money"
)

// Feature returns what tables add to the bot.
func (b *Tables) Feature() Feature {
	return Feature{
		Commands: b.commandTable(),
		Loops: []Loop{
			{Wake: b.woken, Waits: "house seats wait", Look: loop.Always(b.lookWaiting)},
			{Wake: b.due, Waits: "turns are not over", Look: newWatch(b).look},
		},
		Settings: b.settingTable(),
		Press:    func(v *Visit, p chat.Press) error { return b.Visit(v).press(p) },
		Board:    b.board,
		Before:   func(v *Visit) error { return b.Visit(v).comeBack() },
		Renamed:  func(v *Visit) error { return b.Visit(v).renameSeats() },
		Left:     func(v *Visit, user, chat string) error { return b.Visit(v).Withdraw(user, chat) },
		Zone:     func(v *Visit, was, now Settings) error { return b.Visit(v).quietChanged(was, now) },
	}
}

// commandTable lists the commands about tables: one for each game, and the others.
func (b *Tables) commandTable() []Command {
	var all []Command
	for _, g := range b.Games {
		all = append(all, b.gameCommand(g))
	}
	variant := Option{Name: "variant", About: games.Say("bot.option.variant", nil), Choices: b.AllVariants(), Open: true, More: b.houseChoices(""), Own: true}
	return append(all,
		Command{Name: "table", Subject: ToPlay, Run: As(b.Visit, (*TableVisit).tableCommand)},
		Command{Hidden: true, Name: "bring", Run: As(b.Visit, (*TableVisit).bringCommand), Text: "table"},
		Command{Name: "hint", Subject: ToPlay, Run: As(b.Visit, (*TableVisit).hintCommand)},
		Command{Name: "luck", Subject: ToPlay, Run: As(b.Visit, (*TableVisit).luckCommand), Text: "word",
			Options: []Option{{Name: "word", About: games.Say("bot.option.word", nil), Open: true}}},
		Command{Name: "handover", Subject: ToPlay, Run: As(b.Visit, (*TableVisit).handoverCommand)},
		Command{Name: "abandon", Subject: ToPlay, Run: As(b.Visit, (*TableVisit).abandonCommand)},

		Command{Name: "rules", Subject: ToTrust, Run: As(b.Visit, (*TableVisit).rulesCommand), Options: []Option{variant}},
		Command{Name: "fair", Subject: ToTrust, Run: As(b.Visit, (*TableVisit).fairCommand)},

		Command{Name: "house", Subject: OfChat, Run: As(b.Visit, (*TableVisit).houseCommand), Text: "what",
			Options: []Option{{Name: "what", About: games.Say("bot.option.house-what", nil), Open: true, More: Offers(b.Visit, (*TableVisit).houseWords)}}},
		Command{Name: "unit", Subject: OfChat, Run: As(b.Visit, (*TableVisit).unitCommand), Text: "name",
			Options: []Option{{Name: "name", About: games.Say("bot.option.unit", nil), Open: true}}},
	)
}

// gameCommand is the command that opens a table of a game: its stake, its
// variants, every option of its rules.
func (b *Tables) gameCommand(g games.Game) Command {
	c := Command{Name: g.Name(), Subject: ToPlay, game: g, about: b.aboutGame(g), Aliases: b.gameAliases(g)}
	c.Run = func(v *Visit, w Args) error { return b.Visit(v).gameCommand(g, w) }
	if g.Pool() {
		c.Options = append(c.Options, Option{Name: "stake", label: games.Say("bot.option-called.stake", nil), About: games.Say("bot.option.stake", nil), Whole: true, Max: money.MostStake})
	}
	if len(g.Variants()) > 1 {
		c.Options = append(c.Options, Option{Name: "variant", label: games.Say("bot.option-called.variant", nil), About: games.Say("bot.option.variant", nil), Choices: b.variantChoices(g), More: b.houseChoices(g.Name()), Own: true})
	}
	c.Options = append(c.Options, b.houseOption(g))
	for _, o := range g.Options() {
		c.Options = append(c.Options, Option{Name: o.Name, label: b.optionLabel(g, o), About: b.aboutOption(g, o), Choices: valueChoices(o), Open: o.Parse != nil})
	}
	c.Options = append(c.Options, threadOption())
	c.Options = append(c.Options, b.termOptions(g)...)
	return c
}
