package standings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chart"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// course is a player's line in the chart of balances: the balance after each step. A step is one evening or one game.
type course struct {
	companion
	values []int64 // in units; the first is 0
}

// last returns the latest balance.
func (b course) last() int64 { return b.values[len(b.values)-1] }

// balancePicture replies with a line chart of the balances of all listed players over time. The option "unit" of w is
// the tag (short hash) of the unit; without the option, the chart shows the chat's unit.
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
	for i, b := range lines { // numbered in the chart, too, because some names cannot be drawn
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

// wonOverTime returns the amounts in unit that each player won in each step, and the first and last evening; steps is
// nil if there are no amounts. A step is one evening, or one game if there are fewer than fewEvenings evenings.
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

// balances returns the balances over time of the listed players in all, highest first, without players who never won or
// lost anything. Of more than chart.MaxLines players, it leaves out those nearest to zero; rest is their number.
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

// scoring holds a player's scores in one game under one set of rules. Only such scores are comparable.
type scoring struct {
	game, rules string // as in store.Played
	scores      []int64
}

// scoresByRules returns the scores in played, grouped by game and rules, the largest group first. It leaves out games
// in which the player has no score.
func scoresByRules(played []store.Played) []scoring {
	var all []scoring
	for _, p := range played {
		if !p.Threw && p.Difference.D == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(s scoring) bool { return s.game == p.Game && s.rules == p.Rules })
		if i < 0 {
			i = len(all)
			all = append(all, scoring{game: p.Game, rules: p.Rules})
		}
		all[i].scores = append(all[i].scores, p.Score)
	}
	slices.SortStableFunc(all, func(a, b scoring) int { return cmp.Compare(len(b.scores), len(a.scores)) })
	return all
}

// bin is one bar of the chart of scores: the number of scores from low to high, both included.
type bin struct {
	low, high int64
	count     int64
}

// label returns the text below the bar, such as "20–29", or "7" if low equals high. spell formats a number.
func (b bin) label(spell func(games.Number) string) string {
	if b.low == b.high {
		return spell(bot.PlainNumber(b.low))
	}
	return spell(bot.PlainNumber(b.low)) + "–" + spell(bot.PlainNumber(b.high))
}

// makeBins counts scores in at most maxBins ranges of equal, round width. It returns the ranges lowest first, also
// empty ones. There must be at least one score.
func makeBins(scores []int64) []bin {
	low, high := slices.Min(scores), slices.Max(scores)
	width := int64(1)
	for i := 0; floorDiv(high, width)-floorDiv(low, width) >= maxBins; i++ {
		width = []int64{1, 2, 5}[(i+1)%3]
		for range (i + 1) / 3 {
			width *= 10
		}
	}
	first := floorDiv(low, width)
	all := make([]bin, floorDiv(high, width)-first+1)
	for i := range all {
		all[i].low = (first + int64(i)) * width
		all[i].high = all[i].low + width - 1
	}
	for _, s := range scores {
		all[floorDiv(s, width)-first].count++
	}
	return all
}

// padBins returns all. To a single range it adds empty neighbours (only the higher one if it begins at 0), because a
// chart needs several bars.
func padBins(all []bin) []bin {
	if len(all) != 1 {
		return all
	}
	b, width := all[0], all[0].high-all[0].low+1
	before, behind := bin{low: b.low - width, high: b.low - 1}, bin{low: b.high + 1, high: b.high + width}
	if b.low == 0 { // most games have no score below 0
		return []bin{b, behind}
	}
	return []bin{before, b, behind}
}

// floorDiv returns a/b rounded down, also for negative a; b is positive.
func floorDiv(a, b int64) int64 {
	if a < 0 && a%b != 0 {
		return a/b - 1
	}
	return a / b
}

// scorePicture replies with a bar chart of the scores of c under one set of rules: element index (from 0) of the result
// of scoresByRules, the last one if there are fewer.
func (v *Visit) scorePicture(c companion, index int64) error {
	played, err := v.Tx.Scores.Series(v.Chat.ID, c.player, maxPlayed)
	if err != nil {
		return err
	}
	all := scoresByRules(played)
	if len(all) == 0 {
		return games.Refuse("bot.stats.unplayed", games.Args{"Name": c.name})
	}
	at := int(min(index, int64(len(all)-1)))
	s := all[at]
	of := games.Say("bot.text", games.Args{"Text": s.game}) // the game may no longer be installed
	if g, err := v.bot.Game(s.game); err == nil {
		rules, err := SpelledRules(s.rules)
		if err != nil {
			return err
		}
		of = v.bot.FullLabel("bot.picture.game", g, rules)
	}
	spread := makeBins(s.scores)
	slices.Sort(s.scores)
	said := make([]string, len(spread))
	bars := chart.Bars{Below: v.Say(games.Say("bot.picture.points", nil))}
	for i, b := range spread {
		said[i] = fmt.Sprint(b.label(v.Number), ": ", b.count)
	}
	for _, b := range padBins(spread) {
		bars.Bars = append(bars.Bars, chart.Bar{Label: b.label(v.Number), Count: b.count})
	}
	args := games.Args{
		"Name": c.name, "Of": of, "N": len(s.scores), "Low": bot.PlainNumber(s.scores[0]),
		"High":   bot.PlainNumber(s.scores[len(s.scores)-1]),
		"Middle": bot.PlainNumber(s.scores[(len(s.scores)-1)/2]), "Bars": strings.Join(said, "; "),
	}
	m := v.Private(games.Say("bot.picture.scores", args))
	if len(s.scores) > 1 {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.picture.spread",
			games.Args{"Low": args["Low"], "High": args["High"], "Middle": args["Middle"]})))
	}
	bars.Title = v.Say(games.Say("bot.picture.scores-title", games.Args{"Name": c.name, "Of": of}))
	row := []chat.Button{v.Button(games.Say("bot.button.stats", nil), "/stats "+c.tagged(), games.Plain)}
	if len(all) > 1 {
		next := fmt.Sprintf("/stats %s scores %d", c.tagged(), (at+1)%len(all))
		row = append(row, v.Button(games.Say("bot.button.other-rules", nil), next, games.Plain))
	}
	m.Buttons = [][]chat.Button{row}
	v.Illustrate("scores.png", v.Say(games.Say("bot.picture.scores-alt", args)),
		v.Say(games.Say("bot.picture.bars", args)), bars.PNG)
	return nil
}
