package review

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Command /history: the finished games of a chat, each of which can be replayed move by move. Each button contains a
// complete command, so it works after a restart and for everyone.

// The limits of lists.
const (
	maxPast    = 5  // games on a page
	maxOffered = 25 // games offered while a user types a game number
	maxScores  = 4  // players named in the line of a game
	maxSteps   = 12 // moves on a page of a review
)

// historyCommand lists the latest games, or shows one as it was after a given number of moves: "41", "41 12".
func (v *visit) historyCommand(args bot.Args) error {
	if table, given := args.Amount("game"); given {
		return v.showGame(table, args.Text("move"))
	}
	return v.listGames(args)
}

// listGames shows a page of finished games: the latest or, if the option "game" is set ("/history before 37"), those
// with numbers below it.
func (v *visit) listGames(args bot.Args) error {
	before, _ := args.Amount("game")
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
	var gameButtons, pageButtons []chat.Button
	grid := chat.Grid{To: len(tables), Head: v.Columns("bot.column.number", "bot.column.day",
		"bot.column.game", "bot.column.results", "bot.column.note")}
	for _, t := range tables {
		summary, err := v.summaryOf(t)
		if err != nil {
			return err
		}
		line := v.Say(summary.line(t))
		row := []string{fmt.Sprint("#", t.ID), v.Say(summary.day), v.Say(summary.game), summary.people, ""}
		if t.Ending.Voided {
			line = v.Say(games.Say("bot.history.voided", games.Args{"Line": strikeThrough(line)}))
			for i, cell := range row {
				row[i] = strikeThrough(cell)
			}
			row[len(row)-1] = v.Say(games.Say("bot.history.is-voided", nil))
		}
		m.Lines = append(m.Lines, line)
		grid.Rows = append(grid.Rows, row)
		number := games.Say("bot.button.game-number", games.Args{"Table": t.ID})
		gameButtons = append(gameButtons, v.Button(number, fmt.Sprintf("/history %d", t.ID), games.Plain))
	}
	if len(tables) > 0 {
		m.Grid(grid)
	}
	if before != 0 {
		pageButtons = append(pageButtons, v.Button(games.Say("bot.button.newest", nil), "/history", games.Plain))
	}
	if more {
		pageButtons = append(pageButtons, v.Button(games.Say("bot.button.older", nil),
			fmt.Sprint("/history before ", tables[maxPast-1].ID), games.Plain))
	}
	seasons, err := v.Seasons()
	if len(seasons) > 0 {
		pageButtons = append(pageButtons, v.Button(games.Say("bot.button.seasons", nil), "/history seasons",
			games.Plain))
	}
	m.Row(gameButtons...)
	m.Row(pageButtons...)
	return err
}

// endedGames returns the latest finished games of the chat as choices of an option.
func (v *visit) endedGames() (all []bot.Choice, err error) {
	tables, err := v.Tx.Scores.LastFinished(v.Chat.ID, 0, maxOffered)
	for _, t := range tables {
		summary, err := v.summaryOf(t)
		if err != nil {
			return nil, err
		}
		line := summary.line(t)
		if t.Ending.Voided {
			line = games.Say("bot.history.voided", games.Args{"Line": line})
		}
		all = append(all, bot.Choice{Value: fmt.Sprint(t.ID),
			Label: games.Say("bot.text", games.Args{"Text": v.Say(line)})})
	}
	return all, err
}

// gameSummary is a finished game as lists show it.
type gameSummary struct {
	day, game games.Line
	people    string // names and the units won (without a stake the scores), winners first
}

// line returns the summary of the table t as one line.
func (s gameSummary) line(t store.Table) games.Line {
	return games.Say("bot.history.line", games.Args{"Table": t.ID, "Day": s.day, "Game": s.game, "People": s.people})
}

// summaryOf returns the summary of a finished game, with the current names of its players.
func (v *visit) summaryOf(t store.Table) (gameSummary, error) {
	rows, names, err := v.resultsOf(t)
	if err != nil {
		return gameSummary{}, err
	}
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
		case hasScore(r):
			won = bot.PlainNumber(r.Score)
		}
		people = append(people, names[r.Seat]+" "+v.Number(won))
	}
	day, err := v.DayLabel(t.Ending.Evening)
	return gameSummary{day, v.gameLabel(t), strings.Join(people, " · ")}, err
}

// resultsOf returns the results of a finished game, the winners first, and the current names of its seats.
func (v *visit) resultsOf(t store.Table) (rows []store.Result, names []string, err error) {
	if rows, err = v.Tx.Tables.Results(t.ID); err == nil {
		t, err = v.Renamed(t)
	}
	slices.SortStableFunc(rows, func(a, b store.Result) int { return a.Place - b.Place })
	return rows, v.bot.NamesAt(t, v.Lang), err
}

// gameLabel returns the name of a table's game, even if that game is no longer installed.
func (v *visit) gameLabel(t store.Table) games.Line {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return games.Say("bot.text", games.Args{"Text": t.Game})
	}
	return v.bot.TableLabel(g, t.Rules)
}

// hasScore reports whether r, a result, is of a seat that has a score.
func hasScore(r store.Result) bool { return r.Threw || r.Difference.D != 0 }

