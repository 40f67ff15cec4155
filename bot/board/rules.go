package board

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Changes of a lobby's terms and who made them. They are stored as words, each after the seat and a colon:
// "0:stake-more 0:rule/close". The new terms themselves are stored with the table.

// The words for changes of terms. For an option the word is alteredRule, a slash and the option's name.
const (
	alteredStake   = "stake"
	alteredHouse   = "house"
	alteredVariant = "variant"
	alteredRule    = "rule"
	more, less     = "-more", "-less"
)

// alteredKeys maps these words to the keys of their sentences. “-pool” marks those that also name the amount in the
// pool.
var alteredKeys = map[string]string{
	"house-more": "bot.altered.house-more", "house-more-pool": "bot.altered.house-more-pool",
	"house-less": "bot.altered.house-less", "house-less-pool": "bot.altered.house-less-pool",
	"stake-more": "bot.altered.stake-more", "stake-less": "bot.altered.stake-less",
	alteredVariant: "bot.altered.variant", alteredRule: "bot.altered.rule", TermTurn: "bot.altered.turn",
	TermAbsent: "bot.altered.absent", "seal": "bot.altered.seal",
}

// AlteredSeal is the stored change of a lobby that got a new seed for its dice. No seat made it.
const AlteredSeal = "-1:seal"

// CostsMore reports whether the terms of to can be worse for seated people than those of from: a higher stake, other
// rules, a shorter turn limit or another treatment of absence.
func CostsMore(from, to store.Table) bool {
	limit := func(t store.Table) int64 { return cmp.Or(AgreedTurnLimit(t).Milliseconds(), math.MaxInt64) }
	point := func(t store.Table) int64 {
		n, _ := strconv.ParseInt(t.Rules[games.Point], 10, 64)
		return n
	}
	// without a stake, “out” costs nothing
	nothing := to.Stake == 0 && from.Clock.Absent == store.IsOut && to.Clock.Absent == store.PlaysHouse
	return from.Game != to.Game || from.Unit != to.Unit || to.Stake > from.Stake || point(to) > point(from) ||
		len(differingRules(from, to, games.Point)) > 0 || from.Clock.Absent != to.Clock.Absent && !nothing ||
		limit(to) < limit(from)
}

// differingRules returns the sorted names of options that differ between two tables, but not that of the option except.
func differingRules(a, b store.Table, except string) []string {
	all := maps.Clone(a.Rules)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, b.Rules)
	maps.DeleteFunc(all, func(name, _ string) bool { return name == except || a.Rules[name] == b.Rules[name] })
	return slices.Sorted(maps.Keys(all))
}

// HousesAt returns the sorted strategies of a table's computer seats.
func HousesAt(t store.Table) []string {
	var houses []string
	for _, s := range t.Seats {
		if s.House != "" {
			houses = append(houses, s.House)
		}
	}
	slices.Sort(houses)
	return houses
}

// Changes returns the words, such as "stake-more", for the changes from the terms of one table to those of another.
func Changes(g games.Game, from, to store.Table) (words []string) {
	compare := func(word string, before, after int64) {
		if after > before {
			words = append(words, word+more)
		} else if after < before {
			words = append(words, word+less)
		}
	}
	compare(alteredHouse, int64(len(HousesAt(from))), int64(len(HousesAt(to))))
	if variant := games.VariantOf(g, to.Rules); to.HouseRules != from.HouseRules && to.HouseRules != 0 ||
		variant != "" && variant != games.VariantOf(g, from.Rules) {
		words = append(words, alteredVariant)
	} else {
		for _, name := range differingRules(from, to, "") {
			words = append(words, alteredRule+"/"+name)
		}
	}
	compare(alteredStake, from.Stake, to.Stake)
	if AgreedTurnLimit(from) != AgreedTurnLimit(to) {
		words = append(words, TermTurn)
	}
	if from.Clock.Absent != to.Clock.Absent {
		words = append(words, TermAbsent)
	}
	return words
}

// AddAlterations adds words, the changes made by the person at seat, to t.Altered; before is the table before them. A
// new word replaces an older one of its kind. Older words stay until all have agreed to them. It clears t.Altered if
// fewer than two people could read it, unless the seed has changed.
func AddAlterations(t *store.Table, before store.Table, seat int, words []string) {
	kind := func(word string) string { return strings.TrimSuffix(strings.TrimSuffix(word, more), less) }
	var all []string
	for entry := range strings.FieldsSeq(t.Altered) {
		by, word, _ := strings.Cut(entry, ":")
		stale := len(words) > 0 && len(SeatsToAgree(before)) == 0
		if stale || slices.ContainsFunc(words, func(w string) bool { return kind(w) == kind(word) }) {
			continue
		}
		old, err := strconv.Atoi(by)
		if err == nil && old >= 0 && old < len(before.Seats) { // the seat may have another number by now
			old = slices.IndexFunc(t.Seats, func(s store.Seat) bool {
				return s.Player != "" && s.Player == before.Seats[old].Player
			})
		}
		all = append(all, fmt.Sprint(old, ":", word))
	}
	for _, word := range words {
		all = append(all, fmt.Sprint(seat, ":", word))
	}
	if t.Altered = strings.Join(all, " "); CountPeople(*t) < 2 && t.Altered != AlteredSeal {
		t.Altered = ""
	}
}

