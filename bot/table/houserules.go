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

// House rules: presets, saved by a chat under a name, for the options of a game. Stakes, seats and absence are not in
// them, but agreed at every table. A table stores the ID of its house rules as long as its rules are equal to them;
// only a settlement (how points are paid) that they leave open may differ.

// Bounds of house rules.
const (
	maxHouseRules = 12 // per chat and game, without dropped ones
	maxHouseName  = 24 // in characters
)

// KeptRules returns the house rules of the chat that new tables of a game can use; game "" means all games.
func (v *Visit) KeptRules(game string) ([]store.HouseRules, error) {
	all, err := v.HouseRules()
	return board.Kept(all, game), err
}

// HouseRules returns all house rules of the chat. Dropped ones and earlier versions are included.
func (v *Visit) HouseRules() ([]store.HouseRules, error) {
	if v.Tx == nil { // Core.Brief
		return nil, nil
	}
	return bot.Cached(v.Cache(), "house rules", func() ([]store.HouseRules, error) {
		return v.Tx.Chats.AllHouseRules(v.Chat.ID)
	})
}

// findHouseRules returns the house rules in all whose name or ID is nameOrID. Several games may use the same name.
func findHouseRules(all []store.HouseRules, nameOrID string) []store.HouseRules {
	var found []store.HouseRules
	for _, h := range all {
		if strings.EqualFold(h.Name, nameOrID) || strconv.FormatInt(h.ID, 10) == nameOrID {
			found = append(found, h)
		}
	}
	return found
}

// needHouseRules returns the house rules in all whose name or ID is nameOrID. If there are none, it returns a refusal.
func needHouseRules(all []store.HouseRules, nameOrID string) ([]store.HouseRules, error) {
	if len(all) == 0 {
		return nil, games.Refuse("bot.house-rules.none-kept", nil)
	}
	found := findHouseRules(all, nameOrID)
	if len(found) > 0 {
		return found, nil
	}
	var names []string
	for _, h := range all {
		names = append(names, h.Name)
	}
	return nil, bot.NoSuchWord(nameOrID, names)
}

