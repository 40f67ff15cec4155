package standings

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// careerLines returns lines about winning streaks, amounts won by evening, and games played alone as practice.
func (v *Visit) careerLines(c career, played []store.Played, today store.Day) []statLine {
	var lines []statLine
	if c.most > 0 {
		streak := games.Say("bot.stats.streak", games.Args{"Now": c.streak, "Most": c.most})
		lines = append(lines, statLine{line: streak})
	}
	units := []string{v.Unit()} // the chat's unit first, then others by their latest game
	for _, p := range played {
		if !slices.Contains(units, p.Unit) {
			units = append(units, p.Unit)
		}
	}
	shown := 0
	for _, unit := range units {
		inUnit := sumByEvening(played, wonUnits(unit))
		if shown < maxUnits && len(inUnit) > 0 {
			what := games.Say("bot.stats.won-and-lost", games.Args{"Unit": bot.UnitLabel(unit)})
			lines = append(lines, eveningLine(what, inUnit, today, bot.Signed))
			shown++
		}
	}
	if differences := sumByEvening(played, wonShares); len(differences) > 0 {
		lines = append(lines, eveningLine(games.Say("bot.stats.differences", nil), differences, today, pointsText))
	}
	if c.alone > 0 {
		lines = append(lines, statLine{line: games.Say("bot.stats.alone", games.Args{"N": c.alone})})
	}
	return lines
}

// pointsText returns shares, a number of parts of a point (money.Shares), as text in points, such as "+2 1/3".
func pointsText(shares int64) games.Number {
	return games.Number(money.Difference{N: shares, D: money.Shares}.String())
}

// eveningLine returns a line with the total of the evenings in all. If there are several, it also shows the best and
// the worst one. label names the amounts, spell formats an amount.
func eveningLine(label games.Line, all []evening, today store.Day, spell func(int64) games.Number) statLine {
	best, worst, total := extremes(all)
	args := games.Args{"What": label, "Total": spell(total)}
	cells := []games.Line{label, games.Say("bot.text", games.Args{"Text": spell(total)})}
	if len(all) < 2 {
		return statLine{games.Say("bot.stats.total", args), append(cells, plainLine(""), plainLine(""))}
	}
	for _, of := range []struct {
		name string
		evening
	}{{"Best", best}, {"Worst", worst}} {
		day := bot.DayLabel(of.day, today)
		args[of.name], args[of.name+"Day"] = spell(of.amount), day
		cells = append(cells, games.Say("bot.stats.on-day", games.Args{"Amount": spell(of.amount), "Day": day}))
	}
	return statLine{games.Say("bot.stats.evenings", args), cells}
}

// statLine is a line of text, and the cells of a table row with the same content; if cells is empty, there is no row.
type statLine struct {
	line  games.Line
	cells []games.Line
}

// plainLine returns text as a line. It is not translated.
func plainLine(text string) games.Line { return games.Say("bot.text", games.Args{"Text": text}) }

// addLines adds all to m as lines, and also as a table those that have cells, which must follow each other. columns
// holds the message keys of the table's column titles.
func (v *Visit) addLines(m *chat.Message, all []statLine, columns ...string) {
	grid := chat.Grid{Head: v.Columns(columns...)}
	for _, t := range all {
		if len(t.cells) > 0 {
			if len(grid.Rows) == 0 {
				grid.From = len(m.Lines)
			}
			grid.To = len(m.Lines) + 1
			row := make([]string, len(t.cells))
			for i, cell := range t.cells {
				row[i] = v.Say(cell)
			}
			grid.Rows = append(grid.Rows, row)
		}
		m.Lines = append(m.Lines, v.Say(t.line))
	}
	if len(grid.Rows) > 0 {
		m.Grid(grid)
	}
}

// rivalLines returns lines about the favourite and the dreaded opponent of c, chosen from the listed players in all.
func (v *Visit) rivalLines(c companion, all []companion) ([]statLine, error) {
	opponents, err := v.Tx.Scores.Opponents(v.Chat.ID, c.player)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, other := range all {
		if other.off == (store.Unlisted{}) {
			names[other.player] = other.name
		}
	}
	opponents = slices.DeleteFunc(opponents, func(o store.Opponent) bool { return names[o.Player] == "" })
	favourite, dreaded := rivals(opponents)
	var lines []statLine
	for _, r := range []struct {
		key, kind string
		store.Opponent
	}{
		{"bot.stats.favourite", "bot.column.favourite", favourite},
		{"bot.stats.dreaded", "bot.column.dreaded", dreaded},
	} {
		if r.Player != "" {
			line := games.Say(r.key, games.Args{"Name": names[r.Player], "Ahead": r.Ahead, "Behind": r.Behind})
			lines = append(lines, statLine{line, []games.Line{games.Say(r.kind, nil), plainLine(names[r.Player]),
				plainLine(fmt.Sprint(r.Ahead)), plainLine(fmt.Sprint(r.Behind))}})
		}
	}
	return lines, nil
}