// Kept returns the house rules of a game that are in use, not dropped or replaced; game "" means those of all games.
func Kept(all []store.HouseRules, game string) []store.HouseRules {
	return slices.DeleteFunc(slices.Clone(all), func(h store.HouseRules) bool {
		return !h.Kept || game != "" && h.Game != game
	})
}

// rulesName returns the name of the table's rules: that of house rules, followed by a hint option and settlement that
// they do not include, or else bot.RulesLabel.
func (s *BoardView) rulesName() games.Line {
	if s.Table.HouseRules == 0 {
		return s.bot.RulesLabel(s.Game, s.Table.Rules)
	}
	h := readOnce(s, "house rules of table", func(int64) (store.HouseRules, error) {
		return s.Tx.Chats.HouseRules(s.Table.HouseRules)
	})
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
	return bot.RulesList(list)
}

// NameLabel returns the name of house rules without their version.
func NameLabel(h store.HouseRules) games.Line {
	return games.Say("bot.text", games.Args{"Text": chat.Isolate(h.Name)})
}

// VersionLabel returns the name of house rules h, with their version if all holds others of that name.
func VersionLabel(all []store.HouseRules, h store.HouseRules) games.Line {
	if len(versions(all, h)) < 2 {
		return NameLabel(h)
	}
	return games.Say("bot.house-rules.version", games.Args{"Name": chat.Isolate(h.Name), "Version": h.Version})
}

// AgeLabel returns the name of house rules h, marked if it is an earlier version in all, numbered if there are several.
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

// versions returns the house rules in all with the game and name of h, the current ones first.
func versions(all []store.HouseRules, h store.HouseRules) []store.HouseRules {
	same := slices.DeleteFunc(slices.Clone(all), func(x store.HouseRules) bool {
		return x.Game != h.Game || !strings.EqualFold(x.Name, h.Name)
	})
	slices.SortFunc(same, func(a, b store.HouseRules) int {
		return cmp.Or(bot.TrueFirst(a.Kept, b.Kept), cmp.Compare(b.ID, a.ID))
	})
	return same
}

// MaxOpened is the largest number of house rules with a button that opens a table.
const MaxOpened = 6

// The menus in which the host chooses the rules of a lobby.

// Names of menus that are neither options of the game nor terms of absence.
const (
	choiceVariant = "variant"
	ChoiceStake   = "stake"
)

// variantsWide is the number of variants in a row of buttons.
const variantsWide = 4

// Stakes are the stakes that buttons offer. Other stakes can be set by the command.
var Stakes = [...]int64{0, 1, 2, 3, 5, 7, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}

// choice is one menu with its name, the page of the board that shows its values, and the number of values in a row.
type choice struct {
	name, page string
	wide       int
	chat.Choice
}

// RulesPage returns a message with the rules of a lobby as menus. If they need several pages, selected is the number of
// one or the name of a choice on it; any other value selects the first.
func (b *Boards) RulesPage(tx *store.Tx, t store.Table, lang, selected string) (*chat.Message, error) {
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, err
	}
	all, err := tx.Chats.AllHouseRules(t.Chat)
	if err != nil {
		return nil, fmt.Errorf("rules of table %d: %w", t.ID, err)
	}
	s := b.newView(tx, t, g, lang)
	s.kept = Kept(all, t.Game)
	offered := s.choices()
	pages := max((len(offered)+chat.MaxChoices-1)/chat.MaxChoices, 1)
	each := max((len(offered)+pages-1)/pages, 1)
	page := 0
	if n, err := strconv.Atoi(selected); err == nil && n > 0 && n <= pages {
		page = n - 1
	} else if i := slices.IndexFunc(offered, func(c choice) bool { return c.name == selected }); i >= 0 {
		page = i / each
	}
	s.Message.Head = s.Say("bot.rules-chosen", nil)
	for _, c := range offered[page*each : min((page+1)*each, len(offered))] {
		s.Message.Choices = append(s.Message.Choices, c.Choice)
		if c.name == TermAbsent {
			s.explainAbsence()
		}
	}
	var row []chat.Button
	if pages > 1 {
		next := (page+1)%pages + 1
		row = append(row, s.button(games.Say("bot.button.more-rules", games.Args{"Page": next, "Of": pages}),
			fmt.Sprint("!page ", PageRules, " ", next), games.Plain))
	}
	s.Message.Row(append(row, s.namedButton("end", "!end", games.Danger))...)
	return &s.Message, nil
}

