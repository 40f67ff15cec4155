package table

import (
	"cmp"
	"fmt"
	"maps"
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
	return bot.Cached(v.Cache(), "house rules", func() ([]store.HouseRules, error) {
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

// rulesNamed returns the house rules with a name or a number, and refuses where there are none.
func rulesNamed(all []store.HouseRules, said string) ([]store.HouseRules, error) {
	if len(all) == 0 {
		return nil, games.Refuse("bot.house-rules.none-kept", nil)
	}
	found := namedRules(all, said)
	if len(found) > 0 {
		return found, nil
	}
	var names []string
	for _, h := range all {
		names = append(names, h.Name)
	}
	return nil, bot.NoSuchWord(said, names)
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
	now, by := at.Rules, store.HouseRules{Rules: named.Rules}
	if said != "" {
		if variant != "" {
			return nil, 0, games.Refuse("bot.house-rules.or-variant", nil)
		}
		found, err := rulesNamed(kept, said)
		if err != nil {
			return nil, 0, err
		}
		if by = found[0]; at.HouseRules != by.ID {
			now = nil // it was agreed on for other rules
		}
	}
	rules, err := optioned(g, w, func(given games.Rules) (games.Rules, error) {
		return settledAs(now, by.Rules, given, func(given games.Rules) (games.Rules, error) {
			if by.ID == 0 {
				return games.Choose(g, variant, given)
			}
			return games.Change(g, by.Rules, given)
		})
	})
	if err != nil || !games.NamedBy(rules, by.Rules) {
		return rules, 0, err
	}
	return rules, by.ID, nil
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
	scopes := b.AllVariants() // a game or a variant of any, by any name
	_, isScope := b.ValueCalled(scopes, name)
	isScope = isScope || slices.ContainsFunc(scopes, func(c bot.Choice) bool {
		return strings.EqualFold(c.Value, name)
	})
	means := b.OptionOf(c, name) >= 0 || isScope || house.Sub(name) >= 0
	if r, refused := games.Refused(err); means || !refused || r.Key != "bot.no-such-word" {
		return "", games.Refuse("bot.house-rules.means", games.Args{"Name": chat.Isolate(name)})
	}
	return name, nil
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

// The command /house: house rules of a chat, listed, explained, kept and dropped.

// The verbs of /house: keys of their names in all languages.
const (
	verbSave = "bot.house-rules.verb.save"
	verbDrop = "bot.house-rules.verb.drop"
)

// houseCommand explains the house rules of the chat that people ask for, or lists all.
func (v *Visit) houseCommand(w bot.Args) error {
	said := cmp.Or(w.Text("what"), w.Text("name"))
	if said == "" {
		return v.listHouse()
	}
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	if found := namedRules(kept, said); len(found) > 0 {
		all, err := v.HouseRules()
		if err != nil {
			return err
		}
		return v.explainHouse(found[0], board.VersionLabel(all, found[0]))
	}
	known := slices.Concat(v.bot.WordsFor(verbSave), v.bot.WordsFor(verbDrop))
	for _, h := range kept {
		known = append(known, h.Name)
	}
	word, _, _ := strings.Cut(said, " ")
	return bot.NearestWord(word, known, games.Say("bot.house-rules.how", nil))
}

// listHouse lists the house rules of the chat.
func (v *Visit) listHouse() error {
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		v.Private(games.Say(v.OrEquals("bot.house-rules.none", "bot.house-rules.none-hosted",
			"bot.house-rules.none-equals"), nil))
		return nil
	}
	all, err := v.HouseRules()
	if err != nil {
		return err
	}
	m := v.Private(games.Say(v.OrEquals("bot.house-rules.head", "bot.house-rules.head-hosted",
		"bot.house-rules.head-equals"), nil))
	var open []chat.Button
	for _, h := range kept {
		g, err := v.bot.Game(h.Game)
		if err != nil {
			continue // it is not installed any more
		}
		m.Lines = append(m.Lines, v.Say(v.bot.houseLine(g, h, board.VersionLabel(all, h))))
		label := games.Say("bot.button.open", games.Args{"Game": chat.Isolate(h.Name)})
		open = append(open, v.Button(label, fmt.Sprintf("/%s house=%d", v.bot.CommandOf(g), h.ID), games.Plain))
	}
	m.Rows(chat.MenuRow, open[:min(len(open), board.MaxOpened)]...)
	return nil
}

// explainHouse answers with the sentences of house rules, under a name.
func (v *Visit) explainHouse(h store.HouseRules, called games.Line) error {
	if err := v.explain(h.Game, h.Rules); err != nil {
		return err
	}
	g, err := v.bot.Game(h.Game)
	if err != nil {
		return err
	}
	v.Reply.Private.Head = v.Say(v.bot.houseLine(g, h, called))
	return nil
}

// houseLine returns a line on house rules: the game, their name and the rules.
func (b *Tables) houseLine(g games.Game, h store.HouseRules, called games.Line) games.Line {
	return games.Say("bot.house-rules.line", games.Args{"Game": b.GameLabel(g), "Name": called,
		"Rules": b.RulesLabel(g, h.Rules)})
}

// saveHouse keeps the rules of the table here under a name. Where the chat has
// some of that name, these are their next version.
func (v *Visit) saveHouse(w bot.Args) error {
	t, err := v.Here()
	if err != nil {
		return err
	}
	if err := v.AdminsOnly("bot.house-rules.admins"); err != nil {
		return err
	}
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	kept, err := v.KeptRules(t.Game)
	if err != nil {
		return err
	}
	name, err := v.bot.houseName(g, w.Text("name"))
	if err != nil {
		return err
	}
	switch before := namedRules(kept, name); {
	case len(before) > 0:
		name = before[0].Name // as it was first written
	case len(kept) >= maxHouseRules:
		return games.Refuse("bot.house-rules.too-many", games.Args{"Most": maxHouseRules})
	}
	h := store.HouseRules{Chat: v.Chat.ID, Game: t.Game, Name: name, Rules: t.Rules,
		Version: games.VersionOf(t.Game, t.Rules)}
	if h.ID, err = v.Tx.Chats.KeepHouseRules(h); err != nil {
		return err
	}
	saved := games.Args{"Name": chat.Isolate(h.Name), "Table": t.ID, "Game": v.bot.CommandOf(g), "House": name}
	v.Receipt("bot.house-rules.saved", saved)
	v.Tell(games.Say("bot.house-rules.saved", saved))
	if t.State != store.Lobby && t.State != store.Playing {
		return nil // its record stays what it was
	}
	t.HouseRules = h.ID
	return v.Redraw(&t)
}

// dropHouse drops house rules: if several games have some of that name, those of the game of the table here.
func (v *Visit) dropHouse(w bot.Args) error {
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	name := strings.Join(strings.Fields(chat.CleanName(w.Text("name"))), "-")
	found, err := rulesNamed(kept, name)
	if err != nil {
		return err
	}
	if err := v.AdminsOnly("bot.house-rules.admins"); err != nil {
		return err
	}
	drop := found[0]
	if t, err := v.Here(); err == nil {
		if i := slices.IndexFunc(found, func(h store.HouseRules) bool { return h.Game == t.Game }); i >= 0 {
			drop = found[i]
		}
	} else if _, none := games.Refused(err); !none {
		return err
	}
	dropped := games.Args{"Name": chat.Isolate(drop.Name)}
	v.Receipt("bot.house-rules.dropped", dropped)
	v.Tell(games.Say("bot.house-rules.dropped", dropped))
	return v.Tx.Chats.DropHouseRules(drop.ID)
}

// The terms for absence are agreed in advance: the turn limit and what happens after it. They are set in the lobby or
// as options of the command. They are not rules of the game and not in records.

// termOptions returns the options of a game's command that are terms.
func (b *Tables) termOptions(g games.Game) []bot.Option {
	turn := bot.Option{Name: board.TermTurn, Type: chat.TypeWord, About: games.Say("bot.terms.turn-about", nil)}
	for _, said := range board.TurnTimes {
		limit, _ := b.ReadTurn(said)
		turn.Choices = append(turn.Choices, bot.Choice{Value: said, Label: board.LimitLabel(limit)})
	}
	absent := bot.Option{Name: board.TermAbsent, Type: chat.TypeChoice, About: games.Say("bot.terms.absent-about", nil)}
	for _, a := range board.TimeoutsOf(g) {
		absent.Choices = append(absent.Choices, bot.Choice{Value: a.Said, Label: board.AbsenceLabel(a.Stored)})
	}
	return []bot.Option{turn, absent}
}

// optioned returns the rules that choose makes of the given options. A stake implies a settlement unless they name one.
func optioned(g games.Game, w bot.Args, choose func(given games.Rules) (games.Rules, error)) (games.Rules, error) {
	given := games.Rules{}
	for _, o := range g.Options() {
		if value, is := w[o.Name]; is {
			given[o.Name] = value.Text
		}
	}
	if stake, _ := w.Amount("stake"); stake > 0 {
		return games.ChooseStaked(g, given, choose)
	}
	return choose(given)
}

// settledAs chooses rules with the table's present settlement if neither the given options nor the named rules set one.
// It drops what does not go with them.
func settledAs(now, named, given games.Rules,
	choose func(given games.Rules) (games.Rules, error)) (games.Rules, error) {
	still := games.Rules{}
	for _, name := range []string{games.Settle, games.Point} {
		if value, agreed := now[name]; agreed && named[name] == "" && given[games.Settle] == "" {
			still[name] = value
		}
	}
	maps.Copy(still, given)
	if rules, err := choose(still); err == nil {
		return rules, nil
	}
	return choose(given)
}

// stakeBy returns the given stake or, if the rules have a stake, the default.
func stakeBy(g games.Game, rules games.Rules, w bot.Args, usual int64) int64 {
	if !g.Shape(rules).Staked() {
		return 0
	}
	if stake, given := w.Amount("stake"); given {
		return stake
	}
	return usual
}
