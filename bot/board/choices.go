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

// Stakes are what a stake can be by a press: what people play for. Any other is said with the command.
var Stakes = [...]int64{0, 1, 2, 3, 5, 7, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}

// choice is a choice with the name of what is chosen.
type choice struct {
	name string
	chat.Choice
}

// RulesPage draws the rules of a lobby as choices, in a language. What does not fit on one page stands on
// others: at is the number of one, or the name of a choice that is on it; the first is shown where there is
// no such page.
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

// choices are what the host chooses: the variant, the stake and the terms, then every option of the game.
func (s *BoardView) choices() []choice {
	var all []choice
	offer := func(name string, said games.Line, values []chat.Button) {
		if len(values) > 1 {
			line := chat.Shorten(s.Line(said), chat.MaxButton)
			all = append(all, choice{name, chat.Choice{Said: line, Values: values}})
		}
	}
	variants := s.variantButtons()
	offer(choiceVariant, games.Say("bot.button.variants", games.Args{"Variant": s.variantName()}),
		slices.Concat(variants[:]...))
	if s.Game.Shape(s.Table.Rules).Staked() {
		offer(ChoiceStake, games.Say("bot.option-value", games.Args{"Option": games.Say("bot.terms.stake", nil),
			"Value": bot.Amount(s.Table.Unit, s.Table.Stake)}), s.stakeButtons())
	}
	offer(TermTurn, s.termSaid(TermTurn), s.termValues(TermTurn))
	offer(TermAbsent, s.termSaid(TermAbsent), s.termValues(TermAbsent))
	for _, o := range s.Game.Options() {
		offer(o.Name, s.optionSaid(o), s.valueButtons(o))
	}
	return all
}

// stakeButtons are a button for every stake, the present one among them.
func (s *BoardView) stakeButtons() []chat.Button {
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(Stakes[:], []int64{s.Table.Stake}))))
	var row []chat.Button
	for _, stake := range all {
		row = append(row, s.button(bot.Amount(s.Table.Unit, stake), fmt.Sprint("!stake ", stake),
			bot.Chosen(stake == s.Table.Stake)))
	}
	return row
}
