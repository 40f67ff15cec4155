package bot

import (
	"cmp"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// What the options of a leaderboard mean in a chat, beside what they mean
// everywhere: its people, its units, its seasons.

// people are those who have played here, most games first, named unlike each
// other: everybody on the leaderboards but the person.
func (v *standingsVisit) people() ([]store.Standing, error) {
	everything := lens{by: rankings[slices.IndexFunc(rankings, func(r ranking) bool { return r.pool && r.plain })], when: period{kind: allTime}, least: 1}
	s, err := v.look(everything)
	if err != nil {
		return nil, err
	}
	people := slices.DeleteFunc(s.all, func(t store.Standing) bool { return s.off[t.Player] || t.Player == string(v.ev.User) })
	slices.SortFunc(people, func(a, b store.Standing) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Player, b.Player))
	})
	return people, nil
}

func namesOf(people []store.Standing) []string {
	var names []string
	for _, t := range people {
		names = append(names, t.Name)
	}
	return names
}

// friendOf finds who is meant by a name.
func (v *standingsVisit) friendOf(said string) (string, error) {
	people, err := v.people()
	if err != nil {
		return "", err
	}
	said = chat.CleanName(said)
	for _, t := range people {
		if strings.EqualFold(bare(t.Name), said) {
			return personTag(t.Player), nil
		}
	}
	if strings.EqualFold(said, v.player.Name) {
		return "", games.Refuse("bot.leaders.oneself", nil)
	}
	if len(people) == 0 {
		return "", games.Refuse("bot.leaders.nobody-else", nil)
	}
	return "", games.Refuse("bot.leaders.no-person", games.Args{"Name": chat.Isolate(said), "Instead": whoPlays(said, namesOf(people))})
}

// mostNames is how many people a refusal names.
const mostNames = 5

// whoPlays says who may have been meant by a name, or who plays here at all.
func whoPlays(said string, names []string) games.Line {
	for _, name := range names {
		if games.Nearest(said, []string{bare(name)}) != "" {
			return games.Say("bot.instead.person", games.Args{"Name": name})
		}
	}
	if len(names) > mostNames {
		names = append(slices.Clone(names[:mostNames]), "…")
	}
	return games.Say("bot.instead.people", games.Args{"Names": strings.Join(names, ", ")})
}

// unitOf finds a unit that has been played for here, or is to be, by its name.
func (v *standingsVisit) unitOf(said string) (string, error) {
	units, err := v.tx.Units(v.chat.ID)
	if err != nil {
		return "", err
	}
	units = append(units, v.unit())
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
	return "", games.Refuse("bot.leaders.no-unit", games.Args{"Unit": chat.Repeated(said, chat.MaxName), "Units": strings.Join(units, ", ")})
}

// unitWithTag is the unit that a tag stands for, the chat's where none does.
func (v *standingsVisit) unitWithTag(tagged string) (string, error) {
	units, err := v.tx.Units(v.chat.ID)
	i := slices.IndexFunc(units, func(unit string) bool { return unitTag(unit) == tagged })
	if i < 0 {
		return v.unit(), err
	}
	return units[i], err
}

func (v *standingsVisit) seasonChoices() ([]choice, error) {
	seasons, err := v.seasons()
	var all []choice
	for _, s := range seasons {
		all = append(all, said(s.Name))
	}
	return all, err
}

func (v *standingsVisit) unitChoices() ([]choice, error) {
	units, err := v.tx.Units(v.chat.ID)
	var all []choice
	for _, unit := range units {
		all = append(all, said(unit))
	}
	return all, err
}

func (v *standingsVisit) friendChoices() ([]choice, error) {
	people, err := v.people()
	var all []choice
	for _, name := range namesOf(people) {
		all = append(all, said(name))
	}
	return all, err
}
