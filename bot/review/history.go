package review

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The history of a chat: its finished games, newest first, each of which can be replayed move by
// move. Its buttons carry all that they need: they work after a restart, and for all people.

// The largest numbers on a page of the history.
const (
	maxPast    = 5  // games
	maxOffered = 25 // games, where a number is typed
	maxScores  = 4  // people of a game
)

// historyCommand lists the last games, or shows one of them as it stood after one of its moves: "41", "41 12".
func (v *visit) historyCommand(w bot.Args) error {
	if table, given := w.Amount("game"); given {
		return v.pastGame(table, w.Text("move"))
	}
	return v.pastGames(0)
}

// earlierGames lists the games before one: "before 37".
func (v *visit) earlierGames(w bot.Args) error {
	table, _ := w.Amount("game")
	return v.pastGames(table)
}

// pastGames shows a page of the games that have ended in the chat: the newest, or those before one of them.
func (v *visit) pastGames(before int64) error {
	tables, err := v.Tx.Scores.LastFinished(v.Chat.ID, before, maxPast+1)
	if err != nil {
		return err
	}
	more := len(tables) > maxPast
	tables = tables[:min(len(tables), maxPast)]
	head := games.Say("bot.history.games", games.Args{"N": len(tables)})
	switch {
	case len(tables) == 0 && before == 0:
		head = games.Say("bot.history.none", nil)
	case before != 0:
		head = games.Say("bot.history.earlier", games.Args{"Table": before})
	}
	m := v.Private(head)
	var looks, turn []chat.Button
	grid := chat.Grid{To: len(tables), Head: v.Columns("bot.column.number", "bot.column.day",
		"bot.column.game", "bot.column.results", "bot.column.note")}
	for _, t := range tables {
		past, err := v.past(t)
		if err != nil {
			return err
		}
		line := v.Say(past.line(t))
		row := []string{fmt.Sprint("#", t.ID), v.Say(past.day), v.Say(past.game), past.people, ""}
		if t.Ending.Voided {
			line = v.Say(games.Say("bot.history.voided", games.Args{"Line": struck(line)}))
			for i, cell := range row {
				row[i] = struck(cell)
			}
			row[len(row)-1] = v.Say(games.Say("bot.history.is-voided", nil))
		}
		m.Lines = append(m.Lines, line)
		grid.Rows = append(grid.Rows, row)
		number := games.Say("bot.button.game-number", games.Args{"Table": t.ID})
		looks = append(looks, v.Button(number, fmt.Sprintf("/history %d", t.ID), games.Plain))
	}
	if len(tables) > 0 {
		m.Grid(grid)
	}
	if before != 0 {
		turn = append(turn, v.Button(games.Say("bot.button.newest", nil), "/history", games.Plain))
	}
	if more {
		turn = append(turn, v.Button(games.Say("bot.button.older", nil),
			fmt.Sprint("/history before ", tables[maxPast-1].ID), games.Plain))
	}
	m.Row(looks...)
	m.Row(turn...)
	return nil
}

// endedGames are the newest games that have ended in the chat.
func (v *visit) endedGames() (all []bot.Choice, err error) {
	tables, err := v.Tx.Scores.LastFinished(v.Chat.ID, 0, maxOffered)
	for _, t := range tables {
		past, err := v.past(t)
		if err != nil {
			return nil, err
		}
		line := past.line(t)
		if t.Ending.Voided {
			line = games.Say("bot.history.voided", games.Args{"Line": line})
		}
		all = append(all, bot.Choice{Value: fmt.Sprint(t.ID),
			Label: games.Say("bot.text", games.Args{"Text": v.Say(line)})})
	}
	return all, err
}

// past is the summary of a finished game in a list.
type past struct {
	day, game games.Line
	people    string // with the units that each won or, without a stake, the score; the winners first
}

// line returns all of it as one line.
func (p past) line(t store.Table) games.Line {
	return games.Say("bot.history.line", games.Args{"Table": t.ID, "Day": p.day, "Game": p.game, "People": p.people})
}

// past reads the summary of a finished game.
func (v *visit) past(t store.Table) (past, error) {
	rows, err := v.Tx.Tables.Results(t.ID)
	if err == nil {
		t, err = v.Renamed(t)
	}
	if err != nil {
		return past{}, err
	}
	names := v.bot.NamesAt(t, v.Lang)
	slices.SortStableFunc(rows, func(a, b store.Result) int { return a.Place - b.Place })
	var people []string
	for i, r := range rows {
		if i == maxScores {
			people = append(people, v.Say(games.Say("bot.history.more", games.Args{"N": len(rows) - i})))
			break
		}
		won := games.Number("–")
		switch {
		case t.Stake > 0:
			won = bot.Signed(r.Units())
		case r.Threw || r.Difference.D != 0:
			won = bot.PlainNumber(r.Score)
		}
		people = append(people, names[r.Seat]+" "+v.Number(won))
	}
	game := games.Say("bot.text", games.Args{"Text": t.Game})
	if g, err := v.bot.Game(t.Game); err == nil {
		game = v.bot.TableLabel(g, t.Rules)
	}
	day, err := v.DayLabel(t.Ending.Evening)
	return past{day, game, strings.Join(people, " · ")}, err
}

// struck strikes a text through, in a way that every platform shows: each character by a stroke of its own.
func struck(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
		if unicode.IsPrint(r) && r != ' ' { // where a line wraps, a struck space would be a dash
			b.WriteRune('\u0336')
		}
	}
	return b.String()
}

// pastGame shows a finished game as it stood after one of its moves.
func (v *visit) pastGame(table int64, where string) error {
	t, err := v.Finished(table)
	if err != nil {
		return err
	}
	if t, err = v.Renamed(t); err != nil {
		return err
	}
	if t.Ending.MovesDropped { // the end is all there is to show
		g, match, err := v.bot.Match(t)
		if err != nil {
			return err
		}
		m, err := v.stood(t, g, match, 0, games.Say("bot.history.bare", games.Args{"Table": t.ID}))
		if err != nil {
			return err
		}
		m.Buttons = [][]chat.Button{{v.Button(games.Say("bot.button.games", nil), "/history", games.Plain)}}
		v.Reply.Private = m
		return nil
	}
	moves, err := v.MovesOf(t)
	if err != nil {
		return err
	}
	at, ok := stepTo(moves, where)
	if !ok {
		return games.Refuse("bot.history.how", nil)
	}
	m, err := v.replay(t, moves, at)
	if err != nil {
		return fmt.Errorf("table %d after %d moves: %w", table, at, err)
	}
	m.Buttons = v.stepButtons(table, at)
	v.Reply.Private = m
	return nil
}
