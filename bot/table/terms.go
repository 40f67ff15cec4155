package table

import (
	"slices"

	"knobel/bot"
	"knobel/games"
)

// The terms of a table are what people agree on before somebody is absent: how
// long a turn may take, and what happens then. They are set in the lobby, on the
// pages of the rules or as options of the command. They are no rules of the
// game, and no record holds them.

// termOptions are the options of a game's command that are terms.
func (b *Tables) termOptions(g games.Game) []bot.Option {
	turn := bot.Option{Name: termTurn, About: games.Say("bot.terms.turn-about", nil), Open: true}
	for _, said := range turns {
		patience, _ := b.readTurn(said)
		turn.Choices = append(turn.Choices, bot.Choice{Value: said, Label: patienceLabel(patience)})
	}
	absent := bot.Option{Name: termAbsent, About: games.Say("bot.terms.absent-about", nil)}
	for _, a := range absencesOf(g) {
		absent.Choices = append(absent.Choices, bot.Choice{Value: a.said, Label: absenceLabel(a.stored)})
	}
	return []bot.Option{turn, absent}
}

// rulesOf are the wishes that are options of a game's rules.
func rulesOf(w bot.Args) games.Rules {
	rules := games.Rules{}
	for name, value := range w {
		if !slices.Contains([]string{"stake", "variant", "house", termTurn, termAbsent}, name) {
			rules[name] = value
		}
	}
	return rules
}
