package table

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// House rules are a chat's named presets over the options of a game. They hold rules alone: stakes, seats and absence
// are agreed at every table. A table stores the version by which it was opened, as long as its rules are unchanged, but
// for how a match is settled where they say nothing of it.

// Bounds of house rules.
const (
	maxHouseRules = 12 // kept in a chat for one game
	maxHouseName  = 24 // characters
)

// KeptRules returns the house rules that new tables of a game can be opened by, of all games where that is "".
func (v *Visit) KeptRules(game string) ([]store.HouseRules, error) {
	all, err := v.HouseRules()
	return board.Kept(all, game), err
}

// HouseRules returns all house rules of the chat, in every version.
func (v *Visit) HouseRules() ([]store.HouseRules, error) {
	return bot.Cached(v.Visit, "house rules", func() ([]store.HouseRules, error) {
		return v.Tx.Chats.AllHouseRules(v.Chat.ID)
	})
}

// namedRules returns the house rules with a name or a number.
func namedRules(all []store.HouseRules, said string) []store.HouseRules {
	var found []store.HouseRules
	for _, h := range all {
		if strings.EqualFold(h.Name, said) || strconv.FormatInt(h.ID, 10) == said {
			found = append(found, h)
		}
	}
	return found
}

// noSuchRules refuses a name that no kept house rules have.
func noSuchRules(said string, all []store.HouseRules) error {
	if len(all) == 0 {
		return games.Refuse("bot.house-rules.none-kept", nil)
	}
	var names []string
	for _, h := range all {
		names = append(names, h.Name)
	}
	return bot.NoSuchWord(said, names)
}

// chosen returns the rules that a person asks for, and the number of the house rules that they are,
// 0 if none. What a variant leaves open of the settlement stays as it is at a table, and what house rules do, if the
// table is by them already.
func (v *Visit) chosen(g games.Game, w bot.Args, at store.Table) (games.Rules, int64, error) {
	kept, err := v.KeptRules(g.Name())
	if err != nil {
		return nil, 0, err
	}
	said, variant := w.Text("house"), w.Text("variant")
	named, known := games.VariantNamed(g, variant)
	if said == "" && !known && len(namedRules(kept, variant)) > 0 {
		said, variant = variant, ""
	}
	if said == "" {
		rules, err := optioned(g, w, func(given games.Rules) (games.Rules, error) {
			return settledAs(at.Rules, named.Rules, given,
				func(given games.Rules) (games.Rules, error) { return games.Choose(g, variant, given) })
		})
		return rules, 0, err
	}
	if variant != "" {
		return nil, 0, games.Refuse("bot.house-rules.or-variant", nil)
	}
	found := namedRules(kept, said)
	if len(found) == 0 {
		return nil, 0, noSuchRules(said, kept)
	}
	now := at.Rules
	if at.HouseRules != found[0].ID {
		now = nil // it was agreed on for other rules
	}
	rules, err := optioned(g, w, func(given games.Rules) (games.Rules, error) {
		return settledAs(now, found[0].Rules, given,
			func(given games.Rules) (games.Rules, error) { return games.Change(g, found[0].Rules, given) })
	})
	if err != nil || !games.NamedBy(rules, found[0].Rules) {
		return rules, 0, err
	}
	return rules, found[0].ID, nil
}

// stillNamed returns the number of a table's house rules, 0 if its rules differ from them.
func (v *Visit) stillNamed(t store.Table, rules games.Rules) (int64, error) {
	if t.HouseRules == 0 {
		return 0, nil
	}
	h, err := v.Tx.Chats.HouseRules(t.HouseRules)
	if err != nil || !games.NamedBy(rules, h.Rules) {
		return 0, err
	}
	return h.ID, nil
}

// houseName returns a name as house rules of a game can have it: one word, and none that means anything else where a
// table is opened, a leaderboard asked for or house rules are kept.
func (b *Tables) houseName(g games.Game, said string) (string, error) {
	name := strings.Join(strings.Fields(chat.CleanName(said)), "-")
	letters, odd := 0, false
	for i, r := range name {
		letter := unicode.IsLetter(r)
		switch {
		case letter:
			letters++
		case unicode.IsDigit(r), i > 0 && (unicode.IsMark(r) || strings.ContainsRune("-_'’", r)):
		default:
			odd = true
		}
	}
	if utf8.RuneCountInString(said) > maxHouseName || letters == 0 || odd {
		return "", games.Refuse("bot.house-rules.name", games.Args{"Most": maxHouseName})
	}
	c, err := b.Find(g.Name())
	if err != nil {
		return "", err
	}
	house, _ := b.Find("house")
	_, _, err = b.Read(c, chat.Event{Text: name})
	means := b.OptionOf(c, name) >= 0 || b.isScope(name) || b.Sub(house, name) >= 0
	if r, refused := games.Refused(err); means || !refused || r.Key != "bot.no-such-word" {
		return "", games.Refuse("bot.house-rules.means", games.Args{"Name": chat.Isolate(name)})
	}
	return name, nil
}

// isScope reports whether a word is a game or a variant of any, by any name.
func (b *Tables) isScope(word string) bool {
	all := bot.Option{Choices: b.AllVariants()}
	_, called := b.ValueCalled(all, word)
	return called || slices.ContainsFunc(all.Choices, func(c bot.Choice) bool {
		return strings.EqualFold(c.Value, word)
	})
}

// houseChoices returns the house rules that a game's tables can be opened by.
func (b *Tables) houseChoices(game string) func(*bot.Visit) ([]bot.Choice, error) {
	return func(v *bot.Visit) ([]bot.Choice, error) {
		kept, err := b.Visit(v).KeptRules(game)
		var all []bot.Choice
		for _, h := range kept {
			all = append(all, bot.TextChoice(h.Name))
		}
		return all, err
	}
}
