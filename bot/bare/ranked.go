package bare

// Leaderboards as they are by their definition.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/games/money"
)

// merit is a ranking as the rules of leaderboards say it: which records count,
// what a line is worth, and how that is written.
type merit struct {
	option string
	counts func(Counted) bool
	worth  func(line) *big.Rat
	low    bool // the lowest is the best
	spell  func(*big.Rat) string
}

// merits are all rankings, of pools in a unit.
func merits(unit string) []merit {
	box := func(r Counted) bool { return r.Game == "shutbox" }
	poker := func(r Counted) bool { return r.Game == "wuerfelpoker" }
	lucky := func(r Counted) bool { return r.Rules["variant"] == "lucky-seven" }
	any := func(Counted) bool { return true }
	number := func(n int64) *big.Rat { return big.NewRat(n, 1) }
	whole := func(x *big.Rat) string { return x.RatString() }
	decimals := func(x *big.Rat) string { return x.FloatString(2) }
	return []merit{
		{"pool unit=" + unit, func(r Counted) bool { return box(r) && r.Unit == unit },
			func(l line) *big.Rat { return number(l.pool) }, false, withSign(whole)},
		{"settled unit=" + unit, func(r Counted) bool {
			return poker(r) && r.Unit == unit && r.Rules["point"] != ""
		}, func(l line) *big.Rat { return number(l.settled) },
			false, withSign(whole)},
		{"difference", poker, func(l line) *big.Rat { return l.shares }, false,
			func(x *big.Rat) string { return money.Difference{N: x.Num().Int64(), D: x.Denom().Int64()}.String() }},
		{"average", poker, func(l line) *big.Rat {
			return new(big.Rat).Quo(l.shares, number(l.games))
		}, false, withSign(decimals)},
		{"won", any, func(l line) *big.Rat { return number(l.won) }, false, whole},
		{"shut", box, func(l line) *big.Rat { return number(l.shut) }, false, whole},
		{"best game=lucky-seven", lucky, func(l line) *big.Rat { return number(l.low) }, true, whole},
		{"mean game=lucky-seven", lucky, func(l line) *big.Rat {
			return new(big.Rat).Quo(l.points, number(l.scored))
		}, true, decimals},
	}
}

func withSign(spell func(*big.Rat) string) func(*big.Rat) string {
	return func(x *big.Rat) string {
		if x.Sign() > 0 {
			return "+" + spell(x)
		}
		return spell(x)
	}
}

// Ranked asks the bot for every ranking of some period, and compares each line.
func (c *Circle) Ranked(r rapid.TB, records []Counted) {
	unit := "chips" // which is known where nothing was played for yet
	if slices.ContainsFunc(records, func(one Counted) bool { return one.Unit == "coffees" && one.Stake > 0 }) {
		unit = "coffees"
	}
	periods := c.lately(c.Ended[records[len(records)-1].Table])
	for _, m := range merits(unit) {
		period := slices.Sorted(maps.Keys(periods))[c.Chance.IntN(len(periods))]
		least := int64(1 + c.Chance.IntN(2))
		want := m.lines(least, leaderboard(records, func(one Counted) bool {
			return m.counts(one) && periods[period](c.Ended[one.Table])
		}))
		command := fmt.Sprintf("%s least=%d period=%s", m.option, least, period)
		got := c.asks(r, command)
		for i, line := range want {
			if i >= len(got) || !strings.HasPrefix(got[i], line) {
				r.Fatalf("/leaderboard %s says\n%s\nwant\n%s", command, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
			}
		}
		if len(got) > len(want) && strings.Contains(got[len(want)], ". P") {
			r.Fatalf("/leaderboard %s has more than\n%s\nthat is\n%s", command, strings.Join(want, "\n"),
				strings.Join(got, "\n"))
		}
	}
}

// lately are the periods by the words of the command: all time, the last
// season, and the evening of the last game, its week and its month.
func (c *Circle) lately(last EndedIn) map[string]func(EndedIn) bool {
	year, week := last.Evening.Time().ISOWeek()
	day, month := last.Evening.Time().Format(time.DateOnly), last.Evening.Time().Format("2006-01")
	periods := map[string]func(EndedIn) bool{
		"all": func(EndedIn) bool { return true },
		day:   func(e EndedIn) bool { return e.Evening == last.Evening },
		month: func(e EndedIn) bool { return e.Evening.Time().Format("2006-01") == month },
		fmt.Sprintf("%d-w%02d", year, week): func(e EndedIn) bool {
			y, w := e.Evening.Time().ISOWeek()
			return y == year && w == week
		},
	}
	if n := len(c.Seasons); n > 0 {
		periods[fmt.Sprint("S", n-1)] = func(e EndedIn) bool { return e.Season == c.Seasons[n-1] }
	}
	return periods
}

// lines are the beginnings of a leaderboard's lines, the best first, of who has played at least so many games.
func (m merit) lines(least int64, all map[string]line) []string {
	sums := map[string]line{}
	for key, l := range all {
		name := key[strings.LastIndex(key, " ")+1:]
		sum, met := sums[name]
		if !met {
			sums[name] = l
			continue
		}
		sums[name] = sum.and(l)
	}
	names := make([]string, 0, len(sums))
	for name, l := range sums {
		if l.games >= least && (l.scored > 0 || !m.low) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		order := m.worth(sums[b]).Cmp(m.worth(sums[a]))
		if m.low {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a, b))
	})
	var lines []string
	place := 0
	for i, name := range names {
		worth := m.worth(sums[name])
		if i == 0 || worth.Cmp(m.worth(sums[names[i-1]])) != 0 {
			place = i + 1
		}
		lines = append(lines, fmt.Sprintf("%d. %s %s · ", place, name, strings.Replace(m.spell(worth), "-", "−", 1)))
	}
	return lines
}

// and is a line with those of other rules or units.
func (l line) and(o line) line {
	if l.scored == 0 || o.scored > 0 && o.low < l.low {
		l.low = o.low
	}
	l.games += o.games
	l.won += o.won
	l.shut += o.shut
	l.scored += o.scored
	l.pool += o.pool
	l.settled += o.settled
	l.points = new(big.Rat).Add(l.points, o.points)
	l.shares = new(big.Rat).Add(l.shares, o.shares)
	return l
}

// asks for a leaderboard and returns its lines.
func (c *Circle) asks(r rapid.TB, options string) []string {
	ev := c.Person(c.People[0]).Event()
	ev.Chat, ev.Place = chat.Chat(c.Chat), chat.Place(c.Chat)
	ev.Command, ev.Text = "leaderboard", "rank="+options
	reply := c.Bot.Handle(context.Background(), ev)
	if reply.Private == nil {
		r.Fatalf("/leaderboard %s: %+v", options, reply)
	}
	return reply.Private.Lines
}
