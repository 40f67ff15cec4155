package books

import (
	"fmt"

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
	name := found.names[who]
	var lines []games.Line
	var buttons []chat.Button
	err = v.eachPlan(func(s stamps, _ money.Plan, mine, _ []money.Payment) {
		between, _ := apart(mine, v.named(s.b, said))
		for _, p := range between {
			lines = append(lines, games.Say("bot.text", games.Args{"Text": v.transfer(s.b, p)}))
		}
		buttons = append(buttons, v.transferButtons(s, between)...)
	})
	if err != nil {
		return err
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
