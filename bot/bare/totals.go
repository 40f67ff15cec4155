package bare

// Totals and what they were made of.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"knobel/games/money"
	"knobel/games/money/moneytest"
	"knobel/store"
)

// stretch is a period with what it means of a table.
type stretch struct {
	name   string
	period store.Period
	counts func(EndedIn) bool
}

// stretches are all periods of the circle that have a name: all time, every
// season and the time before them, every evening, week and month.
func (c *Circle) stretches() []stretch {
	all := []stretch{{"all time", store.AllTime(), func(EndedIn) bool { return true }}}
	for _, season := range append([]int64{0}, c.Seasons...) {
		all = append(all, stretch{fmt.Sprint("season ", season), store.OfSeason(season), func(e EndedIn) bool {
			return e.Season == season
		}})
	}
	days := map[[2]store.Day]bool{}
	for _, e := range c.Ended {
		date := e.Evening.Time()
		monday := e.Evening - store.Day((int(date.Weekday())+6)%7)
		first := time.Date(date.Year(), date.Month(), 1, 0, 0, 0, 0, time.UTC)
		days[[2]store.Day{e.Evening, e.Evening}] = true
		days[[2]store.Day{monday, monday + 6}] = true
		days[[2]store.Day{store.DayOf(first), store.DayOf(first.AddDate(0, 1, -1))}] = true
	}
	for span := range days {
		all = append(all, stretch{fmt.Sprint("from ", span[0].Time(), " to ", span[1].Time()),
			store.Evenings(span[0], span[1]),
			func(e EndedIn) bool { return span[0] <= e.Evening && e.Evening <= span[1] }})
	}
	return all
}

// Leaderboards compares every period, game and unit.
func (c *Circle) Leaderboards(r rapid.TB, records []Counted) {
	c.reads(r, func(tx *store.Tx) error {
		for _, s := range c.stretches() {
			for _, game := range []string{"", "shutbox", "wuerfelpoker"} {
				for _, unit := range []string{"", "chips", "coffees"} {
					got, err := tx.Standings(store.Wanted{Chat: c.Chat, Period: s.period, Game: game, Unit: unit})
					if err != nil {
						return err
					}
					want := leaderboard(records, func(one Counted) bool {
						return s.counts(c.Ended[one.Table]) && (game == "" || one.Game == game) &&
							(unit == "" || one.Unit == unit)
					})
					if wrong := differing(want, got); wrong != "" {
						return fmt.Errorf("%s, game %q, unit %q:\n%s", s.name, game, unit, wrong)
					}
				}
			}
		}
		return c.calendar(tx, records)
	})
}

// calendar walks through the evenings that have games, back and forth.
func (c *Circle) calendar(tx *store.Tx, records []Counted) error {
	var want, back, forth []store.Day
	for _, one := range records {
		people := slices.ContainsFunc(c.People, func(name string) bool { return one.seatOf(name) >= 0 })
		if len(one.Seats) > 1 && people {
			want = append(want, c.Ended[one.Table].Evening)
		}
	}
	slices.Sort(want)
	want = slices.Compact(want)
	day, err := tx.EveningBefore(c.Chat, c.Day+1)
	for ; err == nil; day, err = tx.EveningBefore(c.Chat, day) {
		back = append(back, day)
	}
	slices.Reverse(back)
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	for day, err = tx.EveningAfter(c.Chat, 0); err == nil; day, err = tx.EveningAfter(c.Chat, day) {
		forth = append(forth, day)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if !slices.Equal(want, back) || !slices.Equal(want, forth) {
		return fmt.Errorf("evenings %v, back %v, forth %v", want, back, forth)
	}
	return nil
}

// Duels compares what two have played together, and somebody's opponents.
func (c *Circle) Duels(r rapid.TB, records []Counted) {
	a, b := c.People[0], c.People[1]
	c.reads(r, func(tx *store.Tx) error {
		for _, s := range c.stretches() {
			got, err := tx.Duel(store.Wanted{Chat: c.Chat, Period: s.period, Game: "shutbox"}, "test:"+a, "test:"+b)
			if err != nil {
				return err
			}
			want := leaderboard(records, func(one Counted) bool {
				return one.Game == "shutbox" && one.seatOf(a) >= 0 && one.seatOf(b) >= 0 && s.counts(c.Ended[one.Table])
			})
			for key := range want {
				if !strings.HasSuffix(key, " "+a) && !strings.HasSuffix(key, " "+b) {
					delete(want, key)
				}
			}
			if wrong := differing(want, got); wrong != "" {
				return fmt.Errorf("%s against %s, %s:\n%s", a, b, s.name, wrong)
			}
		}
		all, err := tx.Opponents(c.Chat, "test:"+a)
		got := map[string][2]int64{}
		for _, o := range all {
			got[strings.TrimPrefix(o.Player, "test:")] = [2]int64{o.Ahead, o.Behind}
		}
		if want := opponents(records, a); err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Errorf("opponents of %s: %v, want %v", a, got, want)
		}
		return err
	})
}

