package standings

// The defaults of a leaderboard: the ranking, the unit and the period.

import (
	"errors"
	"slices"

	"knobel/bot"
	"knobel/store"
)

// usual returns the default ranking: the first in which a game counts in the period of a query, or else at any time.
// Where none does, it is that of the game's default rules.
func (v *Visit) usual(fitting []ranking, l query) (ranking, error) {
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

// counting returns the standings of a period whose games count for a ranking. In one by units, games without a stake do
// not, though the ranking shows them.
func (v *Visit) counting(by ranking, of scope, when Period) ([]store.Standing, error) {
	standings, err := bot.Cached(v.Cache(), "totals "+when.String(), func() ([]store.Standing, error) {
		if when.kind == allTime {
			return v.Totals()
		}
		return v.Tx.Scores.Standings(store.Wanted{Chat: v.Chat.ID, Period: when.Stored()})
	})
	if err != nil {
		return nil, err
	}
	var all []store.Standing
	for _, one := range standings {
		if of.game != nil && one.Game != of.game.Name() {
			continue
		}
		counts, err := v.counts(result{query: query{by: by}, scope: of}, one)
		if err != nil {
			return nil, err
		}
		if value, _ := by.of(one, false); counts && by.units && value.Sign() == 0 {
			counts, err = v.staked(one, when)
		}
		if err != nil {
			return nil, err
		}
		if counts {
			all = append(all, one)
		}
	}
	return all, nil
}

// staked reports whether the games of a standing can have cost something, also where they came to nothing: a point is
// worth units, or one of them had a stake.
func (v *Visit) staked(one store.Standing, when Period) (bool, error) {
	g, err := v.bot.Game(one.Game)
	if err != nil {
		return false, nil // not installed any more
	}
	if shape, err := v.bot.shapeOf(g, one); err != nil || !shape.Staked() {
		return err == nil, err
	}
	staked, err := bot.Cached(v.Cache(), "staked "+when.String(), func() (map[store.Kind]bool, error) {
		return v.Tx.Scores.Staked(v.Chat.ID, when.Stored())
	})
	return staked[store.Kind{Game: one.Game, Rules: one.Rules, Unit: one.Unit}], err
}

// usualUnit returns the tag of the default unit: the chat's or, where nothing has been played for that, the one most
// played for.
func (v *Visit) usualUnit(l query) (string, error) {
	unit := v.Unit()
	if units, err := v.Tx.Books.Units(v.Chat.ID); err != nil || len(units) < 2 {
		return unitTag(append(units, unit)[0]), err
	}
	of, err := v.readScope(l.of)
	if err != nil {
		return "", err
	}
	for _, when := range []Period{l.when, {kind: allTime}} {
		counting, err := v.counting(l.by, of, when)
		if err != nil {
			return "", err
		}
		played := map[string]int64{}
		for _, one := range counting {
			played[one.Unit] += one.Parts
		}
		if len(played) == 0 {
			continue
		}
		if played[unit] == 0 {
			for other, parts := range played {
				if parts > played[unit] || parts == played[unit] && other < unit {
					unit = other
				}
			}
		}
		break
	}
	return unitTag(unit), nil
}

// UsualPeriod returns the default period of lists: the present season, or else this month if a game
// ended in it, or else all time.
func (v *Visit) UsualPeriod() (Period, error) {
	all := Period{kind: allTime}
	seasons, err := v.Seasons()
	if err != nil {
		return all, err
	}
	if len(seasons) > 0 {
		return Period{kind: season, season: seasons[0].ID}, nil
	}
	today, err := v.Evening()
	if err != nil {
		return all, err
	}
	now := periodOf(month, today)
	switch _, err := v.Tx.Chats.EveningAfter(v.Chat.ID, store.DayOf(now.first)-1); {
	case err == nil:
		return now, nil
	case !errors.Is(err, store.ErrNotFound):
		return all, err
	}
	return all, nil
}
