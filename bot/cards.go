package bot

import (
	"cmp"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// Cards that describe games in lists, such as the gallery of the browser page.

// cardOf returns the card of an opening in a language. place is its place in lists, from 0.
func (b *Bot) cardOf(o Opening, lang string, place int) chat.Card {
	say := func(line games.Line) string { return b.Words.Say(lang, line, words.Context{}) }
	family := b.familyOf(o.Game)
	card := chat.Card{Game: chat.Shorten(say(o.Label), maxLabel), Family: family.Name, FamilyName: say(family.Label),
		Picture: cmp.Or(o.Variant, o.Game.Name()), Place: place}
	if about, ok := b.About(o); ok {
		card.About = say(about)
	}
	if behind, ok := strings.CutPrefix(say(o.Listed), card.Game+" ("); ok {
		card.Subtitle = strings.TrimSuffix(behind, ")")
	}
	if rules, err := games.Choose(o.Game, o.Variant, nil); err == nil {
		least, most := o.Game.Seats(rules)
		card.Players = say(games.Say("bot.card.players", games.Args{"Least": least, "Most": most}))
	}
	if minutes := games.MinutesOf(o.Game); minutes > 0 {
		card.Minutes = say(games.Say("bot.card.minutes", games.Args{"Minutes": minutes}))
	}
	return card
}

// familyOf returns the family of g.
func (b *Bot) familyOf(g games.Game) Family {
	name := cmp.Or(games.FamilyOf(g), noFamily)
	family, _ := b.FamilyNamed(name)
	return family
}