// Histories compares the games of the chat and of somebody, page by page.
func (c *Circle) Histories(r rapid.TB, records []Counted) {
	name := c.People[0]
	var want, mine []string
	for _, one := range slices.Backward(records) {
		want = append(want, one.Table)
		if i := one.seatOf(name); i >= 0 && !one.Voided {
			row := one.Result[i]
			points, _ := row.Points()
			mine = append(mine, fmt.Sprint(one.Game, one.rules, one.Unit, len(one.Seats) < 2,
				c.Ended[one.Table].Evening, points, row.Place, row.Pool, one.turns[i]))
		}
	}
	c.reads(r, func(tx *store.Tx) error {
		var tables, series []string
		for before := int64(0); ; {
			page, err := tx.LastFinished(c.Chat, before, 3)
			if err != nil {
				return err
			}
			for _, t := range page {
				tables = append(tables, strconv.FormatInt(t.ID, 10))
				before = t.ID
			}
			if len(page) < 3 {
				break
			}
		}
		played, err := tx.Series(c.Chat, "test:"+name, len(mine)+1)
		if err != nil {
			return err
		}
		for _, p := range played {
			series = append(series, fmt.Sprint(p.Game, p.Rules, p.Unit, p.Alone, p.Evening, p.Score, p.Place, p.Pool,
				store.Turns{Turns: p.Turns, Shut: p.Shut}))
		}
		if !slices.Equal(tables, want) || !slices.Equal(series, mine) {
			return fmt.Errorf("tables %v, want %v; games of %s\n%v, want\n%v", tables, want, name, series, mine)
		}
		return nil
	})
}

// Settles looks at the books of each unit: even, explained, and settled with as
// few payments as there can be.
func (c *Circle) Settles(r rapid.TB) {
	err := c.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		units, err := tx.Units(c.Chat)
		for _, unit := range units {
			err = errors.Join(err, c.settlesIn(tx, unit))
		}
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
}

func (c *Circle) settlesIn(tx *store.Tx, unit string) error {
	parties, err := tx.Parties(c.Chat, unit)
	if err != nil {
		return err
	}
	sum, open := int64(0), 0
	balances := make([]int64, len(parties))
	for i, p := range parties {
		balances[i] = p.Balance
		sum += p.Balance
		if p.Balance != 0 {
			open++
		}
		reasons, err := tx.Reasons(c.Chat, unit, p.Account)
		if err != nil {
			return err
		}
		for _, why := range reasons {
			balances[i] -= why.Amount
		}
		if balances[i] != 0 {
			return fmt.Errorf("%s stands at %d %s, %d of it unexplained", p.Account, p.Balance, unit, balances[i])
		}
		balances[i] = p.Balance
	}
	plan, err := money.SettleUp(balances)
	if err != nil || sum != 0 {
		return fmt.Errorf("the %s add up to %d: %w", unit, sum, err)
	}
	if open <= 7 && len(plan.Payments) != moneytest.Fewest(balances) {
		return fmt.Errorf("%v: %d payments, %d would do", balances, len(plan.Payments), moneytest.Fewest(balances))
	}
	return nil
}

// reads wants what is read to be right.
func (c *Circle) reads(r rapid.TB, read func(*store.Tx) error) {
	if err := c.Store.View(context.Background(), read); err != nil {
		r.Fatal(err)
	}
}
