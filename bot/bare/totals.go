package bare

// Totals and what they were made of.

import (
	"context"
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

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
					got, err := tx.Scores.Standings(store.Wanted{Chat: c.Chat, Period: s.period, Game: game,
						Unit: unit})
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
		return nil
	})
}

// Duels compares what two have played together, and the opponents of each.
func (c *Circle) Duels(r rapid.TB, records []Counted) {
	a, b := c.People[0], c.People[1]
	c.reads(r, func(tx *store.Tx) error {
		for _, s := range c.stretches() {
			got, err := tx.Scores.Duel(store.Wanted{Chat: c.Chat, Period: s.period, Game: "shutbox"}, "test:"+a,
				"test:"+b)
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
		all, err := tx.Scores.Opponents(c.Chat, "test:"+a)
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

// reads wants what is read to be right.
func (c *Circle) reads(r rapid.TB, read func(*store.Tx) error) {
	if err := c.Store.View(context.Background(), read); err != nil {
		r.Fatal(err)
	}
}
