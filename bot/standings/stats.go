package standings

import (
	"cmp"
	"maps"
	"slices"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// companions returns the players who have finished games with others in the chat, those with the most games first.
func (v *Visit) companions() ([]companion, error) {
	standings, err := v.Totals()
	if err != nil {
		return nil, err
	}
	off, err := v.Tx.Chats.Unlisted(v.Chat.ID)
	if err != nil {
		return nil, err
	}
	played := map[string]int64{}
	called := map[string]string{}
	for _, s := range standings {
		played[s.Player] += s.Games
		called[s.Player] = s.Name
	}
	var all []companion
	var named chat.TakenNames // numbers equal names, in the order of player ids as on leaderboards
	for _, player := range slices.Sorted(maps.Keys(played)) {
		name := named.Unlike(v.bot.ShownName(called[player], v.Lang))
		all = append(all, companion{player: player, name: name, called: called[player], off: off[player]})
	}
	slices.SortStableFunc(all, func(a, b companion) int {
		return cmp.Or(cmp.Compare(played[b.player], played[a.player]), cmp.Compare(a.name, b.name))
	})
	return all, nil
}

// tagged returns "#" and the player's tag (short hash), by which buttons name the player: "#AbCd".
func (c companion) tagged() string { return "#" + personTag(c.player) }

// statsCommand handles /stats: it shows a player's statistics, the user's own by default, or another page about the
// player. Buttons name players by tag: "#AbCd", "#AbCd scores 1" (chart of scores), "#AbCd games 3" (tallies by game).
func (v *Visit) statsCommand(w bot.Args) error {
	all, err := v.companions()
	if err != nil {
		return err
	}
	c := v.ownCompanion(all)
	if said, given := w.Person("player"); given {
		if c, err = v.findCompanion(all, said); err != nil {
			return err
		}
	}
	which, _ := w.Amount("which")
	switch w.Text("picture") {
	case "":
		return v.showStats(c, all)
	case pageOfGames:
		return v.gamesPage(c, which)
	}
	return v.scorePicture(c, which)
}

// ownCompanion returns the user as listed in all, or a new companion if the user has not finished a game with others.
func (v *Visit) ownCompanion(all []companion) companion {
	for _, c := range all {
		if c.player == string(v.Event.User) {
			return c
		}
	}
	return companion{player: string(v.Event.User), name: v.bot.ShownName(v.Player.Name, v.Lang)}
}

// findCompanion returns the player in all that person names or mentions. It refuses unknown names, and players other
// than the user who are hidden.
func (v *Visit) findCompanion(all []companion, person bot.Person) (companion, error) {
	i := person.Among(v.Visit.Visit, len(all), func(i int) string { return all[i].player },
		func(i int) string { return all[i].tagged() },
		func(i int) string { return bot.Unisolated(all[i].name) }, func(i int) string { return all[i].called })
	switch {
	case i < 0 && (person.User == v.Event.User || person.Name == "#"+personTag(string(v.Event.User))):
		return v.ownCompanion(all), nil // the user has not played with others yet
	case i < 0:
		return companion{}, games.Refuse("bot.stats.nobody",
			games.Args{"Name": chat.Repeated(person.Name, chat.MaxName)})
	case all[i].off.Hidden && all[i].player != string(v.Event.User):
		return companion{}, games.Refuse("bot.stats.hidden", games.Args{"Name": all[i].name})
	}
	return all[i], nil
}

// showStats replies with the statistics of c. all holds the players of the chat, for opponents and buttons.
func (v *Visit) showStats(c companion, all []companion) error {
	played, err := v.Tx.Scores.Series(v.Chat.ID, c.player, maxPlayed)
	if err != nil {
		return err
	}
	sum := careerOf(played)
	head := games.Say("bot.stats.none", games.Args{"Name": c.name})
	if sum.games > 0 {
		head = games.Say("bot.stats.head", games.Args{"Name": c.name, "N": sum.games, "Won": sum.won})
	}
	m := v.Private(head)
	today, err := v.Evening()
	if err != nil {
		return err
	}
	lines := v.careerLines(sum, played, today)
	rivals, err := v.rivalLines(c, all)
	if err != nil {
		return err
	}
	shut, err := v.shutLines(played)
	if err != nil {
		return err
	}
	sheets, more, err := v.tallyLines(c.player, played, 0)
	if err != nil {
		return err
	}
	dice, err := v.diceLines(c.player)
	if err != nil {
		return err
	}
	v.addLines(m, lines, "bot.column.evenings", "bot.column.total", "bot.column.best-evening",
		"bot.column.worst-evening")
	v.addLines(m, rivals, "bot.column.opponent", "bot.column.player", "bot.column.won", "bot.column.lost")
	for _, line := range slices.Concat(shut, sheets, dice) {
		m.Lines = append(m.Lines, v.Say(line))
	}
	if more {
		m.Row(v.moreGamesButton(c, maxTallied))
	}
	v.addStatsButtons(m, c, all, played)
	v.Shows("stats " + c.tagged())
	return nil
}

// chartButton returns the button to the chart of everyone's balances in unit. If unit is "", it is the chat's unit.
func (v *Visit) chartButton(unit string) chat.Button {
	command := "/stats #balances"
	if unit != "" {
		command += " " + unitTag(unit)
	}
	return v.Button(games.Say("bot.button.chart", nil), command, games.Plain)
}

// addStatsButtons adds buttons to m: to charts, luck and mistakes, past games, the statistics of other players in all,
// and the leaderboard. played holds the finished games of c.
func (v *Visit) addStatsButtons(m *chat.Message, c companion, all []companion, played []store.Played) {
	var looks, others []chat.Button
	if len(scoresByRules(played)) > 0 {
		looks = append(looks, v.Button(games.Say("bot.button.chart-scores", nil), "/stats "+c.tagged()+" scores 0",
			games.Plain))
	}
	if slices.ContainsFunc(all, func(c companion) bool { return c.off == store.Unlisted{} }) {
		looks = append(looks, v.chartButton(""))
	}
	looks = append(looks, v.Button(games.Say("bot.button.skill", nil), "/skill", games.Plain),
		v.Button(games.Say("bot.button.games", nil), "/history", games.Plain))
	for _, other := range all {
		if other.player == c.player || other.off != (store.Unlisted{}) || len(others) == maxAsked {
			continue
		}
		name := games.Say("bot.text", games.Args{"Text": other.name})
		others = append(others, v.Button(name, "/stats "+other.tagged(), games.Plain))
	}
	looks = append(looks, v.Button(games.Say("bot.button.leaderboard", nil), "/leaderboard", games.Plain))
	m.Row(looks...)
	m.Rows(maxAsked/2, others...)
}

// companionChoices returns the listed players as choices of the option "player" of /stats.
func (v *Visit) companionChoices() (named []bot.Choice, err error) {
	all, err := v.companions()
	for _, c := range all {
		if c.off == (store.Unlisted{}) {
			named = append(named, bot.TextChoice(bot.Unisolated(c.name)))
		}
	}
	return named, err
}

// career sums up the finished games of one player in a chat.
type career struct {
	games  int // number of games with others
	alone  int // played alone, as practice; these count only here
	won    int // games in first place, ties included
	streak int // games won in a row up to the latest
	most   int // the longest such streak
}

// careerOf sums up played, the finished games of a player, newest first.
func careerOf(played []store.Played) career {
	var c career
	running, broken := 0, false
	for _, p := range played {
		if p.Alone {
			c.alone++
			continue
		}
		c.games++
		if p.Place != 1 {
			running, broken = 0, true
			continue
		}
		c.won++
		running++
		c.most = max(c.most, running)
		if !broken {
			c.streak = running
		}
	}
	return c
}

// evening is the amount that a player won (positive) or lost (negative) on one evening.
type evening struct {
	day    store.Day
	amount int64 // in units, or in parts of a point (money.Shares)
}

// sumByEvening returns the amounts of the games in played, added up by evening, in the order of played. worth returns
// the amount of one game, or false if the game does not count. Games played alone do not count either.
func sumByEvening(played []store.Played, worth func(store.Played) (int64, bool)) []evening {
	var all []evening
	at := map[store.Day]int{}
	for _, p := range played {
		amount, counts := worth(p)
		if !counts || p.Alone {
			continue
		}
		i, met := at[p.Evening]
		if !met {
			i = len(all)
			at[p.Evening] = i
			all = append(all, evening{day: p.Evening})
		}
		all[i].amount += amount
	}
	return all
}

// wonUnits returns a function that returns how much of unit a game won or lost. It returns false for games in other
// units, and for games without a stake or a settlement, so that an evening of such games is not shown as the best or
// worst one, with 0.
func wonUnits(unit string) func(store.Played) (int64, bool) {
	return func(p store.Played) (int64, bool) {
		friendly := p.Stake == 0 && p.Pool == 0 && (p.Settlement == nil || p.Difference.D == 0)
		if p.Unit != unit || friendly {
			return 0, false
		}
		return p.Units(), true
	}
}

// wonShares returns the points in p minus the table's average, in parts of a point (money.Shares); false if unknown.
func wonShares(p store.Played) (int64, bool) {
	return money.Difference(p.Difference).InShares()
}

// extremes returns the best and the worst evening of all, the first one of equal evenings, and the sum of all amounts.
func extremes(all []evening) (best, worst evening, total int64) {
	for i, e := range all {
		total += e.amount
		if i == 0 || e.amount > best.amount {
			best = e
		}
		if i == 0 || e.amount < worst.amount {
			worst = e
		}
	}
	return best, worst, total
}

// rivals returns the opponents with the largest margin of the player's wins over losses (favourite) and of losses over
// wins (dreaded). The zero value means none.
func rivals(opponents []store.Opponent) (favourite, dreaded store.Opponent) {
	for _, o := range opponents {
		if o.Ahead+o.Behind < minRivalry {
			continue
		}
		lead := o.Ahead - o.Behind
		if lead > 0 && lead > favourite.Ahead-favourite.Behind {
			favourite = o
		}
		if lead < 0 && lead < dreaded.Ahead-dreaded.Behind {
			dreaded = o
		}
	}
	return favourite, dreaded
}
