package bot_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"knobel/bot/fakes/needs"
	"knobel/games/money"
	"knobel/games/money/moneytest"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// TestTotalsAreWhatTheRecordsAddUpTo lets circles of 2 to 10 people meet for
// random evenings of both games, with houses, practice, ties, games that are
// stopped or voided, payments, units and seasons that change. Of each circle, every
// leaderboard of every period is what its records alone add up to, the books
// are even, nobody settles up with fewer payments, and every balance is
// explained.
func TestTotalsAreWhatTheRecordsAddUpTo(t *testing.T) {
	most := 5
	if needs.IsLong() {
		most = 60
	}
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	circles, evenings, voided := 0, 0, 0
	rapid.Check(t, func(r *rapid.T) {
		circles++
		c := &circle{
			house: h, chance: rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "chance"), 7)),
			chat: fmt.Sprint("test:circle", circles),
			day:  20_000, unit: "chips", ended: map[string]endedIn{},
		}
		for i := range rapid.IntRange(2, 10).Draw(r, "people") {
			c.people = append(c.people, fmt.Sprint("P", i))
		}
		c.meet(r)
		for range rapid.IntRange(1, most).Draw(r, "evenings") {
			evenings++
			if err := c.evening(); err != nil {
				r.Fatal(err)
			}
		}
		records, err := c.records()
		if err != nil {
			r.Fatal(err)
		}
		if len(records) != len(c.ended) {
			r.Fatalf("%d records of %d games", len(records), len(c.ended))
		}
		live := slices.DeleteFunc(slices.Clone(records), func(one counted) bool { return one.Voided })
		voided += len(records) - len(live)
		c.leaderboards(r, live)
		if len(live) > 0 {
			c.ranked(r, live)
		}
		c.duels(r, live)
		c.histories(r, records)
		c.settles(r)
	})
	books, err := h.store.Check(context.Background())
	if err != nil || len(books) > 0 {
		t.Errorf("%v, %v", books, err)
	}
	if t.Logf("%d evenings of %d circles, %d games voided", evenings, circles, voided); voided == 0 {
		t.Error("no game was voided")
	}
}

// stretch is a period with what it means of a table.
type stretch struct {
	name   string
	period store.Period
	counts func(endedIn) bool
}

// stretches are all periods of the circle that have a name: all time, every
// season and the time before them, every evening, week and month.
func (c *circle) stretches() []stretch {
	all := []stretch{{"all time", store.AllTime(), func(endedIn) bool { return true }}}
	for _, season := range append([]int64{0}, c.seasons...) {
		all = append(all, stretch{fmt.Sprint("season ", season), store.OfSeason(season), func(e endedIn) bool {
			return e.season == season
		}})
	}
	days := map[[2]store.Day]bool{}
	for _, e := range c.ended {
		date := e.evening.Time()
		monday := e.evening - store.Day((int(date.Weekday())+6)%7)
		first := time.Date(date.Year(), date.Month(), 1, 0, 0, 0, 0, time.UTC)
		days[[2]store.Day{e.evening, e.evening}] = true
		days[[2]store.Day{monday, monday + 6}] = true
		days[[2]store.Day{store.DayOf(first), store.DayOf(first.AddDate(0, 1, -1))}] = true
	}
	for span := range days {
		all = append(all, stretch{fmt.Sprint("from ", span[0].Time(), " to ", span[1].Time()),
			store.Evenings(span[0], span[1]),
			func(e endedIn) bool { return span[0] <= e.evening && e.evening <= span[1] }})
	}
	return all
}