// choices returns the host's choices: the variant, the stake and the terms, then every option of the game. A choice
// with a single value is left out.
func (s *BoardView) choices() []choice {
	var all []choice
	offer := func(name string, wide int, said games.Line, values []chat.Button) {
		if len(values) > 1 {
			line := chat.Shorten(s.Line(said), chat.MaxButton)
			all = append(all, choice{name, PageRules + "/" + name, wide, chat.Choice{Said: line, Values: values}})
		}
	}
	has := func(option, value games.Line) games.Line {
		return games.Say("bot.option-value", games.Args{"Option": option, "Value": value})
	}
	offer(choiceVariant, variantsWide, games.Say("bot.button.variants", games.Args{"Variant": s.variantName()}),
		s.variantButtons())
	if len(all) > 0 {
		all[0].page = pageVariants
	}
	if s.Game.Shape(s.Table.Rules).Staked() {
		var row []chat.Button
		stakes := append(Stakes[:len(Stakes):len(Stakes)], s.Table.Stake)
		for _, stake := range slices.Compact(slices.Sorted(slices.Values(stakes))) {
			row = append(row, s.button(bot.Amount(s.Table.Unit, stake), fmt.Sprint("!stake ", stake),
				bot.Chosen(stake == s.Table.Stake)))
		}
		offer(ChoiceStake, 1, has(games.Say("bot.terms.stake", nil), bot.Amount(s.Table.Unit, s.Table.Stake)), row)
	}
	var limits, timesOut []chat.Button
	now := AgreedTurnLimit(s.Table)
	for _, said := range TurnTimes {
		limit, _ := s.bot.ReadTurn(said)
		limits = append(limits, s.button(LimitLabel(limit), "!set "+TermTurn+"="+said, bot.Chosen(limit == now)))
	}
	for _, a := range timeouts {
		t := s.Table
		if t.Clock.Absent = a.Stored; s.bot.Agree(&t, s.Game, bot.Args{TermAbsent: {Text: a.Said}}) == nil {
			timesOut = append(timesOut, s.button(AbsenceLabel(a.Stored), "!set "+TermAbsent+"="+a.Said,
				bot.Chosen(a.Stored == s.Table.Clock.Absent)))
		}
	}
	offer(TermTurn, 2, has(games.Say("bot.terms.turn", nil), LimitLabel(now)), limits)
	offer(TermAbsent, 2, has(games.Say("bot.terms.then", nil), AbsenceLabel(s.Table.Clock.Absent)), timesOut)
	for _, o := range s.Game.Options() {
		offer(o.Name, 1, has(s.bot.OptionLabel(s.Game, o), bot.SayValue(o, s.ruleValue(o))), s.valueButtons(o))
	}
	return all
}

// drawRules draws the values of the choice whose page is open as buttons. Otherwise it draws a button for every choice,
// with its present value, the terms last.
func (s *BoardView) drawRules() {
	all := s.choices()
	open := slices.IndexFunc(all, func(c choice) bool { return c.page == s.Table.Board.Page && c.name != ChoiceStake })
	if open >= 0 {
		c, kept := all[open], 0
		switch c.name {
		case TermAbsent:
			s.explainAbsence()
		case choiceVariant: // house rules are in a row below the variants
			kept = len(c.Values) - len(s.Game.Variants())
		}
		s.Message.Rows(c.wide, c.Values[:len(c.Values)-kept]...)
		s.Message.Rows(chat.MenuRow, c.Values[len(c.Values)-kept:]...)
		s.Message.Row(s.namedButton("back", "!page "+PageRules, games.Primary))
		return
	}
	isTerm := func(c choice) bool { return c.name == TermTurn || c.name == TermAbsent }
	slices.SortStableFunc(all, func(a, b choice) int { return bot.TrueFirst(!isTerm(a), !isTerm(b)) })
	var row []chat.Button
	for _, c := range all {
		if c.name != ChoiceStake {
			row = append(row, chat.Button{Label: c.Said, Press: s.press("!page " + c.page)})
		}
	}
	s.Message.Rows(2, row...)
	row = nil
	if s.Game.Shape(s.Table.Rules).Staked() {
		row = append(row, s.namedButton("stake-less", "!stake less", games.Plain),
			s.namedButton("stake-more", "!stake more", games.Plain))
	}
	row = append(row, s.namedButton("end", "!end", games.Danger), s.namedButton("back", "!page", games.Primary))
	s.Message.Row(row...)
}
