package standings

import (
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// leaderboardCommand handles /leaderboard: it shows the leaderboard that the options select, or hides or shows the
// user. Players who are hidden or have left the chat are not listed.
func (v *Visit) leaderboardCommand(w bot.Args) error {
	me := w.Text("me")
	if me == "" {
		return v.Later(func() error {
			q, err := v.queryOf(w)
			if err != nil {
				return err
			}
			return v.showLeaderboard(q)
		})
	}
	if _, err := v.queryOf(w); err != nil {
		return err
	}
	return v.hide(me == "hide")
}

// queryCommand handles a button below a leaderboard. It refuses invalid queries and rankings that the game cannot have.
func (v *Visit) queryCommand(w bot.Args) error {
	q, ok := parseQuery(w.Text("query"))
	if !ok {
		return games.Refuse("bot.no-such-button", nil)
	}
	if q.menu == actHide || q.menu == actShow {
		return v.hide(q.menu == actHide)
	}
	if !v.bot.hasRanking(q.by, q.of) {
		return v.bot.refuseRanking(q.of)
	}
	return v.Later(func() error { return v.showLeaderboard(q) })
}

// hide hides the user from the chat's leaderboards if hidden is true, else shows the user again. The reply confirms it.
func (v *Visit) hide(hidden bool) error {
	if err := v.Tx.Chats.Hide(v.Chat.ID, string(v.Event.User), hidden); err != nil {
		return err
	}
	if hidden {
		v.Receipt("bot.leaders.hidden", nil)
	} else {
		v.Receipt("bot.leaders.shown", nil)
	}
	return nil
}

// queryOf returns the query that the options of /leaderboard select. Missing options get defaults that have results.
func (v *Visit) queryOf(w bot.Args) (_ query, err error) {
	q := query{least: 1, of: w.Text("game")}
	unit := w.Text("unit")
	if q.of != "" {
		if _, err := v.bot.parseScope(q.of); err != nil {
			return q, err
		}
	}
	friend, given := w.Person("against")
	if period := w.Text("period"); period == "" && !given { // a list against a friend defaults to all time
		q.when, err = v.UsualPeriod()
	} else {
		q.when, err = v.PeriodOf(period)
	}
	if err != nil {
		return q, err
	}
	if q.by, err = v.rankingOf(w.Text("rank"), q, unit); err != nil {
		return q, err
	}
	if unit != "" && !q.by.units {
		return q, games.Refuse("bot.leaders.unit-of-pools", nil)
	}
	if unit != "" {
		if q.unit, err = v.unitOf(unit); err != nil {
			return q, err
		}
	}
	if least, given := w.Amount("least"); given {
		q.least = least
	}
	q.houses = w.Text("house") != ""
	if q.houses && given {
		return q, games.Refuse("bot.leaders.house-how", nil)
	}
	if given {
		if q.against, err = v.friendTag(friend); err != nil {
			return q, err
		}
	}
	if q.by.units && q.unit == "" {
		q.unit, err = v.usualUnit(q)
	}
	return q, err
}

// rankingOf returns the ranking called name. If name is "", it returns a ranking in units if unit is set, else the
// first with results in the period of q, else at any time, else the first for the game's default rules.
func (v *Visit) rankingOf(name string, q query, unit string) (ranking, error) {
	if name != "" {
		i := slices.IndexFunc(rankings, func(r ranking) bool { return r.name == name })
		if !v.bot.hasRanking(rankings[i], q.of) {
			return ranking{}, v.bot.refuseRanking(q.of)
		}
		return rankings[i], nil
	}
	fitting := v.bot.rankingsOf(q.of)
	if unit != "" {
		inUnits := slices.DeleteFunc(slices.Clone(fitting), func(r ranking) bool { return !r.units })
		return append(inUnits, fitting...)[0], nil
	}
	of, err := v.readScope(q.of)
	if err != nil {
		return ranking{}, err
	}
	for _, when := range []Period{q.when, {kind: allTime}} {
		for _, by := range fitting {
			if counting, err := v.countingResults(by, of, when); err != nil || len(counting) > 0 {
				return by, err
			}
		}
	}
	i := slices.IndexFunc(fitting, func(r ranking) bool {
		return of.game == nil || r.allows(of.game, of.game.Shape(nil))
	})
	return fitting[max(i, 0)], nil
}

// refuseRanking returns a *games.Refusal that suggests a ranking for game, a game or variant; "" means any game.
func (b *Standings) refuseRanking(game string) error {
	if game == "" {
		return games.Refuse("bot.leaders.not-here", games.Args{"Near": b.rankingsOf(game)[0].name})
	}
	s, err := b.parseScope(game)
	if err != nil {
		return err
	}
	return games.Refuse("bot.leaders.not-of-game",
		games.Args{"Game": b.GameLabel(s.game), "Near": b.rankingsOf(game)[0].name})
}

// rankingsOf returns the rankings that game (a game or variant) can have. If game is "", it returns those of all games.
func (b *Standings) rankingsOf(game string) []ranking {
	return slices.DeleteFunc(slices.Clone(rankings), func(r ranking) bool { return !b.hasRanking(r, game) })
}

// hasRanking reports whether game (a game or variant) can have the ranking r. If game is "", any game may have it.
func (b *Standings) hasRanking(r ranking, game string) bool {
	return slices.ContainsFunc(b.gamesOf(game), func(g games.Game) bool {
		return slices.ContainsFunc(b.shapes[g.Name()], func(shape games.Shape) bool { return r.allows(g, shape) })
	})
}

// gamesOf returns the game that name, a game or variant, selects. It returns all games for "", nil for an unknown name.
func (b *Standings) gamesOf(name string) []games.Game {
	if name == "" {
		return b.Games
	}
	s, err := b.parseScope(name)
	if err != nil {
		return nil
	}
	return []games.Game{s.game}
}

// PeriodOf returns the period that text names: "" or "all" (all time), "season", "month", "week" or "evening" (the
// present one), the name of a season, or a spelling such as "2026-11". For other texts the error is a *games.Refusal.
func (v *Visit) PeriodOf(text string) (Period, error) {
	text = strings.ToLower(text)
	switch text {
	case "", "all":
		return Period{kind: allTime}, nil
	case "month", "week", "evening":
		today, err := v.Evening()
		return periodOf(kind(text[0]), today), err // the value of a kind is its first letter
	}
	seasons, err := v.Seasons()
	if err != nil {
		return Period{}, err
	}
	if text == "season" && len(seasons) == 0 {
		return Period{}, games.Refuse(v.OrEquals("bot.leaders.no-season", "bot.leaders.no-season-hosted",
			"bot.leaders.no-season-equals"), nil)
	}
	if text == "season" {
		return Period{kind: season, season: seasons[0].ID}, nil
	}
	known := []string{"all", "season", "month", "week", "evening"}
	for _, s := range seasons {
		if strings.EqualFold(s.Name, text) {
			return Period{kind: season, season: s.ID}, nil
		}
		known = append(known, strings.ToLower(s.Name))
	}
	if p, ok := parsePeriod(text); ok && p.kind != season {
		return p, nil
	}
	return Period{}, bot.NoSuchWord(text, known)
}

// withHouse is the value of the option "house" with which computer players are listed, too.
const withHouse = "with"

// leaderboardCommand returns the definition of the command /leaderboard.
func (b *Standings) leaderboardCommand() bot.Command {
	var ranks []bot.Choice
	for _, r := range rankings {
		ranks = append(ranks, bot.Choice{Value: r.name, Label: games.Say(r.short(), nil)})
	}
	hiding := []bot.Choice{{Value: "hide", Label: games.Say("bot.option.hide", nil)},
		{Value: "show", Label: games.Say("bot.option.show", nil)}}
	return bot.Command{Name: "leaderboard", Subject: bot.ToCount, Run: bot.As(b.Visit, (*Visit).leaderboardCommand),
		Options: []bot.Option{
			{Name: "rank", Type: chat.TypeChoice, About: games.Say("bot.option.rank", nil), Choices: ranks},
			b.PeriodOption(),
			{Name: "game", Type: chat.TypeGame, About: games.Say("bot.option.game", nil), Choices: b.AllVariants(),
				Also: b.OtherNames(),
				More: bot.Offers(b.Visit, (*Visit).houseScopes)},
			{Name: "unit", Type: chat.TypeText, About: games.Say("bot.option.unit-of", nil),
				More: textChoices(b, func(v *Visit) ([]string, error) { return v.Tx.Books.Units(v.Chat.ID) },
					func(unit string) string { return unit })},
			{Name: "least", Type: chat.TypeAmount, About: games.Say("bot.option.least", nil), Min: 1, Max: maxLeast,
				Refuse: func(string) error { return games.Refuse("bot.leaders.least", games.Args{"Most": maxLeast}) }},
			{Name: "against", Type: chat.TypePerson, About: games.Say("bot.option.against", nil),
				More: textChoices(b, (*Visit).otherPlayers, func(c companion) string { return c.name })},
			{Name: "house", Type: chat.TypeChoice, Label: games.Say("bot.option-called.list-house", nil),
				About:   games.Say("bot.option.list-house", nil),
				Choices: []bot.Choice{{Value: withHouse, Label: games.Say("bot.option.with-house", nil)}}},
			{Name: "me", Type: chat.TypeChoice, About: games.Say("bot.option.me", nil), Choices: hiding},
		}}
}

// textChoices returns a function that offers the results of values as choices of an option, each spelled by text.
func textChoices[T any](b *Standings, values func(*Visit) ([]T, error),
	text func(T) string) func(*bot.Visit) ([]bot.Choice, error) {
	return func(v *bot.Visit) (choices []bot.Choice, err error) {
		all, err := values(b.Visit(v))
		for _, value := range all {
			choices = append(choices, bot.TextChoice(text(value)))
		}
		return choices, err
	}
}

// PeriodOption returns the option "period", whose values are those that PeriodOf accepts.
func (b *Standings) PeriodOption() bot.Option {
	periods := []bot.Choice{{Value: "all", Label: games.Say("bot.period.all", nil)}}
	var called []bot.Choice
	for _, p := range []string{"season", "month", "week", "evening"} {
		periods = append(periods, bot.Choice{Value: p, Label: games.Say("bot.period.this-"+p, nil)})
		called = append(called, bot.Choice{Value: p, Label: games.Say("bot.period.called."+p, nil)})
	}
	return bot.Option{
		Name: "period", Type: chat.TypeText, About: games.Say("bot.option.period", nil), Choices: periods, Also: called,
		Reads: isPeriodSpelling, More: textChoices(b, (*Visit).Seasons, func(s store.Season) string { return s.Name }),
	}
}
