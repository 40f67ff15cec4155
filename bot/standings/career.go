package standings

import (
	"knobel/games/money"
	"knobel/store"
)

// career counts the finished games of one player in a chat.
type career struct {
	games  int // with others
	alone  int // practice, which counts nowhere else
	won    int // first places, shared ones too
	streak int // games won in a row up to the last one
	most   int // the longest such row
}

// careerOf counts games, the newest first.
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

// evening is what a player won or lost in one evening.
type evening struct {
	day    store.Day
	amount int64 // units, or shares of a point
}

// evenings adds up the worth of games by evening, the newest first; worth returns that of one game,
// and false for games that do not count.
func evenings(played []store.Played, worth func(store.Played) (int64, bool)) []evening {
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

// wonUnits counts what was won in a unit: from pools, by what differences were worth, and from each other. A friendly
// game, at which nothing was at stake, does not count: an evening of such games is no best and no worst.
func wonUnits(unit string) func(store.Played) (int64, bool) {
	return func(p store.Played) (int64, bool) {
		friendly := p.Stake == 0 && p.Pool == 0 && (p.Settlement == nil || p.Difference.D == 0)
		if p.Unit != unit || friendly {
			return 0, false
		}
		return p.Units(), true
	}
}

// wonShares counts differences to the average.
func wonShares(p store.Played) (int64, bool) {
	return money.Difference(p.Difference).InShares()
}

// extremes are the best and the worst of some evenings, of equal ones the newest.
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

// minRivalry is how many games two players have decided between them before one is called a
// favourite or a dreaded opponent: one game says nothing.
const minRivalry = 3

// rivals returns the opponent whom a player beats most often, net of the games lost to them, and
// the one to whom the player loses most often. The zero value is none.
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