// strikeThrough returns text struck through on every platform, by a combining stroke after each character.
func strikeThrough(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
		if unicode.IsPrint(r) && r != ' ' { // a space with a stroke looks like a dash at a line break
			b.WriteRune('\u0336')
		}
	}
	return b.String()
}

// showGame shows a finished game at target (see parseMoveNumber), or its end if its moves were dropped.
func (v *visit) showGame(table int64, target string) error {
	t, err := v.Finished(table)
	if err != nil {
		return err
	}
	if t, err = v.Renamed(t); err != nil {
		return err
	}
	if t.Ending.MovesDropped { // only the end can be shown
		g, match, err := v.bot.Match(t)
		if err != nil {
			return err
		}
		m, err := withHeadline(v.boardOf(t, g, match, 0), games.Say("bot.history.bare", games.Args{"Table": t.ID}))
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
	count, ok := parseMoveNumber(moves, target)
	if !ok {
		return games.Refuse("bot.history.how", nil)
	}
	m, err := v.replayedBoard(t, moves, count)
	if err != nil {
		return fmt.Errorf("table %d after %d moves: %w", table, count, err)
	}
	m.Buttons = v.stepButtons(table, count)
	v.Reply.Private = m
	return nil
}

// parseMoveNumber returns how many of moves to replay: 12 for "12", 0 for "" and "first", all for "last". "<12" means
// the start of the turn that contains move 12, ">12" the end of the turn that contains move 13. Numbers out of range
// become the nearest valid one. It returns false for other targets.
func parseMoveNumber(moves []store.Move, target string) (int, bool) {
	switch target {
	case "", "first":
		return 0, true
	case "last":
		return len(moves), true
	}
	direction := target[0]
	if direction == '<' || direction == '>' {
		target = target[1:]
	}
	count, err := strconv.Atoi(target)
	if err != nil {
		return 0, false
	}
	count = min(max(count, 0), len(moves))
	switch direction {
	case '<':
		for count--; count > 0 && moves[count-1].Seat == moves[count].Seat; count-- {
		}
	case '>':
		for count++; count < len(moves) && moves[count-1].Seat == moves[count].Seat; count++ {
		}
	}
	return min(max(count, 0), len(moves)), true
}

// stepButtons returns buttons that lead from the replay of table after count moves to other moves. Their positions are
// fixed, so that people can press repeatedly without looking.
func (v *visit) stepButtons(table int64, count int) [][]chat.Button {
	step := func(label games.Line, target string) chat.Button {
		return v.Button(label, fmt.Sprintf("/history %d %s", table, target), games.Plain)
	}
	next := step(games.Say("bot.button.next", nil), strconv.Itoa(count+1))
	next.Style = games.Primary
	return [][]chat.Button{
		{
			step(games.Say("bot.button.first", nil), "first"),
			step(games.Say("bot.button.previous", nil), strconv.Itoa(count-1)),
			next, step(games.Say("bot.button.last", nil), "last"),
		},
		{
			step(games.Say("bot.button.turn-before", nil), fmt.Sprint("<", count)),
			step(games.Say("bot.button.turn-after", nil), fmt.Sprint(">", count)),
			v.Button(games.Say("bot.button.games", nil), "/history", games.Plain),
		},
	}
}

// replayedBoard returns the board of a finished game in the user's language, as it was after count of its moves.
func (v *visit) replayedBoard(t store.Table, moves []store.Move, count int) (*chat.Message, error) {
	headline := games.Say("bot.history.before", games.Args{"Table": t.ID})
	if count > 0 {
		headline = games.Say("bot.history.step", games.Args{"Table": t.ID, "Move": count, "Moves": len(moves)})
	}
	s, err := v.earlierBoard(t, moves, count)
	if err != nil {
		return nil, err
	}
	return withHeadline(s, headline)
}

// earlierBoard returns the board of a table in the user's language, as it was after count of its moves. The caller must
// check Err of the board.
func (v *visit) earlierBoard(t store.Table, moves []store.Move, count int) (*board.BoardView, error) {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return nil, err
	}
	match, _, err := table.Replayed(g, t, moves[:count])
	if err != nil {
		return nil, err
	}
	t.Seats = slices.Clone(t.Seats)
	for i, s := range t.Seats { // seats that left the game after this move still take part
		if lastMove := board.OutAfter(s, i, moves); lastMove != nil && count <= *lastMove {
			t.Seats[i].Absence = store.Present
		}
	}
	seat := 0 // seat of the last replayed move or, at the start, of the first move
	if len(moves) > 0 {
		seat = moves[max(count-1, 0)].Seat
	}
	return v.boardOf(t, g, match, seat), nil
}

// boardOf returns the board of a table in the state match, with the score sheet of seat.
func (v *visit) boardOf(t store.Table, g games.Game, match games.Match, seat int) *board.BoardView {
	t.Board.Page = board.PageSheet
	return v.bot.AsItStood(v.Tx, v.Lang, t, g, match, seat)
}

// withHeadline returns the board s of a finished game as a message with a headline and the small print.
func withHeadline(s *board.BoardView, headline games.Line) (*chat.Message, error) {
	s.Message.Head = s.Say("bot.history.head", games.Args{"Where": headline, "What": s.Message.Said()})
	s.Message.Told = nil
	s.SmallPrint()
	return &s.Message, s.Err
}