// chosenRules returns the rules that the options w ask for, and the ID of the house rules that w names; 0: it names
// none, or changes them. present is the lobby that w changes, or the zero Table. The rules keep its settlement (how
// points are paid) unless w or its variant sets one, or w names house rules that present does not have.
func (v *Visit) chosenRules(g games.Game, w bot.Args, present store.Table) (games.Rules, int64, error) {
	kept, err := v.KeptRules(g.Name())
	if err != nil {
		return nil, 0, err
	}
	said, variant := w.Text("house"), w.Text("variant")
	named, known := games.VariantNamed(g, variant)
	if said == "" && !known && len(findHouseRules(kept, variant)) > 0 {
		said, variant = variant, ""
	}
	now, by := present.Rules, store.HouseRules{Rules: named.Rules}
	if said != "" {
		if variant != "" {
			return nil, 0, games.Refuse("bot.house-rules.or-variant", nil)
		}
		found, err := needHouseRules(kept, said)
		if err != nil {
			return nil, 0, err
		}
		if by = found[0]; present.HouseRules != by.ID {
			now = nil // the lobby's settlement was agreed for other rules
		}
	}
	rules, err := chooseRules(g, w, func(given games.Rules) (games.Rules, error) {
		return keepSettlement(now, by.Rules, given, func(given games.Rules) (games.Rules, error) {
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

// matchHouseRules returns the ID of the house rules of t if rules are equal to them, else 0.
func (v *Visit) matchHouseRules(t store.Table, rules games.Rules) (int64, error) {
	if t.HouseRules == 0 {
		return 0, nil
	}
	h, err := v.Tx.Chats.HouseRules(t.HouseRules)
	if err != nil || !games.NamedBy(rules, h.Rules) {
		return 0, err
	}
	return h.ID, nil
}

// cleanHouseName returns text as a name of house rules, with hyphens for spaces. It refuses names that are too long or
// have odd characters, and names that already mean a command, an option, a game or a variant.
func (b *Tables) cleanHouseName(g games.Game, text string) (string, error) {
	name := strings.Join(strings.Fields(chat.OneLine(text, chat.MaxName)), "-")
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
	if utf8.RuneCountInString(text) > maxHouseName || letters == 0 || odd {
		return "", games.Refuse("bot.house-rules.name", games.Args{"Most": maxHouseName})
	}
	c, err := b.Find(g.Name())
	if err != nil {
		return "", err
	}
	house, _ := b.Find("house")
	_, _, err = b.Read(c, chat.Event{Text: name})
	scopes := append(b.AllVariants(), b.OtherNames()...) // every game and variant by all its names
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

// houseChoices returns a function that lists the names of the chat's house rules for a game; game "" means all games.
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

// The command /house, which lists, explains, saves and drops house rules of a chat.

// Keys of the words for two subcommands of /house. People type these words in their own language.
const (
	verbSave = "bot.house-rules.verb.save"
	verbDrop = "bot.house-rules.verb.drop"
)

// houseCommand explains the house rules that the options w name. If w names none, it lists all house rules of the chat.
func (v *Visit) houseCommand(w bot.Args) error {
	said := cmp.Or(w.Text("what"), w.Text("name"))
	if said == "" {
		return v.listHouseRules()
	}
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	if found := findHouseRules(kept, said); len(found) > 0 {
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

// listHouseRules answers with a list of the chat's house rules, each with a button that opens a table with them.
func (v *Visit) listHouseRules() error {
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
			continue // the game is no longer installed
		}
		m.Lines = append(m.Lines, v.Say(v.bot.houseLine(g, h, board.VersionLabel(all, h))))
		label := games.Say("bot.button.open", games.Args{"Game": chat.Isolate(h.Name)})
		open = append(open, v.Button(label, fmt.Sprintf("/%s house=%d", v.bot.CommandOf(g), h.ID), games.Plain))
	}
	m.Rows(chat.MenuRow, open[:min(len(open), board.MaxOpened)]...)
	return nil
}

// explainHouse answers with the house rules h in sentences. name is the name of h to show, which may have a version.
func (v *Visit) explainHouse(h store.HouseRules, name games.Line) error {
	if err := v.explain(h.Game, h.Rules); err != nil {
		return err
	}
	g, err := v.bot.Game(h.Game)
	if err != nil {
		return err
	}
	v.Reply.Private.Head = v.Say(v.bot.houseLine(g, h, name))
	return nil
}

// houseLine returns a line on house rules: the game, their name, and the rules.
func (b *Tables) houseLine(g games.Game, h store.HouseRules, name games.Line) games.Line {
	return games.Say("bot.house-rules.line", games.Args{"Game": b.TableLabel(g, h.Rules), "Name": name,
		"Rules": b.RulesLabel(g, h.Rules)})
}

// saveHouse saves the rules of the table in this chat or thread as house rules, under the name in the options w. They
// replace house rules of the same name.
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
	name, err := v.bot.cleanHouseName(g, w.Text("name"))
	if err != nil {
		return err
	}
	switch before := findHouseRules(kept, name); {
	case len(before) > 0:
		name = before[0].Name // spelled as in the version that it replaces
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
		return nil // a finished game keeps the rules of its record
	}
	t.HouseRules = h.ID
	return v.Redraw(&t)
}

// dropHouse drops the house rules that the options w name, so that no new table uses them. If several games have house
// rules of that name, it drops those for the game of the table in this chat or thread.
func (v *Visit) dropHouse(w bot.Args) error {
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	name := strings.Join(strings.Fields(chat.OneLine(w.Text("name"), chat.MaxName)), "-")
	found, err := needHouseRules(kept, name)
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

// The terms for absence: the turn limit and its consequence. They are agreed in the lobby or set by options of
// the command that opens the table. They are not rules of the game, and records do not contain them.

// termOptions returns the options of a game's command for the turn limit and its consequence.
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

// chooseRules returns the rules that choose makes of the game's options in w. If w gives a stake but no settlement (how
// points are paid), it adds one that has a stake.
func chooseRules(g games.Game, w bot.Args, choose func(given games.Rules) (games.Rules, error)) (games.Rules, error) {
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

// keepSettlement returns choose(given), with the settlement (how points are paid) of the rules present added to given.
// It adds none if given or named (the rules of a variant or house rules) sets one, or if choose refuses it.
func keepSettlement(present, named, given games.Rules,
	choose func(given games.Rules) (games.Rules, error)) (games.Rules, error) {
	still := games.Rules{}
	for _, name := range []string{games.Settle, games.Point} {
		if value, agreed := present[name]; agreed && named[name] == "" && given[games.Settle] == "" {
			still[name] = value
		}
	}
	maps.Copy(still, given)
	if rules, err := choose(still); err == nil {
		return rules, nil
	}
	return choose(given)
}

// stakeOr returns the stake given in the options w, or else usual; 0 if games with these rules have no stake.
func stakeOr(g games.Game, rules games.Rules, w bot.Args, usual int64) int64 {
	if !g.Shape(rules).Staked() {
		return 0
	}
	if stake, given := w.Amount("stake"); given {
		return stake
	}
	return usual
}
