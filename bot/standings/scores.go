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

// The bar chart of how a player's scores are spread.

// maxBins is the largest number of stretches.
const maxBins = 12

// scoring holds a player's scores under one set of rules: they are not comparable with others.
type scoring struct {
	game, rules string
	scores      []int64
}

// scored groups the scores of games by their rules, those with most games first.
func scored(played []store.Played) []scoring {
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

// bin is a stretch of scores, both ends included.
type bin struct {
	from, to int64
	count    int64
}

// said returns the scores of a stretch as numbers are spelled.
func (b bin) said(spell func(games.Number) string) string {
	if b.from == b.to {
		return spell(bot.PlainNumber(b.from))
	}
	return spell(bot.PlainNumber(b.from)) + "–" + spell(bot.PlainNumber(b.to))
}

// bins puts scores into stretches of equal and round width, from the lowest to the highest, empty ones among them.
func bins(scores []int64) []bin {
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
		all[i].from = (first + int64(i)) * width
		all[i].to = all[i].from + width - 1
	}
	for _, s := range scores {
		all[floorDiv(s, width)-first].count++
	}
	return all
}

// beside puts empty stretches beside one that is alone, as no picture is made of a single bar.
func beside(all []bin) []bin {
	if len(all) != 1 {
		return all
	}
	b, width := all[0], all[0].to-all[0].from+1
	before, behind := bin{from: b.from - width, to: b.from - 1}, bin{from: b.to + 1, to: b.to + width}
	if b.from == 0 { // most games know no score below
		return []bin{b, behind}
	}
	return []bin{before, b, behind}
}

// floorDiv divides and rounds down, below zero too.
func floorDiv(a, b int64) int64 {
	if a < 0 && a%b != 0 {
		return a/b - 1
	}
	return a / b
}

// scorePicture shows how a player's scores are spread, under the rules that they have played most, or the next of
// these.
func (v *Visit) scorePicture(c companion, which int64) error {
	played, err := v.Tx.Scores.Series(v.Chat.ID, c.player, maxPlayed)
	if err != nil {
		return err
	}
	all := scored(played)
	if len(all) == 0 {
		return games.Refuse("bot.stats.unplayed", games.Args{"Name": c.name})
	}
	at := int(min(which, int64(len(all)-1)))
	s := all[at]
	of := games.Say("bot.text", games.Args{"Text": s.game}) // it may not be installed any more
	if g, err := v.bot.Game(s.game); err == nil {
		rules, err := SpelledRules(s.rules)
		if err != nil {
			return err
		}
		of = v.bot.FullLabel("bot.picture.game", g, rules)
	}
	spread := bins(s.scores)
	slices.Sort(s.scores)
	said := make([]string, len(spread))
	bars := chart.Bars{Below: v.Say(games.Say("bot.picture.points", nil))}
	for i, b := range spread {
		said[i] = fmt.Sprint(b.said(v.Number), ": ", b.count)
	}
	for _, b := range beside(spread) {
		bars.Bars = append(bars.Bars, chart.Bar{Label: b.said(v.Number), Count: b.count})
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
