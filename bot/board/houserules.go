package board

import (
	"fmt"
	"slices"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Kept returns the house rules by which new tables of a game can be opened.
func Kept(all []store.HouseRules, game string) []store.HouseRules {
	return slices.DeleteFunc(slices.Clone(all), func(h store.HouseRules) bool {
		return !h.Kept || game != "" && h.Game != game
	})
}

// rulesName is what rules are called: as house rules by their name, with hints where they were
// agreed on beside them; else as rulesLabel says.
func (b *Boards) rulesName(tx *store.Tx, g games.Game, t store.Table) (games.Line, error) {
	if t.HouseRules == 0 {
		return b.RulesLabel(g, t.Rules), nil
	}
	h, err := tx.HouseRules(t.HouseRules)
	if err != nil {
		return games.Line{}, fmt.Errorf("table %d: %w", t.ID, err)
	}
	list := games.List{games.Say("bot.text", games.Args{"Text": chat.Isolate(h.Name)})}
	for _, o := range g.Options() {
		if value, set := t.Rules[o.Name]; set && o.Name == games.Hints && h.Rules[o.Name] != value {
			list = append(list, bot.SayValue(o, value))
		}
	}
	return bot.RulesList(list), nil
}

// VersionLabel names house rules with their version.
func VersionLabel(h store.HouseRules) games.Line {
	return games.Say("bot.house-rules.version", games.Args{"Name": chat.Isolate(h.Name), "Version": h.Version})
}

// MaxOpened is how many house rules have a button that opens a table.
const MaxOpened = 6
