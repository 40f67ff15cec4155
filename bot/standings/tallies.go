package standings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// Statistics of a player in single games: sums that the games make of their moves.

// maxTallied is the largest number of games whose sums are on a page.
const maxTallied = 3

// maxCounted is how many games are counted for one answer: each takes some milliseconds.
const maxCounted = 150

// talliesOf adds up what a player's moves count, by game. Finished tables that were not counted yet are counted from
// their moves, and the counts are stored; as many as are left are not counted.
func (v *Visit) talliesOf(player string) (all map[string]map[string]int64, left int, err error) {
	if all, err = v.Tx.Scores.TalliesOf(v.Chat.ID, player); err != nil {
		return nil, 0, err
	}
	var tallied []string
	for _, g := range v.bot.Games {
		if _, ok := g.(games.Tallied); ok {
			tallied = append(tallied, g.Name())
		}
	}
	tables, err := v.Tx.Scores.UncountedTallies(v.Chat.ID, player, tallied)
	if err != nil {
		return nil, 0, err
	}
	left, err = v.bot.tallies.add(v, player, tables, maxCounted, func(game string, counted map[string]int64) {
		if all[game] == nil {
			all[game] = map[string]int64{}
		}
		games.Tally(all[game]).Add(counted)
	})
	return all, left, err
}

// TalliesAt counts the moves of every seat of a finished table, nil for games whose moves do not count. Moves for
// absent players count for no one.
func (b *Standings) TalliesAt(t store.Table, moves []store.Move) ([]map[string]int64, error) {
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, nil // not installed any more
	}
	counts, ok := g.(games.Tallied)
	if !ok {
		return nil, nil
	}
	stood, err := board.Standing(moves)
	if err != nil {
		return nil, err
	}
	m, err := g.New(t.Rules, len(t.Seats))
	if err != nil {
		return nil, err
	}
	steps, err := record.Steps(m, board.Facts(stood))
	if err != nil {
		return nil, err
	}
	seats := make([]map[string]int64, len(t.Seats))
	for i := range seats {
		seats[i] = map[string]int64{}
	}
	for _, step := range steps {
		if !step.Move.Auto {
			seat := step.Move.Seat
			games.Tally(seats[seat]).Add(counts.Tally(step.Before, step.After, seat, step.Move.Move))
		}
	}
	return seats, nil
}

// tallyLines returns a line with a player's sums of each game, the most played first, from the line from on; more says
// that further ones follow.
func (v *Visit) tallyLines(player string, played []store.Played, from int) (lines []games.Line, more bool, err error) {
	all, left, err := v.talliesOf(player)
	if err != nil {
		return nil, false, err
	}
	times := map[string]int{}
	for _, p := range played {
		times[p.Game]++
	}
	most := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
	for _, name := range most {
		g, err := v.bot.Game(name)
		if err != nil {
			continue // not installed any more
		}
		counts, ok := g.(games.Tallied)
		if !ok {
			continue
		}
		var told []string
		for _, line := range counts.SayTally(all[name]) {
			told = append(told, v.Say(line))
		}
		if len(told) > 0 {
			lines = append(lines, games.Say("bot.stats.told",
				games.Args{"Game": v.bot.GameLabel(g), "Told": strings.Join(told, " ")}))
		}
	}
	lines = lines[min(from, len(lines)):]
	if more = len(lines) > maxTallied; more {
		lines = lines[:maxTallied]
	}
	if left > 0 {
		lines = append(lines, games.Say("bot.stats.uncounted", games.Args{"N": left}))
	}
	return lines, more, nil
}

// pageOfGames is the page with the sums of further games.
const pageOfGames = "games"

// gamesPage shows a player's sums by game, from the line from on.
func (v *Visit) gamesPage(c companion, from int64) error {
	played, err := v.Tx.Scores.Series(v.Chat.ID, c.player, maxPlayed)
	if err != nil {
		return err
	}
	lines, more, err := v.tallyLines(c.player, played, int(min(max(from, 0), maxPlayed)))
	if err != nil {
		return err
	}
	m := v.Private(games.Say("bot.stats.by-game", games.Args{"Name": c.name}))
	for _, line := range lines {
		m.Lines = append(m.Lines, v.Say(line))
	}
	row := []chat.Button{v.Button(games.Say("bot.button.stats", nil), "/stats "+c.tagged(), games.Plain)}
	if more {
		row = append(row, v.moreGames(c, int(from)+maxTallied))
	}
	m.Row(row...)
	return nil
}

// moreGames returns the button to the sums of further games, from the line from on.
func (v *Visit) moreGames(c companion, from int) chat.Button {
	page := fmt.Sprintf("/stats %s %s %d", c.tagged(), pageOfGames, from)
	return v.Button(games.Say("bot.button.more-games", nil), page, games.Plain)
}
