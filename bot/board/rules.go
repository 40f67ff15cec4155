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

// Changes of a lobby's terms and who made them. A change is stored as the number of the seat that made it, a colon and
// a word: "0:stake-more 0:rule/close". The new terms themselves are stored with the table.

// The words for changes of terms. A changed option has the word alteredRule, a slash and the option's name.
const (
	alteredStake   = "stake"
	alteredHouse   = "house"
	alteredVariant = "variant"
	alteredRule    = "rule"
	more, less     = "-more", "-less"
)

// alteredKeys maps the words for changes to the keys of sentences about them. The words that end in “-pool” have
// sentences that also name the new amount in the pool.
var alteredKeys = map[string]string{
	"house-more": "bot.altered.house-more", "house-more-pool": "bot.altered.house-more-pool",
	"house-less": "bot.altered.house-less", "house-less-pool": "bot.altered.house-less-pool",
	"stake-more": "bot.altered.stake-more", "stake-less": "bot.altered.stake-less",
	alteredVariant: "bot.altered.variant", alteredRule: "bot.altered.rule", TermTurn: "bot.altered.turn",
	TermAbsent: "bot.altered.absent", "seal": "bot.altered.seal",
}

// AlteredSeal is stored, as a change made by no seat, when a lobby has got a new seed for its dice.
const AlteredSeal = "-1:seal"

// CostsMore reports whether the terms of next can be worse for seated people than those of old. Worse are a higher
// stake or price of points, other rules, a shorter turn limit, and another consequence of exceeding the turn limit.
// Nothing is worse if neither has a stake or points that are paid.
func CostsMore(old, next store.Table) bool {
	if !hasPrice(old) && !hasPrice(next) {
		return false
	}
	limit := func(t store.Table) int64 { return cmp.Or(AgreedTurnLimit(t).Milliseconds(), math.MaxInt64) }
	point := func(t store.Table) int64 {
		n, _ := strconv.ParseInt(t.Rules[games.Point], 10, 64)
		return n
	}
	// without a stake, being out costs nothing
	nothing := next.Stake == 0 && old.Clock.Absent == store.IsOut && next.Clock.Absent == store.PlaysHouse
	return old.Game != next.Game || old.Unit != next.Unit || next.Stake > old.Stake || point(next) > point(old) ||
		len(differingRules(old, next, games.Point)) > 0 || old.Clock.Absent != next.Clock.Absent && !nothing ||
		limit(next) < limit(old)
}

// differingRules returns the sorted names of the options that differ between the rules of a and b, leaving out except.
func differingRules(a, b store.Table, except string) []string {
	all := maps.Clone(a.Rules)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, b.Rules)
	maps.DeleteFunc(all, func(name, _ string) bool { return name == except || a.Rules[name] == b.Rules[name] })
	return slices.Sorted(maps.Keys(all))
}

// HousesAt returns the names of the strategies of a table's computer players, sorted, one for each computer player.
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

// Changes returns words such as "stake-more", one for each term in which next, the changed table, differs from old.
func Changes(g games.Game, old, next store.Table) (words []string) {
	compare := func(word string, before, after int64) {
		if after > before {
			words = append(words, word+more)
		} else if after < before {
			words = append(words, word+less)
		}
	}
	compare(alteredHouse, int64(len(HousesAt(old))), int64(len(HousesAt(next))))
	if variant := games.VariantOf(g, next.Rules); next.HouseRules != old.HouseRules && next.HouseRules != 0 ||
		variant != "" && variant != games.VariantOf(g, old.Rules) {
		words = append(words, alteredVariant)
	} else {
		for _, name := range differingRules(old, next, "") {
			words = append(words, alteredRule+"/"+name)
		}
	}
	compare(alteredStake, old.Stake, next.Stake)
	if AgreedTurnLimit(old) != AgreedTurnLimit(next) {
		words = append(words, TermTurn)
	}
	if old.Clock.Absent != next.Clock.Absent {
		words = append(words, TermAbsent)
	}
	return words
}

// AddAlterations adds words, the changes that the person at seat has made, to the stored changes t.Altered. before is
// the table before these changes. A new word replaces an older word for the same term. If all people had agreed to the
// older changes, these are dropped. With fewer than two people at the table, only a new seed remains stored.
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

// Kept returns the house rules in all that new tables of a game can use (none dropped or replaced); game "": any game.
func Kept(all []store.HouseRules, game string) []store.HouseRules {
	return slices.DeleteFunc(slices.Clone(all), func(h store.HouseRules) bool {
		return !h.Kept || game != "" && h.Game != game
	})
}

// rulesName returns the name of the table's rules. If they are house rules, it is their name, with the hint option and
// the settlement (how points are paid) if the house rules leave these open. Otherwise it is bot.RulesLabel.
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
			list = append(list, bot.HintsLabel(value))
		case o.Name == games.Settle:
			list = append(list, games.Say("bot.option-value",
				games.Args{"Option": s.optionLabel(o), "Value": bot.SayValue(o, value)}))
		}
	}
	return bot.RulesList(list)
}

