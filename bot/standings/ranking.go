package standings

import (
	"cmp"
	"errors"
	"math/big"
	"slices"

	"knobel/bot"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// ranking is one way to order the players of a leaderboard.
type ranking struct {
	name string // the value of the option "rank", and the end of its message keys
	code byte   // the spelling in the text of buttons
	// valueOf returns the value by which the player of t is ranked, and false if the player cannot be ranked. low is
	// true if the lowest score is the best.
	valueOf func(t store.Standing, low bool) (*big.Rat, bool)
	// score is true if players are ranked by scores, which are comparable only within one variant.
	score bool
	// zero is true if the values of all players of a game, added up, are 0.
	zero bool
	// The ranking includes games with a pool if pool is true, games that settle differences if plain is true, and games
	// in which players pay each other if owed is true.
	pool, plain, owed bool
	box               bool // only games with tiles to shut count (games.Boxed)
	// settled means that a game that settles differences counts only if a point was worth units (option games.Point).
	settled bool
	units   bool        // the values are amounts in one unit of the chat
	shown   valueFormat // how the values are written
}

// valueFormat is the format of the values of a ranking.
type valueFormat int

const (
	whole    valueFormat = iota // as in "12"
	balance                     // as in "+12"
	fraction                    // as in "+2 1/3"
	mean                        // as in "11.16"
	gain                        // as in "+2.35"
)

// rankings holds all rankings in the order of menus. The default for a game is the first one that the game can have.
var rankings = []ranking{
	{name: "pool", code: 'p', pool: true, zero: true, units: true, shown: balance,
		valueOf: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Pool, 1), true }},
	{name: "difference", code: 'd', plain: true, zero: true, shown: fraction,
		valueOf: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Shares, money.Shares), true }},
	{name: "average", code: 'a', plain: true, shown: gain,
		valueOf: func(t store.Standing, _ bool) (*big.Rat, bool) {
			return big.NewRat(t.Shares, money.Shares*max(t.Games, 1)), t.Games > 0
		}},
	{name: "settled", code: 'u', plain: true, owed: true, zero: true, units: true, settled: true, shown: balance,
		valueOf: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Settled, 1), true }},
	{name: "won", code: 'w', pool: true, plain: true, owed: true, shown: whole,
		valueOf: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Won, 1), true }},
	{name: "shut", code: 's', pool: true, plain: true, owed: true, box: true, shown: whole,
		valueOf: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Shut, 1), true }},
	{name: "best", code: 'b', pool: true, plain: true, owed: true, score: true, shown: whole,
		valueOf: func(t store.Standing, low bool) (*big.Rat, bool) {
			if low {
				return big.NewRat(t.Low, 1), t.Scored > 0
			}
			return big.NewRat(t.High, 1), t.Scored > 0
		}},
	{name: "mean", code: 'm', pool: true, plain: true, owed: true, score: true, shown: mean,
		valueOf: func(t store.Standing, _ bool) (*big.Rat, bool) {
			return big.NewRat(t.Points, max(t.Scored, 1)), t.Scored > 0
		}},
}

// label returns the key of the message with the ranking's full name.
func (r ranking) label() string { return "bot.ranking." + r.name }

// short returns the key of the message with the ranking's short name.
func (r ranking) short() string { return "bot.ranking.short." + r.name }

// allows reports whether games of g that are settled by shape count for the ranking.
func (r ranking) allows(g games.Game, shape games.Shape) bool {
	if _, boxed := g.(games.Boxed); r.box && !boxed {
		return false
	}
	switch {
	case shape.Owed():
		return r.owed
	case shape == games.ShapePool:
		return r.pool
	}
	return r.plain
}

// shapeOf returns the way of settling the games in standing, which are games of g. It parses the rules only if g can be
// settled in several ways.
func (b *Standings) shapeOf(g games.Game, standing store.Standing) (games.Shape, error) {
	if len(b.shapes[g.Name()]) == 1 {
		return g.Shape(nil), nil
	}
	rules, err := SpelledRules(standing.Rules)
	return g.Shape(rules), err
}

// ranked is a player's row of a leaderboard.
type ranked struct {
	store.Standing
	value *big.Rat // never rounded
	place int      // from 1, or 0 for too few games to be ranked
}

