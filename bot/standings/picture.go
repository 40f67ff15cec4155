package standings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chart"
	"knobel/games"
	"knobel/store"
)

// The line chart of what players of a chat have won over time.

// fewEvenings is the number of evenings from which a picture has a step for each evening, and not for each game.
const fewEvenings = 8

// course holds the balance of a player, step by step.
type course struct {
	companion
	values []int64
}

func (b course) last() int64 { return b.values[len(b.values)-1] }

// balancePicture shows what the players on the lists of the chat have won and lost over time, in a
// unit: that of a tag, or the chat's.
func (v *Visit) balancePicture(w bot.Args) error {
	unit, err := v.unitWithTag(w.Text("unit"))
	if err != nil {
		return err
	}
	steps, days, err := v.wonOverTime(unit)
	if err != nil {
		return err
	}
	all, err := v.companions()
	if err != nil {
		return err
	}
	lines, rest := balances(steps, all)
	m := v.Private(games.Say("bot.picture.no-balances", games.Args{"Unit": bot.UnitLabel(unit)}))
	m.Row(v.Button(games.Say("bot.button.stats", nil), "/stats", games.Plain),
		v.Button(games.Say("bot.button.leaderboard", nil), "/leaderboard", games.Plain))
	if len(lines) == 0 {
		return nil
	}
	today, err := v.Evening()
	if err != nil {
		return err
	}
	from, to := v.Say(bot.DayLabel(days[0], today)), v.Say(bot.DayLabel(days[1], today))
	when := games.Say("bot.picture.days", games.Args{"From": from, "To": to})
	if days[0] == days[1] {
		from, when = "", bot.DayLabel(days[1], today)
	}
	m.Head = v.Say(games.Say("bot.picture.balances", games.Args{"Unit": bot.UnitLabel(unit), "When": when}))
	picture := chart.Lines{Title: v.Say(games.Say("bot.picture.title", games.Args{"Unit": bot.UnitLabel(unit)})),
		From: from, To: to}
	var told []string
	for i, b := range lines { // numbered in the picture, too: a name that cannot be drawn still has its number
		drawn := chart.Line{Name: fmt.Sprint(i+1, " ", b.name), Last: v.Number(bot.Signed(b.last()))}
		for _, n := range b.values {
			drawn.Values = append(drawn.Values, float64(n))
		}
		picture.Lines = append(picture.Lines, drawn)
		m.Lines = append(m.Lines, v.Say(games.Say("bot.picture.line",
			games.Args{"Place": i + 1, "Name": b.name, "Amount": bot.Signed(b.last())})))
		told = append(told, v.Say(games.Say("bot.picture.course", games.Args{
			"Name": b.name, "Amount": bot.Signed(b.last()), "Low": bot.Signed(slices.Min(b.values)),
			"High": bot.Signed(slices.Max(b.values)),
		})))
	}
	if rest > 0 {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.picture.rest", games.Args{"N": rest})))
	}
	m.Lines = append(m.Lines, v.Say(games.Say("bot.picture.of-games", nil)))
	alt := v.Say(games.Say("bot.picture.balances-alt", games.Args{"N": len(lines), "Unit": bot.UnitLabel(unit),
		"When": when, "Lines": strings.Join(told, " ")}))
	v.Illustrate("balances.png", alt, "", picture.PNG)
	return nil
}

// wonOverTime returns what all players have won, evening by evening or, if there are few of these,
// game by game, with the first and the last day.
func (v *Visit) wonOverTime(unit string) (steps []store.Won, days [2]store.Day, err error) {
	steps, err = v.Tx.Books.WonByEvening(v.Chat.ID, unit)
	if err != nil || len(steps) == 0 {
		return nil, days, err
	}
	days = [2]store.Day{store.Day(steps[0].At), store.Day(steps[len(steps)-1].At)}
	seen := map[int64]bool{}
	for _, s := range steps {
		seen[s.At] = true
	}
	if len(seen) < fewEvenings {
		steps, err = v.Tx.Books.WonByTable(v.Chat.ID, unit)
	}
	return steps, days, err
}

// balances adds up what players have won, from zero, for players on the lists who have ever won or lost anything:
// those furthest from zero, the highest first. rest is the number of players without room.
func balances(steps []store.Won, all []companion) (lines []course, rest int) {
	for _, c := range all {
		if c.off == (store.Unlisted{}) {
			lines = append(lines, course{companion: c, values: []int64{0}})
		}
	}
	index := map[string]int{}
	for i, l := range lines {
		index[l.player] = i
	}
	for i, s := range steps {
		if i == 0 || s.At != steps[i-1].At {
			for k := range lines {
				lines[k].values = append(lines[k].values, lines[k].last())
			}
		}
		if k, listed := index[s.Player]; listed {
			lines[k].values[len(lines[k].values)-1] += s.Amount
		}
	}
	lines = slices.DeleteFunc(lines, func(b course) bool {
		return !slices.ContainsFunc(b.values, func(n int64) bool { return n != 0 })
	})
	slices.SortStableFunc(lines, func(a, b course) int {
		return cmp.Compare(max(b.last(), -b.last()), max(a.last(), -a.last()))
	})
	if rest = max(len(lines)-chart.MaxLines, 0); rest > 0 {
		lines = lines[:chart.MaxLines]
	}
	slices.SortStableFunc(lines, func(a, b course) int { return cmp.Compare(b.last(), a.last()) })
	return lines, rest
}
