package standings

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The values of a leaderboard's options that only a chat has: its people, its units, its seasons.

// people returns the players on the leaderboards but for the asker, most games first.
func (v *Visit) people() ([]companion, error) {
	all, err := v.companions()
	return slices.DeleteFunc(all, func(c companion) bool {
		return c.off != (store.Unlisted{}) || c.player == string(v.Event.User)
	}), err
}

// friendOf returns the player that a name or a mention stands for.
func (v *Visit) friendOf(said bot.Person) (string, error) {
	people, err := v.people()
	if err != nil {
		return "", err
	}
	i := said.Among(len(people), func(i int) string { return people[i].player },
		func(i int) string { return bot.Unisolated(people[i].name) })
	switch {
	case i >= 0:
		return personTag(people[i].player), nil
	case said.User == v.Event.User || said.User == "" && strings.EqualFold(said.Name, v.Player.Name):
		return "", games.Refuse("bot.leaders.oneself", nil)
	case len(people) == 0:
		return "", games.Refuse("bot.leaders.nobody-else", nil)
	}
	return "", games.Refuse("bot.leaders.no-person",
		games.Args{"Name": chat.Isolate(said.Name), "Instead": whoPlays(said.Name, people)})
}

// maxNames is how many people a refusal names.
const maxNames = 5

// whoPlays names the person who was probably meant by a name, or else the first people who play here.
func whoPlays(said string, people []companion) games.Line {
	var names []string
	for i, t := range people {
		if games.Nearest(said, []string{bot.Unisolated(t.name)}) != "" {
			return games.Say("bot.instead.person", games.Args{"Name": t.name})
		}
		if i < maxNames {
			names = append(names, t.name)
		}
	}
	if len(people) > maxNames {
		names = append(names, "…")
	}
	return games.Say("bot.instead.people", games.Args{"Names": strings.Join(names, ", ")})
}

// unitOf returns the tag of a unit by its name: of one that has been played for here, or the chat's.
func (v *Visit) unitOf(said string) (string, error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	if err != nil {
		return "", err
	}
	units = append(units, v.Unit())
	for _, unit := range units {
		if strings.EqualFold(unit, said) {
			return unitTag(unit), nil
		}
	}
	slices.Sort(units)
	units = slices.Compact(units)
	for i := range units {
		units[i] = chat.Isolate(units[i])
	}
	return "", games.Refuse("bot.leaders.no-unit",
		games.Args{"Unit": chat.Repeated(said, chat.MaxName), "Units": strings.Join(units, ", ")})
}

func (v *Visit) seasonChoices() (all []bot.Choice, err error) {
	seasons, err := v.Seasons()
	for _, s := range seasons {
		all = append(all, bot.TextChoice(s.Name))
	}
	return all, err
}

func (v *Visit) unitChoices() (all []bot.Choice, err error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	for _, unit := range units {
		all = append(all, bot.TextChoice(unit))
	}
	return all, err
}

func (v *Visit) friendChoices() (all []bot.Choice, err error) {
	people, err := v.people()
	for _, t := range people {
		all = append(all, bot.TextChoice(t.name))
	}
	return all, err
}

// Capital is a text that begins as a sentence does.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// PeriodLabel names a period, a season by its name.
func (v *Visit) PeriodLabel(p Period) (games.Line, error) {
	if p.kind != season {
		today, err := v.Evening()
		return p.label(today), err
	}
	if p == beforeSeasons {
		return games.Say("bot.period.before-seasons", nil), nil
	}
	seasons, err := v.Seasons()
	for _, s := range seasons {
		if s.ID == p.season {
			return games.Say("bot.period.season", games.Args{"Name": chat.Isolate(s.Name)}), nil
		}
	}
	if err == nil {
		err = games.Refuse("bot.no-such-button", nil)
	}
	return games.Line{}, err
}

// queryButton leads to another view of the leaderboard.
func (v *Visit) queryButton(label games.Line, to query) chat.Button {
	return chat.Button{Label: chat.Shorten(Capital(v.Say(label)), chat.MaxButton), Press: to.press()}
}

// rankingLabel names a ranking, by its unit where it is about one.
func (v *Visit) rankingLabel(by ranking, unit string) games.Line {
	says := by.label()
	if by.settled && slices.ContainsFunc(v.bot.Games, func(g games.Game) bool {
		return slices.ContainsFunc(games.ShapesOf(g), games.Shape.Owed)
	}) {
		says = "bot.ranking.settled-owed" // not only differences
	}
	return games.Say(says, games.Args{"Unit": bot.UnitName(unit)})
}