// rank returns the rows of the players in all with at least minGames games, best first by r. low: the lowest score is
// best. Players with equal values share a place, as in 1, 2, 2, 4, and are ordered by name.
func rank(all []store.Standing, r ranking, low bool, minGames int64) []ranked {
	var list []ranked
	for _, t := range all {
		if value, counts := r.valueOf(t, low); counts && t.Games >= minGames {
			list = append(list, ranked{Standing: t, value: value})
		}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		order := b.value.Cmp(a.value)
		if r.score && low {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a.Name, b.Name), cmp.Compare(a.Player, b.Player))
	})
	for i := range list {
		list[i].place = i + 1
		if i > 0 && list[i].value.Cmp(list[i-1].value) == 0 {
			list[i].place = list[i-1].place
		}
	}
	return list
}

// boardPage is one page of a leaderboard.
type boardPage struct {
	number, last int      // this page and the last page, from 0
	rows         []ranked // the rows of this page
	// mine is the user's own row if it is on another page, else nil. above is true if it is on an earlier page.
	mine  *ranked
	above bool
}

// selectPage returns page number (from 0) of list, or the nearest page that exists. userID is the id of the user.
func selectPage(list []ranked, number int, userID string) boardPage {
	last := max(len(list)-1, 0) / maxRanked
	number = min(max(number, 0), last)
	from, to := number*maxRanked, min((number+1)*maxRanked, len(list))
	p := boardPage{number: number, last: last, rows: list[from:to]}
	if i := slices.IndexFunc(list, func(r ranked) bool { return r.Player == userID }); i >= 0 && (i < from || i >= to) {
		p.mine, p.above = &list[i], i < from
	}
	return p
}

// valueText returns value in the given format as text with a decimal point: "+120", "-1/3", "11.16".
func valueText(value *big.Rat, format valueFormat) games.Number {
	switch format {
	case balance:
		return bot.Signed(value.Num().Int64())
	case fraction:
		part := money.Difference{N: value.Num().Int64(), D: value.Denom().Int64()}
		return games.Number(part.String())
	case mean, gain:
		said := value.FloatString(2)
		if format == gain && value.Sign() > 0 {
			said = "+" + said
		}
		return games.Number(said)
	}
	return games.Number(value.Num().String())
}

// countingResults returns the results from period that count for the ranking r and the games in selection. For a
// ranking in units it leaves out games without a stake, although leaderboards with this ranking include them.
func (v *Visit) countingResults(r ranking, selection scope, period Period) ([]store.Standing, error) {
	standings, err := bot.Cached(v.Cache(), "totals "+period.String(), func() ([]store.Standing, error) {
		if period.kind == allTime {
			return v.Totals()
		}
		return v.Tx.Scores.Standings(store.Wanted{Chat: v.Chat.ID, Period: period.Stored()})
	})
	if err != nil {
		return nil, err
	}
	var all []store.Standing
	for _, one := range standings {
		if selection.game != nil && one.Game != selection.game.Name() {
			continue
		}
		counts, err := v.includes(result{query: query{by: r}, scope: selection}, one)
		if err != nil {
			return nil, err
		}
		if value, _ := r.valueOf(one, false); counts && r.units && value.Sign() == 0 {
			counts, err = v.hadStake(one, period)
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

// hadStake reports whether units could be won or lost in the games of period that standing sums up: a point was worth
// units, or a game had a stake.
func (v *Visit) hadStake(standing store.Standing, period Period) (bool, error) {
	g, err := v.bot.Game(standing.Game)
	if err != nil {
		return false, nil // the game is no longer installed
	}
	if shape, err := v.bot.shapeOf(g, standing); err != nil || !shape.Staked() {
		return err == nil, err
	}
	staked, err := bot.Cached(v.Cache(), "staked "+period.String(), func() (map[store.Kind]bool, error) {
		return v.Tx.Scores.Staked(v.Chat.ID, period.Stored())
	})
	return staked[store.Kind{Game: standing.Game, Rules: standing.Rules, Unit: standing.Unit}], err
}

// usualUnit returns the tag of the default unit of a leaderboard: the chat's unit or, if no game in the period of q was
// played for it, the unit for which most games were played.
func (v *Visit) usualUnit(q query) (string, error) {
	unit := v.Unit()
	if units, err := v.Tx.Books.Units(v.Chat.ID); err != nil || len(units) < 2 {
		return unitTag(append(units, unit)[0]), err
	}
	of, err := v.readScope(q.of)
	if err != nil {
		return "", err
	}
	for _, when := range []Period{q.when, {kind: allTime}} {
		counting, err := v.countingResults(q.by, of, when)
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

// UsualPeriod returns the default period: the present season, else this month if a game ended in it, else all time.
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