// NameLabel returns the name of house rules without their version.
func NameLabel(h store.HouseRules) games.Line {
	return games.Say("bot.text", games.Args{"Text": chat.Isolate(h.Name)})
}

// VersionLabel returns the name of house rules h. If all contains several versions of h, the label adds the version.
func VersionLabel(all []store.HouseRules, h store.HouseRules) games.Line {
	if len(versions(all, h)) < 2 {
		return NameLabel(h)
	}
	return games.Say("bot.house-rules.version", games.Args{"Name": chat.Isolate(h.Name), "Version": h.Version})
}

// AgeLabel returns the name of house rules h. If all contains newer versions, it adds “earlier”, numbered if needed.
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

// versions returns the versions of h in all (same game and name): those in use first, then the newest first.
func versions(all []store.HouseRules, h store.HouseRules) []store.HouseRules {
	same := slices.DeleteFunc(slices.Clone(all), func(x store.HouseRules) bool {
		return x.Game != h.Game || !strings.EqualFold(x.Name, h.Name)
	})
	slices.SortFunc(same, func(a, b store.HouseRules) int {
		return cmp.Or(bot.TrueFirst(a.Kept, b.Kept), cmp.Compare(b.ID, a.ID))
	})
	return same
}

// MaxOpened is how many house rules have a button that opens a table or chooses them; further ones have none.
const MaxOpened = 6

// The menus in which the host, who decides the terms of a lobby, chooses its rules.

// Names of the menus for the variant and the stake. Other menus are named after their option or term.
const (
	choiceVariant = "variant"
	ChoiceStake   = "stake"
)

// variantsWide is how many variants one row of buttons holds.
const variantsWide = 4

// Stakes are the stakes that buttons offer. The command that opens a table can set other stakes.
var Stakes = [...]int64{0, 1, 2, 3, 5, 7, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}

// choice is one menu: its name, its purpose and the chosen value in words, the page of the board that shows its
// values as buttons, and how many fit in a row.
type choice struct {
	name          string
	option, value games.Line
	page          string
	wide          int
	chat.Choice
}

// RulesPage returns a message with menus for the rules of a lobby. If the menus need several pages, selected chooses
// one: by the page's number, or by the name of a menu on it. Any other selected means the first page.
func (b *Boards) RulesPage(tx *store.Tx, t store.Table, lang, selected string) (*chat.Message, error) {
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, err
	}
	s, err := b.rulesView(tx, t, g, lang)
	if err != nil {
		return nil, err
	}
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

// rulesView returns an empty board of a table for which choices can be called.
func (b *Boards) rulesView(tx *store.Tx, t store.Table, g games.Game, lang string) (BoardView, error) {
	all, err := tx.Chats.AllHouseRules(t.Chat)
	if err != nil {
		return BoardView{}, fmt.Errorf("rules of table %d: %w", t.ID, err)
	}
	s := b.newView(tx, t, g, lang)
	s.kept = Kept(all, t.Game)
	return s, nil
}

// choices returns the menus for a lobby's rules: variant, stake, turn limit, absence, then every option of the game. It
// leaves out menus with only one value.
func (s *BoardView) choices() []choice {
	var all []choice
	offer := func(name string, wide int, option, value games.Line, values []chat.Button) {
		if len(values) > 1 {
			said := games.Say("bot.option-value", games.Args{"Option": option, "Value": value})
			if name == choiceVariant {
				said = games.Say("bot.button.variants", games.Args{"Variant": value})
			}
			line := chat.Shorten(s.Line(said), chat.MaxButton)
			all = append(all, choice{name, option, value, PageRules + "/" + name, wide, chat.Choice{Said: line,
				Values: values}})
		}
	}
	offer(choiceVariant, variantsWide, games.Say("bot.data.variant", nil), s.variantName(), s.variantButtons())
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
		offer(ChoiceStake, 1, games.Say("bot.terms.stake", nil), bot.Amount(s.Table.Unit, s.Table.Stake), row)
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
	offer(TermTurn, 2, games.Say("bot.terms.turn", nil), LimitLabel(now), limits)
	offer(TermAbsent, 2, games.Say("bot.terms.then", nil), AbsenceLabel(s.Table.Clock.Absent), timesOut)
	for _, o := range s.Game.Options() {
		offer(o.Name, 1, s.optionLabel(o), bot.SayValue(o, s.ruleValue(o)), s.valueButtons(o))
	}
	return all
}

// drawRules draws the page of a menu if it is open: a button for each value. Otherwise it draws a button for each menu,
// which shows the present value. The menus for turn limit and absence come last.
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
