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

// alteredKeys maps these words to the keys of their sentences. "-pool" marks sentences that also give the amount in the
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

// CostsMore reports whether the terms now can be worse for seated people than was: a higher stake, other rules, a
// shorter turn limit or another treatment of absence.
func CostsMore(was, now store.Table) bool {
	limit := func(t store.Table) int64 { return cmp.Or(AgreedTurnLimit(t).Milliseconds(), math.MaxInt64) }
	point := func(t store.Table) int64 {
		n, _ := strconv.ParseInt(t.Rules[games.Point], 10, 64)
		return n
	}
	// without a stake, being out has no cost
	nothing := now.Stake == 0 && was.Clock.Absent == store.IsOut && now.Clock.Absent == store.PlaysHouse
	return was.Game != now.Game || was.Unit != now.Unit || now.Stake > was.Stake || point(now) > point(was) ||
		len(otherRules(was, now, games.Point)) > 0 || was.Clock.Absent != now.Clock.Absent && !nothing ||
		limit(now) < limit(was)
}

// otherRules returns the sorted names of options that differ between two tables, except the option but.
func otherRules(a, b store.Table, but string) []string {
	all := maps.Clone(a.Rules)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, b.Rules)
	maps.DeleteFunc(all, func(name, _ string) bool { return name == but || a.Rules[name] == b.Rules[name] })
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

// Changes returns the words for the differences between the terms was and now.
func Changes(g games.Game, was, now store.Table) (words []string) {
	compare := func(word string, before, after int64) {
		if after > before {
			words = append(words, word+more)
		} else if after < before {
			words = append(words, word+less)
		}
	}
	compare(alteredHouse, int64(len(HousesAt(was))), int64(len(HousesAt(now))))
	if variant := games.VariantOf(g, now.Rules); now.HouseRules != was.HouseRules && now.HouseRules != 0 ||
		variant != "" && variant != games.VariantOf(g, was.Rules) {
		words = append(words, alteredVariant)
	} else {
		for _, name := range otherRules(was, now, "") {
			words = append(words, alteredRule+"/"+name)
		}
	}
	compare(alteredStake, was.Stake, now.Stake)
	if AgreedTurnLimit(was) != AgreedTurnLimit(now) {
		words = append(words, TermTurn)
	}
	if was.Clock.Absent != now.Clock.Absent {
		words = append(words, TermAbsent)
	}
	return words
}

// Altering adds words, the changes made by the person at seat, to t.Altered; was is the table before. A new word
// replaces an older one of its kind. Older words stay until all have agreed to them. It clears t.Altered if fewer than
// two people could read it, unless the seed has changed.
func Altering(t *store.Table, was store.Table, seat int, words []string) {
	kind := func(word string) string { return strings.TrimSuffix(strings.TrimSuffix(word, more), less) }
	var all []string
	for entry := range strings.FieldsSeq(t.Altered) {
		by, word, _ := strings.Cut(entry, ":")
		stale := len(words) > 0 && len(ToAgreeAt(was)) == 0
		if stale || slices.ContainsFunc(words, func(w string) bool { return kind(w) == kind(word) }) {
			continue
		}
		old, err := strconv.Atoi(by)
		if err == nil && old >= 0 && old < len(was.Seats) { // seats may have moved since
			old = slices.IndexFunc(t.Seats, func(s store.Seat) bool {
				return s.Player != "" && s.Player == was.Seats[old].Player
			})
		}
		all = append(all, fmt.Sprint(old, ":", word))
	}
	for _, word := range words {
		all = append(all, fmt.Sprint(seat, ":", word))
	}
	if t.Altered = strings.Join(all, " "); StillIn(*t) < 2 && t.Altered != AlteredSeal {
		t.Altered = ""
	}
}

// Kept returns the house rules that new tables of a game can use: those not dropped or replaced. game "" means all
// games.
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

// AgeLabel returns the name of house rules h. Earlier versions are marked as such, numbered if there are several.
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

// The page of menus on which the host chooses the rules of a lobby.

// Names of choices that are neither options of the game nor terms.
const (
	choiceVariant = "variant"
	ChoiceStake   = "stake"
)

// variantsWide is the number of variants in a row of buttons.
const variantsWide = 4

// Stakes are the stakes that buttons offer. Other stakes can be set by the command.
var Stakes = [...]int64{0, 1, 2, 3, 5, 7, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}

// choice is one menu with its name, the page of the board that shows its values as buttons, and the number of these in
// a row.
type choice struct {
	name, page string
	wide       int
	chat.Choice
}

// RulesPage returns a message with the rules of a lobby as menus. If they need several pages, at selects one by its
// number or by the name of a choice on it; any other value selects the first.
func (b *Boards) RulesPage(tx *store.Tx, t store.Table, lang, at string) (*chat.Message, error) {
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, err
	}
	all, err := tx.Chats.AllHouseRules(t.Chat)
	if err != nil {
		return nil, fmt.Errorf("rules of table %d: %w", t.ID, err)
	}
	s := b.view(tx, t, g, lang)
	s.kept = Kept(all, t.Game)
	offered := s.choices()
	pages := max((len(offered)+chat.MaxChoices-1)/chat.MaxChoices, 1)
	each := max((len(offered)+pages-1)/pages, 1)
	page := 0
	if n, err := strconv.Atoi(at); err == nil && n > 0 && n <= pages {
		page = n - 1
	} else if i := slices.IndexFunc(offered, func(c choice) bool { return c.name == at }); i >= 0 {
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
	s.Message.Row(append(row, s.key("end", "!end", games.Danger))...)
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
		offer(o.Name, 1, has(s.bot.OptionLabel(s.Game, o), bot.SayValue(o, s.value(o))), s.valueButtons(o))
	}
	return all
}

// rules draws the values of the choice whose page is open as buttons. Otherwise it draws a button for every choice,
// with its present value, the terms last.
func (s *BoardView) rules() {
	all := s.choices()
	open := slices.IndexFunc(all, func(c choice) bool { return c.page == s.Table.Board.Page && c.name != ChoiceStake })
	if open >= 0 {
		c, kept := all[open], 0
		switch c.name {
		case TermAbsent:
			s.explainAbsence()
		case choiceVariant: // house rules start a new row
			kept = len(c.Values) - len(s.Game.Variants())
		}
		s.Message.Rows(c.wide, c.Values[:len(c.Values)-kept]...)
		s.Message.Rows(chat.MenuRow, c.Values[len(c.Values)-kept:]...)
		s.Message.Row(s.key("back", "!page "+PageRules, games.Primary))
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
		row = append(row, s.key("stake-less", "!stake less", games.Plain),
			s.key("stake-more", "!stake more", games.Plain))
	}
	row = append(row, s.key("end", "!end", games.Danger), s.key("back", "!page", games.Primary))
	s.Message.Row(row...)
}