// leaderboards compares every period, game and unit.
func (c *circle) leaderboards(r rapid.TB, records []counted) {
	c.reads(r, func(tx *store.Tx) error {
		for _, s := range c.stretches() {
			for _, game := range []string{"", "shutbox", "wuerfelpoker"} {
				for _, unit := range []string{"", "chips", "coffees"} {
					got, err := tx.Standings(store.Wanted{Chat: c.chat, Period: s.period, Game: game, Unit: unit})
					if err != nil {
						return err
					}
					want := leaderboard(records, func(one counted) bool {
						return s.counts(c.ended[one.Table]) && (game == "" || one.Game == game) &&
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
func (c *circle) calendar(tx *store.Tx, records []counted) error {
	var want, back, forth []store.Day
	for _, one := range records {
		people := slices.ContainsFunc(c.people, func(name string) bool { return one.seatOf(name) >= 0 })
		if len(one.Seats) > 1 && people {
			want = append(want, c.ended[one.Table].evening)
		}
	}
	slices.Sort(want)
	want = slices.Compact(want)
	day, err := tx.EveningBefore(c.chat, c.day+1)
	for ; err == nil; day, err = tx.EveningBefore(c.chat, day) {
		back = append(back, day)
	}
	slices.Reverse(back)
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	for day, err = tx.EveningAfter(c.chat, 0); err == nil; day, err = tx.EveningAfter(c.chat, day) {
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

// duels compares what two have played together, and somebody's opponents.
func (c *circle) duels(r rapid.TB, records []counted) {
	a, b := c.people[0], c.people[1]
	c.reads(r, func(tx *store.Tx) error {
		for _, s := range c.stretches() {
			got, err := tx.Duel(store.Wanted{Chat: c.chat, Period: s.period, Game: "shutbox"}, "test:"+a, "test:"+b)
			if err != nil {
				return err
			}
			want := leaderboard(records, func(one counted) bool {
				return one.Game == "shutbox" && one.seatOf(a) >= 0 && one.seatOf(b) >= 0 && s.counts(c.ended[one.Table])
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
		for _, game := range []string{"", "wuerfelpoker"} {
			all, err := tx.Opponents(c.chat, "test:"+a, game)
			if err != nil {
				return err
			}
			got := map[string][3]int64{}
			for _, o := range all {
				got[o.Name] = [3]int64{o.Games, o.Ahead, o.Behind}
			}
			if want := opponents(records, a, game); fmt.Sprint(got) != fmt.Sprint(want) {
				return fmt.Errorf("opponents of %s in %q: %v, want %v", a, game, got, want)
			}
		}
		return nil
	})
}

// histories compares the games of the chat and of somebody, page by page.
func (c *circle) histories(r rapid.TB, records []counted) {
	name := c.people[0]
	var want, mine []string
	for _, one := range slices.Backward(records) {
		want = append(want, one.Table)
		if i := one.seatOf(name); i >= 0 && !one.Voided {
			row := one.Result[i]
			points, _ := row.Points()
			mine = append(mine, fmt.Sprint(one.Table, one.Game, one.rules, one.Unit, len(one.Seats) < 2,
				c.ended[one.Table], points, row.Place, row.Pool, one.turns[i]))
		}
	}
	c.reads(r, func(tx *store.Tx) error {
		var tables, series []string
		for before := int64(0); ; {
			page, err := tx.LastFinished(c.chat, "", before, 3)
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
		for before := int64(0); ; {
			page, err := tx.Series(c.chat, "test:"+name, "", before, 4)
			if err != nil {
				return err
			}
			for _, p := range page {
				series = append(series, fmt.Sprint(strconv.FormatInt(p.Table, 10), p.Game, p.Rules, p.Unit, p.Alone,
					endedIn{p.Evening, p.Season},
					p.Score, p.Place, p.Pool, store.Turns{Turns: p.Turns, Shut: p.Shut}))
				before = p.Table
			}
			if len(page) < 4 {
				break
			}
		}
		if !slices.Equal(tables, want) || !slices.Equal(series, mine) {
			return fmt.Errorf("tables %v, want %v; games of %s\n%v, want\n%v", tables, want, name, series, mine)
		}
		return nil
	})
}

// settles looks at the books of each unit: even, explained, and settled with as
// few payments as there can be.
func (c *circle) settles(r rapid.TB) {
	err := c.store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		units, err := tx.Units(c.chat)
		for _, unit := range units {
			err = errors.Join(err, c.settlesIn(tx, unit))
		}
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
}

func (c *circle) settlesIn(tx *store.Tx, unit string) error {
	parties, err := tx.Parties(c.chat, unit)
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
		reasons, err := tx.Reasons(c.chat, unit, p.Account)
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

// meet makes the people known.
func (c *circle) meet(r rapid.TB) {
	err := c.store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		for _, name := range c.people {
			if err := tx.SavePlayer(store.Player{ID: "test:" + name, Name: name}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
}

// reads wants what is read to be right.
func (c *circle) reads(r rapid.TB, read func(*store.Tx) error) {
	if err := c.store.View(context.Background(), read); err != nil {
		r.Fatal(err)
	}
}