// chanced is a game that may compute how likely a turn played at random shuts the box; it returns false if it cannot.
type chanced interface {
	ShutByChance(games.Rules) (float64, bool)
}

// shutLines returns a line on how often the player shut the box in the games played and, if known, how often random
// play would have done so. It returns nil if the player had no turns in games with a box.
func (v *Visit) shutLines(played []store.Played) ([]games.Line, error) {
	type rules struct{ game, rules string }
	turns := map[rules]int64{}
	var all, shut int64
	for _, p := range played {
		if p.Turns > 0 {
			turns[rules{p.Game, p.Rules}] += p.Turns
			all += p.Turns
			shut += p.Shut
		}
	}
	if all == 0 {
		return nil, nil
	}
	var known int64
	expected := 0.0
	for r, n := range turns {
		chance, err := v.bot.shutByChance(r.game, r.rules)
		if err != nil {
			return nil, err
		}
		if chance.known {
			known += n
			expected += chance.shut * float64(n)
		}
	}
	args := games.Args{"Shut": shut, "N": int(all), "Share": v.percent(float64(shut) / float64(all))}
	if known == 0 {
		return []games.Line{games.Say("bot.stats.shut", args)}, nil
	}
	args["Chance"] = v.percent(expected / float64(known))
	key := "bot.stats.shut-chance"
	if known < all {
		key, args["Known"] = "bot.stats.shut-chance-of", known
	}
	return []games.Line{games.Say(key, args)}, nil
}

// shutByChance returns the chance that a turn played at random shuts the box in a game; spelled holds the rules as the
// store spells them. The first call for these rules computes it in some milliseconds, later calls read a cache.
func (b *Standings) shutByChance(game, spelled string) (known chance, err error) {
	g, err := b.Game(game)
	if err != nil {
		return known, nil // the game is no longer installed
	}
	c, ok := g.(chanced)
	if !ok {
		return known, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	known, met := b.chances[game+" "+spelled]
	if met {
		return known, nil
	}
	rules, err := SpelledRules(spelled)
	if err != nil {
		return known, err
	}
	known.shut, known.known = c.ShutByChance(rules)
	if len(b.chances) >= maxChances {
		clear(b.chances)
	}
	b.chances[game+" "+spelled] = known
	return known, nil
}

// diceLines returns one line for each kind of dice (number of sides) that a player rolled, with the result of
// testFairness. Before that it counts the finished tables whose dice are not counted yet.
func (v *Visit) diceLines(player string) ([]games.Line, error) {
	faces, err := v.Tx.Scores.FacesOf(v.Chat.ID, player)
	if err != nil {
		return nil, err
	}
	tables, err := v.Tx.Scores.UncountedFaces(v.Chat.ID, player)
	if err != nil {
		return nil, err
	}
	_, err = v.bot.faces.countTables(v, player, tables, len(tables), func(_ string, f store.Faces) {
		faces[f.Sides] = faces[f.Sides].With(f)
	})
	if err != nil {
		return nil, err
	}
	var lines []games.Line
	for _, sides := range slices.Sorted(maps.Keys(faces)) {
		f, total := faces[sides], sumOfCounts(faces[sides].Counts)
		if total == 0 {
			continue
		}
		args := games.Args{
			"N": int(total), "Sides": f.Sides, "Throws": f.Throws, "Pips": sumPips(f.Counts),
			"Mean": v.decimal(float64(sumPips(f.Counts))/float64(total), 2), "Fair": v.decimal(float64(f.Sides+1)/2, 1),
		}
		key := "bot.stats.dice"
		if f.Sides <= maxFaces {
			var each []string
			for i, n := range f.Counts {
				each = append(each, fmt.Sprintf("%d× %d", n, i+1))
			}
			key, args["Faces"] = "bot.stats.dice-faces", strings.Join(each, ", ")
		}
		share, needed, enough := testFairness(f.Counts)
		args["Test"] = games.Say("bot.stats.too-few", games.Args{"Needed": needed})
		if enough {
			args["Test"] = games.Say("bot.stats.odd-rare", nil)
			if n := int(math.Round(100 * share)); n > 0 {
				args["Test"] = games.Say("bot.stats.odd", games.Args{"N": n})
			}
		}
		lines = append(lines, games.Say(key, args))
	}
	return lines, nil
}

// decimal returns n as text in the user's language, with digits digits after the decimal point.
func (v *Visit) decimal(n float64, digits int) string {
	return v.Number(games.Number(strconv.FormatFloat(n, 'f', digits, 64)))
}

// percent returns share (0 to 1) as percent without "%", with one decimal for values below ten: "43", "7.1", "< 0.1".
func (v *Visit) percent(share float64) string {
	switch {
	case share > 0 && share < 0.0005:
		return "< " + v.decimal(0.1, 1)
	case share == 0 || share >= 0.0995:
		return v.decimal(100*share, 0)
	}
	return v.decimal(100*share, 1)
}
