package board

// The rules of a lobby as choices, on one page for its host alone.

import (
	"fmt"
	"slices"
	"strconv"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The choices that are neither options of the game nor terms.
const (
	choiceVariant = "variant"
	ChoiceStake   = "stake"
)

// variantsWide is the number of variants in a row.
const variantsWide = 4

// Stakes are what a stake can be by a press: what people play for. Any other is said with the command.
var Stakes = [...]int64{0, 1, 2, 3, 5, 7, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}

// choice is a choice with the name of what is chosen, the page of the board with its values, and how many of these
// stand in a row there.
type choice struct {
	name, page string
	wide       int
	chat.Choice
}

// RulesPage draws the rules of a lobby as choices, in a language. What does not fit on one page stands on others: at is
// the number of one, or the name of a choice that is on it; the first is shown where there is no such page.
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

// choices returns what the host chooses: the variant, the stake and the terms, then every option of the game.
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

// rules draws a button for every value of the choice whose page is open, or else one for every choice, with its present
// value, the terms last.
func (s *BoardView) rules() {
	all := s.choices()
	open := slices.IndexFunc(all, func(c choice) bool { return c.page == s.Table.Board.Page && c.name != ChoiceStake })
	if open >= 0 {
		c, kept := all[open], 0
		switch c.name {
		case TermAbsent:
			s.explainAbsence()
		case choiceVariant: // the house rules begin a row
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
