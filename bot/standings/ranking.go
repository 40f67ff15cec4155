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
	code byte   // the spelling in presses
	// of returns the value by which a player is ranked, or false if they are not ranked. low means that the lowest
	// score is the best.
	of func(t store.Standing, low bool) (*big.Rat, bool)
	// score is set if it ranks by scores: comparable within one variant only, in some games best when low.
	score bool
	// zero is set if the values of all seats of a game add up to zero.
	zero bool
	// pool, plain and owed select the games that count: those played for a pool, those that settle differences, and
	// those in which players pay each other.
	pool, plain, owed bool
	box               bool // only games with a box count
	// settled is set if games that settle differences count only when their rule games.Point makes a point worth units
	settled bool
	units   bool // values are in a unit of the chat, one unit at a time
	shown   shape
}

// shape is the way in which the values of a ranking are written.
type shape int

const (
	whole    shape = iota // 12
	balance               // +12
	fraction              // +2 1/3
	mean                  // 11.16
	gain                  // +2.35
)

// rankings holds all rankings in the order of menus. The first possible one is the default.
var rankings = []ranking{
	{name: "pool", code: 'p', pool: true, zero: true, units: true, shown: balance,
		of: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Pool, 1), true }},
	{name: "difference", code: 'd', plain: true, zero: true, shown: fraction,
		of: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Shares, money.Shares), true }},
	{name: "average", code: 'a', plain: true, shown: gain,
		of: func(t store.Standing, _ bool) (*big.Rat, bool) {
			return big.NewRat(t.Shares, money.Shares*max(t.Games, 1)), t.Games > 0
		}},
	{name: "settled", code: 'u', plain: true, owed: true, zero: true, units: true, settled: true, shown: balance,
		of: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Settled, 1), true }},
	{name: "won", code: 'w', pool: true, plain: true, owed: true, shown: whole,
		of: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Won, 1), true }},
	{name: "shut", code: 's', pool: true, plain: true, owed: true, box: true, shown: whole,
		of: func(t store.Standing, _ bool) (*big.Rat, bool) { return big.NewRat(t.Shut, 1), true }},
	{name: "best", code: 'b', pool: true, plain: true, owed: true, score: true, shown: whole,
		of: func(t store.Standing, low bool) (*big.Rat, bool) {
			if low {
				return big.NewRat(t.Low, 1), t.Scored > 0
			}
			return big.NewRat(t.High, 1), t.Scored > 0
		}},
	{name: "mean", code: 'm', pool: true, plain: true, owed: true, score: true, shown: mean,
		of: func(t store.Standing, _ bool) (*big.Rat, bool) {
			return big.NewRat(t.Points, max(t.Scored, 1)), t.Scored > 0
		}},
}

// label and short return the message keys of the ranking's full name and of its short name.
func (by ranking) label() string { return "bot.ranking." + by.name }
func (by ranking) short() string { return "bot.ranking.short." + by.name }

// counts reports whether games of g that are settled as shape says count for the ranking.
func (by ranking) counts(g games.Game, shape games.Shape) bool {
	if _, boxed := g.(games.Boxed); by.box && !boxed {
		return false
	}
	switch {
	case shape.Owed():
		return by.owed
	case shape == games.ShapePool:
		return by.pool
	}
	return by.plain
}

// shapeOf returns the way in which the games of one were settled. It reads the rules only if g has several ways.
func (b *Standings) shapeOf(g games.Game, one store.Standing) (games.Shape, error) {
	if len(b.shapes[g.Name()]) == 1 {
		return g.Shape(nil), nil
	}
	rules, err := SpelledRules(one.Rules)
	return g.Shape(rules), err
}

// ranked is a player's row of a leaderboard.
type ranked struct {
	store.Standing
	value *big.Rat // never rounded
	place int      // from 1, or 0 for too few games to be ranked
}

// rank returns the rows of the players with at least least games, best first. Equal values share a place and the next
// place is skipped; names order the rows of a place. low means that the lowest score is the best.
func rank(all []store.Standing, by ranking, low bool, least int64) []ranked {
	var list []ranked
	for _, t := range all {
		if value, counts := by.of(t, low); counts && t.Games >= least {
			list = append(list, ranked{Standing: t, value: value})
		}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		order := b.value.Cmp(a.value)
		if by.score && low {
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

// pageOf is one page of a leaderboard.
type pageOf struct {
	number, last int      // this page and the last page, from 0
	rows         []ranked // the rows of this page
	// mine is the user's own row if it is on another page, else nil; above is set if that page comes before this one.
	mine  *ranked
	above bool
}

// page returns page number of list, or the nearest that exists. asker is the id of the user.
func page(list []ranked, number int, asker string) pageOf {
	last := max(len(list)-1, 0) / maxRanked
	number = min(max(number, 0), last)
	from, to := number*maxRanked, min((number+1)*maxRanked, len(list))
	p := pageOf{number: number, last: last, rows: list[from:to]}
	if i := slices.IndexFunc(list, func(r ranked) bool { return r.Player == asker }); i >= 0 && (i < from || i >= to) {
		p.mine, p.above = &list[i], i < from
	}
	return p
}

// spell returns value as text, with a decimal point: "+120", "−1/3", "11.16".
func spell(value *big.Rat, s shape) games.Number {
	switch s {
	case balance:
		return bot.Signed(value.Num().Int64())
	case fraction:
		part := money.Difference{N: value.Num().Int64(), D: value.Denom().Int64()}
		return games.Number(part.String())
	case mean, gain:
		said := value.FloatString(2)
		if s == gain && value.Sign() > 0 {
			said = "+" + said
		}
		return games.Number(said)
	}
	return games.Number(value.Num().String())
}

// Defaults of a leaderboard: ranking, unit and period.

// counting returns the results in a period that count for a ranking. For rankings in units it leaves out games without
// a stake, although the ranking itself lists them.
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

// staked reports whether the games of one in the period when could cost units, even if all ended at zero: a point is
// worth units, or a game had a stake.
func (v *Visit) staked(one store.Standing, when Period) (bool, error) {
	g, err := v.bot.Game(one.Game)
	if err != nil {
		return false, nil // the game is no longer installed
	}
	if shape, err := v.bot.shapeOf(g, one); err != nil || !shape.Staked() {
		return err == nil, err
	}
	staked, err := bot.Cached(v.Cache(), "staked "+when.String(), func() (map[store.Kind]bool, error) {
		return v.Tx.Scores.Staked(v.Chat.ID, when.Stored())
	})
	return staked[store.Kind{Game: one.Game, Rules: one.Rules, Unit: one.Unit}], err
}

// usualUnit returns the tag of the default unit: the chat's or, if no game in the period of l was played for that, the
// unit most played for.
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

// UsualPeriod returns the default period of lists: the present season, else this month if a game ended in it, else all
// time.
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
