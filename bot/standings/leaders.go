package standings

import (
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// A leaderboard depends only on a query and on stored data: the totals by period or, against one friend, the results of
// common games. The totals include all players; the list leaves out computer players, hidden players and players who
// have left the chat.

// leaderboardCommand handles /leaderboard: it shows the leaderboard for the options, or hides or shows the user.
func (v *Visit) leaderboardCommand(w bot.Args) error {
	me := w.Text("me")
	if me == "" {
		return v.Later(func() error {
			l, err := v.queryOf(w)
			if err != nil {
				return err
			}
			return v.leaderboard(l)
		})
	}
	if _, err := v.queryOf(w); err != nil {
		return err
	}
	return v.hide(me == "hide")
}

// queryCommand handles a button below a leaderboard. It refuses invalid queries and rankings that the game lacks.
func (v *Visit) queryCommand(w bot.Args) error {
	l, ok := parseQuery(w.Text("query"))
	if !ok {
		return games.Refuse("bot.no-such-button", nil)
	}
	if l.menu == actHide || l.menu == actShow {
		return v.hide(l.menu == actHide)
	}
	if !v.bot.ranks(l.by, l.of) {
		return v.bot.refuseRanking(l.of)
	}
	return v.Later(func() error { return v.leaderboard(l) })
}

// hide hides the user from the chat's leaderboards, or shows them again if hidden is false, and confirms it.
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

// queryOf returns the query for the options of /leaderboard, with defaults that find games to show.
func (v *Visit) queryOf(w bot.Args) (query, error) {
	l := query{least: 1, of: w.Text("game")}
	unit := w.Text("unit")
	var err error
	if l.of != "" {
		if _, err := v.bot.scope(l.of); err != nil {
			return l, err
		}
	}
	friend, given := w.Person("against")
	if period := w.Text("period"); period == "" && !given { // a duel defaults to all time
		l.when, err = v.UsualPeriod()
	} else {
		l.when, err = v.PeriodOf(period)
	}
	if err != nil {
		return l, err
	}
	if l.by, err = v.rankingOf(w.Text("rank"), l, unit); err != nil {
		return l, err
	}
	if unit != "" && !l.by.units {
		return l, games.Refuse("bot.leaders.unit-of-pools", nil)
	}
	if unit != "" {
		if l.unit, err = v.unitOf(unit); err != nil {
			return l, err
		}
	}
	if least, given := w.Amount("least"); given {
		l.least = least
	}
	l.houses = w.Text("house") != ""
	if l.houses && given {
		return l, games.Refuse("bot.leaders.house-how", nil)
	}
	if given {
		if l.against, err = v.friendOf(friend); err != nil {
			return l, err
		}
	}
	if l.by.units && l.unit == "" {
		if l.unit, err = v.usualUnit(l); err != nil {
			return l, err
		}
	}
	return l, nil
}

// rankingOf returns the ranking called name. If name is "", it is the first one (in units if unit is set) for which a
// game in the period of l or else at any time counts, else the one for the game's default rules.
func (v *Visit) rankingOf(name string, l query, unit string) (ranking, error) {
	if name != "" {
		i := slices.IndexFunc(rankings, func(r ranking) bool { return r.name == name })
		if !v.bot.ranks(rankings[i], l.of) {
			return ranking{}, v.bot.refuseRanking(l.of)
		}
		return rankings[i], nil
	}
	fitting := v.bot.rankingsOf(l.of)
	if unit != "" {
		inUnits := slices.DeleteFunc(slices.Clone(fitting), func(r ranking) bool { return !r.units })
		return append(inUnits, fitting...)[0], nil
	}
	of, err := v.readScope(l.of)
	if err != nil {
		return ranking{}, err
	}
	for _, when := range []Period{l.when, {kind: allTime}} {
		for _, by := range fitting {
			if counting, err := v.counting(by, of, when); err != nil || len(counting) > 0 {
				return by, err
			}
		}
	}
	i := slices.IndexFunc(fitting, func(r ranking) bool {
		return of.game == nil || r.counts(of.game, of.game.Shape(nil))
	})
	return fitting[max(i, 0)], nil
}

// refuseRanking returns the refusal of a ranking that of (a game, "" any) lacks; its text names a possible one.
func (b *Standings) refuseRanking(of string) error {
	if of == "" {
		return games.Refuse("bot.leaders.not-here", games.Args{"Near": b.rankingsOf(of)[0].name})
	}
	s, err := b.scope(of)
	if err != nil {
		return err
	}
	return games.Refuse("bot.leaders.not-of-game",
		games.Args{"Game": b.GameLabel(s.game), "Near": b.rankingsOf(of)[0].name})
}

// rankingsOf returns the rankings possible for a game or variant, or for any game if of is "".
func (b *Standings) rankingsOf(of string) []ranking {
	return slices.DeleteFunc(slices.Clone(rankings), func(r ranking) bool { return !b.ranks(r, of) })
}

// ranks reports whether the ranking by is possible for a game or variant, or for any game if of is "".
func (b *Standings) ranks(by ranking, of string) bool {
	return slices.ContainsFunc(b.gamesOf(of), func(g games.Game) bool {
		return slices.ContainsFunc(b.shapes[g.Name()], func(shape games.Shape) bool { return by.counts(g, shape) })
	})
}

// gamesOf returns the game called of or with a variant called of, all games for "", nil if there is none.
func (b *Standings) gamesOf(of string) []games.Game {
	if of == "" {
		return b.Games
	}
	s, err := b.scope(of)
	if err != nil {
		return nil
	}
	return []games.Game{s.game}
}

// PeriodOf returns the period that said means: "" or "all" (all time), "season", "month", "week" or "evening" (the
// present one), a season's name, or a spelling such as "2026-11". It refuses others.
func (v *Visit) PeriodOf(said string) (Period, error) {
	said = strings.ToLower(said)
	switch said {
	case "", "all":
		return Period{kind: allTime}, nil
	case "month", "week", "evening":
		today, err := v.Evening()
		return periodOf(kind(said[0]), today), err // the value of a kind is its first letter
	}
	seasons, err := v.Seasons()
	if err != nil {
		return Period{}, err
	}
	if said == "season" && len(seasons) == 0 {
		return Period{}, games.Refuse(v.OrEquals("bot.leaders.no-season", "bot.leaders.no-season-hosted",
			"bot.leaders.no-season-equals"), nil)
	}
	if said == "season" {
		return Period{kind: season, season: seasons[0].ID}, nil
	}
	known := []string{"all", "season", "month", "week", "evening"}
	for _, s := range seasons {
		if strings.EqualFold(s.Name, said) {
			return Period{kind: season, season: s.ID}, nil
		}
		known = append(known, strings.ToLower(s.Name))
	}
	if p, ok := parsePeriod(said); ok && p.kind != season {
		return p, nil
	}
	return Period{}, bot.NoSuchWord(said, known)
}

// withHouse is the value of the option "house" that also lists computer players.
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
				Also: b.RenamedGames(),
				More: bot.Offers(b.Visit, (*Visit).houseScopes)},
			{Name: "unit", Type: chat.TypeText, About: games.Say("bot.option.unit-of", nil),
				More: texts(b, func(v *Visit) ([]string, error) { return v.Tx.Books.Units(v.Chat.ID) },
					func(unit string) string { return unit })},
			{Name: "least", Type: chat.TypeAmount, About: games.Say("bot.option.least", nil), Min: 1, Max: maxLeast,
				Refuse: func(string) error { return games.Refuse("bot.leaders.least", games.Args{"Most": maxLeast}) }},
			{Name: "against", Type: chat.TypePerson, About: games.Say("bot.option.against", nil),
				More: texts(b, (*Visit).people, func(c companion) string { return c.name })},
			{Name: "house", Type: chat.TypeChoice, Label: games.Say("bot.option-called.list-house", nil),
				About:   games.Say("bot.option.list-house", nil),
				Choices: []bot.Choice{{Value: withHouse, Label: games.Say("bot.option.with-house", nil)}}},
			{Name: "me", Type: chat.TypeChoice, About: games.Say("bot.option.me", nil), Choices: hiding},
		}}
}

