package standings

import (
	"knobel/games"
	"knobel/store"
)

// What a recap of an evening says about seasons and scores.

// Leader is a row of a leaderboard: the place, the name and the value as text.
type Leader struct {
	Place       int
	Name, Value string
}

// Leaders returns at most limit players at the top of the leaderboard of a period, and the name of that leaderboard.
func (v *Visit) Leaders(p Period, limit int) (what games.Line, top []Leader, err error) {
	q := query{when: p, least: 1}
	if q.by, err = v.rankingOf("", q, ""); err != nil {
		return what, nil, err
	}
	if q.by.units {
		if q.unit, err = v.usualUnit(q); err != nil {
			return what, nil, err
		}
	}
	s, err := v.readResult(q)
	if err != nil {
		return what, nil, err
	}
	list := s.ranked()
	for _, r := range list[:min(len(list), limit)] {
		top = append(top, Leader{r.place, r.Name, v.Number(valueText(r.value, s.by.shown))})
	}
	return v.rankingLabel(s.by, s.unit), top, nil
}

// SeasonPeriod returns the period of a season.
func SeasonPeriod(of store.Season) Period { return Period{kind: season, season: of.ID} }

// LastEvening returns the last evening of a season that ends by itself; ok is false for other seasons.
func LastEvening(of store.Season) (day store.Day, ok bool) { return dayOfDue(of.Due) - 1, of.Due != 0 }

// Scoring returns an id of the games whose scores can be compared with those that standing sums up, the name of these
// games, and whether the lowest score is the best. The id is "" if the game is no longer installed.
func (v *Visit) Scoring(standing store.Standing) (id string, label games.Line, low bool, err error) {
	g, err := v.bot.Game(standing.Game)
	if err != nil {
		return "", label, false, nil
	}
	rules, err := SpelledRules(standing.Rules)
	if err != nil {
		return "", label, false, err
	}
	label, low = v.bot.GameLabel(g), games.LowIsBest(g, rules)
	variant, err := v.variantOf(g, standing, false)
	switch {
	case err != nil || !scoresDiffer(g):
		return g.Name(), label, low, err
	case variant == g.Variants()[0].Name:
		return g.Name() + " " + variant, label, low, nil
	case variant != "":
		return g.Name() + " " + variant, v.bot.scopeLabel(scope{game: g, variant: variant}), low, nil
	}
	for _, option := range []string{games.Settle, games.Point, games.Hints} {
		delete(rules, option)
	}
	return g.Name() + "#" + games.VersionOf(g.Name(), rules), v.bot.FullLabel("bot.leaders.variant", g, rules), low, nil
}
