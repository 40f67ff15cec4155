package standings_test

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"

	"pgregory.net/rapid"

	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// past is a result of the past as a leaderboard counts it, read from the table
// itself.
type past struct {
	store.Result
	table   int64
	name    string
	game    string
	variant string
	evening string
	season  int64
	with    []string // who sat there
}

// pasts reads all results of people that count.
func pasts(h *bare.House, r *rapid.T) []past {
	var all []past
	err := h.Store.View(context.Background(), func(tx *store.Tx) error {
		var tables []int64
		if err := tx.Finished("test:1", func(id int64) error { tables = append(tables, id); return nil }); err != nil {
			return err
		}
		for _, id := range tables {
			t, err := tx.Table(id)
			if err != nil {
				return err
			}
			rows, err := tx.Results(id)
			if err != nil {
				return err
			}
			one := past{table: id, game: t.Game,
				evening: time.UnixMilli(t.Ended).UTC().Add(-6 * time.Hour).Format(time.DateOnly), season: t.Season}
			for _, g := range h.Games {
				if g.Name() == t.Game {
					one.variant = games.VariantOf(g, t.Rules)
				}
			}
			for _, s := range t.Seats {
				one.with = append(one.with, s.Name)
			}
			for i, row := range rows {
				if len(rows) > 1 && t.Seats[i].House == "" {
					one.Result, one.name = row, t.Seats[i].Name
					all = append(all, one)
				}
			}
		}
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
	return all
}

// reckoned is what stands on a leaderboard, reckoned anew from every result.
func reckoned(all []past, rank string, least int, off map[string]bool) []string {
	sums, counts := map[string]*big.Rat{}, map[string]int64{}
	for _, p := range all {
		settled := int64(0)
		if p.Settlement != nil {
			settled = *p.Settlement
		}
		value := map[string]*big.Rat{
			"pool": big.NewRat(p.Pool, 1), "settled": big.NewRat(settled, 1),
			"won": big.NewRat(map[bool]int64{true: 1}[p.Place == 1], 1), "mean": big.NewRat(p.Score, 1),
		}[rank]
		if rank == "difference" || rank == "average" {
			value = big.NewRat(p.Difference.N, p.Difference.D)
		}
		if rank == "best" {
			value = big.NewRat(p.Score, 1)
			if best := sums[p.name]; best != nil && best.Cmp(value) > 0 {
				value = best
			}
			sums[p.name] = value
		} else if sums[p.name] == nil {
			sums[p.name] = value
		} else {
			sums[p.name] = new(big.Rat).Add(sums[p.name], value)
		}
		counts[p.name]++
	}
	var names []string
	for name, n := range counts {
		if rank == "average" || rank == "mean" {
			sums[name] = new(big.Rat).Quo(sums[name], big.NewRat(n, 1))
		}
		if n >= int64(least) && !off[name] {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(sums[b].Cmp(sums[a]), cmp.Compare(a, b)) })
	var lines []string
	for _, name := range names {
		place := 1
		for _, other := range names {
			if sums[other].Cmp(sums[name]) > 0 {
				place++
			}
		}
		v := sums[name]
		said := money.Difference{N: v.Num().Int64(), D: v.Denom().Int64()}.String() // "+120", "-1/3"
		switch rank {
		case "won", "best":
			said = v.RatString()
		case "mean":
			said = v.FloatString(2)
		case "average":
			said = v.FloatString(2)
			if v.Sign() > 0 {
				said = "+" + said
			}
		}
		lines = append(lines, fmt.Sprintf("%d. %s %s", place, name, strings.Replace(said, "-", "−", 1)))
	}
	return lines
}

// TestLeaderboardsAreWhatTheResultsComeTo plays random evenings of two games,
// over weeks, with seasons and people who hide, and reckons leaderboards anew.
func TestLeaderboardsAreWhatTheResultsComeTo(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	off := map[string]bool{}
	seasons := 0
	zoe := h.Person("Zoe")
	zoe.Admin = true
	people := []string{"Anna", "Ben", "Clara", "Dora", "Emil"}
	rapid.Check(t, func(r *rapid.T) {
		h.Wait(time.Duration(rapid.IntRange(0, 60).Draw(r, "hours")) * time.Hour)
		sat := rapid.Permutation(people).Draw(r, "who")[:rapid.IntRange(2, 4).Draw(r, "seats")]
		switch rapid.IntRange(0, 7).Draw(r, "step") {
		case 0:
			hide := rapid.Bool().Draw(r, "hide")
			h.Person(sat[0]).Writes("/leaderboard me=" + map[bool]string{true: "hide", false: "show"}[hide])
			off[sat[0]] = hide
		case 1:
			seasons++
			zoe.Sends(bare.PressOn(t, zoe.Writes(fmt.Sprint("/season S", seasons)), "Yes, start it"))
		case 2, 3, 4:
			var moves []string
			for _, name := range sat {
				moves = append(moves, fmt.Sprintf("%s say %d", name, rapid.IntRange(-2, 12).Draw(r, "points")))
			}
			h.Game(rapid.SampledFrom([]string{"/tally point=1", "/tally point=7", "/tally"}).Draw(r, "line"), sat,
				moves...)
		default:
			tiles := rapid.Permutation([]int{1, 2, 3, 4, 5, 6, 7, 8}).Draw(r, "tiles")
			var moves []string
			for i, name := range []string{sat[0], sat[1], sat[0], sat[1]} {
				moves = append(moves, fmt.Sprintf("%s take %d+%d", name, max(tiles[2*i], tiles[2*i+1]),
					min(tiles[2*i], tiles[2*i+1])))
			}
			h.Game("/pile big "+fmt.Sprint(rapid.IntRange(0, 9).Draw(r, "stake")), sat[:2], moves...)
		}
		all := pasts(h, r)
		for range 4 {
			rank := rapid.SampledFrom([]string{"pool", "settled", "difference", "average", "won", "mean",
				"best"}).Draw(r, "rank")
			least := rapid.SampledFrom([]int{1, 2, 5}).Draw(r, "least")
			line := fmt.Sprintf("/leaderboard rank=%s least=%d", rank, least)
			count := func(p past) bool { return true }
			narrow := func(also func(past) bool) {
				before := count
				count = func(p past) bool { return before(p) && also(p) }
			}
			switch rank {
			case "pool":
				narrow(func(p past) bool { return p.game == "pile" })
			case "settled":
				narrow(func(p past) bool { return p.Settlement != nil })
			case "difference", "average":
				narrow(func(p past) bool { return p.game == "tally" })
			case "mean", "best":
				line += " game=big"
				narrow(func(p past) bool { return p.variant == "big" })
			}
			now := h.Time().UTC().Add(-6 * time.Hour)
			switch when := rapid.SampledFrom([]string{"all", "month", "evening", "season"}).Draw(r, "when"); {
			case when == "season" && seasons > 0:
				n := rapid.IntRange(1, seasons).Draw(r, "season")
				line += fmt.Sprint(" period=s", n)
				narrow(func(p past) bool { return p.season == int64(n) })
			case when == "month":
				line += " period=month"
				narrow(func(p past) bool { return p.evening[:7] == now.Format("2006-01") })
			case when == "evening":
				line += " period=evening"
				narrow(func(p past) bool { return p.evening == now.Format(time.DateOnly) })
			default:
				line += " period=all"
			}
			asker, of := zoe, ""
			played := func(name string) bool {
				return slices.ContainsFunc(all, func(p past) bool { return p.name == name })
			}
			if friend := sat[1]; rapid.Bool().Draw(r, "against") && !off[friend] && played(friend) {
				asker, of = h.Person(sat[0]), fmt.Sprint(" of ", sat[0], " and ", friend)
				line += " against=" + friend
				narrow(func(p past) bool {
					return slices.Contains(p.with, friend) && slices.Contains(p.with, sat[0]) &&
						(p.name == friend || p.name == sat[0])
				})
			}
			var counted []past
			tables := map[int64]bool{}
			for _, p := range all {
				if count(p) {
					counted = append(counted, p)
					tables[p.table] = true
				}
			}
			compare(r, bare.Said(t, asker.Writes(line)), line, len(tables), of, reckoned(counted, rank, least, off))
		}
	})
	h.Sound()
}

// compare fails unless a leaderboard has these lines, and says of how many games.
func compare(r *rapid.T, shown, line string, tables int, of string, want []string) {
	var got []string
	for _, l := range strings.Split(shown, "\n") {
		if before, _, row := strings.Cut(l, " · "); row && !strings.HasPrefix(l, "– ") {
			got = append(got, before)
		}
	}
	head, _, _ := strings.Cut(shown, "\n")
	right := strings.HasSuffix(head, fmt.Sprintf(": %d games%s.", tables, of)) ||
		tables == 1 && strings.HasSuffix(head, ": 1 game"+of+".") ||
		tables == 0 && (strings.HasSuffix(head, ": nothing has been played there.") ||
			of != "" && strings.HasSuffix(head, " have not met there."))
	if !slices.Equal(got, want) || !right {
		r.Fatalf("%s says\n%s\nof %d games\n%s", line, shown, tables, strings.Join(want, "\n"))
	}
}