// texts returns a function that offers values of a chat as choices of an option. text returns the text of one value.
func texts[T any](b *Standings, values func(*Visit) ([]T, error), text func(T) string) func(*bot.Visit) ([]bot.Choice,
	error) {
	return func(v *bot.Visit) (choices []bot.Choice, err error) {
		all, err := values(b.Visit(v))
		for _, value := range all {
			choices = append(choices, bot.TextChoice(text(value)))
		}
		return choices, err
	}
}

// PeriodOption returns the option "period", which accepts what PeriodOf does.
func (b *Standings) PeriodOption() bot.Option {
	periods := []bot.Choice{{Value: "all", Label: games.Say("bot.period.all", nil)}}
	var called []bot.Choice
	for _, p := range []string{"season", "month", "week", "evening"} {
		periods = append(periods, bot.Choice{Value: p, Label: games.Say("bot.period.this-"+p, nil)})
		called = append(called, bot.Choice{Value: p, Label: games.Say("bot.period.called."+p, nil)})
	}
	return bot.Option{
		Name: "period", Type: chat.TypeText, About: games.Say("bot.option.period", nil), Choices: periods, Also: called,
		Reads: spelledPeriod, More: texts(b, (*Visit).Seasons, func(s store.Season) string { return s.Name }),
	}
}
