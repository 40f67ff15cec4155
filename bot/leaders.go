package bot

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
	"knobel/store"
)

// A leaderboard is a function of a lens and of what is stored: of the totals
// that the store keeps for each period, or, against one friend, of the results
// of the games at which both sat. Everybody counts in those, and only the list
// leaves out who is no person, has hidden themselves, or is gone.

// leaderboardCommand shows a leaderboard by the options that somebody gives.
func (v *standingsVisit) leaderboardCommand(w wishes) error {
	if w["me"] == "" {
		return v.Later(func() error {
			l, err := v.lensOf(w)
			if err != nil {
				return err
			}
			return v.leaderboard(l)
		})
	}
	if _, err := v.lensOf(w); err != nil {
		return err
	}
	switch w["me"] {
	case "hide":
		return v.hide(true)
	case "show":
		return v.hide(false)
	}
	return noSuchWord(w["me"], []string{"hide", "show"})
}

// lensCommand is the press of a leaderboard's button.
func (v *standingsVisit) lensCommand(w wishes) error {
	l, ok := parseLens(w["lens"])
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

// hide takes the person off the leaderboards of the chat, or puts them back.
func (v *standingsVisit) hide(hidden bool) error {
	if err := v.tx.Hide(v.chat.ID, string(v.ev.User), hidden); err != nil {
		return err
	}
	if hidden {
		v.toast("bot.leaders.hidden", nil)
	} else {
		v.toast("bot.leaders.shown", nil)
	}
	return nil
}

// lensOf reads the options of the command. What they do not say is chosen so
// that there is something to see.
func (v *standingsVisit) lensOf(w wishes) (lens, error) {
	l := lens{least: 1, of: w["game"]}
	var err error
	if l.of != "" {
		if _, err := v.bot.scope(l.of); err != nil {
			return l, err
		}
	}
	if l.by, err = v.rankingOf(w["rank"], l.of, w["unit"]); err != nil {
		return l, err
	}
	if l.when, err = v.periodOf(w["period"]); err != nil {
		return l, err
	}
	if w["unit"] != "" && !l.by.units {
		return l, games.Refuse("bot.leaders.unit-of-pools", nil)
	}
	if w["unit"] != "" {
		if l.unit, err = v.unitOf(w["unit"]); err != nil {
			return l, err
		}
	}
	if w["least"] != "" {
		l.least, err = strconv.ParseInt(w["least"], 10, 64)
		if err != nil || l.least < 1 || l.least > mostLeast {
			return l, games.Refuse("bot.leaders.least", games.Args{"Most": mostLeast})
		}
	}
	l.houses = w["house"] != ""
	if l.houses && w["house"] != withHouse {
		return l, noSuchWord(w["house"], []string{withHouse})
	}
	if l.houses && w["against"] != "" {
		return l, games.Refuse("bot.leaders.house-how", nil)
	}
	if w["against"] != "" {
		if l.against, err = v.friendOf(w["against"]); err != nil {
			return l, err
		}
	}
	if l.by.units && l.unit == "" {
		if l.unit, err = v.usualUnit(l.by); err != nil {
			return l, err
		}
	}
	if w["period"] == "" {
		return v.liveliest(l)
	}
	return l, nil
}

// rankingOf reads what is to be ranked. Where nobody says, it is the first
// that goes with the game, and with the unit: pools where there are any.
func (v *standingsVisit) rankingOf(name, of, unit string) (ranking, error) {
	fitting := v.bot.rankingsOf(of)
	if name == "" {
		if unit != "" {
			inUnits := slices.DeleteFunc(slices.Clone(fitting), func(r ranking) bool { return !r.units })
			return append(inUnits, fitting...)[0], nil
		}
		if of == "" {
			return v.usual(fitting)
		}
		return fitting[0], nil
	}
	i := slices.IndexFunc(rankings, func(r ranking) bool { return r.name == name })
	if i < 0 {
		return ranking{}, noSuchWord(name, rankingNames(rankings))
	}
	if !v.bot.ranks(rankings[i], of) {
		return ranking{}, v.bot.refuseRanking(of)
	}
	return rankings[i], nil
}

// refuseRanking says that a game, or every game, does not know a ranking.
func (b *Standings) refuseRanking(of string) error {
	if of == "" {
		return games.Refuse("bot.leaders.not-here", games.Args{"Near": b.rankingsOf(of)[0].name})
	}
	s, err := b.scope(of)
	if err != nil {
		return err
	}
	return games.Refuse("bot.leaders.not-of-game", games.Args{"Game": b.gameLabel(s.game), "Near": b.rankingsOf(of)[0].name})
}

func rankingNames(list []ranking) []string {
	var names []string
	for _, r := range list {
		names = append(names, r.name)
	}
	return names
}

// rankingsOf are the rankings that go with a game or a variant, with any of
// the games where of is "".
func (b *Standings) rankingsOf(of string) []ranking {
	var fitting []ranking
	for _, r := range rankings {
		if slices.ContainsFunc(b.games, func(g games.Game) bool { return b.holds(of, g) && r.counts(g) }) {
			fitting = append(fitting, r)
		}
	}
	return fitting
}

// ranks says whether a ranking goes with a game or a variant.
func (b *Standings) ranks(by ranking, of string) bool {
	return slices.ContainsFunc(b.rankingsOf(of), func(r ranking) bool { return r.code == by.code })
}

// holds says whether a game is meant by its name, or by a variant's, or by "".
func (b *Standings) holds(of string, g games.Game) bool {
	if of == "" {
		return true
	}
	s, err := b.scope(of)
	return err == nil && s.game.Name() == g.Name()
}

// periodOf reads a period: one of the present ones by its kind, another by its
// spelling, a season by its name.
func (v *standingsVisit) periodOf(said string) (period, error) {
	kinds := map[string]kind{"month": month, "week": week, "evening": anEvening}
	said = strings.ToLower(said)
	switch said {
	case "", "all":
		return period{kind: allTime}, nil
	case "month", "week", "evening":
		today, err := v.evening()
		return periodOf(kinds[said], today), err
	}
	seasons, err := v.seasons()
	if err != nil {
		return period{}, err
	}
	if said == "season" && len(seasons) == 0 {
		return period{}, games.Refuse("bot.leaders.no-season", nil)
	}
	if said == "season" {
		return period{kind: season, season: seasons[0].ID}, nil
	}
	known := []string{"all", "season", "month", "week", "evening"}
	for _, s := range seasons {
		if strings.EqualFold(s.Name, said) {
			return period{kind: season, season: s.ID}, nil
		}
		known = append(known, strings.ToLower(s.Name))
	}
	if p, ok := parsePeriod(said); ok && p.kind != season {
		return p, nil
	}
	return period{}, noSuchWord(said, known)
}

// withHouse is what people say who want the house on the list.
const withHouse = "with"

// leaderboardCommand is the command that shows leaderboards.
func (b *Standings) leaderboardCommand() command {
	var ranks []choice
	for _, r := range rankings {
		ranks = append(ranks, choice{r.name, games.Say(r.short, nil)})
	}
	hiding := []choice{{"hide", games.Say("bot.option.hide", nil)}, {"show", games.Say("bot.option.show", nil)}}
	return command{name: "leaderboard", subject: toCount, run: as(b.Visit, (*standingsVisit).leaderboardCommand), options: []option{
		{name: "rank", about: games.Say("bot.option.rank", nil), choices: ranks, called: true},
		b.periodOption(),
		{name: "game", about: games.Say("bot.option.game", nil), choices: b.allVariants(), called: true, open: true, more: offers(b.Visit, (*standingsVisit).houseScopes), own: true},
		{name: "unit", about: games.Say("bot.option.unit-of", nil), open: true, phrase: true, more: offers(b.Visit, (*standingsVisit).unitChoices)},
		{name: "least", about: games.Say("bot.option.least", nil), whole: true, least: 1, most: mostLeast},
		{name: "against", about: games.Say("bot.option.against", nil), open: true, phrase: true, more: offers(b.Visit, (*standingsVisit).friendChoices)},
		{name: "house", about: games.Say("bot.option.list-house", nil), choices: []choice{{withHouse, games.Say("bot.option.with-house", nil)}}, called: true},
		{name: "me", about: games.Say("bot.option.me", nil), choices: hiding, called: true},
	}}
}

// periodOption is the option that chooses a period.
func (b *Standings) periodOption() option {
	periods := []choice{
		{"all", games.Say("bot.period.all", nil)},
		{"season", games.Say("bot.period.this-season", nil)},
		{"month", games.Say("bot.period.this-month", nil)},
		{"week", games.Say("bot.period.this-week", nil)},
		{"evening", games.Say("bot.period.this-evening", nil)},
	}
	called := []choice{
		{"season", games.Say("bot.period.called.season", nil)},
		{"month", games.Say("bot.period.called.month", nil)},
		{"week", games.Say("bot.period.called.week", nil)},
		{"evening", games.Say("bot.period.called.evening", nil)},
	}
	return option{name: "period", about: games.Say("bot.option.period", nil), choices: periods, open: true, phrase: true, called: true, also: called, reads: spelledPeriod, more: offers(b.Visit, (*standingsVisit).seasonChoices)}
}

// usual is what people see who do not say what is to be ranked: the first in
// which anybody has won anything.
func (v *standingsVisit) usual(fitting []ranking) (ranking, error) {
	standings, err := v.totals()
	if err != nil {
		return ranking{}, err
	}
	for _, by := range fitting {
		for _, one := range standings {
			counts, err := v.bot.counts(sight{lens: lens{by: by}}, one, nil)
			if err != nil {
				return by, err
			}
			if value, _ := by.of(one, false); counts && value.Sign() != 0 {
				return by, nil
			}
		}
	}
	return fitting[0], nil
}

// usualUnit is the tag of the unit that people see ranked who name none: the
// chat's, or, where nothing has been played for that, the one most played for.
func (v *standingsVisit) usualUnit(by ranking) (string, error) {
	if units, err := v.tx.Units(v.chat.ID); err != nil || len(units) < 2 {
		return unitTag(append(units, v.unit())[0]), err
	}
	standings, err := v.totals()
	if err != nil {
		return "", err
	}
	played := map[string]int64{}
	unit := v.unit()
	for _, one := range standings {
		value, _ := by.of(one, false)
		if g, err := v.bot.game(one.Game); err == nil && by.counts(g) && (by.pool || value.Sign() != 0) {
			played[one.Unit] += one.Parts
		}
	}
	if played[unit] == 0 {
		for other, parts := range played {
			if parts > played[unit] || parts == played[unit] && other < unit {
				unit = other
			}
		}
	}
	return unitTag(unit), nil
}

// liveliest chooses the time for those who do not say: all time between two, else
// the usual period.
func (v *standingsVisit) liveliest(l lens) (lens, error) {
	if l.against != "" {
		return l, nil
	}
	when, err := v.usualPeriod()
	l.when = when
	return l, err
}

// usualPeriod is the time that lists of a chat are about where nobody says: the
// season that goes on, else this month where something has been played in it, else
// all time.
func (v *standingsVisit) usualPeriod() (period, error) {
	all := period{kind: allTime}
	seasons, err := v.seasons()
	if err != nil {
		return all, err
	}
	if len(seasons) > 0 {
		return period{kind: season, season: seasons[0].ID}, nil
	}
	today, err := v.evening()
	if err != nil {
		return all, err
	}
	now := periodOf(month, today)
	switch _, err := v.tx.EveningAfter(v.chat.ID, store.DayOf(now.first)-1); {
	case err == nil:
		return now, nil
	case !errors.Is(err, store.ErrNotFound):
		return all, err
	}
	return all, nil
}
