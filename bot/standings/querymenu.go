package standings

import (
	"cmp"
	"errors"
	"slices"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// leastChoices holds the minimum numbers of games that buttons offer for a leaderboard.
var leastChoices = []int64{1, 5, 10, 25}

// timeButtons returns buttons that show q for the period before its own, for the period after it, and for all time. If
// q is about all time, it returns one button: for the present season or, without seasons, for this month.
func (v *Visit) timeButtons(q query) ([]chat.Button, error) {
	var row []chat.Button
	lead := func(key string, to Period) error {
		label, err := v.PeriodLabel(to)
		if err != nil {
			return err
		}
		if key != "" {
			label = games.Say(key, games.Args{"Period": bot.Capital(v.Say(label))})
		}
		there := q
		there.when = to
		row = append(row, v.queryButton(label, there))
		return nil
	}
	before, behind, err := v.neighbours(q.when)
	if err == nil && before != nil {
		err = lead("bot.button.back-to", *before)
	}
	if err == nil && behind != nil {
		err = lead("bot.button.on-to", *behind)
	}
	if err != nil {
		return nil, err
	}
	if q.when.kind != allTime {
		err = lead("", Period{kind: allTime})
		return row, err
	}
	present, err := v.Tx.Chats.PresentSeason(v.Chat.ID)
	switch {
	case err == nil:
		err = lead("", Period{kind: season, season: present.ID})
	case errors.Is(err, store.ErrNotFound):
		var today store.Day
		if today, err = v.Evening(); err == nil {
			err = lead("", periodOf(month, today))
		}
	}
	return row, err
}

// neighbours returns the nearest earlier and later period of the same kind as p in which a game ended, nil if there is
// none. later may be the present period even without games. Of seasons it returns the previous and the next one.
func (v *Visit) neighbours(p Period) (earlier, later *Period, err error) {
	switch p.kind {
	case allTime:
		return nil, nil, nil
	case season:
		all, err := v.seasonPeriods()
		i := slices.Index(all, p)
		if i >= 0 && i+1 < len(all) {
			earlier = &all[i+1]
		}
		if i > 0 {
			later = &all[i-1]
		}
		return earlier, later, err
	}
	day, err := v.Tx.Chats.EveningBefore(v.Chat.ID, store.DayOf(p.first))
	if err == nil {
		earlier = new(periodOf(p.kind, day))
	} else if !errors.Is(err, store.ErrNotFound) {
		return nil, nil, err
	}
	today, err := v.Evening()
	if err != nil {
		return nil, nil, err
	}
	now := periodOf(p.kind, today)
	day, err = v.Tx.Chats.EveningAfter(v.Chat.ID, store.DayOf(p.end())-1)
	switch {
	case err == nil:
		there := periodOf(p.kind, day)
		later = &there
	case !errors.Is(err, store.ErrNotFound):
		return nil, nil, err
	case p.first.Before(now.first):
		later = &now // no game ended in it yet, but it is the present period
	}
	return earlier, later, nil
}

// seasonPeriods returns the chat's seasons, newest first, then beforeSeasons if games ended before the first season.
func (v *Visit) seasonPeriods() ([]Period, error) {
	known, err := v.Seasons()
	if err != nil || len(known) == 0 {
		return nil, err
	}
	var all []Period
	for _, s := range known {
		all = append(all, Period{kind: season, season: s.ID})
	}
	earlier, err := v.Tx.Chats.BeforeSeasons(v.Chat.ID)
	if earlier {
		all = append(all, beforeSeasons)
	}
	return all, err
}

// addMenuButtons adds to m the buttons of the open menu, s.menu, and a button back to the leaderboard.
func (v *Visit) addMenuButtons(m *chat.Message, s result) error {
	q := s.query
	q.menu, q.page = menuMain, 0
	offers, known := menus[s.menu]
	if !known {
		return games.Refuse("bot.no-such-button", nil)
	}
	groups, err := offers(v, m, q)
	if err != nil {
		return err
	}
	for _, group := range groups { // the leaderboard that is shown now needs no button
		group = slices.DeleteFunc(group, func(b chat.Button) bool { return b.Press == q.press() })
		m.Rows(chat.MenuRow, group...)
	}
	q.page = s.page
	m.Row(v.queryButton(games.Say("bot.button.back", nil), q))
	return nil
}

// menus maps each menu to the method that returns its buttons. Each group of buttons begins a new row.
var menus = map[menu]func(*Visit, *chat.Message, query) ([][]chat.Button, error){
	menuRanking: (*Visit).rankingMenu,
	menuPeriod:  (*Visit).periodMenu,
	menuGame:    (*Visit).gameMenu,
	menuFriend:  (*Visit).friendMenu,
}

// rankingMenu returns buttons for each ranking, for minimum numbers of games, and to list or not list computer players.
func (v *Visit) rankingMenu(_ *chat.Message, q query) ([][]chat.Button, error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	if err != nil {
		return nil, err
	}
	var row []chat.Button
	for _, by := range rankings {
		to := q
		to.by, to.unit = by, v.unitFor(by)
		if !v.bot.hasRanking(by, q.of) {
			to.of = "" // the present game lacks this ranking, so its button shows all games
		}
		if !v.bot.hasRanking(by, "") {
			continue // no installed game has this ranking
		}
		if by.units && len(units) > 1 {
			for _, unit := range units[:min(len(units), maxUnits)] {
				to.unit = unitTag(unit)
				row = append(row, v.queryButton(v.rankingLabel(by, unit), to))
			}
			continue
		}
		row = append(row, v.queryButton(games.Say(by.short(), nil), to))
	}
	var least []chat.Button
	for _, n := range leastChoices {
		to := q
		to.least = n
		least = append(least, v.queryButton(games.Say("bot.button.at-least", games.Args{"N": int(n)}), to))
	}
	if q.against != "" {
		return [][]chat.Button{row, least}, nil
	}
	label := games.Say("bot.button.with-house", nil)
	if q.houses {
		label = games.Say("bot.button.without-house", nil)
	}
	q.houses = !q.houses
	return [][]chat.Button{row, least, {v.queryButton(label, q)}}, nil
}

// periodMenu returns buttons for this evening, week and month, all time and the latest seasons.
func (v *Visit) periodMenu(_ *chat.Message, q query) ([][]chat.Button, error) {
	seasons, err := v.seasonPeriods()
	if err != nil {
		return nil, err
	}
	lead := func(label games.Line, to Period) chat.Button {
		there := q
		there.when = to
		return v.queryButton(label, there)
	}
	today, err := v.Evening()
	if err != nil {
		return nil, err
	}
	present := []chat.Button{
		lead(games.Say("bot.period.this-evening", nil), periodOf(anEvening, today)),
		lead(games.Say("bot.period.this-week", nil), periodOf(week, today)),
		lead(games.Say("bot.period.this-month", nil), periodOf(month, today)),
		lead(games.Say("bot.period.all", nil), Period{kind: allTime}),
	}
	var row []chat.Button
	for _, s := range seasons[:min(len(seasons), maxSeasonButtons)] {
		label, err := v.PeriodLabel(s)
		if err != nil {
			return nil, err
		}
		row = append(row, lead(label, s))
	}
	return [][]chat.Button{present, row}, nil
}

// gameMenu returns buttons for all games together, for each game, and for the variants and house rules played most in
// the chat.
func (v *Visit) gameMenu(_ *chat.Message, q query) ([][]chat.Button, error) {
	lead := func(label games.Line, of string) chat.Button {
		to := q
		to.of = of
		if !v.bot.hasRanking(q.by, of) {
			to.by = v.bot.rankingsOf(of)[0]
			to.unit = v.unitFor(to.by)
		}
		return v.queryButton(label, to)
	}
	all := []chat.Button{lead(games.Say("bot.button.all-games", nil), "")}
	for _, o := range v.bot.OpeningsOf(v.bot.Games, v.Lang) {
		all = append(all, lead(o.Label, cmp.Or(o.Variant, o.Game.Name())))
	}
	played, err := v.playedVariants(nil)
	if err != nil {
		return nil, err
	}
	var variants []chat.Button
	for _, s := range played[:min(len(played), maxVariants)] {
		if found, err := v.bot.parseScope(s.variant); err != nil || found.key() != s.key() {
			continue // a game with a single variant, or a name that means another game's variant
		}
		if called, _ := games.VariantNamed(s.game, s.variant); called.Command {
			continue // it is listed as a game
		}
		variants = append(variants, lead(v.bot.VariantLabel(s.game, s.variant), s.variant))
	}
	named, err := v.playedRules()
	if err != nil {
		return nil, err
	}
	every, err := v.HouseRules()
	if err != nil {
		return nil, err
	}
	var house []chat.Button
	for _, h := range named[:min(len(named), maxVariants)] {
		label := board.AgeLabel(every, h)
		b := lead(label, houseScope(h))
		b.Label = chat.Shorten(v.Say(label), chat.MaxButton) // keep the case in which the rules' name was written
		house = append(house, b)
	}
	return [][]chat.Button{all, variants, house}, nil
}

// playedRules returns the house rules, earlier versions included, that finished games of the chat used. House rules
// that new tables may use come first.
func (v *Visit) playedRules() ([]store.HouseRules, error) {
	all, err := v.HouseRules()
	if err != nil || len(all) == 0 {
		return nil, err
	}
	standings, err := v.Totals()
	if err != nil {
		return nil, err
	}
	looked, played := map[string]bool{}, map[int64]bool{}
	for _, one := range standings {
		if looked[one.Game+one.Rules] {
			continue
		}
		looked[one.Game+one.Rules] = true
		rules, err := SpelledRules(one.Rules)
		if err != nil {
			return nil, err
		}
		for _, h := range all {
			played[h.ID] = played[h.ID] || matchesHouseRules(all, h, one.Game, rules)
		}
	}
	all = slices.DeleteFunc(slices.Clone(all), func(h store.HouseRules) bool {
		_, err := v.bot.Game(h.Game)
		return err != nil || !played[h.ID]
	})
	slices.SortStableFunc(all, func(a, b store.HouseRules) int { return bot.TrueFirst(a.Kept, b.Kept) })
	return all, nil
}

// friendMenu returns buttons for the listed players with the most games, and adds to m a line that asks for a player.
func (v *Visit) friendMenu(m *chat.Message, q query) ([][]chat.Button, error) {
	people, err := v.otherPlayers()
	if err != nil {
		return nil, err
	}
	question := "bot.leaders.whom"
	if len(people) == 0 {
		question = "bot.leaders.nobody-else"
	}
	m.Lines = append(m.Lines, v.Say(games.Say(question, nil)))
	var row []chat.Button
	for _, t := range people[:min(len(people), maxFriends)] {
		to := q
		to.against, to.houses = personTag(t.player), false
		row = append(row, chat.Button{Label: chat.Shorten(t.name, chat.MaxButton), Press: to.press()})
	}
	return [][]chat.Button{row}, nil
}
