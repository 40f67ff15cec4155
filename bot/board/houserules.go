package board

import (
	"cmp"
	"slices"
	"strings"

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

// rulesName returns what rules are called: as house rules by their name, with hints and a settlement where they were
// agreed on beside them; else as rulesLabel says.
func (s *BoardView) rulesName() (games.Line, error) {
	if s.Table.HouseRules == 0 {
		return s.bot.RulesLabel(s.Game, s.Table.Rules), nil
	}
	h, err := readOnce(s, "house rules of table", func(int64) (store.HouseRules, error) {
		return s.Tx.Chats.HouseRules(s.Table.HouseRules)
	})
	if err != nil {
		return games.Line{}, err
	}
	list := games.List{NameLabel(h)}
	for _, o := range s.Game.Options() {
		value, set := s.Table.Rules[o.Name]
		switch {
		case !set || h.Rules[o.Name] == value:
		case o.Name == games.Hints:
			list = append(list, bot.SayValue(o, value))
		case o.Name == games.Settle:
			list = append(list, games.Say("bot.option-value",
				games.Args{"Option": s.bot.OptionLabel(s.Game, o), "Value": bot.SayValue(o, value)}))
		}
	}
	return bot.RulesList(list), nil
}

// NameLabel returns the bare name of house rules.
func NameLabel(h store.HouseRules) games.Line {
	return games.Say("bot.text", games.Args{"Text": chat.Isolate(h.Name)})
}

// VersionLabel names house rules of a chat, with their version where the chat has had others of that name.
func VersionLabel(all []store.HouseRules, h store.HouseRules) games.Line {
	if len(versions(all, h)) < 2 {
		return NameLabel(h)
	}
	return games.Say("bot.house-rules.version", games.Args{"Name": chat.Isolate(h.Name), "Version": h.Version})
}

// AgeLabel names house rules of a chat. Those of before are told from the present ones of that name.
func AgeLabel(all []store.HouseRules, h store.HouseRules) games.Line {
	same := versions(all, h)
	age := slices.IndexFunc(same, func(x store.HouseRules) bool { return x.ID == h.ID })
	args := games.Args{"Name": chat.Isolate(h.Name), "N": age}
	switch {
	case age <= 0:
		return NameLabel(h)
	case len(same) == 2:
		return games.Say("bot.house-rules.earlier", args)
	}
	return games.Say("bot.house-rules.earlier-nth", args)
}

// versions returns all house rules of a game that have had the name of these, the present ones first.
func versions(all []store.HouseRules, h store.HouseRules) []store.HouseRules {
	same := slices.DeleteFunc(slices.Clone(all), func(x store.HouseRules) bool {
		return x.Game != h.Game || !strings.EqualFold(x.Name, h.Name)
	})
	slices.SortFunc(same, func(a, b store.HouseRules) int {
		return cmp.Or(bot.TrueFirst(a.Kept, b.Kept), cmp.Compare(b.ID, a.ID))
	})
	return same
}

// MaxOpened is how many house rules have a button that opens a table.
const MaxOpened = 6
