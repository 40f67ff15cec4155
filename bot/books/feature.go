package books

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
)

// Feature returns what they add to the bot.
func (b *Books) Feature() bot.Feature {
	return bot.Feature{
		Zone:     func(v *bot.Visit, was, now bot.Settings) error { return b.Visit(v).keepEvenings(was, now) },
		Commands: []bot.Command{b.settleCommand()},
	}
}

// settleCommand is the command with everything about balances and payments. Rows without a word are
// asked for by buttons alone.
func (b *Books) settleCommand() bot.Command {
	who := bot.Option{Name: "who", Type: chat.TypePerson, About: games.Say("bot.option.who", nil)}
	whose := bot.Option{Name: "who", Type: chat.TypePerson, About: games.Say("bot.option.whose", nil)}
	telling := []bot.Option{
		{Name: "amount", Type: chat.TypeAmount, Min: 1, Max: maxAmount, Refuse: refuseAmount,
			About: games.Say("bot.option.amount", nil)}, who,
		{Name: "to", Type: chat.TypePerson}, {Name: "stamp", Type: chat.TypeText},
	}
	named := []bot.Option{{Name: "payment", Type: chat.TypeNumber}, {Name: "marks", Type: chat.TypeText}}
	change := func(do func(*visit, payment) error) func(*bot.Visit, bot.Args) error {
		return bot.As(b.Visit, func(v *visit, w bot.Args) error {
			p, err := v.stored(w)
			if err != nil {
				return err
			}
			return do(v, p)
		})
	}
	tells := func(got bool) func(*bot.Visit, bot.Args) error {
		return bot.As(b.Visit, func(v *visit, w bot.Args) error { return v.tell(w, got) })
	}
	settle := bot.Reads(bot.As(b.Visit, (*visit).settle))
	return bot.Command{
		Name: "settle", Subject: bot.ToCount, How: "bot.settle-how",
		Run: settle, Bare: "balances",
		Options: []bot.Option{{Name: "what", Type: chat.TypeChoice, About: games.Say("bot.option.what", nil)}},
		Subs: []bot.Command{
			{Name: "balances", Word: "bot.settle.verb.balances", About: games.Say("bot.row.settle.balances", nil),
				Run: settle},
			{Name: "why", Word: "bot.settle.verb.why", About: games.Say("bot.row.settle.why", nil),
				Options: []bot.Option{whose, {Name: "page", Type: chat.TypeNumber}},
				Run:     bot.Reads(bot.As(b.Visit, (*visit).why))},
			{Name: "with", Word: "bot.settle.verb.with", About: games.Say("bot.row.settle.with", nil), Needs: 1,
				OnPerson: "bot.menu.settle",
				Options:  []bot.Option{who}, Run: bot.Reads(bot.As(b.Visit, (*visit).settleWith))},
			{Name: "paid", Word: "bot.settle.verb.paid", About: games.Say("bot.row.settle.paid", nil), Needs: 2,
				Options: telling, Run: tells(false)},
			{Name: "got", Word: "bot.settle.verb.got", About: games.Say("bot.row.settle.got", nil), Needs: 2,
				Options: telling, Run: tells(true)},
			{Name: "plan", Run: bot.Reads(bot.As(b.Visit, (*visit).backToPlan))},
			{Name: "payments", Word: "bot.settle.verb.payments", About: games.Say("bot.row.settle.payments", nil),
				Run: bot.Reads(bot.As(b.Visit, (*visit).payments))},
			{Name: "confirm", Needs: 1, Options: named, Run: change((*visit).confirm)},
			{Name: "withdraw", Needs: 1, Options: named, Run: change((*visit).withdraw)},
			{Name: "back", Needs: 1, Options: named, Run: change((*visit).takeBack)},
			{Name: "keep", Needs: 1, Options: named, Run: change((*visit).keep)},
		},
	}
}

func refuseAmount(string) error {
	return games.Refuse("bot.settle.amount", games.Args{"Most": int(maxAmount)})
}
