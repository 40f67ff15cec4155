package books

import (
	"fmt"
	"slices"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
)

// settleWith shows which of the fewest payments that bring everybody to zero are between the person
// and somebody else, in every unit, with a button for each.
func (v *visit) settleWith(w bot.Args) error {
	said, _ := w.Person("who")
	found, who, err := v.party(said, open)
	if err != nil {
		return err
	}
	if who == found.mine(v.Event.User) {
		return games.Refuse("bot.settle.oneself", nil)
	}
	units, err := v.Tx.Units(v.Chat.ID)
	if err != nil {
		return err
	}
	name := found.names[who]
	var lines []games.Line
	var buttons []chat.Button
	for _, unit := range units {
		b, err := v.books(unit)
		if err != nil {
			return err
		}
		plan, err := money.SettleUp(b.balances())
		if err != nil {
			return fmt.Errorf("%s in %s: %w", v.Chat.ID, unit, err)
		}
		mine, _ := apart(plan.Payments, b.mine(v.Event.User))
		between, _ := apart(mine, v.named(b, said))
		stamps, err := v.stamps(b)
		if err != nil {
			return err
		}
		for _, p := range between {
			lines = append(lines, games.Say("bot.text", games.Args{"Text": b.transfer(p)}))
		}
		buttons = slices.Concat(buttons, v.transferButtons(stamps, between))
	}
	head := games.Say("bot.settle.between", games.Args{"Name": name})
	if len(lines) == 0 {
		head = games.Say("bot.settle.even-with", games.Args{"Name": name})
	}
	m := v.Private(head, lines...)
	m.Row(buttons[:min(len(buttons), maxTransfers)]...)
	m.Buttons = append(m.Buttons, []chat.Button{
		v.Button(games.Say("bot.button.why-of", games.Args{"Name": name}),
			fmt.Sprintf("/settle why #%d", found.parties[who].Number), games.Plain),
		v.Button(games.Say("bot.button.settle", nil), "/settle", games.Plain),
	})
	return nil
}
